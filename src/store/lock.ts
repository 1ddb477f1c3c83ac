/**
 * Ensures one writer per run, even after `kill -9`.
 *
 * Every process that wants to write creates its own lock file in the run's folder and then looks for others. If another
 * live process holds one, it deletes its own and gives up; files of dead processes are removed. Since every file has a
 * unique name, removing a stale one can never remove a new one, which is the flaw of a single lock file.
 */
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { writeAtomically } from './disk.ts'

const LOCK_FILE = /^writer-[0-9a-f]{16}\.lock$/
/** Two processes that start simultaneously both back off and retry after a random pause. */
const ATTEMPTS = 4
const MAX_PAUSE_MS = 60

const holderSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Start time of the process according to the kernel, to detect a reused pid. */
  started: z.string().nullable(),
  since: z.string(),
})
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  release(): Promise<void>
}

/** Locks the folder of a run, taking over from a dead holder. Throws if a live process holds the lock. */
export async function takeLock(folder: string): Promise<Lock> {
  const name = `writer-${randomBytes(8).toString('hex')}.lock`
  const path = join(folder, name)
  for (let attempt = 1; ; attempt++) {
    const holder = await thisProcess()
    await writeAtomically(path, JSON.stringify(holder))
    const other = await liveHolder(folder, name).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
    if (other === undefined) return { release: () => rm(path, { force: true }) }
    await rm(path, { force: true })
    if (attempt === ATTEMPTS) throw lockedError(other, folder)
    await wait(randomBytes(1)[0]! % MAX_PAUSE_MS)
  }
}

/** The process that is writing this run, if any. Removes nothing. */
export async function currentHolder(folder: string): Promise<Holder | undefined> {
  for (const { holder } of await locksIn(folder)) if (holder && (await isAlive(holder))) return holder
  return undefined
}

async function liveHolder(folder: string, own: string): Promise<Holder | undefined> {
  for (const { name, holder } of await locksIn(folder)) {
    if (name === own) continue
    if (holder && (await isAlive(holder))) return holder
    await rm(join(folder, name), { force: true })
  }
  return undefined
}

async function locksIn(folder: string): Promise<{ name: string; holder: Holder | undefined }[]> {
  const names = (await readdir(folder)).filter((name) => LOCK_FILE.test(name))
  const locks = await Promise.all(names.map(async (name) => ({ name, holder: await readHolder(join(folder, name)) })))
  return locks.filter((lock) => lock.holder !== 'gone').map(({ name, holder }) => ({ name, holder: asHolder(holder) }))
}

function asHolder(holder: Holder | 'gone' | undefined): Holder | undefined {
  return holder === 'gone' ? undefined : holder
}

/** Lock files are written atomically, so an invalid one has no owner. */
async function readHolder(path: string): Promise<Holder | 'gone' | undefined> {
  try {
    return holderSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone'
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function thisProcess(): Promise<Holder> {
  return {
    pid: process.pid,
    host: hostname(),
    started: await processStart(process.pid),
    since: new Date().toISOString(),
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  // Processes on other machines cannot be checked; the error explains how to remove the lock.
  if (holder.host !== hostname()) return true
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  if (holder.started !== null) {
    const started = await processStart(holder.pid)
    return started === null || started === holder.started
  }
  // Without /proc, a lock from before the last boot is stale. Allow a minute for clock changes.
  const bootedMs = Date.now() - uptime() * 1000
  return Date.parse(holder.since) > bootedMs - 60_000
}

/** Start time of a process as a comparable string; null if the system does not provide it. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // Field 22 of proc(5) is the start time; the second field, a name in parentheses, may contain spaces and parentheses.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? null : `${boot.trim()}:${ticks}`
  } catch {
    return null
  }
}

function lockedError(holder: Holder, folder: string): UserError {
  const here = holder.host === hostname()
  const where = here ? '' : ` on ${holder.host}`
  return new UserError(`The run in ${folder} has been in use by process ${holder.pid}${where} since ${holder.since}.`, {
    hint: here
      ? 'Wait for it or stop it, then try again.'
      : `Wait for it; if that machine is gone for good, delete the files writer-*.lock in ${folder}.`,
  })
}
