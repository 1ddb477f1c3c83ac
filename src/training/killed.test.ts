/** Makers that are killed or stopped: what they leave is made complete by the next, as if nothing had happened. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256 } from '../base/hash.ts'
import { DATA_FORMATS, type DataFormat } from './formats/names.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
const EXAMPLES = 150
/** Lines of progress after which makers are killed: before the first file, and in the middle of later ones. */
const KILLS = [3, 50, 30]

/** Makes data and prints a line for each scene. */
const MAKER = `
  const { makeData } = await import(${urlOf('make.ts')})
  const { suiteFinder } = await import(${urlOf('../library/suites.ts')})
  const { suite, loadFrom } = await (await suiteFinder([])).find('./examples/left-or-right.ts')
  const [folder, format] = process.argv.slice(2)
  await makeData({
    suite, loadFrom, format, folder, fileExamples: 20, examples: ${EXAMPLES}, threads: 2,
    player: 'baseline/oracle', rejected: null, isBalanced: true, reasons: true, version: '1.0',
    images: { type: 'jpeg', quality: 90, maxSide: 64 },
    signal: new AbortController().signal,
    onProgress: () => console.log('made'),
  })
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-killed-'))
  await writeFile(join(folder, 'maker.mjs'), MAKER)
})
afterAll(() => rm(folder, { recursive: true }))

it.each(DATA_FORMATS)('write every example and picture once: %s', async (format) => {
  const whole = join(folder, `${format}-whole`)
  const killed = join(folder, `${format}-killed`)
  await make(whole, format)
  for (const lines of KILLS) await make(killed, format, lines)
  await make(killed, format)
  expect(await hashesIn(killed)).toEqual(await hashesIn(whole))
})

/** Only the first scene takes long, and the maker is stopped when others are made. */
const STOPPED = `
  const { makeData } = await import(${urlOf('make.ts')})
  const { suiteFinder } = await import(${urlOf('../library/suites.ts')})
  const [path, folder, ms] = process.argv.slice(2)
  const { suite, loadFrom } = await (await suiteFinder([])).find(path)
  await makeData({
    suite, loadFrom, format: 'sharegpt', folder, examples: 6, threads: 1,
    player: 'baseline/oracle', rejected: null, isBalanced: false, reasons: false, version: '1.0',
    images: { type: 'jpeg', quality: 90, maxSide: 64 },
    signal: ms === 'never' ? new AbortController().signal : AbortSignal.timeout(Number(ms)),
    onProgress: () => {},
  }).catch((error) => { if (error.name !== 'TimeoutError') throw error })
`
const SLOW_FIRST = `
  import { defineSuite, oneOf, user } from ${urlOf('../suite.ts')}
  export default defineSuite({
    name: 'slow-first', title: 'Slow', version: 1,
    *samples() { for (let i = 0; i < 12; i++) yield { number: i } },
    async ask({ number }) {
      if (number === 0 && process.env.SLOW) await new Promise((done) => setTimeout(done, 60_000))
      return [user\`Sample \${String(number)}: red or blue?\`]
    },
    read: () => oneOf('red', 'blue'),
    truth: () => 'red',
  })
`

it('a scene that was being made when the maker was stopped is made later', async () => {
  const [maker, suite, into] = ['stopped.mjs', 'slow-first.ts', 'stopped'].map((name) => join(folder, name))
  await writeFile(maker!, STOPPED)
  await writeFile(suite!, SLOW_FIRST)
  const run = async (stopAfter: string, env: Record<string, string>): Promise<void> => {
    const child = spawn(process.execPath, ['--import', 'tsx', maker!, suite!, into!, stopAfter], {
      cwd: PROJECT,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    expect((await once(child, 'exit'))[0]).toBe(0)
  }
  await run('5000', { SLOW: '1' })
  await run('never', {})
  const files = (await readdir(into!)).filter((name) => name.startsWith('train-')).sort()
  const text = (await Promise.all(files.map((name) => readFile(join(into!, name), 'utf8')))).join('')
  expect([...text.matchAll(/Sample (\d+):/g)].map(([, number]) => number)).toEqual(['0', '1', '2', '3', '4', '5'])
})

/** @param lines of progress after which the maker is killed */
async function make(into: string, format: DataFormat, lines = Infinity): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(folder, 'maker.mjs'), into, format], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let printed = 0
  for await (const _ of createInterface(child.stdout)) if (++printed >= lines) child.kill('SIGKILL')
  const [code] = (await ended) as [number | null]
  expect(code).toBe(lines === Infinity ? 0 : null)
}

async function hashesIn(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const hashed = await Promise.all(files.map(async (file) => [file.slice(path.length), sha256(await readFile(file))]))
  return Object.fromEntries(hashed.toSorted(([a], [b]) => (a! < b! ? -1 : 1))) as Record<string, string>
}
