/** What an object is: triangles, size, front, and where other things may stand on it. */
import type { Random } from '../../base/random.ts'
import type { DyeablePart } from './dyeable.ts'
import type { ObjectMesh, Occluder, Sculpture } from './shapes.ts'

/** A level place on an object where smaller things may stand, in the object's own frame. */
export interface Surface {
  z: number
  x: readonly [number, number]
  y: readonly [number, number]
  /** Free height above it; absent where nothing is above. */
  clear?: number
}

/** Where a thing belongs: on the floor, hung on a wall or from the ceiling, or on top of something. */
export type Mount = 'floor' | 'wall' | 'ceiling' | 'surface'

/** How a category is made. Its front is +x, its width runs along y, its base is at z = 0. */
export interface ObjectKind {
  mount: Mount
  /** Whether it has a front that one can tell. */
  oriented: boolean
  /**
   * Models the object; the same random numbers give the same object. `style` is the same for all categories of one
   * variant: pieces that stand side by side match.
   */
  build: (sculpture: Sculpture, random: Random, style: Random) => readonly Surface[] | void
}

export interface ObjectModel {
  category: string
  variant: number
  /** Own frame: origin in the middle of the base, z up, front +x. */
  mesh: ObjectMesh
  /** Full lengths along x (depth), y (width) and z (height), to the millimeter. */
  size: readonly [number, number, number]
  /** Degrees from +x of its front in its own frame: 0, or null where it has no front. */
  facing: 0 | null
  mount: Mount
  surfaces: readonly Surface[]
  occluders: readonly Occluder[]
  /** Its largest parts that can have another color. */
  dyeable: readonly DyeablePart[]
  /** Things that are part of its mesh and that a person would name: category → how many (books in a shelf). */
  contains: Readonly<Record<string, number>>
}
