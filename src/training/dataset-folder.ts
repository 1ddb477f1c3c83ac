/** A folder with training data: files of examples, what is in them, and a data card. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { hashOf } from '../base/hash.ts'
import type { MediaRef } from '../media/ref.ts'
import { isTemporaryFile, withDiskErrors as withErrorsOf, writeAtomically } from '../store/disk.ts'
import { type Lock, takeLock } from '../store/lock.ts'
import { kindOf } from './balance.ts'
import { dataCard } from './card.ts'
import { mediaIn } from '../models/types.ts'
import { type Example, exampleKey } from './formats/example.ts'
import { FORMATS, type FormatOf } from './formats/format.ts'
import type { DataFormat } from './formats/names.ts'
import { mediaFile } from './formats/media-file.ts'

/** What decides which examples are made. Plain JSON. */
export type DatasetSettings = Readonly<Record<string, unknown>> & {
  suite: string
  suiteVersion: number
  source: string
  profile: string
  player: string
  rejected: string | null
  options: Readonly<Record<string, unknown>>
}

const withDiskErrors = <T>(path: string, work: () => Promise<T>): Promise<T> => withErrorsOf(path, work, '--output')

/** A file is complete with so many examples, or so many bytes of pictures. */
const FILE_EXAMPLES = 500
const FILE_BYTES = 64 * 2 ** 20
const STATE_FILE = 'sightline-data.json'

const stateSchema = z.object({
  settings: z.record(z.string(), z.unknown()),
  /** Where to continue, and how many samples of each kind were taken before: not all of them became examples. */
  next: z.object({ seed: z.int(), index: z.int(), taken: z.record(z.string(), z.int()).optional() }),
  files: z.array(z.object({ name: z.string(), examples: z.int() })),
  pictures: z.int(),
  /** Examples by type and level. */
  counts: z.record(z.string(), z.int()),
  /** Hashes of the examples. */
  keys: z.array(z.string()),
})
export type DatasetState = z.output<typeof stateSchema>

export class DatasetFolder {
  readonly #folder: string
  readonly #format: FormatOf
  readonly #state: DatasetState
  readonly #keys: Set<string>
  readonly #savedImages = new Set<string>()
  #examples: Example[] = []
  #media = new Map<string, Uint8Array>()
  #mediaBytes = 0
  #next: DatasetState['next']
  readonly #lock: Lock
  readonly #fileExamples: number

  private constructor(folder: string, format: FormatOf, state: DatasetState, lock: Lock, fileExamples: number) {
    this.#lock = lock
    this.#fileExamples = fileExamples
    this.#folder = folder
    this.#format = format
    this.#state = state
    this.#keys = new Set(state.keys)
    this.#next = state.next
  }

