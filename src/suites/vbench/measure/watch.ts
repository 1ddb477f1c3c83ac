/** Measures videos: one decode feeds everything that is wanted of a video, and what is known is not measured again. */
import { join } from 'node:path'
import { messageOf } from '../../../base/errors.ts'
import { sha256OfFile } from '../../../base/hash.ts'
import type { PlannedPrompt } from '../cases/plan.ts'
import type { MatchedVideo } from '../cases/match.ts'
import { openClip } from '../domain/clip.ts'
import { resultKey, type ResultCache } from '../score/cache.ts'
import { type Measure, type Meter, nothing, type Output, type Results, type VideoResult } from './types.ts'

export interface MeasureOptions {
  folder: string
  videos: readonly MatchedVideo[]
  /** What measures each output; outputs without one are left out. */
  measures: ReadonlyMap<Output, Measure>
  /** What is wanted of a video. */
  outputsOf(video: MatchedVideo): readonly Output[]
  cache: ResultCache
  atOnce: number
  signal: AbortSignal
  onVideo?: (done: number, of: number, problem: string | null) => void
}

export interface MeasuredVideo extends MatchedVideo {
  results: Results
  /** SHA-256 of the file; absent when it cannot be read. */
  hash?: string
  /** Why nothing could be measured at all. */
  problem?: string
}

/** Results in the order of the videos, whoever was ready first. */
export async function measureVideos(options: MeasureOptions): Promise<MeasuredVideo[]> {
  const { videos, signal, onVideo } = options
  const measured: (MeasuredVideo | undefined)[] = []
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < videos.length && !signal.aborted) {
      const at = next++
      const video = videos[at]!
      let problem: string | null = null
      try {
        measured[at] = { ...video, ...(await measureVideo(video, options)) }
      } catch (error) {
        signal.throwIfAborted()
        problem = messageOf(error)
        const results: Results = {}
        for (const output of options.outputsOf(video)) results[output] = nothing(problem)
        measured[at] = { ...video, results, problem }
      }
      onVideo?.(++done, videos.length, problem)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.atOnce) }, worker))
  signal.throwIfAborted()
  return measured.filter((each) => each !== undefined)
}

async function measureVideo(
  video: MatchedVideo,
  options: MeasureOptions,
): Promise<Pick<MeasuredVideo, 'results' | 'hash'>> {
  const { cache, measures, signal } = options
  const path = join(options.folder, video.path)
  const hash = await sha256OfFile(path)
  const subject = { path, name: video.path, hash, prompt: video.video.prompt }
  return { hash, results: await measureFile(subject, options.outputsOf(video), { measures, cache, signal }) }
}

/** A video file, and what is known of it. */
export interface Subject {
  path: string
  /** For people. */
  name: string
  /** SHA-256 of its content. */
  hash: string
  prompt: PlannedPrompt
}

interface MeasureFileOptions {
  measures: ReadonlyMap<Output, Measure>
  /** Null where nothing is kept from other times. */
  cache: ResultCache | null
  signal: AbortSignal
}

/** What is wanted of one file, in one decode; what the cache knows is not measured again. */
export async function measureFile(
  subject: Subject,
  outputs: readonly Output[],
  { measures, cache, signal }: MeasureFileOptions,
): Promise<Results> {
  const { hash, prompt } = subject
  const results: Results = {}
  const wanted = new Map<Measure, Set<Output>>()
  for (const output of outputs) {
    const measure = measures.get(output)
    if (measure === undefined) continue
    const known = cache?.get(resultKey(hash, output, measure, prompt.prompt))
    if (known && ((await measure.stillHolds?.(known)) ?? true)) results[output] = known
    else if (wanted.has(measure)) wanted.get(measure)!.add(output)
    else wanted.set(measure, new Set([output]))
  }
  if (wanted.size === 0) return results
  const fresh = await watch(subject, wanted, signal)
  const lasting: [string, VideoResult][] = []
  for (const [measure, { found, failed }] of fresh) {
    for (const output of wanted.get(measure)!) {
      const result = found[output] ?? nothing('was not measured')
      results[output] = result
      // What failed for a reason outside of the video may go well another time.
      if (!failed) lasting.push([resultKey(hash, output, measure, prompt.prompt), result])
    }
  }
  if (cache && lasting.length > 0) await cache.put(lasting)
  return results
}

interface Watcher {
  meter: Meter
  failed: string | null
}

/** Shows every frame to every meter. One that fails is left out from there on; the others go on. */
async function watch(
  { path, name, prompt }: Subject,
  wanted: ReadonlyMap<Measure, ReadonlySet<Output>>,
  signal: AbortSignal,
): Promise<Map<Measure, { found: Results; failed: boolean }>> {
  const clip = await openClip(path)
  try {
    const context = { info: clip.info, decoder: clip.decoder, prompt, file: name, signal }
    const watchers = new Map<Measure, Watcher>()
    for (const [measure, outputs] of wanted) {
      watchers.set(measure, { meter: measure.start(context, outputs), failed: null })
    }
    const attempt = async (watcher: Watcher, work: () => unknown): Promise<void> => {
      if (watcher.failed !== null) return
      try {
        // Waiting for what is no promise would cost a turn of the loop for every frame.
        const pending = work()
        if (pending instanceof Promise) await pending
      } catch (error) {
        signal.throwIfAborted()
        watcher.failed = messageOf(error)
      }
    }
    let index = 0
    const frames = [...wanted.keys()].every(({ needsNoFrames }) => needsNoFrames === true) ? [] : clip.frames()
    for await (const bitmap of frames) {
      signal.throwIfAborted()
      for (const watcher of watchers.values()) await attempt(watcher, () => watcher.meter.frame(bitmap, index))
      index++
    }
    const all = new Map<Measure, { found: Results; failed: boolean }>()
    for (const [measure, watcher] of watchers) {
      let found: Results = {}
      await attempt(watcher, async () => (found = await watcher.meter.end()))
      if (watcher.failed !== null) {
        found = Object.fromEntries([...wanted.get(measure)!].map((output) => [output, nothing(watcher.failed!)]))
      }
      all.set(measure, { found, failed: watcher.failed !== null })
    }
    return all
  } finally {
    await clip.close()
  }
}
