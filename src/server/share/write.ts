/** Writes a run, or one episode of it, as a folder that opens from disk and from any static server. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, MissingAssetError, UserError } from '../../base/errors.ts'
import type { RunReader } from '../../store/run-reader.ts'
import type { EpisodeLine } from '../../store/records.ts'
import type { Store } from '../../store/store.ts'
import type { SuiteFinder } from '../../library/suites.ts'
import type { RunDetail } from '../api.ts'
import { columnsOf } from '../columns.ts'
import { lineOf } from '../episodes.ts'
import { panelSource } from '../panel.ts'
import { publicWords } from '../http/problem.ts'
import { RunEntry } from '../run-entry.ts'
import { Scenes } from '../scene.ts'
import { viewerFolder } from '../static.ts'
import type { SharedChunk, SharedRun } from './format.ts'
import { mediaIn, SharedMedia } from './media.ts'
import { sharedPage } from './page.ts'
import { placesShortened } from './places.ts'
import { dataScript } from './script.ts'

/** Episodes go into one file until their events have this many bytes. */
const CHUNK_BYTES = 1024 * 1024
/** Marks a folder as one that may be written over. */
const MARK = 'data'
/** What a run that was shared before has left in its folders, by name. */
const WRITTEN = {
  data: /^(run|panel|episodes-\d+|(scene|bytes|small)-[\da-f]+)\.js$/,
  media: /^[\da-f]{64}\.\w+$/,
} as const

export interface ShareOptions {
  store: Store
  finder: SuiteFinder
  reader: RunReader
  folder: string
  version: string
  /** Only this one. */
  episode?: { index: number; epoch: number }
}

export interface Shared {
  episodes: number
  media: number
  /** Pictures, videos and sound that the store does not have. */
  missing: number
  scenes: number
}

export async function writeShared({ store, finder, reader, folder, version, episode }: ShareOptions): Promise<Shared> {
  const pages = viewerFolder('viewer-share', 'viewer.js')
  await checkFolder(folder)
  const entry = new RunEntry(reader, finder, publicWords(store.dir))
  const lines = episode ? [(await lineOf(entry, episode.index, episode.epoch)).line] : await entry.lines()
  const suite = await entry.suite()
  const places = placesShortened(store.dir, reader.header.source)
  const script = (name: string, value: unknown): Promise<void> =>
    writeFile(join(folder, 'data', `${name}.js`), places(dataScript(name, value)))

  await clear(folder)
  await mkdir(join(folder, 'data'), { recursive: true })
  await cp(pages, folder, { recursive: true })
  const media = new SharedMedia(store.media, folder)
  const scenes = await writeScenes(entry, new Scenes(store.dir), lines, folder)
  const chunks: number[] = []
  for (const { start, part } of inChunks(lines)) {
    await script(`episodes-${chunks.length}`, await chunkOf(reader, part, media, scenes))
    chunks.push(start)
  }
  const hasPanel = suite?.viewer.panel !== undefined
  // A panel that cannot be read is missing in the folder too; the page says so.
  const panel = hasPanel ? await panelSource(entry).catch(() => null) : null
  if (panel !== null) await script('panel', panel)
  const detail = forOthers(await entry.detail())
  const shared: SharedRun = {
    info: {
      version,
      store: '',
      suites: [{ name: detail.row.suite, title: detail.row.suiteTitle, playable: false }],
      canPlay: false,
    },
    detail,
    episodes: columnsOf(lines, suite, entry.reader.header),
    chunks,
    hasPanel,
    open: `/runs/${encodeURIComponent(reader.header.id)}${episode ? `/${episode.index}/${episode.epoch}` : ''}`,
  }
  await script('run', shared)
  const { row } = detail
  await writeFile(join(folder, 'index.html'), sharedPage(`${row.player} · ${row.suite} · Sightline`, hasPanel))
  return { episodes: lines.length, media: media.files, missing: media.missing, scenes: new Set(scenes.values()).size }
}

/** The process that wrote the run is nobody else's business. */
function forOthers(detail: RunDetail): RunDetail {
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
    for (const [sha256, type] of mediaIn(events)) {
      const name = await media.bring(sha256, type)
      if (name === null) continue
      files[sha256] = name
      if (tag !== undefined && (await media.small(sha256, name))) small.add(sha256)
    }
    episodes.push({ line, events })
  }
  return { episodes, media: files, small: [...small], scenes: tags }
}

/** `INDEX.EPOCH` to the tag of its scene; scenes that samples share are written once. */
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

/** False for a scene whose files are broken or gone: its episodes are shared without it. */
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

/** What was shared here before goes: who shares one episode does not give the others away with it. */
async function clear(folder: string): Promise<void> {
  for (const [inside, pattern] of Object.entries(WRITTEN)) {
    const names = await readdir(join(folder, inside)).catch(() => [])
    for (const name of names) if (pattern.test(name)) await rm(join(folder, inside, name))
  }
}

/** A folder of somebody's is not written into: only a new one, an empty one, or one that was shared before. */
async function checkFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return []
    if (codeOf(error) === 'ENOTDIR') throw new UserError(`${folder} is a file; a shared run is a folder.`)
    throw error
  })
  if (names.length === 0 || (names.includes(MARK) && names.includes('viewer.js'))) return
  throw new UserError(`${folder} has other files in it.`, { hint: 'Give a new folder with -o.' })
}
