/** Makers that are killed: what they leave is made complete by the next, as if nothing had happened. */
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
