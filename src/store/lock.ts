/**
 * Ensures one writer per run, even after `kill -9` and across machines and containers.
 *
 * Every process that wants to write creates its own lock file in the run's folder and then looks for others. If another
 * live process holds one, it deletes its own and gives up; files of dead processes are removed. Since every file has a
 * unique name, removing a stale one can never remove a new one, which is the flaw of a single lock file.
 *
 * A holder that this process cannot look up (another machine, another container) is alive while it touches its file. A
 * holder that was taken over finds its file gone, and writes no more.
 */
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { readdir, readFile, readlink, rm, stat, utimes } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { quickly } from '../base/quick-disk.ts'
import { readRegular } from '../base/regular-file.ts'
import { writeAtomically } from './disk.ts'

const LOCK_FILE = /^writer-[0-9a-f]{16}\.lock$/
/** Two processes that start simultaneously both back off and retry after a random pause. */
const ATTEMPTS = 4
const MAX_PAUSE_MS = 60
const MAX_LOCK_BYTES = 64 * 1024

/** How often a holder touches its file, and how long an untouched file is respected. */
export interface Lease {
  beatMs: number
  expiresMs: number
  wait: (ms: number) => Promise<unknown>
}
const LEASE: Lease = { beatMs: 5_000, expiresMs: 30_000, wait }

const holderSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Start time of the process according to the kernel, to detect a reused pid. */
  started: z.string().nullable(),
  since: z.string(),
  /** Processes with the same value can look each other up. Absent in files of version 0.2. */
  space: z.string().optional(),
})
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  /** Throws if another process has taken over. */
  check(): Promise<void>
  release(): Promise<void>
}

/** Locks the folder of a run, taking over from a dead holder. Throws if a live process holds the lock. */
export async function takeLock(folder: string, lease: Lease = LEASE): Promise<Lock> {
  const name = `writer-${randomBytes(8).toString('hex')}.lock`
  const path = join(folder, name)
  for (let attempt = 1; ; attempt++) {
    await writeAtomically(path, JSON.stringify(await thisProcess()))
    // From the start: a process that waits for another's lease to expire is alive too.
    const beat = setInterval(() => touch(path), lease.beatMs)
    beat.unref()
    const release = async (): Promise<void> => {
      clearInterval(beat)
      await rm(path, { force: true })
    }
    const other = await liveHolder(folder, name, lease).catch(async (error: unknown) => {
      await release()
      throw error
    })
    if (other === undefined) return { release, check: () => checkHeld(path, folder) }
    await release()
    if (attempt === ATTEMPTS) throw lockedError(other, folder)
    await wait(randomBytes(1)[0]! % MAX_PAUSE_MS)
  }
}

function touch(path: string): void {
  const now = new Date()
  // A file that is gone is noticed by `check`, a disk that fails by the next write.
  utimes(path, now, now).catch(() => {})
}

async function checkHeld(path: string, folder: string): Promise<void> {
  if ((await touchedAt(path)) !== undefined) return
  if ((await touchedAt(folder)) === undefined) {
    throw new UserError(`${folder} was deleted or replaced while the run was being written.`, {
      hint: 'Stop the run, restore the folder from a backup and resume it, or start a new run.',
    })
  }
  throw new UserError(`Another process has taken over the run in ${folder}, so this one stopped writing.`, {
    hint: 'This process did not respond for a while, or its lock file was deleted. The other one continues.',
  })
}

/** The process that is writing this run, if any. Removes nothing. */
export async function currentHolder(folder: string): Promise<Holder | undefined> {
  for (const { name, holder } of await locksIn(folder)) {
    if (!holder) continue
    const known = await isAlive(holder)
    if (known ?? (await wasTouchedLately(join(folder, name)))) return holder
  }
  return undefined
}

/** For display only: it trusts the clocks of two machines. */
async function wasTouchedLately(path: string): Promise<boolean> {
  return Date.now() - ((await touchedAt(path)) ?? 0) < 2 * LEASE.expiresMs
}

