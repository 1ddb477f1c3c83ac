import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Random } from '../../src/base/random.ts'
import { firstDifference } from '../agreement/check.ts'
import { type FuzzTarget, type Plain, Raised } from './target.ts'

export interface FuzzResult {
  cases: number
  /** Null where the published code is not there. */
  agreeing: number | null
  explained: ReadonlyMap<string, number>
  disagreements: readonly { sample: Plain; detail: string }[]
}

type Result = { value: Plain } | { raises: string; message?: string }

/** Runs `cases` cases of a seed through ours and, if its checkout is there, through the published code. */
export async function fuzz(
  name: string,
  target: FuzzTarget,
  { cases, seed, published }: { cases: number; seed: number; published: string | undefined },
): Promise<FuzzResult> {
  const random = new Random(`fuzz/${name}/${seed}`)
  const samples = Array.from({ length: cases }, (_, i) => target.generate(random.fork(String(i))))
  const ours = await Promise.all(samples.map((sample) => resultOf(target, sample)))
  const folder = checkoutFolder(target, published)
  if (folder === null) return { cases, agreeing: null, explained: new Map(), disagreements: [] }
  const theirs = await publishedResults(target.driver, folder, samples)
  const explained = new Map<string, number>()
  const disagreements: { sample: Plain; detail: string }[] = []
  for (const [i, sample] of samples.entries()) {
    const detail = difference(ours[i]!, theirs[i]!)
    if (detail === null) continue
    const deviation = target.explained?.(sample) ?? null
    if (deviation === null) disagreements.push({ sample, detail })
    else explained.set(deviation, (explained.get(deviation) ?? 0) + 1)
  }
  const known = [...explained.values()].reduce((sum, count) => sum + count, 0)
  return { cases, agreeing: cases - disagreements.length - known, explained, disagreements }
}

/** An empty path stands for Python alone. */
function checkoutFolder({ checkout }: FuzzTarget, published: string | undefined): string | null {
  if (checkout === null) return ''
  if (published === undefined) return null
  const folder = join(published, basename(checkout.repository))
  return existsSync(folder) ? folder : null
}

async function resultOf(target: FuzzTarget, sample: Plain): Promise<Result> {
  try {
    return { value: plain(await target.ours(sample)) }
  } catch (error) {
    if (error instanceof Raised) return { raises: error.message }
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`ours fails on ${JSON.stringify(sample)}: ${message}`, { cause: error })
  }
}

/** Exceptions agree whatever their type is, unless ours names one. */
function difference(ours: Result, theirs: Result): string | null {
  if ('raises' in theirs) {
    if ('raises' in ours && (ours.raises === '' || ours.raises === theirs.raises)) return null
    return `ours ${JSON.stringify(ours)}, theirs raises ${theirs.raises}: ${theirs.message ?? ''}`
  }
  if ('raises' in ours) return `ours raises ${ours.raises}, theirs ${JSON.stringify(theirs.value)}`
  return firstDifference(ours.value, theirs.value)
}

async function publishedResults(driver: string, folder: string, samples: readonly Plain[]): Promise<Result[]> {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const python = spawn('python3', [join(here, driver), folder], {
    env: { ...process.env, PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let log = ''
  python.stderr.on('data', (data: Buffer) => (log = (log + data.toString()).slice(-4000)))
  const ended = new Promise<number | null>((done, fail) => python.once('close', done).once('error', fail))
  // A driver that ends early closes its input; its exit status says why.
  python.stdin.on('error', () => {})
  python.stdin.end(samples.map((sample) => `${JSON.stringify(sample)}\n`).join(''))
  const results: Result[] = []
  for await (const line of createInterface({ input: python.stdout })) results.push(JSON.parse(line) as Result)
  const code = await ended
  if (code !== 0 || results.length !== samples.length)
    throw new Error(`${driver} ended with ${code} after ${results.length} of ${samples.length} cases:\n${log}`)
  return results
}

/** As driver.py writes results: non-finite numbers as text. */
function plain(value: unknown): Plain {
  if (typeof value === 'number' && !Number.isFinite(value))
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
  return (value ?? null) as Plain
}
