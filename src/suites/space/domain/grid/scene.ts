/**
 * The grid world: rooms, doors and objects on integer cells. +x is east, +y is north. Every entity is a point on a cell.
 * A scene is plain, immutable JSON; poses, observations and beliefs are kept elsewhere.
 */

export type Vec = readonly [x: number, y: number]

/** The four headings, clockwise from north. */
export const NORTH: Vec = [0, 1]
export const EAST: Vec = [1, 0]
export const SOUTH: Vec = [0, -1]
export const WEST: Vec = [-1, 0]
export const HEADINGS: readonly Vec[] = [NORTH, EAST, SOUTH, WEST]

/** Cell codes of `Scene.mask`; 1 to 99 are room numbers. */
export const OUTSIDE = -1
export const WALL = 0
/** A door that connects the cells west and east of it. */
export const DOOR_EAST_WEST = 100
/** A door that connects the cells south and north of it. */
export const DOOR_NORTH_SOUTH = 101

export interface GridObject {
  kind: 'object'
  /** Unique in its scene; multi-word names have spaces. */
  name: string
  pos: Vec
  /** Which way it faces; a placeholder that must not be shown if `oriented` is false. */
  heading: Vec
  oriented: boolean
  room: number
}

export interface Door {
  kind: 'door'
  name: string
  pos: Vec
  /** The two rooms it connects. */
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
   * Names of objects, then of doors, in the order in which the prompt lists them and views report them. The published
   * world lists them room by room, which gives rooms away; generated scenes shuffle them.
   */
  order: readonly string[]
}

/** Position and heading of a viewer. `rooms` are the rooms in view: two in a doorway. */
export interface Pose {
  pos: Vec
  heading: Vec
  rooms: readonly number[]
}

/** A change between the two explorations. */
export interface Change {
  name: string
  kind: 'position' | 'orientation'
}

/** A scene after its changes. */
export interface RevisedScene {
  scene: Scene
  changes: Change[]
}