async function liveHolder(folder: string, own: string, lease: Lease): Promise<Holder | undefined> {
  for (const { name, holder } of await locksIn(folder, own)) {
    const path = join(folder, name)
    if (holder && ((await isAlive(holder)) ?? (await isTouched(path, lease)))) return holder
    await rm(path, { force: true })
  }
  return undefined
}

/** Watches a file for as long as a lease lasts. Clocks of different machines are never compared. */
async function isTouched(path: string, { beatMs, expiresMs, wait: pause }: Lease): Promise<boolean> {
  const before = await touchedAt(path)
  for (let waited = 0; waited < expiresMs; waited += beatMs) {
    const now = await touchedAt(path)
    if (now === undefined) return false
    if (now !== before) return true
    await pause(beatMs)
  }
  return (await touchedAt(path)) !== before
}

async function touchedAt(path: string): Promise<number | undefined> {
  try {
    return (quickly(() => statSync(path)) ?? (await stat(path))).mtimeMs
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function locksIn(folder: string, own?: string): Promise<{ name: string; holder: Holder | undefined }[]> {
  const names = (await readdir(folder)).filter((name) => LOCK_FILE.test(name) && name !== own)
  const locks = await Promise.all(names.map(async (name) => ({ name, holder: await readHolder(join(folder, name)) })))
  return locks.filter((lock) => lock.holder !== 'gone').map(({ name, holder }) => ({ name, holder: asHolder(holder) }))
}

function asHolder(holder: Holder | 'gone' | undefined): Holder | undefined {
  return holder === 'gone' ? undefined : holder
}

/** Lock files are written atomically, so an invalid one has no owner. */
async function readHolder(path: string): Promise<Holder | 'gone' | undefined> {
  try {
    return holderSchema.safeParse(JSON.parse((await readRegular(path, MAX_LOCK_BYTES)).toString('utf8'))).data
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone'
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function thisProcess(): Promise<Holder> {
  const space = await pidSpace()
  return {
    ...(space === null ? {} : { space }),
    pid: process.pid,
    host: hostname(),
    started: (await kernelsView(process.pid))?.started ?? null,
    since: new Date().toISOString(),
  }
}

/** Undefined if this process cannot know. */
async function isAlive(holder: Holder): Promise<boolean | undefined> {
  if (holder.host !== hostname()) return undefined
  // Containers may share a host name, but not process ids.
  if (holder.space !== undefined && holder.space !== (await pidSpace())) return undefined
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const found = await kernelsView(holder.pid)
  // It has ended, but its parent has not asked how: that of a killed process in a container may never do.
  if (found?.hasEnded === true) return false
  if (holder.started !== null) return found === null || found.started === holder.started
  // Without /proc, a lock from before the last boot is stale. Allow a minute for clock changes.
  const bootedMs = Date.now() - uptime() * 1000
  return Date.parse(holder.since) > bootedMs - 60_000
}

/** The process ids that this process sees: those of its container since the machine was booted. */
async function pidSpace(): Promise<string | null> {
  try {
    const [boot, space] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readlink('/proc/self/ns/pid'),
    ])
    return `${boot.trim()}:${space}`
  } catch {
    return null
  }
}

/** Whether all threads of a process have ended, and when it started as a comparable string; null if the system does not say. */
async function kernelsView(pid: number): Promise<{ hasEnded: boolean; started: string } | null> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // Fields 3, 20 and 22 of proc(5); the second field, a name in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, threads, ticks] = [fields[0], fields[17], fields[19]]
    if (ticks === undefined) return null
    // The main thread may end before the others.
    return { hasEnded: state === 'Z' && Number(threads) <= 1, started: `${boot.trim()}:${ticks}` }
  } catch {
    return null
  }
}

function lockedError(holder: Holder, folder: string): UserError {
  const here = holder.host === hostname()
  const where = here ? '' : ` on ${holder.host}`
  return new UserError(`${folder} has been in use by process ${holder.pid}${where} since ${holder.since}.`, {
    hint: here
      ? 'Wait for it or stop it, then try again.'
      : `Wait for it. If that machine is gone, its lock expires ${LEASE.expiresMs / 1000} s after its last sign of life.`,
  })
}
