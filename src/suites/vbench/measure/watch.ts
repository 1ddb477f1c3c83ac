/** One decode of a video feeds everything that is wanted of it. */
import { FailedMeasurement, messageOf, fileErrorReason } from '../../../suite.ts'
import { type Clip, DamagedVideo, openClip, openWithFfmpeg } from '../domain/clip.ts'
import { nothing, type Output, type Results } from '../domain/results.ts'
import { sceneCuts } from './long/scene-cuts.ts'
import type { Measure, Meter, MeterContext } from './types.ts'

interface Watcher {
  meter: Meter
  outputs: ReadonlySet<Output>
  failed: string | null
}

export interface Video extends Omit<MeterContext, 'info' | 'cuts'> {
  signal: AbortSignal
  /** Whether changes of scene are looked for first. */
  sceneCuts?: boolean
}

/**
 * Shows every frame to every meter, and gives a value for every wanted output. A meter that fails is left out from there
 * on, and the others go on; what it was to measure can be measured again another time.
 */
export async function measureVideo(
  { path, signal, sceneCuts: looksForCuts = false, ...context }: Video,
  wanted: ReadonlyMap<Output, Measure>,
): Promise<Record<string, unknown>> {
  const outputsOf = new Map<Measure, Set<Output>>()
  for (const [output, measure] of wanted) {
    outputsOf.set(measure, (outputsOf.get(measure) ?? new Set()).add(output))
  }
  const watchers = new Map<Measure, Watcher>()
  /** Null where nothing is to be waited for: a turn of the loop for every frame would cost. */
  const attempt = (measure: Measure, work: (meter: Meter) => unknown): Promise<unknown> | null => {
    const watcher = watchers.get(measure)!
    const fail = (error: unknown): void => {
      signal.throwIfAborted()
      if (measure.asks !== undefined) throw error
      watcher.failed = messageOf(error)
    }
    if (watcher.failed !== null) return null
    try {
      const pending = work(watcher.meter)
      return pending instanceof Promise ? pending.catch(fail) : null
    } catch (error) {
      fail(error)
      return null
    }
  }
  /** Shows the first `frames` frames to new meters. */
  const watch = async (clip: Clip, frames: number): Promise<void> => {
    watchers.clear()
    const cuts = looksForCuts ? await sceneCuts(clip, frames) : []
    for (const [measure, outputs] of outputsOf) {
      const meter = measure.start({ ...context, path, info: { ...clip.info, frames }, cuts }, outputs)
      watchers.set(measure, { meter, outputs, failed: null })
    }
    let index = 0
    const scaled = [...watchers.keys()].some(({ reader }) => reader === 'scaled')
    for await (const frame of readAhead(clip.frames({ scaled }))) {
      signal.throwIfAborted()
      // Networks of one frame run at once, where there are cores or a device for it.
      const pending = [...watchers.keys()].flatMap(
        (measure) => attempt(measure, (meter) => meter.frame(frame[measure.reader ?? 'decord'], index)) ?? [],
      )
      if (pending.length > 0) await Promise.all(pending)
      if (++index === frames) break
    }
  }
  let unreadable: string | null = null
  let note: string | undefined
  try {
    note = await watchReadable(path, watch)
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
          : { ...(found[output] ?? nothing(failed ?? 'was not measured')), tier, by, ...(note && { note }) }
      values[output] = failed === null ? value : new FailedMeasurement(value)
    }
  }
  return values
}

/** Frames that are decoded while the ones before are measured. */
const FRAMES_AHEAD = 2

async function* readAhead<T>(source: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  const coming: Promise<IteratorResult<T, void>>[] = []
  const ask = (): void => {
    const next = source.next()
    // What fails is thrown when it is its turn.
    next.catch(() => {})
    coming.push(next)
  }
  try {
    for (let i = 0; i < FRAMES_AHEAD; i++) ask()
    for (;;) {
      const next = await coming.shift()!
      if (next.done) return
      ask()
      yield next.value
    }
  } finally {
    await source.return()
  }
}

/**
 * A video that cannot be decoded to its end is shown once more, up to its last readable frame; one of which nothing can
 * be decoded is left to ffmpeg, which knows more layouts. Returns what is to be said of it.
 */
async function watchReadable(
  path: string,
  watch: (clip: Clip, frames: number) => Promise<void>,
): Promise<string | undefined> {
  const shown = async (clip: Clip, frames: number): Promise<DamagedVideo | null> => {
    try {
      await watch(clip, frames)
      return null
    } catch (error) {
      if (error instanceof DamagedVideo) return error
      throw error
    }
  }
  let clip = await openClip(path)
  try {
    let damage = await shown(clip, clip.info.frames)
    if (damage?.readable === 0) {
      await clip.close()
      clip = await openWithFfmpeg(path, damage)
      damage = await shown(clip, clip.info.frames)
    }
    if (damage === null) return undefined
    if (damage.readable === 0) throw damage
    await watch(clip, damage.readable)
    return `only the first ${damage.readable} of ${clip.info.frames} frames can be decoded`
  } finally {
    await clip.close()
  }
}
