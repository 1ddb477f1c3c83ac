/** A folder of videos under their published names: its seed, its manifest, and how it answers as a player. */
import { randomInt } from 'node:crypto'
import {
  appendFile,
  constants,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { MissingAssetError, UserError, fileErrorReason } from '../../../base/errors.ts'
import { sha256OfFile } from '../../../base/hash.ts'
import { type Model, NO_USAGE } from '../../../models/types.ts'
import { explained, writeAtomically } from '../../../store/disk.ts'
import type { Store } from '../../../store/store.ts'
import { MANIFEST_FILE, type ManifestLine, readManifest } from '../../../suites/vbench/samples/manifest.ts'
import type { MatchedVideo } from '../../../suites/vbench/samples/match.ts'
import { sampleId } from '../../../suites/vbench/samples/source.ts'
import { clipType, openClip } from '../../../suites/vbench/domain/clip.ts'
import { tryJson } from '../../../suites/vbench/domain/json.ts'
import type { PlannedVideo, VideoPlan } from '../../../suites/vbench/domain/prompts.ts'
import { SEEDS } from '../../../suites/vbench/domain/seeds.ts'
import type { VideoLabel } from '../../../suites/vbench/play.ts'

const SAMPLING_FILE = 'sampling.json'

const samplingFile = z.looseObject({ seed: z.int().min(0), suite: z.string(), plan: z.string() })

/** One set of videos has one seed: taken from the folder, given, or drawn now and kept before anything is made. */
export async function seedOfSet(folder: string, plan: VideoPlan, given: number | undefined): Promise<number> {
  const path = join(folder, SAMPLING_FILE)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text !== null) {
    const parsed = samplingFile.safeParse(tryJson(text))
    if (!parsed.success)
      throw new UserError(`${path} is damaged.`, { hint: 'Remove it, and give the seed with --seed.' })
    if (given !== undefined && given !== parsed.data.seed) {
      throw new UserError(`The videos in ${folder} were begun with seed ${parsed.data.seed}, not ${given}.`, {
        hint: 'Leave --seed out to continue with them, or choose another folder.',
      })
    }
    return parsed.data.seed
  }
  const seed = given ?? randomInt(SEEDS)
  const record = { seed, suite: plan.promptSuite, plan: plan.fingerprint, videos: plan.videos.length }
  await explained(path, () => writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`))
  return seed
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

export interface SampledFolder {
  /** Is the video there, whole? */
  has(video: PlannedVideo): Promise<boolean>
  add(row: ManifestLine, from: string): Promise<void>
}

/** The videos that are sampled into a folder. */
export async function openSampledFolder(folder: string): Promise<SampledFolder> {
  const manifest = join(folder, MANIFEST_FILE)
  await cutTornLine(manifest)
  const { lines } = await readManifest(folder)
  let writing = Promise.resolve()
  return {
    async has({ file, prompt }) {
      const known = lines.get(file)
      if (known?.prompt !== prompt.prompt) return false
      const found = await stat(join(folder, file)).catch(() => null)
      return found?.size === known.bytes
    },
    /** A video gets its name when it is whole, and its line when it has its name. */
    async add(row, from) {
      const unfinished = join(folder, `.${row.sha256.slice(0, 16)}-${row.seed}.part`)
      const path = join(folder, row.file)
      await explained(path, async () => {
        await copyFile(from, unfinished, constants.COPYFILE_FICLONE)
        await rename(unfinished, path)
      })
      writing = writing.then(() =>
        explained(manifest, () => appendFile(manifest, `${JSON.stringify(row)}\n`, { flush: true })),
      )
      await writing
      lines.set(row.file, row)
    },
  }
}

/** A crash in the middle of a write leaves half a line, which the next one must not follow. */
async function cutTornLine(path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null) return
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) await explained(path, () => truncate(path, end))
}

/** A video of a folder, as a player answers with it. */
export interface FolderVideo {
  path: string
  /** SHA-256 of its content. */
  hash: string
  label: VideoLabel
}

/** Videos by the ids of their samples. What cannot be read at all has no entry. */
export async function folderVideos(
  folder: string,
  matched: readonly MatchedVideo[],
  onVideo: (done: number, of: number) => void,
): Promise<Map<string, FolderVideo>> {
  const { lines } = await readManifest(folder)
  const videos = new Map<string, FolderVideo>()
  for (const [done, { video, path: file }] of matched.entries()) {
    const path = join(folder, file)
    const hash = await sha256OfFile(path).catch(() => null)
    const seed = lines.get(basename(file))?.seed ?? null
    if (hash !== null) videos.set(sampleId(video), { path, hash, label: { file, seed } })
    onVideo(done + 1, matched.length)
  }
  return videos
}

interface FolderModelOptions {
  id: string
  videos: ReadonlyMap<string, FolderVideo>
  store: Store
  atOnce: number
  /** Makes the videos that are not there. */
  otherwise?: Model
}

/** The videos of a folder as a model: each sample is answered with its file, which is linked into the store. */
export function folderModel({ id, videos, store, atOnce, otherwise }: FolderModelOptions): Model {
  return {
    id,
    local: false,
    output: 'video',
    ...(otherwise?.address === undefined ? {} : { address: otherwise.address }),
    connections: () => otherwise?.connections() ?? atOnce,
    close: () => otherwise?.close() ?? Promise.resolve(),
    async ask(request, signal) {
      const video = videos.get(request.origin.sampleId)
      if (video === undefined && otherwise) return otherwise.ask(request, signal)
      if (video === undefined) throw new MissingAssetError('the video is not there')
      const { path, hash, label } = video
      const clip = await openClip(path).catch((error: unknown) => {
        throw new MissingAssetError(`${label.file} cannot be read: ${fileErrorReason(error)}`, { cause: error })
      })
      await clip.close()
      const media = await store.media.keepFile(path, (await clipType(path)) ?? 'application/octet-stream', hash)
      return { text: JSON.stringify(label), media: [media], finish: 'stop', usage: NO_USAGE, ms: 0, cached: false }
    },
  }
}
