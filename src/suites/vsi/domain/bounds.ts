/** The room's bounds as the protocol defines them: percentiles of all vertices, which ignore stray points. */
import { type Bounds, percentileBounds } from '../../../world.ts'

export type { Bounds }

const LOW_PERCENTILE = 2
const HIGH_PERCENTILE = 98

export function protocolBounds(positions: ArrayLike<number>): Bounds {
  return percentileBounds(positions, LOW_PERCENTILE, HIGH_PERCENTILE)
}
