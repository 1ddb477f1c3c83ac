/** A scene that can be looked at and walked in, whatever it came from. */
import { chooseViewpoints } from '../../../world/film/index.ts'
import { cellCenter, type FreeSpace, freePlace, TriangleTree } from '../../../world/geometry/index.ts'
import type { SceneObject, TriangleMesh } from '../../../world/mesh.ts'
import { type Camera, focalLength, type Pose, PreparedScene, Renderer, type Vec3 } from '../../../world/render/index.ts'
import { Walker } from '../../../world/walk/index.ts'
import type { Bounds } from '../agent/bounds.ts'
import { EYE_HEIGHT, startPosition, VIEW } from '../agent/pose.ts'
import { type Known, type StageData, stageData } from './stage-data.ts'

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
  /** Pictures that are taken for every question of the scene, encoded. */
  pictures: PictureCache
  /** The film of a walk through it, encoded, with how it was. */
  films: PictureCache<WholeVideo>
}

export interface WholeVideo {
  bytes: Uint8Array
  /** Of a film that was made here; a recorded one is given as it is. */
  encoder?: string
}

/** Share of the height at which maps are cut: below the ceiling of a room, above its furniture. */
const CUT = 0.85

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
    cutAbove: bounds.min[2] + (bounds.max[2] - bounds.min[2]) * CUT,
    pictures: new PictureCache(),
    films: new PictureCache(),
    viewpoints: () => chooseViewpoints(mesh, space).cells.map((cell) => cellCenter(space.grid, cell)),
  }
}

export function stageOf(mesh: TriangleMesh, hash: string, known: Known = {}): Stage {
  return stageFrom(stageData(mesh, hash, known))
}

export function cameraAt(pose: Pose): Camera {
  return { pose, lens: focalLength(VIEW.focal, VIEW.width, VIEW.height), near: VIEW.near }
}

/** First views and frames of the film are the same for all questions of a scene: they are encoded once. */
export class PictureCache<Kept = Uint8Array> {
  readonly #pictures = new Map<string, Promise<Kept>>()

  get(key: string, make: () => Promise<Kept>): Promise<Kept> {
    const picture = this.#pictures.get(key) ?? make()
    this.#pictures.set(key, picture)
    if (this.#pictures.size > PICTURES_KEPT) this.#pictures.delete(this.#pictures.keys().next().value!)
    return picture
  }
}

const PICTURES_KEPT = 80

/** A few scenes are kept: questions of one scene follow each other. */
export class StageCache {
  readonly #stages = new Map<string, Promise<Stage>>()
  readonly #limit: number

  constructor(limit = 4) {
    this.#limit = limit
  }

  get(key: string, load: () => Promise<Stage>): Promise<Stage> {
    const known = this.#stages.get(key)
    // What was used last goes to the end: the first is the one to leave.
    this.#stages.delete(key)
    const stage = known ?? load()
    this.#stages.set(key, stage)
    if (this.#stages.size > this.#limit) this.#stages.delete(this.#stages.keys().next().value!)
    // A failure is not kept: the file may be there next time.
    if (!known) stage.catch(() => this.#stages.delete(key))
    return stage
  }
}
