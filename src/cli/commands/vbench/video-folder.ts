/** Makes the videos of a plan: several at a time, each with a seed of its own, and goes on where it was interrupted. */
import { randomInt } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, UserError } from '../../../base/errors.ts'
import { sha256 } from '../../../base/hash.ts'
import { Random } from '../../../base/random.ts'
import { explained, writeAtomically } from '../../../store/disk.ts'
import type { Plan, PlannedVideo } from '../../../suites/vbench/cases/plan.ts'
import { openClip } from '../../../suites/vbench/domain/clip.ts'
import { tryJson } from '../../../suites/vbench/domain/json-lines.ts'
import { manifestWriter, readManifest } from '../../../suites/vbench/cases/manifest.ts'
import type { Generator } from '../../../models/generators/generator.ts'

const SAMPLING_FILE = 'sampling.json'
/** Seeds go into 32-bit integers of all kinds: signed ones must hold them too. */
export const SEEDS = 2 ** 31
/** So many failures one after the other mean that the generator is broken, not the prompts. */
const HOPELESS = 10

const samplingFile = z.looseObject({ seed: z.int().min(0), suite: z.string(), plan: z.string() })

export interface SamplingOptions {
  folder: string
  plan: Plan
  generator: Generator
  /** Of the whole set. Default: drawn, and kept in the folder. */
  seed?: number | undefined
  atOnce?: number | undefined
  signal: AbortSignal
  onVideo?: (event: SampledVideo, counts: SamplingCounts) => void
}

export interface SampledVideo {
  file: string
  problem: string | null
}

export interface SamplingCounts {
  planned: number
  /** Were there from an earlier time. */
  kept: number
  made: number
  failed: number
}

/** The seed of one video: whoever has the set's seed can make it again. */
export function videoSeed(setSeed: number, prompt: string, index: number): number {
  return new Random(`vbench/sample/${setSeed}/${index}/${prompt}`).int(SEEDS)
}

export async function sampleVideos(options: SamplingOptions): Promise<SamplingCounts & { seed: number }> {
  const { folder, plan, generator, signal, onVideo } = options
  await explained(folder, () => mkdir(folder, { recursive: true }))
  const seed = await setSeed(folder, plan, options.seed)
  const manifest = await readManifest(folder)
  const writer = manifestWriter(folder)
  const counts: SamplingCounts = { planned: plan.videos.length, kept: 0, made: 0, failed: 0 }
  let next = 0
  let failuresInARow = 0
  const worker = async (): Promise<void> => {
    while (next < plan.videos.length && !signal.aborted) {
      const video = plan.videos[next++]!
      const known = manifest.lines.get(video.file)
      if (known && known.prompt === video.prompt.prompt && (await hasSize(join(folder, video.file), known.bytes))) {
        counts.kept++
        continue
      }
      try {
        await writer.append(await makeOne(folder, plan, video, seed, generator, signal))
        counts.made++
        failuresInARow = 0
        onVideo?.({ file: video.file, problem: null }, counts)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof UserError) throw error
        counts.failed++
        onVideo?.({ file: video.file, problem: messageOf(error) }, counts)
        if (++failuresInARow >= HOPELESS) {
          throw new UserError(`${HOPELESS} videos in a row could not be made; the last: ${messageOf(error)}`, {
            hint: 'Videos that are done are kept. Mend the generator and start the same command again.',
            cause: error,
          })
        }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.atOnce ?? generator.atOnce) }, worker))
  return { ...counts, seed }
}

/** One set of videos has one seed: taken from the folder, given, or drawn now and kept before anything is made. */
async function setSeed(folder: string, plan: Plan, given: number | undefined): Promise<number> {
  const path = join(folder, SAMPLING_FILE)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text !== null) {
    const parsed = samplingFile.safeParse(tryJson(text))
    if (!parsed.success)
      throw new UserError(`${path} is damaged.`, { hint: 'Remove it, and give the seed with --seed.' })
    if (given !== undefined && given !== parsed.data.seed) {
      throw new UserError(`The videos in ${folder} were begun with seed ${parsed.data.seed}, not ${given}.`, {
        hint: 'Leave --seed out to go on with them, or choose another folder.',
      })
    }
    return parsed.data.seed
  }
  const seed = given ?? randomInt(SEEDS)
  const record = { seed, suite: plan.suite, plan: plan.fingerprint, videos: plan.videos.length }
  await explained(path, () => writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`))
  return seed
}

async function hasSize(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && found.size === bytes
}

/** A video gets its name only when it is whole and can be opened. */
async function makeOne(
  folder: string,
  plan: Plan,
  { prompt, index, file }: PlannedVideo,
  setSeed: number,
  generator: Generator,
  signal: AbortSignal,
) {
  const seed = videoSeed(setSeed, prompt.prompt, index)
  const bytes = await generator.make({ text: prompt.text, seed, prompt: prompt.prompt, index, signal })
  const hash = sha256(bytes)
  const unfinished = join(folder, `.${hash.slice(0, 16)}-${seed}.part.mp4`)
  try {
    await explained(unfinished, () => writeFile(unfinished, bytes))
    const clip = await openClip(unfinished).catch((error: unknown) => {
      throw new Error(`what the generator made is no video: ${messageOf(error)}`, { cause: error })
    })
    await clip.close()
    await explained(join(folder, file), () => rename(unfinished, join(folder, file)))
    const { fps, frames, width, height, seconds } = clip.info
    return {
      file,
      prompt: prompt.prompt,
      text: prompt.text,
      index,
      seed,
      generator: generator.name,
      model: generator.model,
      fps,
      frames,
      width,
      height,
      seconds,
      bytes: bytes.length,
      sha256: hash,
      plan: plan.fingerprint,
    }
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Whether a folder takes `A` and `a` for one name. */
export async function ignoresCase(folder: string): Promise<boolean> {
  const probe = join(folder, `.sightline-case-${process.pid}`)
  await explained(folder, () => mkdir(folder, { recursive: true }))
  await explained(probe, () => writeFile(probe, ''))
  try {
    return (await stat(probe.replace('.sightline-case', '.SIGHTLINE-CASE')).catch(() => null)) !== null
  } finally {
    await rm(probe, { force: true })
  }
}
