/** The room's extent as the protocol has it: between percentiles of all vertices, so that stray points do not count. */
import { type Bounds, percentileBounds } from '../../../world.ts'

export type { Bounds }

const LOW_PERCENTILE = 2
const HIGH_PERCENTILE = 98

export function protocolBounds(positions: ArrayLike<number>): Bounds {
  return percentileBounds(positions, LOW_PERCENTILE, HIGH_PERCENTILE)
}
