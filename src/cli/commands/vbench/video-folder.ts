/** A folder of videos with published file names: its seed, its manifest, and a model that replies with its files. */
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
import { withDiskErrors, writeAtomically } from '../../../store/disk.ts'
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

/** The base seed of a folder: recorded there, given, or drawn now and recorded before anything is generated. */
export async function seedOfSet(folder: string, plan: VideoPlan, given: number | undefined): Promise<number> {
  const path = join(folder, SAMPLING_FILE)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text !== null) {
    const parsed = samplingFile.safeParse(tryJson(text))
    if (!parsed.success)
      throw new UserError(`${path} is damaged.`, { hint: 'Delete it and pass the seed with --seed.' })
    if (given !== undefined && given !== parsed.data.seed) {
      throw new UserError(`The videos in ${folder} use seed ${parsed.data.seed}, not ${given}.`, {
        hint: 'Omit --seed to continue, or choose another folder.',
      })
    }
    return parsed.data.seed
  }
  const seed = given ?? randomInt(SEEDS)
  const record = { seed, suite: plan.promptSuite, plan: plan.fingerprint, videos: plan.videos.length }
  await withDiskErrors(path, () => writeAtomically(path, `${JSON.stringify(record, null, 2)}\n`))
  return seed
}

/** One folder holds videos of one model, made from one text per prompt: a mixed set has a score of nothing. */
export async function refuseMixedSet(
  folder: string,
  plan: VideoPlan,
  made: Pick<ManifestLine, 'generator' | 'model'>,
): Promise<void> {
  const texts = new Map(plan.prompts.map(({ prompt, text }) => [prompt, text]))
  const nameOf = ({ generator, model }: typeof made) => (model === null ? generator : `${model} (${generator})`)
  for (const line of (await readManifest(folder)).lines.values()) {
    const hint = 'Choose another folder with --output.'
    if (nameOf(line) !== nameOf(made)) {
      throw new UserError(`${folder} has videos of ${nameOf(line)}, not of ${nameOf(made)}.`, { hint })
    }
    const text = texts.get(line.prompt) ?? line.text
    if (text !== line.text) {
      const [was, is] = [line.text, text].map((each) => (each.length > 80 ? `${each.slice(0, 80)}…` : each))
      throw new UserError(
        `${folder} has videos of other texts: the text of "${line.prompt}" was "${was}" and is "${is}".`,
        {
          hint: `Sample with the same --rewritten as before, or choose another folder with --output.`,
        },
      )
    }
  }
}

/** True on a case-insensitive file system. */
export async function ignoresCase(folder: string): Promise<boolean> {
  const probe = join(folder, `.sightline-case-${process.pid}`)
  await withDiskErrors(folder, () => mkdir(folder, { recursive: true }))
  await withDiskErrors(probe, () => writeFile(probe, ''))
  try {
    return (await stat(probe.replace('.sightline-case', '.SIGHTLINE-CASE')).catch(() => null)) !== null
  } finally {
    await rm(probe, { force: true })
  }
}

export interface SampledFolder {
  /** True if the video is complete. */
  has(video: PlannedVideo): Promise<boolean>
  add(row: ManifestLine, from: string): Promise<void>
}

/** Opens a folder to write videos and their manifest. */
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
    /** Renames a complete file into place, then appends its manifest line. */
    async add(row, from) {
      const unfinished = join(folder, `.${row.sha256.slice(0, 16)}-${row.seed}.part`)
      const path = join(folder, row.file)
      await withDiskErrors(path, async () => {
        await copyFile(from, unfinished, constants.COPYFILE_FICLONE)
        await rename(unfinished, path)
      })
      writing = writing.then(() =>
        withDiskErrors(manifest, () => appendFile(manifest, `${JSON.stringify(row)}\n`, { flush: true })),
      )
      await writing
      lines.set(row.file, row)
    },
  }
}

/** Removes the partial last line that a crash during a write leaves behind. */
async function cutTornLine(path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => null)
  if (bytes === null) return
  const end = bytes.lastIndexOf(10) + 1
  if (end < bytes.length) await withDiskErrors(path, () => truncate(path, end))
}

/** A video file as a reply of the model. */
export interface FolderVideo {
  path: string
  /** SHA-256 of its content. */
  hash: string
  label: VideoLabel
}

/** Videos by sample id; unreadable files are left out. */
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
  /** Generates the missing videos. */
  fallback?: Model
}

/** A model that replies to each sample with its file, linked into the store. */
export function folderModel({ id, videos, store, atOnce, fallback }: FolderModelOptions): Model {
  return {
    id,
    local: false,
    output: 'video',
    ...(fallback?.address === undefined ? {} : { address: fallback.address }),
    connections: () => fallback?.connections() ?? atOnce,
    close: () => fallback?.close() ?? Promise.resolve(),
    async ask(request, signal) {
      const video = videos.get(request.origin.sampleId)
      if (video === undefined && fallback) return fallback.ask(request, signal)
      if (video === undefined) throw new MissingAssetError('the video is missing')
      const { path, hash, label } = video
      const clip = await openClip(path).catch((error: unknown) => {
        throw new MissingAssetError(`cannot read ${label.file}: ${fileErrorReason(error)}`, { cause: error })
      })
      await clip.close()
      const media = await store.media.keepFile(path, (await clipType(path)) ?? 'application/octet-stream', hash)
      return { text: JSON.stringify(label), media: [media], finish: 'stop', usage: NO_USAGE, ms: 0, cached: false }
    },
  }
}
