/** A scene that can be rendered and walked in, from a scan or built in. */
import { LruCache } from '../../../../suite.ts'
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
  /** Hash of the mesh file or of the generated scene. */
  hash: string
  renderer: Renderer
  /** The room's bounds as the protocol defines them. */
  bounds: Bounds
  walker: Walker
  /** Where a body can stand. */
  space: FreeSpace
  /** Known objects; empty for a scan. */
  objects: readonly SceneObject[]
  /** Where the agent starts: near the center, where a body fits. */
  start: Vec3
  /** Height at which maps are cut open, below the ceiling. */
  cutAbove: number
  /** Positions that together see the whole floor, those that see most first. */
  viewpoints: () => readonly (readonly [number, number])[]
  /** Encoded first views and walkthrough frames, shared by all questions of the scene. */
  images: LruCache<Promise<Uint8Array>>
  /** Encoded walkthrough videos. */
  videos: LruCache<Promise<WholeVideo>>
}

export interface WholeVideo {
  bytes: Uint8Array
  /** Absent for a recorded video, which is not re-encoded. */
  encoder?: string
}

export const MAX_CACHED_IMAGES = 80

/** Share of the room's height at which maps are cut: below the ceiling, above the furniture. */
const CUT_SHARE = 0.85

/** Creates a stage from data prepared in this or another thread. */
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
    images: new LruCache(MAX_CACHED_IMAGES),
    videos: new LruCache(MAX_CACHED_IMAGES),
    viewpoints: () => chooseViewpoints(mesh, space).cells.map((cell) => cellCenter(space.grid, cell)),
  }
}

export function stageOf(mesh: TriangleMesh, hash: string, known: KnownContents = {}): Stage {
  return stageFrom(stageData(mesh, hash, known))
}

export function cameraAt(pose: Pose): Camera {
  return { pose, lens: focalLength(VIEW.focal, VIEW.width, VIEW.height), near: VIEW.near }
}
