/** A scene that can be rendered and walked in, from a scan or built in. */
import { LruCache } from '../../../../suite.ts'
import {
  cellCenter,
  chooseViewpoints,
  freePlace,
  type FreeSpace,
  PreparedScene,
  Renderer,
  type SceneObject,
  type TriangleMesh,
  Walker,
} from '../../../../world.ts'
import type { Bounds } from '../bounds.ts'
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
  start: readonly [number, number]
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
export function stageFrom({ hash, memory, mesh, bounds, space, objects }: StageData): Stage {
  let walker: Walker | undefined
  const middle = [(bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2] as const
  return {
    hash,
    renderer: new Renderer(new PreparedScene(memory)),
    bounds,
    // Video playback needs no walker.
    get walker() {
      return (walker ??= new Walker(mesh, { floor: space.floor, bounds, atObstacles: 'stop' }))
    },
    space,
    objects,
    start: freePlace(space, ...middle) ?? middle,
    cutAbove: bounds.min[2] + (bounds.max[2] - bounds.min[2]) * CUT_SHARE,
    images: new LruCache(MAX_CACHED_IMAGES),
    videos: new LruCache(MAX_CACHED_IMAGES),
    viewpoints: () => chooseViewpoints(mesh, space).cells.map((cell) => cellCenter(space.grid, cell)),
  }
}

export function stageOf(mesh: TriangleMesh, hash: string, known: KnownContents = {}): Stage {
  return stageFrom(stageData(mesh, hash, known))
}
