/** A scene that can be looked at and walked in, whatever it came from. */
import { Recent } from '../../../../suite.ts'
import {
  type Camera,
  cellCenter,
  chooseViewpoints,
  focalLength,
  freePlace,
  type FreeSpace,
  type Pose,
  PreparedScene,
  Renderer,
  type SceneObject,
  type TriangleMesh,
  TriangleTree,
  type Vec3,
  Walker,
} from '../../../../world.ts'
import type { Bounds } from '../bounds.ts'
import { EYE_HEIGHT, startPosition, VIEW } from '../pose.ts'
import { type KnownContents, type StageData, stageData } from './stage-data.ts'

export interface Stage {
  /** Names what is drawn: the hash of the file or of the generated scene. */
  hash: string
  renderer: Renderer
  /** The room's extent as the protocol measures it. */
  bounds: Bounds
  walker: Walker
  /** Where a body can stand. */
  space: FreeSpace
  /** Known things; none in a scan. */
  objects: readonly SceneObject[]
  /** Where the agent starts: near the middle, where a body fits. */
  start: Vec3
  /** Maps are cut here, below the ceiling. */
  cutAbove: number
  /** Places from which together the whole floor is seen, the most telling first. */
  viewpoints: () => readonly (readonly [number, number])[]
  /** First views and frames of the film, encoded: they are the same for all questions of the scene. */
  images: Recent<Promise<Uint8Array>>
  /** The film of a walk through it, encoded, with how it was. */
  videos: Recent<Promise<WholeVideo>>
}

export interface WholeVideo {
  bytes: Uint8Array
  /** Of a film that was made here; a recorded one is given as it is. */
  encoder?: string
}

export const MAX_CACHED_IMAGES = 80

/** Share of the height at which maps are cut: below the ceiling of a room, above its furniture. */
const CUT_SHARE = 0.85

/** A stage from what was prepared in this thread or in another. */
export function stageFrom({ hash, memory, mesh, tree, bounds, space, objects }: StageData): Stage {
  const [x, y] = startPosition(bounds)
  const free = freePlace(space, x, y) ?? [x, y]
  const ceiling = bounds.max[2] - 0.3
  return {
    hash,
    renderer: new Renderer(new PreparedScene(memory)),
    bounds,
    walker: new Walker(mesh, { floor: space.floor, bounds, atObstacles: 'stop' }, new TriangleTree(mesh, tree)),
    space,
    objects,
    start: [free[0], free[1], Math.min(bounds.min[2] + EYE_HEIGHT, ceiling)],
    cutAbove: bounds.min[2] + (bounds.max[2] - bounds.min[2]) * CUT_SHARE,
    images: new Recent(MAX_CACHED_IMAGES),
    videos: new Recent(MAX_CACHED_IMAGES),
    viewpoints: () => chooseViewpoints(mesh, space).cells.map((cell) => cellCenter(space.grid, cell)),
  }
}

export function stageOf(mesh: TriangleMesh, hash: string, known: KnownContents = {}): Stage {
  return stageFrom(stageData(mesh, hash, known))
}

export function cameraAt(pose: Pose): Camera {
  return { pose, lens: focalLength(VIEW.focal, VIEW.width, VIEW.height), near: VIEW.near }
}
