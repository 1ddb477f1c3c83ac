/** Watches what a reader of files does to the machine: what it opens, starts and connects to. */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { basename, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The code itself, its packages, and the suites of the catalog. */
const PROJECT = fileURLToPath(new URL('../../../', import.meta.url))
/** Programs that read media and tables of others. */
const PROGRAMS: ReadonlySet<string> = new Set([basename(process.execPath), 'ffmpeg', 'ffprobe'])

type Functions = Record<string, (...args: never[]) => unknown>
const OPENS: readonly (readonly [object, readonly string[]])[] = [
  [fs.promises, ['open', 'readFile', 'readdir', 'opendir']],
  [fs, ['open', 'openSync', 'readFile', 'readFileSync', 'readdir', 'readdirSync', 'createReadStream']],
]
const STARTS: readonly (readonly [object, readonly string[]])[] = [
  [childProcess, ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync']],
]

/**
 * Throws if `read` opens an existing file outside of `folder` and of the project, starts a program that does not read
 * media, or connects to anything.
 */
export async function guarded<T>(folder: string, read: () => Promise<T>): Promise<T> {
  const wrongs: string[] = []
  const undo = [
    ...OPENS.flatMap(([owner, names]) => names.map((name) => watch(owner, name, noteOpened))),
    ...STARTS.flatMap(([owner, names]) => names.map((name) => watch(owner, name, noteStarted))),
    watch(net.Socket.prototype, 'connect', () => wrongs.push('connected to something')),
  ]
  syncBuiltinESMExports()
  try {
    return await read()
  } finally {
    for (const each of undo) each()
    syncBuiltinESMExports()
    // oxlint-disable-next-line no-unsafe-finally -- what was opened matters more than how reading ended
    if (wrongs.length > 0) throw new Error(wrongs.slice(0, 3).join('; '))
  }

  function noteOpened(path: unknown): void {
    const asked = path instanceof URL ? fileURLToPath(path) : path
    if (typeof asked !== 'string' || !fs.existsSync(asked)) return
    const real = fs.realpathSync(asked)
    const isOurs = [fs.realpathSync(folder), PROJECT].some((each) => `${real}${sep}`.startsWith(resolve(each) + sep))
    if (!isOurs && !/^\/(?:proc|sys|dev)\//.test(real)) wrongs.push(`opened ${real}`)
  }

  function noteStarted(program: unknown): void {
    if (!PROGRAMS.has(basename(String(program)))) wrongs.push(`started ${String(program)}`)
  }
}

/** Returns what undoes it. */
function watch(owner: object, name: string, note: (first: unknown) => void): () => void {
  const functions = owner as Functions
  const original = functions[name]!
  functions[name] = function (this: unknown, ...args: never[]) {
    note(args[0])
    return original.apply(this, args)
  }
  return () => void (functions[name] = original)
}
