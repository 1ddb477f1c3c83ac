/** Exports a run, or one episode, to a folder that opens from disk and from any static server. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellCommand } from '../../base/shell-quote.ts'
import { codeOf, MissingAssetError, UserError } from '../../base/errors.ts'
import type { Describe } from '../../engine/describe.ts'
import type { RunReader } from '../../store/run-reader.ts'
import type { EpisodeLine } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import { runCommand } from '../../library/commands.ts'
import type { SuiteFinder } from '../../library/suites.ts'
import type { RunDetail } from '../api.ts'
import { columnsOf } from '../columns.ts'
import { describedFields, describerOf } from '../described.ts'
import { findEpisode } from '../episodes.ts'
import { figuresOf } from '../figures.ts'
import { panelSource } from '../panel.ts'
import { redactStorePath } from '../http/problem.ts'
import { RunEntry } from '../run-entry.ts'
import { Scenes } from '../scene.ts'
import { viewerFolder } from '../static.ts'
import type { SharedChunk, SharedDescriptions, SharedRun } from './format.ts'
import { findMedia } from '../../media/find-media.ts'
import { SharedMedia } from './media.ts'
import { sharedPage } from './page.ts'
import { redaction } from './redact.ts'
import { dataScript } from './script.ts'

/** Episodes share a file until their events reach this size. */
const CHUNK_BYTES = 1024 * 1024
/** With `viewer.js`, marks a folder as an earlier export that can be overwritten. */
const DATA_FOLDER = 'data'
/** File names that an export writes, by folder. */
const GENERATED_FILES = {
  data: /^(run|panel|(episodes|described)-\d+|(scene|bytes|small)-[\da-f]+)\.js$/,
  media: /^[\da-f]{64}\.\w+$/,
} as const

export interface ShareOptions {
  store: Store
  finder: SuiteFinder
  reader: RunReader
  folder: string
  version: string
  /** Keeps base URLs and HTTP headers of models. Default false. */
  keepAddresses?: boolean
  /** Export only this episode. */
  episode?: { index: number; epoch: number }
}

export interface ShareSummary {
  episodes: number
  media: number
  /** Media files missing from the store. */
  missing: number
  scenes: number
}

export async function writeSharedRun({
  store,
  finder,
  reader,
  folder,
  version,
  keepAddresses = false,
  episode,
}: ShareOptions): Promise<ShareSummary> {
  const pages = viewerFolder('viewer-share', 'viewer.js')
  await assertWritable(folder)
  const entry = new RunEntry(reader, finder, redactStorePath(store.dir))
  const lines = episode ? [(await findEpisode(entry, episode.index, episode.epoch)).line] : await entry.lines()
  const suite = await entry.suite()
  const redact = redaction(store.dir, reader.header, keepAddresses)
  const script = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, 'data', `${name}.js`), redact.json(dataScript(name, value)))

  await removeGenerated(folder)
  await mkdir(join(folder, 'data'), { recursive: true })
  await cp(pages, folder, { recursive: true })
  const media = new SharedMedia(store.media, folder)
  const scenes = await writeScenes(entry, new Scenes(store.dir), lines, folder)
  const describe = await describerOf(entry)
  const chunks: number[] = []
  for (const { start, part } of inChunks(lines)) {
    const chunk = await chunkOf(reader, part, media, scenes)
    await script(`episodes-${chunks.length}`, chunk)
    await script(`described-${chunks.length}`, descriptionsOf(chunk, describe))
    chunks.push(start)
  }
  const hasPanel = suite?.viewer.panel !== undefined
  // Without a readable panel, the page reports that it is missing.
  const panel = hasPanel ? await panelSource(entry).catch(() => null) : null
  if (panel !== null) await script('panel', panel)
  const header = redact.header(reader.header)
  const command = runCommand(header, suite)
  const detail = {
    ...withoutPid(await entry.detail()),
    header,
    command: command && shellCommand(command),
  }
  const shared: SharedRun = {
    info: {
      version,
      store: '',
      suites: [{ name: detail.row.suite, title: detail.row.suiteTitle, playable: false }],
      canPlay: false,
    },
    detail,
    episodes: columnsOf(lines, suite, entry.reader.header, await describedFields(entry, lines)),
    figures: episode ? [] : await figuresOf(entry),
    chunks,
    hasPanel,
    open: `/runs/${encodeURIComponent(reader.header.id)}${episode ? `/${episode.index}/${episode.epoch}` : ''}`,
  }
  await script('run', shared)
  const { row } = detail
  await writeFile(join(folder, 'index.html'), sharedPage(`${row.player} · ${row.suite} · Sightline`, hasPanel))
  return { episodes: lines.length, media: media.files, missing: media.missing, scenes: new Set(scenes.values()).size }
}

