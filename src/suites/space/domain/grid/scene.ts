/**
 * The grid world: rooms, doors and objects on integer cells. +x is east, +y is north. Everything is a point on a cell.
 * A scene is plain JSON and never changes; poses, observations and beliefs live elsewhere.
 */

export type Vec = readonly [x: number, y: number]

/** The four headings, clockwise from north. */
export const NORTH: Vec = [0, 1]
export const EAST: Vec = [1, 0]
export const SOUTH: Vec = [0, -1]
export const WEST: Vec = [-1, 0]
export const HEADINGS: readonly Vec[] = [NORTH, EAST, SOUTH, WEST]

/** Cell codes of `Scene.mask`; 1…99 is the number of a room. */
export const OUTSIDE = -1
export const WALL = 0
/** A door that joins the cells west and east of it. */
export const DOOR_EAST_WEST = 100
/** A door that joins the cells south and north of it. */
export const DOOR_NORTH_SOUTH = 101

export interface GridObject {
  kind: 'object'
  /** Unique in its scene; multi-word names have spaces. */
  name: string
  pos: Vec
  /** Which way it faces; a placeholder that must not be shown when `oriented` is false. */
  heading: Vec
  oriented: boolean
  room: number
}

export interface Door {
  kind: 'door'
  name: string
  pos: Vec
  /** The two rooms it joins. */
  rooms: readonly [number, number]
  /** For each of `rooms`, the unit vector from the door into that room. */
  normals: readonly [Vec, Vec]
}

export type Entity = GridObject | Door

export interface Scene {
  /** `mask[x][y]` */
  mask: readonly (readonly number[])[]
  objects: readonly GridObject[]
  doors: readonly Door[]
  /** Where the agent starts, always facing north. */
  start: { pos: Vec; room: number }
  /**
   * Names of objects, then of doors, in the order in which they are listed to the player and reported in views. The
   * published world lists them room by room, which gives rooms away; ours is shuffled.
   */
  order: readonly string[]
}

/** Where someone stands and looks. `rooms` are the rooms one can see into: two in a doorway. */
export interface Pose {
  pos: Vec
  heading: Vec
  rooms: readonly number[]
}

/** Something that is different when the player comes back. */
export interface Change {
  name: string
  kind: 'position' | 'orientation'
}

/** A scene after its changes. */
export interface RevisedScene {
  scene: Scene
  changes: Change[]
}
