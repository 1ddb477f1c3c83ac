/** Where a part is put next to, on, under or in another. */
import type { Vec3 } from '../../../../world.ts'
import type { Box } from './box.ts'

export interface Rule {
  axis: 0 | 1 | 2
  /** +1 where the parent's upper side counts. */
  side: 1 | -1
  isInside: boolean
}

const SIDES = {
  above: { axis: 2, side: 1 },
  below: { axis: 2, side: -1 },
  left: { axis: 1, side: -1 },
  right: { axis: 1, side: 1 },
  front: { axis: 0, side: 1 },
  back: { axis: 0, side: -1 },
} as const

/** By name, `above` and `above_inside` for every side; null for `inside`, which moves along no axis. */
export const PLACEMENTS: ReadonlyMap<string, Rule | null> = new Map<string, Rule | null>([
  ...Object.entries(SIDES).flatMap(([name, side]): [string, Rule][] => [
    [name, { ...side, isInside: false }],
    [`${name}_inside`, { ...side, isInside: true }],
  ]),
  ['inside', null],
])

/** How far the child must move along the placement's axis. */
export function displacement({ axis, side, isInside }: Rule, child: Box, parent: Box, clearance: number): number {
  const edge = side > 0 ? parent.max[axis] : parent.min[axis]
  const meets = side > 0 === isInside ? child.max[axis] : child.min[axis]
  return edge - meets + (side > 0 === isInside ? -clearance : clearance)
}

export function along(axis: 0 | 1 | 2, distance: number): Vec3 {
  return [axis === 0 ? distance : 0, axis === 1 ? distance : 0, axis === 2 ? distance : 0]
}