  /** Opens a folder to continue, or a new one. Files that were not finished are removed. */
  static async open(
    folder: string,
    format: DataFormat,
    settings: DatasetSettings,
    first: DatasetState['next'],
    fileExamples = FILE_EXAMPLES,
  ): Promise<DatasetFolder> {
    return withDiskErrors(folder, async () => {
      await mkdir(folder, { recursive: true })
      const known = await readState(folder)
      if (known === null && (await readdir(folder)).some((name) => !name.endsWith('.lock') && !isTemporaryFile(name)))
        throw new UserError(`${folder} is not empty.`, { hint: 'Choose a new folder with --output.' })
      if (known !== null && hashOf(known.settings) !== hashOf(settings)) {
        const changed = Object.keys(settings).filter((key) => hashOf(settings[key]) !== hashOf(known.settings[key]))
        throw new UserError(`${folder} has data made with other settings (${changed.join(', ')}).`, {
          hint: 'Choose a new folder with --output, or use the same settings to continue.',
        })
      }
      const lock = await takeLock(folder)
      const state = known ?? { settings, next: first, files: [], pictures: 0, counts: {}, keys: [] }
      const dataset = new DatasetFolder(folder, FORMATS[format], state, lock, fileExamples)
      // What a maker that was killed leaves: a file that the state does not know yet, or part of one.
      await rm(dataset.#path(state.files.length), { force: true })
      for (const place of new Set([folder, dirname(dataset.#path(0))])) await removeTemporaryFiles(place)
      await writeAtomically(join(folder, STATE_FILE), JSON.stringify(state))
      return dataset
    })
  }

  get next(): DatasetState['next'] {
    const { next, counts } = this.#state
    // Older folders have only the examples that were made of them.
    return { ...next, taken: next.taken ?? counts }
  }

  /** All examples, those included that are not in a file yet. */
  get examples(): number {
    return this.#keys.size
  }

  /** Different pictures in each file, in all. */
  get pictures(): number {
    return this.#state.pictures + this.#media.size
  }

  /**
   * Adds examples of a scene, unless they are there already or the dataset is complete. Returns how many are new.
   *
   * @param next where to continue after them
   */
  async add(
    examples: readonly Example[],
    media: ReadonlyMap<string, Uint8Array>,
    next: DatasetState['next'],
    wanted: number,
  ): Promise<number> {
    let added = 0
    let isCut = false
    for (const example of examples) {
      const key = exampleKey(example)
      if (this.#keys.has(key)) continue
      if (this.#keys.size >= wanted) {
        isCut = true
        break
      }
      this.#keys.add(key)
      this.#examples.push(example)
      added += 1
      for (const ref of mediaIn(example.messages)) await this.#keepMedia(ref, media.get(ref.sha256)!)
    }
    // A longer dataset begins with this scene again.
    if (!isCut) this.#next = next
    if (this.#examples.length >= this.#fileExamples || this.#mediaBytes >= FILE_BYTES) await this.#writeFile()
    return added
  }

  /** Lets others continue. */
  async close(): Promise<void> {
    await this.#lock.release()
  }

  /** Writes the last file and the data card. */
  async finish(version: string, isOurs: boolean): Promise<void> {
    await this.#writeFile()
    const { pattern } = this.#format
    await withDiskErrors(this.#folder, () =>
      writeAtomically(join(this.#folder, 'README.md'), dataCard(this.#state, { pattern, version, isOurs })),
    )
  }

  async #keepMedia(ref: MediaRef, bytes: Uint8Array): Promise<void> {
    // Formats without image files have a picture in every example that shows it.
    if (!this.#format.hasImageFiles || !this.#media.has(ref.sha256)) this.#mediaBytes += bytes.length
    if (this.#media.has(ref.sha256)) return
    if (!this.#format.hasImageFiles) {
      this.#media.set(ref.sha256, bytes)
      return
    }
    // Only counted: the bytes are on disk.
    this.#media.set(ref.sha256, NONE)
    const path = join(this.#folder, 'images', mediaFile(ref))
    await withDiskErrors(path, async () => {
      if (this.#savedImages.size === 0) await mkdir(dirname(path), { recursive: true })
      this.#savedImages.add(ref.sha256)
      // A file that is cut short by a kill is written again: no example that shows it is in a file yet.
      await writeFile(path, bytes)
    })
  }

  async #writeFile(): Promise<void> {
    const state = this.#state
    await this.#lock.check()
    if (this.#examples.length > 0) {
      const name = this.#name(state.files.length)
      const path = join(this.#folder, name)
      await withDiskErrors(path, async () => {
        await mkdir(dirname(path), { recursive: true })
        await writeAtomically(path, await this.#format.encode(this.#examples, this.#media))
      })
      state.files.push({ name, examples: this.#examples.length })
      state.pictures += this.#media.size
      for (const { labels } of this.#examples) {
        const kind = kindOf(labels)
        state.counts[kind] = (state.counts[kind] ?? 0) + 1
      }
    }
    state.next = this.#next
    state.keys = [...this.#keys]
    await withDiskErrors(this.#folder, () => writeAtomically(join(this.#folder, STATE_FILE), JSON.stringify(state)))
    this.#examples = []
    this.#media = new Map()
    this.#mediaBytes = 0
  }

  #name(number: number): string {
    return this.#format.file(String(number).padStart(5, '0'))
  }

  #path(number: number): string {
    return join(this.#folder, this.#name(number))
  }
}

async function removeTemporaryFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  // Not those of a lock: another maker may just be trying to take it.
  const left = names.filter((name) => isTemporaryFile(name) && !name.includes('.lock.'))
  for (const name of left) await rm(join(folder, name), { force: true })
}

const NONE = new Uint8Array(0)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function readState(folder: string): Promise<DatasetState | null> {
  const path = join(folder, STATE_FILE)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
  const read = stateSchema.safeParse(parsed(text))
  if (read.success) return read.data
  throw new UserError(`${path} is damaged.`, { hint: 'Choose a new folder with --output.' })
}
