/** The stage between play and score: which instruments are still to be used on an outcome, and what was measured before. */
import type { EpisodeContext } from './episode.ts'
import { isEvent } from './recorder.ts'
import { type Episode, FailedMeasurement, type Instrument, type SampleBase } from './suite.ts'

/** What one instrument found. */
export interface Measured {
  instrument: string
  version: string
  value: unknown
  /** It is measured again when there is an occasion. */
  failed?: true
}

/** The last value of each instrument in the events of an episode. */
export function measurementsIn(events: readonly unknown[]): Map<string, Measured> {
  const found = new Map<string, Measured>()
  for (const event of events) {
    if (!isEvent(event, 'measurement')) continue
    const { instrument, version, value } = event
    if (typeof instrument === 'string' && typeof version === 'string')
      found.set(instrument, { instrument, version, value, ...(event['failed'] === true ? { failed: true } : {}) })
  }
  return found
}

/** The values by instrument, for `score`; of two by the same instrument the later. */
export function valuesByInstrument(measured: Iterable<Measured>): Record<string, unknown> {
  return Object.fromEntries([...measured].map(({ instrument, value }) => [instrument, value]))
}

/** What is wanted of an outcome and not there in the same version. */
export function missingInstruments(
  { instruments }: Pick<EpisodeContext, 'instruments'>,
  sample: SampleBase,
  outcome: unknown,
  has: Episode['has'],
  before: ReadonlyMap<string, Measured>,
): Instrument[] {
  const wanted = instruments?.wanted(sample, outcome, has) ?? []
  return wanted.filter(({ name, version }) => {
    const known = before.get(name)
    return known?.version !== version || known.failed === true
  })
}

/** Measures what is missing. */
export async function measureOutcome(
  { instruments }: Pick<EpisodeContext, 'instruments'>,
  sample: SampleBase,
  outcome: unknown,
  episode: Episode,
  before: ReadonlyMap<string, Measured>,
): Promise<Measured[]> {
  const missing = missingInstruments({ instruments }, sample, outcome, (role) => episode.has(role), before)
  if (!instruments || missing.length === 0) return []
  const values = await instruments.measure(sample, outcome, missing, episode)
  return missing.map(({ name, version }) => {
    const value = values[name] ?? null
    return value instanceof FailedMeasurement
      ? { instrument: name, version, value: value.value, failed: true }
      : { instrument: name, version, value }
  })
}
