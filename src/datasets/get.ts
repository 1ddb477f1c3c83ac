/** Fetches a dataset into a folder. Complete files are kept; interrupted ones are continued. */
import { createHash } from 'node:crypto'
import { mkdir, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../base/errors.ts'
import { withDiskErrors } from '../store/disk.ts'
import { takeLock } from '../store/lock.ts'
import { addressOf, type Dataset, type GithubCommit, type HubRepository, matches } from './dataset.ts'
import { downloadCommit } from './github.ts'
import { hashFile } from './hash.ts'
import { Hub, type HubOptions } from './hub.ts'
import { DatasetRecord } from './record.ts'
import { OWN_FOLDER, placeIn } from './safe-path.ts'
import { type RemoteFile, transfer } from './transfer.ts'
import { unpackZip } from './unpack.ts'

const CONNECTIONS = 4

export interface GetOptions extends HubOptions {
  folder: string
  /** Where GitHub serves archives. */
  archives?: string
  /** Called once it is known what is missing, before anything is downloaded. Throws if the user says no. */
  confirm(plan: DownloadPlan): Promise<void>
  onProgress?(progress: DownloadProgress): void
  wait?(ms: number): Promise<void>
}

export interface DownloadPlan {
  /** Where it comes from, with the commit. */
  from: string
  license: string | null
  /** What is missing. Bytes are null if the server does not say. */
  files: number
  bytes: number | null
  /** Files that are there already. */
  kept: number
  /** Free space in the folder, in bytes. */
  free: number
}

export interface DownloadProgress {
  bytes: number
  of: number | null
  /** The archive that is being unpacked. */
  unpacking?: string
}

export interface FetchedDataset {
  folder: string
  from: string
  files: number
  /** Nothing was missing. */
  wasComplete: boolean
  /** Nobody named a commit: the folder keeps to the one that it was first fetched at. */
  isPinnedHere: boolean
}

export async function getDataset(dataset: Dataset, options: GetOptions): Promise<FetchedDataset> {
  const { from } = dataset
  if ('page' in from) {
    throw new UserError(`${dataset.name} cannot be downloaded by a program.`, {
      hint: `${from.steps} ${from.page}`,
    })
  }
  // Two downloads into one folder would write the same parts.
  const own = join(options.folder, OWN_FOLDER)
  await withDiskErrors(own, () => mkdir(own, { recursive: true }))
  const lock = await takeLock(own).catch((error: unknown) => {
    throw error instanceof UserError
      ? new UserError(`Another command is downloading ${dataset.name} to ${options.folder}.`, { cause: error })
      : error
  })
  try {
    return await ('hub' in from ? getFromHub(dataset, from, options) : getCommit(dataset, from, options))
  } finally {
    await lock.release()
    // Nothing was downloaded: the user said no.
    await rmdir(own).catch(() => {})
    await rmdir(options.folder).catch(() => {})
  }
}

/** The commit that the folder has, or was being fetched at. */
function commitIn({ head }: DatasetRecord, hub: string): string | undefined {
  const [name, commit] = head?.from.split('@') ?? []
  return name === hub ? commit : undefined
}

async function getFromHub(dataset: Dataset, from: HubRepository, options: GetOptions): Promise<FetchedDataset> {
  const { folder, signal } = options
  const record = await DatasetRecord.read(folder)
  const revision = from.revision ?? commitIn(record, from.hub)
  const hub = await Hub.open(dataset, { ...from, ...(revision !== undefined && { revision }) }, options)
  const { commit, license: stated } = await hub.state()
  const license = dataset.license ?? stated
  const { files: globs, unpack = [] } = dataset
  const wanted = (await hub.files(commit)).filter(({ path }) => globs === undefined || matches(path, globs))
  if (wanted.length === 0) {
    throw new UserError(`${from.hub} has none of the files that ${dataset.name} is made of: ${globs?.join(', ')}.`, {
      hint: `See ${addressOf(dataset)}.`,
    })
  }
  for (const { path } of wanted) await placeIn(folder, path, from.hub)
  const missing: RemoteFile[] = []
  for (const file of wanted) if (!(await record.has(file.path, file.hash))) missing.push(file)
  const address = `${from.hub}@${commit}`
  const bytes = missing.reduce((sum, file) => sum + file.bytes, 0)
  const done = {
    folder,
    from: address,
    files: wanted.length,
    wasComplete: missing.length === 0,
    isPinnedHere: from.revision === undefined,
  }
  if (done.wasComplete) return done

  const free = await freeSpace(folder)
  // An archive is there beside what was in it.
  const archives = missing.filter(({ path }) => matches(path, unpack)).reduce((sum, file) => sum + file.bytes, 0)
  ensureSpace(folder, bytes + archives, free)
  const kept = wanted.length - missing.length
  await options.confirm({ from: address, license, files: missing.length, bytes, kept, free })
  const expected = wanted.map(({ path }) => path)
  await record.start({ dataset: dataset.name, license, from: address, expected })

  let received = 0
  const parts = join(folder, OWN_FOLDER, 'parts')
  await eachOf(missing, CONNECTIONS, signal, async (file, ended) => {
    const place = await placeIn(folder, file.path, from.hub)
    const isArchive = matches(file.path, unpack)
    const part = join(parts, createHash('sha256').update(`${file.path}\0${file.hash}`).digest('hex'))
    const archive = `${part}.zip`
    // Unpacking was interrupted.
    const isHere = isArchive && (await hashFile(archive, file.hash).catch(() => null)) === file.hash
    if (isHere) received += file.bytes
    try {
      if (!isHere)
        await transfer({
          file,
          open: (offset, stop) => hub.read(commit, file, offset, stop),
          isTemporary: hub.isTemporary,
          part,
          place: isArchive ? archive : place,
          signal: ended,
          wait: (ms) => options.wait?.(ms) ?? sleep(ms, undefined, { signal: ended }),
          onBytes: (count) => {
            received += count
            options.onProgress?.({ bytes: received, of: bytes })
          },
        })
    } catch (error) {
      throw hub.explain(error)
    }
    if (!isArchive) return record.add({ path: file.path, bytes: file.bytes, hash: file.hash })
    options.onProgress?.({ bytes: received, of: bytes, unpacking: file.path })
    const at = dirname(file.path)
    await unpackZip({
      archive,
      name: file.path,
      folder,
      pathOf: (entry) => (isLitter(entry) ? null : at === '.' ? entry : `${at}/${entry}`),
      signal: ended,
      onSize: async (size) => ensureSpace(folder, size, await freeSpace(folder)),
      onFile: (entry) => record.add({ ...entry, archive: file.path }),
    })
    await record.add({ path: file.path, bytes: file.bytes, hash: file.hash, unpacked: true })
    await rm(archive, { force: true })
  })
  await rm(parts, { recursive: true, force: true })
  await record.removeAllBut(new Set(wanted.map(({ path }) => path)))
  return done
}

/** What an archiver of macOS adds. */
function isLitter(entry: string): boolean {
  return entry.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(entry)
}

async function getCommit(dataset: Dataset, from: GithubCommit, options: GetOptions): Promise<FetchedDataset> {
  const { folder, signal } = options
  const record = await DatasetRecord.read(folder)
  const address = `${from.github}@${from.commit}`
  const name = `${address}.zip`
  const hash = `git:${from.commit}`
  const inFolder = (): number => [...record.files.values()].filter(({ archive }) => archive === name).length
  if (await record.has(name, hash))
    return { folder, from: address, files: inFolder(), wasComplete: true, isPinnedHere: false }
  const free = await freeSpace(folder)
  const license = dataset.license ?? null
  await options.confirm({ from: address, license, files: 1, bytes: null, kept: 0, free })
  await record.start({ dataset: dataset.name, license, from: address, expected: [name] })
  const archive = join(folder, OWN_FOLDER, 'parts', `${from.commit}.zip`)
  await mkdir(dirname(archive), { recursive: true })
  await downloadCommit(from, archive, {
    url: options.archives ?? 'https://codeload.github.com',
    signal,
    onBytes: (bytes) => options.onProgress?.({ bytes, of: null }),
  })
  options.onProgress?.({ bytes: 0, of: null, unpacking: from.github })
  const comment = await unpackZip({
    archive,
    name: from.github,
    folder,
    pathOf(entry) {
      // All is in one folder, named after repository and commit.
      const path = entry.slice(entry.indexOf('/') + 1)
      return dataset.files === undefined || matches(path, dataset.files) ? path : null
    },
    signal,
    onSize: async (size) => ensureSpace(folder, size, await freeSpace(folder)),
    onFile: (entry) => record.add({ ...entry, archive: name }),
  })
  // GitHub writes the commit there.
  if (comment !== from.commit)
    throw new UserError(`The archive of ${from.github} is not that of commit ${from.commit}.`, {
      hint: `Remove ${folder}.`,
    })
  if (inFolder() === 0) throw new UserError(`${from.github} has none of the files that ${dataset.name} is made of.`)
  await record.add({ path: name, bytes: 0, hash, unpacked: true })
  await rm(dirname(archive), { recursive: true, force: true })
  return { folder, from: address, files: inFolder(), wasComplete: false, isPinnedHere: false }
}

async function freeSpace(folder: string): Promise<number> {
  // The folder may not be there yet.
  for (let at = folder; ; at = dirname(at)) {
    const stats = await statfs(at).catch(() => null)
    if (stats !== null) return stats.bavail * stats.bsize
    if (at === dirname(at)) return Infinity
  }
}

function ensureSpace(folder: string, bytes: number, free: number): void {
  if (bytes <= free) return
  throw new UserError(`${folder} has ${gigabytes(free)} free, but ${gigabytes(bytes)} are needed.`, {
    hint: 'Free some space, or choose another disk with --folder.',
  })
}

/** `1.8 GB` */
export function gigabytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

/** Works on several items at a time. The first error ends the others. */
async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: T, ended: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  const queue = items.values()
  let first: { error: unknown } | null = null
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (ended.aborted) return
      try {
        await work(item, ended)
      } catch (error) {
        first ??= { error }
        failed.abort(error)
        return
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  signal.throwIfAborted()
  if (first !== null) throw (first as { error: unknown }).error
}
