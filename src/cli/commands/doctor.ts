/** `sightline doctor`: checks Node, disk, optional parts, API keys and optionally a queue. */
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import {
  importPart,
  installedVersion,
  OPTIONAL_PARTS,
  type OptionalPart,
  type OptionalPartName,
  partProblem,
} from '../../base/optional-parts.ts'
import { mediaBackends } from '../../media/backends.ts'
import { speechBackends } from '../../media/speech.ts'
import { PROVIDERS } from '../../models/providers/providers.ts'
import { plural } from '../../base/plural.ts'
import { bold, columns, print } from '../terminal/output.ts'
import { printableLines } from '../../base/printable.ts'
import { environment } from '../../library/config.ts'
import { packageVersion } from '../../library/environment.ts'

type Verdict = 'fine' | 'missing' | 'problem'

interface Finding {
  what: string
  verdict: Verdict
  words: string
  /** Of an optional part: what it is for. */
  purpose?: string
  /** A command that installs a missing part. */
  install?: string
  license?: string
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
  const sections: Readonly<Record<string, readonly Finding[]>> = {
    'This machine': [node(), machine(), await disk(options.logDir)],
    'Optional parts': await optionalParts(),
    'API keys': keys(),
    Queue: await queue(options),
  }
  const findings = Object.values(sections).flat()
  if (options.json) print(JSON.stringify({ sightline: packageVersion(), findings }, null, 2))
  else {
    print(`Sightline ${packageVersion()}`)
    for (const [title, found] of Object.entries(sections)) {
      if (found.length > 0) print(`\n${bold(title)}\n${columns(found.map(lineOf))}`)
    }
    const commands = new Set(findings.flatMap(({ install }) => install ?? []))
    // Never wrapped, so that a command can be copied.
    if (commands.size > 0) print(`\n${bold('To install what is missing')}\n${[...commands].join('\n')}`)
  }
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
}

function lineOf({ what, verdict, words, purpose, license }: Finding): string[] {
  return [
    MARKS[verdict],
    what,
    printableLines([purpose, words, license].filter((each) => each !== undefined).join('; ')),
  ]
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

async function optionalParts(): Promise<Finding[]> {
  const backends = new Map(
    [...(await mediaBackends()), ...(await speechBackends())].map(({ part, version, problem, ...use }) => {
      const inUse =
        'used' in use ? use.used && 'in use' : use.usedFor.length > 0 && `speaks ${use.usedFor.join(' and ')}`
      return [part, { problem, words: [version, inUse].filter(Boolean).join('; ') }]
    }),
  )
  return Promise.all(
    Object.entries<OptionalPart>(OPTIONAL_PARTS).map(
      async ([what, { purpose, install, license }]): Promise<Finding> => {
        const name = what as OptionalPartName
        const { problem, words } = backends.get(name) ?? {
          problem: await importPart(name).then(
            () => null,
            (error: unknown) => partProblem(name, error),
          ),
          words: installedVersion(name),
        }
        return problem === null
          ? { what, verdict: 'fine', words, purpose, ...(license !== undefined && { license }) }
          : {
              what,
              verdict: 'missing',
              words: problem.replace(`${name} `, '').replace(/^is /, ''),
              purpose,
              install,
              ...(license !== undefined && { license }),
            }
      },
    ),
  )
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
