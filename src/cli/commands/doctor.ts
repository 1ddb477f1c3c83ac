/** `sightline doctor`: checks Node, disk, codecs, API keys and optionally a queue. */
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { mediaBackends } from '../../media/backends.ts'
import { speechBackends } from '../../media/speech.ts'
import { PROVIDERS } from '../../models/providers/providers.ts'
import { plural } from '../../base/plural.ts'
import { columns, print } from '../terminal/output.ts'
import { environment } from '../../library/config.ts'
import { packageVersion } from '../../library/environment.ts'

type Verdict = 'fine' | 'missing' | 'problem'

interface Finding {
  what: string
  verdict: Verdict
  words: string
}

const MARKS: Readonly<Record<Verdict, string>> = { fine: '✓', missing: '–', problem: '✗' }
const OLDEST_NODE = [20, 19] as const
const MIN_FREE_GIB = 2

export interface DoctorOptions {
  json?: boolean
  logDir: string
  queue?: string
  forget?: string
}

export async function doctor(options: DoctorOptions): Promise<void> {
  const media = [await images(), ...(await video()), ...(await speech())]
  const findings = [node(), machine(), await disk(options.logDir), ...media, ...keys(), ...(await queue(options))]
  if (options.json) print(JSON.stringify({ sightline: packageVersion(), findings }, null, 2))
  else {
    print(`Sightline ${packageVersion()}`)
    print(columns(findings.map(({ what, verdict, words }) => [MARKS[verdict], what, words])))
    if (findings.some(({ verdict }) => verdict === 'missing')) print(`${MARKS.missing} marks optional items.`)
  }
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return {
    what: 'Node',
    verdict: old ? 'problem' : 'fine',
    words: old ? `${process.version} is too old; use ${OLDEST_NODE.join('.')} or later` : process.version,
  }
}

function machine(): Finding {
  const gib = (bytes: number): string => (bytes / 2 ** 30).toFixed(1)
  const words = `${plural(availableParallelism(), 'core')}, ${gib(freemem())} of ${gib(totalmem())} GiB memory free`
  return { what: 'Machine', verdict: 'fine', words }
}

async function disk(logDir: string): Promise<Finding> {
  const folder = resolve(logDir)
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    const free = (bavail * bsize) / 2 ** 30
    const words = `${logDir} is writable, ${free.toFixed(1)} GiB free`
    return { what: 'Log folder', verdict: free < MIN_FREE_GIB ? 'problem' : 'fine', words }
  } catch (error) {
    return { what: 'Log folder', verdict: 'problem', words: `${logDir} is not writable: ${messageOf(error)}` }
  }
}

async function images(): Promise<Finding> {
  try {
    const { default: sharp } = await import('sharp')
    return { what: 'Images', verdict: 'fine', words: `sharp with libvips ${sharp.versions.vips}` }
  } catch (error) {
    return { what: 'Images', verdict: 'problem', words: `cannot load sharp: ${messageOf(error)}` }
  }
}

async function video(): Promise<Finding[]> {
  return (await mediaBackends()).map(({ name, version, problem, used }) => ({
    what: `Video: ${name}`,
    verdict: problem === null ? 'fine' : 'missing',
    words: problem ?? `${version}${used ? '; in use' : ''}`,
  }))
}

async function speech(): Promise<Finding[]> {
  return (await speechBackends()).map(({ name, version, problem, usedFor }) => ({
    what: `Speech: ${name}`,
    verdict: problem === null ? 'fine' : 'missing',
    words: problem ?? `${version}${usedFor.length > 0 ? `; speaks ${usedFor.join(' and ')}` : ''}`,
  }))
}

/** Only on request, as the drivers take time to load. */
async function queue({ queue: address, forget }: DoctorOptions): Promise<Finding[]> {
  if (address === undefined) return []
  const { inspectQueue } = await import('../../engine/queue/inspect.ts')
  return inspectQueue(address, environment(), packageVersion(), forget)
}

/** Which keys are set; never prints the keys. */
function keys(): Finding[] {
  const env = environment()
  return PROVIDERS.filter(({ keyNeeded }) => keyNeeded).map(({ name, keyNames }) => {
    const set = keyNames.find((key) => env[key])
    return { what: name, verdict: set ? 'fine' : 'missing', words: set ? `${set} is set` : `${keyNames[0]} is not set` }
  })
}
