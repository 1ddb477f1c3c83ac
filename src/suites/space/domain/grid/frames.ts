/** Conversion of positions to and from the frame of a viewer. */
import { aheadOf, rightOf, rotateHeading } from './relations.ts'
import type { Vec } from './scene.ts'

export type Position = readonly [x: number, y: number]

/** A position in the frame of a viewer at `origin` who looks along `heading`: right, then ahead. */
export function toFrame(pos: Position, origin: Position, heading: Position): Position {
  const dx = pos[0] - origin[0]
  const dy = pos[1] - origin[1]
  const along: Vec = [heading[0], heading[1]]
  // `+ 0` turns -0 into 0.
  return [rightOf(along, dx, dy) + 0, aheadOf(along, dx, dy) + 0]
}

/** The inverse of `toFrame`. */
export function fromFrame([right, ahead]: Position, origin: Position, heading: Position): Position {
  const across = rotateHeading([heading[0], heading[1]], 90)
  return [
    origin[0] + right * across[0] + ahead * heading[0] + 0,
    origin[1] + right * across[1] + ahead * heading[1] + 0,
  ]
}
