import type { SceneRoom, Side } from './scene.ts'

/** From where to where a side of a room runs, along x or y. */
export function sideSpan(room: Pick<SceneRoom, 'x' | 'y'>, side: Side): readonly [number, number] {
  return side === 'north' || side === 'south' ? room.x : room.y
}

/** The coordinate across a side: where its wall's inner face is. */
export function sidePlane(room: Pick<SceneRoom, 'x' | 'y'>, side: Side): number {
  return side === 'west' ? room.x[0] : side === 'east' ? room.x[1] : side === 'south' ? room.y[0] : room.y[1]
}