function withoutPid(detail: RunDetail): RunDetail {
  return { ...detail, status: { ...detail.status, pid: null } }
}

async function chunkOf(
  reader: RunReader,
  lines: readonly EpisodeLine[],
  media: SharedMedia,
  scenes: ReadonlyMap<string, string>,
): Promise<SharedChunk> {
  const files: Record<string, string> = {}
  const tags: Record<string, string> = {}
  const small = new Set<string>()
  const episodes = []
  for (const line of lines) {
    const events = (await reader.events(line)) as SharedChunk['episodes'][number]['events']
    const key = `${line.index}.${line.epoch}`
    const tag = scenes.get(key)
    if (tag !== undefined) tags[key] = tag
    for (const [sha256, type] of findMedia(events)) {
      const name = await media.add(sha256, type)
      if (name === null) continue
      files[sha256] = name
      if (tag !== undefined && (await media.addThumbnail(sha256, name))) small.add(sha256)
    }
    episodes.push({ line, events })
  }
  return { episodes, media: files, small: [...small], scenes: tags }
}

function descriptionsOf({ episodes, media }: SharedChunk, describe: Describe): SharedDescriptions {
  const descriptions = episodes.map(({ events }) => describe(events))
  const images = descriptions.flatMap(({ image }) => (image ? [image.sha256] : []))
  return {
    descriptions,
    media: Object.fromEntries(images.flatMap((sha256) => (media[sha256] ? [[sha256, media[sha256]]] : []))),
  }
}

/** Returns `INDEX.EPOCH` → scene tag; scenes shared by several samples are written once. */
async function writeScenes(
  entry: RunEntry,
  scenes: Scenes,
  lines: readonly EpisodeLine[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>()
  const written = new Map<string, boolean>()
  for await (const { line, tag, glb } of scenes.all(entry, lines)) {
    if (!written.has(tag)) written.set(tag, await writeScene(`scene-${tag}`, glb, folder))
    if (written.get(tag)) tags.set(`${line.index}.${line.epoch}`, tag)
  }
  return tags
}

/** False for a scene with broken or missing files: its episodes are exported without it. */
async function writeScene(name: string, glb: () => Promise<Uint8Array>, folder: string): Promise<boolean> {
  let bytes: Uint8Array
  try {
    bytes = await glb()
  } catch (error) {
    if (error instanceof UserError || error instanceof MissingAssetError) return false
    throw error
  }
  await writeFile(join(folder, 'data', `${name}.js`), dataScript(name, Buffer.from(bytes).toString('base64')))
  return true
}

function* inChunks(lines: readonly EpisodeLine[]): Generator<{ start: number; part: EpisodeLine[] }> {
  let part: EpisodeLine[] = []
  let bytes = 0
  for (const [row, line] of lines.entries()) {
    part.push(line)
    bytes += line.events[1]
    if (bytes < CHUNK_BYTES && row < lines.length - 1) continue
    yield { start: row - part.length + 1, part }
    part = []
    bytes = 0
  }
}

/** Removes an earlier export, so exporting one episode never leaks the others. */
async function removeGenerated(folder: string): Promise<void> {
  for (const [inside, pattern] of Object.entries(GENERATED_FILES)) {
    const names = await readdir(join(folder, inside)).catch(() => [])
    for (const name of names) if (pattern.test(name)) await rm(join(folder, inside, name))
  }
}

/** Only a new or empty folder, or an earlier export, can be written to. */
async function assertWritable(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return []
    if (codeOf(error) === 'ENOTDIR') throw new UserError(`${folder} is a file. Choose a folder.`)
    throw error
  })
  if (names.length === 0 || (names.includes(DATA_FOLDER) && names.includes('viewer.js'))) return
  throw new UserError(`${folder} is not empty.`, { hint: 'Choose a new folder with -o.' })
}
