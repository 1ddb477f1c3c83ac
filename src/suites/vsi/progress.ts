/** How near the agent is to what is asked about, for dense rewards. */
import type { EpisodeEvent } from '../../suite.ts'
import type { VsiSample } from './samples/sample.ts'

/** Meters from which an object of usual size fills a good part of the image. */
const NEAR = 3

/** 1 if it stands among the objects of the question, less with every meter; null for scans, whose objects are not known. */
export function progress({ type, position }: EpisodeEvent, { things }: VsiSample): number | null {
  if (type !== 'vsi/view' || !Array.isArray(position) || things === null || things.length === 0) return null
  const [x, y] = position.map(Number)
  const near = things.map(({ box: { center } }) => Math.exp(-Math.hypot(center[0] - x!, center[1] - y!) / NEAR))
  return near.reduce((sum, each) => sum + each, 0) / near.length
}
