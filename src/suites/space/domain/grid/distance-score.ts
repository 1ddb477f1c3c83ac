/** Scores position errors in [0, 1]. */
import { memoized } from '../../../../suite.ts'
import { isRoomCode } from './invariants.ts'
import type { Scene, Vec } from './scene.ts'
import { roomIds } from './view.ts'

/** Every cell of every room, by x and then by y. */
export const floorCells = memoized(({ mask }: Scene): readonly Vec[] =>
  mask.flatMap((column, x) => column.flatMap((code, y): Vec[] => (isRoomCode(code) ? [[x, y]] : []))),
)

/**
 * Length scale of errors in profile `fixed`: half the side of an average room, the same for all questions about a scene;
 * in a room of 6 × 6, an error of one cell costs 28%. The published scale is the distance of the right answer from the
 * origin, which is more lenient for distant objects and gives 37% to the answer (0, 0).
 */
export const lengthScale = memoized(
  (scene: Scene): number => Math.sqrt(floorCells(scene).length / Math.max(1, roomIds(scene).length)) / 2,
)

/** exp(−error / scale) */
export function closeness(error: number, scale: number): number {
  return Math.exp(-error / scale)
}
