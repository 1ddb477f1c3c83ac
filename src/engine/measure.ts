/** The measure stage: finds the instruments that still have to measure an outcome, and runs them. */
import type { EpisodeContext } from './episode.ts'
import { isEvent } from './recorder.ts'
import { type Episode, FailedMeasurement, type Instrument, type SampleBase } from './suite.ts'

/** The value of one instrument. */
export interface Measured {
  instrument: string
  version: string
  value: unknown
  /** Failed values are measured again on the next resume or measure. */
  failed?: true
}

/** The latest value of each instrument in the events of an episode. */
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

/** The values by instrument, for `score`; the last one wins. */
export function valuesByInstrument(measured: Iterable<Measured>): Record<string, unknown> {
  return Object.fromEntries([...measured].map(({ instrument, value }) => [instrument, value]))
}

/** The instruments that apply to an outcome and have no valid value of the same version. */
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

/** Runs the missing instruments. */
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
