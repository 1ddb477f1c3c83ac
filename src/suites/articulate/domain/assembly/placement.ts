/** Where a part is put beside, on, under or in another. */
import type { Vec3 } from '../../../../world.ts'
import type { Box } from './box.ts'

export const PLACEMENTS = [
  'above',
  'above_inside',
  'below',
  'below_inside',
  'left',
  'left_inside',
  'right',
  'right_inside',
  'front',
  'front_inside',
  'back',
  'back_inside',
  'inside',
] as const
export type Placement = (typeof PLACEMENTS)[number]

interface Rule {
  axis: 0 | 1 | 2
  /** +1 where the parent's upper side counts. */
  side: 1 | -1
  isInside: boolean
}

const SIDES: Readonly<Record<string, Pick<Rule, 'axis' | 'side'>>> = {
  front: { axis: 0, side: 1 },
  back: { axis: 0, side: -1 },
  right: { axis: 1, side: 1 },
  left: { axis: 1, side: -1 },
  above: { axis: 2, side: 1 },
  below: { axis: 2, side: -1 },
}

export function isPlacement(text: string): text is Placement {
  return (PLACEMENTS as readonly string[]).includes(text)
}

/** Null for `inside`, which moves along no axis. */
export function ruleOf(placement: Placement): Rule | null {
  if (placement === 'inside') return null
  const [name] = placement.split('_')
  return { ...SIDES[name!]!, isInside: placement.endsWith('_inside') }
}

/** How far the child must move along the placement's axis. */
export function displacement({ axis, side, isInside }: Rule, child: Box, parent: Box, clearance: number): number {
  const edge = side > 0 ? parent.max[axis] : parent.min[axis]
  const meets = side > 0 === isInside ? child.max[axis] : child.min[axis]
  return edge - meets + (side > 0 === isInside ? -clearance : clearance)
}

export function along(axis: 0 | 1 | 2, distance: number): Vec3 {
  return [axis === 0 ? distance : 0, axis === 1 ? distance : 0, axis === 2 ? distance : 0]
}
