/** The space inside the walls of a built-in scene, which is what questions and prompts call its size. */
import { roomArea, type Scene } from '../../../world.ts'
import type { Bounds } from './bounds.ts'

/** Floor of all rooms from wall to wall, in square meters; without the walls and the recesses of doors and windows. */
export function floorArea({ rooms }: Pick<Scene, 'rooms'>): number {
  return rooms.reduce((sum, room) => sum + roomArea(room), 0)
}

/** From the inside of one outer wall to the inside of the opposite one. */
export function interiorBounds({ rooms, height }: Pick<Scene, 'rooms' | 'height'>): Bounds {
  const ends = (axis: 'x' | 'y') => rooms.flatMap((room) => [...room[axis]])
  return {
    min: [Math.min(...ends('x')), Math.min(...ends('y')), 0],
    max: [Math.max(...ends('x')), Math.max(...ends('y')), height],
  }
}
