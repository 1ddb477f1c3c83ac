/** The stage between play and score: which instruments are still to be used on an outcome, and what was measured before. */
import type { EpisodeContext } from './episode.ts'
import { isEvent } from './recorder.ts'
import type { Episode, SampleBase } from './suite.ts'

/** What one instrument found. */
export interface Measured {
  instrument: string
  version: string
  value: unknown
}

/** The last value of each instrument in the events of an episode. */
export function measurementsIn(events: readonly unknown[]): Map<string, Measured> {
  const found = new Map<string, Measured>()
  for (const event of events) {
    if (!isEvent(event, 'measurement')) continue
    const { instrument, version, value } = event
    if (typeof instrument === 'string' && typeof version === 'string')
      found.set(instrument, { instrument, version, value })
  }
  return found
}

/** Measures what is wanted and not there in the same version. */
export async function measureOutcome(
  { instruments }: Pick<EpisodeContext, 'instruments'>,
  sample: SampleBase,
  outcome: unknown,
  episode: Episode,
  before: ReadonlyMap<string, Measured>,
): Promise<Measured[]> {
  if (!instruments) return []
  const wanted = instruments.wanted(sample, outcome, (role) => episode.has(role))
  const missing = wanted.filter(({ name, version }) => before.get(name)?.version !== version)
  if (missing.length === 0) return []
  const values = await instruments.measure(sample, outcome, missing, episode)
  return missing.map(({ name, version }) => ({ instrument: name, version, value: values[name] ?? null }))
}
