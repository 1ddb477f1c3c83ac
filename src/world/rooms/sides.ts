import type { SceneDoor, SceneRoom, Side } from './scene.ts'

export const SIDES: readonly Side[] = ['west', 'south', 'east', 'north']
/** Degrees that something turns to have its back to a wall. */
export const FACING: Readonly<Record<Side, number>> = { west: 0, south: 90, east: 180, north: 270 }

export function opposite(side: Side): Side {
  return side === 'west' ? 'east' : side === 'east' ? 'west' : side === 'south' ? 'north' : 'south'
}

/** The doors of a side, seen from either room. */
export function doorsOn(room: SceneRoom, side: Side, doors: readonly SceneDoor[]): SceneDoor[] {
  return doors.filter(
    (door) =>
      (door.rooms[0] === room.id && door.side === side) || (door.rooms[1] === room.id && opposite(door.side) === side),
  )
}

/** From where to where a side of a room runs, along x or y. */
export function sideSpan(room: Pick<SceneRoom, 'x' | 'y'>, side: Side): readonly [number, number] {
  return side === 'north' || side === 'south' ? room.x : room.y
}

/** The coordinate across a side: where its wall's inner face is. */
export function sidePlane(room: Pick<SceneRoom, 'x' | 'y'>, side: Side): number {
  return side === 'west' ? room.x[0] : side === 'east' ? room.x[1] : side === 'south' ? room.y[0] : room.y[1]
}
