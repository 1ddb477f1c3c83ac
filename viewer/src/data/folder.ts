/**
 * Data from an exported folder, opened from disk or a static server. Pages opened from disk cannot fetch, so data are
 * scripts that register themselves; see `src/server/share/format.ts`.
 */
import type { EpisodeAddress, EpisodeColumns, EpisodeDetail } from '../../../src/server/api.ts'
import {
  REGISTER,
  type SharedChunk,
  type SharedDescriptions,
  type SharedRun,
} from '../../../src/server/share/format.ts'
import { DataError } from './http.ts'
import type { DataSource, MediaPointer } from './source.ts'

export interface FolderSource extends DataSource {
  /** Path of the page to open first. */
  startPage(): Promise<string>
}

export function folderSource(): FolderSource {
  const scripts = new Scripts()
  /** Files in `media/`, known once the episodes that show them are loaded. */
  const files = new Map<string, string>()
  const small = new Set<string>()
  const scenes = new Map<string, string>()

  const mediaUrl = ({ sha256 }: MediaPointer): string => `media/${files.get(sha256) ?? sha256}`
  const shared = (): Promise<SharedRun> => scripts.load<SharedRun>('run')
  const chunk = async (number: number): Promise<SharedChunk> => {
    const loaded = await scripts.load<SharedChunk>(`episodes-${number}`)
    for (const [sha256, name] of Object.entries(loaded.media)) files.set(sha256, name)
    for (const sha256 of loaded.small) small.add(sha256)
    for (const [episode, tag] of Object.entries(loaded.scenes)) scenes.set(episode, tag)
    return loaded
  }
  const checkedRun = async (run: string): Promise<SharedRun> => {
    const found = await shared()
    if (found.detail.row.id !== run) throw new DataError({ problem: `No such run in this folder: ${run}.` })
    return found
  }

  return {
    startPage: async () => (await shared()).open,
    info: async () => (await shared()).info,
    runs: async () => [(await shared()).detail.row],
    run: async (id) => (await checkedRun(id)).detail,
    async panel(run) {
      await checkedRun(run)
      const source = new Blob([await scripts.load<string>('panel')], { type: 'text/javascript' })
      const address = URL.createObjectURL(source)
      return import(/* @vite-ignore */ address).finally(() => URL.revokeObjectURL(address))
    },
    episodes: async (run) => (await checkedRun(run)).episodes,
    async descriptions(run, wanted) {
      const { episodes, chunks } = await checkedRun(run)
      return Promise.all(
        wanted.map(async ({ index, epoch }) => {
          const row = findRow(episodes, index, epoch)
          const number = chunks.findLastIndex((first) => first <= row)
          if (row === -1 || number === -1) return null
          const { descriptions, media } = await scripts.load<SharedDescriptions>(`described-${number}`)
          for (const [sha256, name] of Object.entries(media)) files.set(sha256, name)
          return descriptions[row - chunks[number]!] ?? null
        }),
      )
    },
    figures: async (run) => (await checkedRun(run)).figures,
    search: () => Promise.resolve(null),
    async episode(run, index, epoch) {
      const { detail, episodes, chunks, hasPanel } = await checkedRun(run)
      const row = findRow(episodes, index, epoch)
      if (row === -1) throw new DataError({ problem: 'This folder does not contain this episode.' })
      const number = chunks.findLastIndex((first) => first <= row)
      const found = (await chunk(number)).episodes[row - chunks[number]!]
      if (!found) throw new DataError({ problem: 'This folder does not contain this episode.' })
      return {
        run: detail.row,
        ...found,
        metrics: metricsOf(episodes, Object.keys(found.line.scores)),
        previous: addressAt(episodes, row - 1),
        next: addressAt(episodes, row + 1),
        hasScene: scenes.has(`${index}.${epoch}`),
        hasPanel,
      } satisfies EpisodeDetail
    },
    async scene(_run, index, epoch) {
      const tag = scenes.get(`${index}.${epoch}`)
      if (tag === undefined) throw new DataError({ problem: 'This episode has no 3D scene.' })
      return decodeBase64(await scripts.load<string>(`scene-${tag}`))
    },
    shared: onlyOneRun,
    compare: onlyOneRun,
    mediaUrl,
    thumbnailUrl: mediaUrl,
    async mediaBytes({ sha256 }) {
      if (files.has(sha256) && !small.has(sha256)) {
        throw new DataError({ problem: 'Not available in an exported folder.' })
      }
      return decodeBase64(await scripts.load<string>(`${small.has(sha256) ? 'small' : 'bytes'}-${sha256}`))
    },
    live: () => () => undefined,
  }
}

function onlyOneRun(): Promise<never> {
  const hint = 'Use `sightline view` to compare runs.'
  return Promise.reject(new DataError({ problem: 'This folder contains only one run.', hint }))
}

/** As the server sends them: the main one first. */
function metricsOf({ metrics, mainScore }: EpisodeColumns, names: readonly string[]): EpisodeDetail['metrics'] {
  const ordered = names.toSorted((a, b) => Number(b === mainScore) - Number(a === mainScore))
  return Object.fromEntries(ordered.flatMap((name) => (metrics[name] ? [[name, metrics[name]]] : [])))
}

/** Loads each script of `data/` once and returns the value it registers. */
class Scripts {
  readonly #values = new Map<string, unknown>()
  readonly #loads = new Map<string, Promise<void>>()

  constructor() {
    Object.assign(globalThis, { [REGISTER]: (name: string, value: unknown) => this.#values.set(name, value) })
  }

  async load<T>(name: string): Promise<T> {
    let load = this.#loads.get(name)
    if (!load) this.#loads.set(name, (load = insertScript(`data/${encodeURIComponent(name)}.js`)))
    await load.catch(() => this.#loads.delete(name))
    if (!this.#values.has(name)) {
      throw new DataError({
        problem: `Cannot read data/${name}.js in this folder.`,
        hint: 'Copy the complete folder, or export it again.',
      })
    }
    return this.#values.get(name) as T
  }
}

function insertScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => {
      script.remove()
      resolve()
    })
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(address))
    })
    document.head.append(script)
  })
}

function findRow({ index, epoch }: EpisodeColumns, wanted: number, repeat: number): number {
  return index.findIndex((each, row) => each === wanted && epoch[row] === repeat)
}

function addressAt(columns: EpisodeColumns, row: number): EpisodeAddress | null {
  const index = columns.index[row]
  return index === undefined ? null : { index, epoch: columns.epoch[row]!, sample: columns.sample[row]! }
}

function decodeBase64(base64: string): ArrayBuffer {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes.buffer
}
