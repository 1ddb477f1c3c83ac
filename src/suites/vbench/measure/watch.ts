/** One decode of a video feeds everything that is wanted of it. */
import { FailedMeasurement, messageOf, fileErrorReason } from '../../../suite.ts'
import { openClip } from '../domain/clip.ts'
import { nothing, type Output, type Results } from '../domain/results.ts'
import type { Measure, Meter, MeterContext } from './types.ts'

interface Watcher {
  meter: Meter
  outputs: ReadonlySet<Output>
  failed: string | null
}

export interface Video extends Omit<MeterContext, 'info'> {
  path: string
  signal: AbortSignal
}

/**
 * Shows every frame to every meter, and gives a value for every wanted output. A meter that fails is left out from there
 * on, and the others go on; what it was to measure can be measured again another time.
 */
export async function measureVideo(
  { path, signal, ...context }: Video,
  wanted: ReadonlyMap<Output, Measure>,
): Promise<Record<string, unknown>> {
  const outputsOf = new Map<Measure, Set<Output>>()
  for (const [output, measure] of wanted) {
    outputsOf.set(measure, (outputsOf.get(measure) ?? new Set()).add(output))
  }
  const watchers = new Map<Measure, Watcher>()
  const attempt = async (measure: Measure, work: (meter: Meter) => unknown): Promise<void> => {
    const watcher = watchers.get(measure)!
    if (watcher.failed !== null) return
    try {
      // Waiting for what is no promise would cost a turn of the loop for every frame.
      const pending = work(watcher.meter)
      if (pending instanceof Promise) await pending
    } catch (error) {
      signal.throwIfAborted()
      if (measure.asks !== undefined) throw error
      watcher.failed = messageOf(error)
    }
  }
  let unreadable: string | null = null
  try {
    const clip = await openClip(path)
    try {
      for (const [measure, outputs] of outputsOf) {
        const meter = measure.start({ ...context, info: clip.info }, outputs)
        watchers.set(measure, { meter, outputs, failed: null })
      }
      let index = 0
      for await (const bitmap of clip.frames()) {
        signal.throwIfAborted()
        for (const measure of watchers.keys()) await attempt(measure, (meter) => meter.frame(bitmap, index))
        index++
      }
    } finally {
      await clip.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    unreadable = `the video cannot be read: ${fileErrorReason(error)}`
  }
  const values: Record<string, unknown> = {}
  for (const [measure, outputs] of outputsOf) {
    let found: Results = {}
    if (unreadable === null) await attempt(measure, async (meter) => (found = await meter.end()))
    const failed = unreadable ?? watchers.get(measure)?.failed ?? null
    for (const output of outputs) {
      const { tier, title: by } = measure
      const value =
        output === 'pictures'
          ? (found.pictures ?? null)
          : { ...(found[output] ?? nothing(failed ?? 'was not measured')), tier, by }
      values[output] = failed === null ? value : new FailedMeasurement(value)
    }
  }
  return values
}
