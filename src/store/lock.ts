/**
 * One writer for a run, also after `kill -9`.
 *
 * Every process that wants to write puts a file of its own into the run's folder and then looks for others. Who sees a
 * living one takes its own back and gives way; files of dead processes are removed. Since each process makes and names
 * its own file, removing a dead one can never remove a new one, which is where the usual single lock file goes wrong.
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
/** Two processes that start at the same moment both give way; each tries again after a random pause. */
const ATTEMPTS = 4
const MAX_PAUSE_MS = 60

const holderSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Start of the process as the kernel tells it, so that a new process with an old number is not taken for the old. */
  started: z.string().nullable(),
  since: z.string(),
})
export type Holder = z.infer<typeof holderSchema>

export interface Lock {
  release(): Promise<void>
}

/** Takes the lock of a run's folder, over from a dead holder if need be. A living one is named in the error. */
export async function takeLock(folder: string): Promise<Lock> {
  const name = `writer-${randomBytes(8).toString('hex')}.lock`
  const path = join(folder, name)
  for (let attempt = 1; ; attempt++) {
    const holder = await thisProcess()
    await writeAtomically(path, JSON.stringify(holder))
    const other = await livingHolder(folder, name).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
    if (other === undefined) return { release: () => rm(path, { force: true }) }
    await rm(path, { force: true })
    if (attempt === ATTEMPTS) throw heldBy(other, folder)
    await wait(randomBytes(1)[0]! % MAX_PAUSE_MS)
  }
}

/** Who writes this run now, if anyone. Removes nothing. */
export async function currentHolder(folder: string): Promise<Holder | undefined> {
  for (const { holder } of await locksIn(folder)) if (holder && (await isAlive(holder))) return holder
  return undefined
}

async function livingHolder(folder: string, own: string): Promise<Holder | undefined> {
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

/** A lock file appears whole or not at all, so one that cannot be read as such is nobody's. */
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
  // Nobody can look into another machine: believe the file, and let the error say how to remove it.
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
  // Without /proc: at least nothing survives a restart of the machine. A minute of tolerance for clocks that were set.
  const bootedMs = Date.now() - uptime() * 1000
  return Date.parse(holder.since) > bootedMs - 60_000
}

/** When a process started, as a text to compare; `null` where the system does not tell. */
async function processStart(pid: number): Promise<string | null> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // Field 22 of proc(5) is the start time; the second field, a name in brackets, may itself hold spaces and brackets.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return ticks === undefined ? null : `${boot.trim()}:${ticks}`
  } catch {
    return null
  }
}

function heldBy(holder: Holder, folder: string): UserError {
  const here = holder.host === hostname()
  const where = here ? '' : ` on ${holder.host}`
  return new UserError(
    `The run in ${folder} is being written by process ${holder.pid}${where} since ${holder.since}.`,
    {
      hint: here
        ? 'Wait for it or stop it, then try again.'
        : `Wait for it; if that machine is gone for good, delete the files writer-*.lock in ${folder}.`,
    },
  )
}
