/** Every command in README, CONTRIBUTING and docs runs as it is written. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocCommand, hiddenCommands, readPages, ROOT } from './docs-commands/collect.ts'
import { MAIN, prepareReader, type Reader } from './docs-commands/reader.ts'
import { runPage, WarmProcess } from './docs-commands/run-page.ts'
import { reportMissingServers } from './support/engine/queue.ts'

/** Commands that are not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm ci$/, 'CI starts with it'],
  [/^npm test\b/, 'runs this test'],
  [/^npm run (check|conformance|docs:\w+|check:\w+)$/, 'CI has a step for each'],
  [/^npm run (bench|chaos|fuzz|release|format|build|viewer)\b/, 'minutes long, or changes the repository'],
  [/^npx vitest\b/, 'runs other tests'],
  [
    /^(\w+=\S+ )*(vllm (?!run-batch)|ollama|llama-server|python -m sglang)/,
    'model servers: a local server answers instead',
  ],
  [/^npm pack$/, 'package.test.ts packs and installs'],
  [/^sightline data get\b/, 'needs the Hugging Face Hub'],
  [/^npx sightline vbench (networks|score .*--with-published)\b/, 'needs PyTorch and the published code'],
  [/^npx sightline vbench (sample|score) --prompts (i2v|vbench2):/, 'needs prompts and images of a whole checkout'],
  [/^PUBLISHED=\S+ .*npx tsx scripts/, 'needs PyTorch and the published code'],
  [/^python3 examples\/train\//, 'needs PyTorch; examples.test.ts runs them'],
  [/^docker\b/, 'needs a registry'],
  [/^kubectl\b/, 'needs a cluster; manifests.test.ts checks the manifests'],
  [/^cp deploy\//, 'prepares kubectl'],
  [/^(apt|systemctl)\b/, 'sets up a machine'],
]
const PAGES_AT_ONCE = 2
const MINUTES = 60_000

const allPages = await readPages()
const pages = allPages.filter(({ steps }) => steps.length > 0)
const commands = pages.flatMap(({ steps }) => steps.flatMap((step) => ('command' in step ? [step.command] : [])))
const isRun = ({ text }: DocCommand): boolean => !NOT_RUN.some(([pattern]) => pattern.test(text))

let reader: Reader
let processes: Processes
beforeAll(async () => {
  reader = await prepareReader(pages.flatMap(({ blocks }) => blocks.map(({ text }) => text)))
  const paths = Array.from({ length: PAGES_AT_ONCE }, (_, index) => join(reader.home, `warm-${index}`))
  processes = new Processes(paths.map((path) => new WarmProcess(path, MAIN)))
}, 5 * MINUTES)
afterAll(async () => {
  for (const warm of processes?.all ?? []) warm.stop()
  await reader?.close()
})

reportMissingServers()

/** Lends each process to one page at a time. */
class Processes {
  readonly all: readonly WarmProcess[]
  readonly #free: WarmProcess[]
  readonly #waiting: ((next: WarmProcess) => void)[] = []

  constructor(all: readonly WarmProcess[]) {
    this.all = all
    this.#free = [...all]
  }

  async lend<T>(work: (warm: WarmProcess) => Promise<T>): Promise<T> {
    const warm = this.#free.pop() ?? (await new Promise<WarmProcess>((resolve) => this.#waiting.push(resolve)))
    try {
      return await work(warm)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(warm)
      else this.#free.push(warm)
    }
  }
}

/** Without a stack: the position in this file says nothing about the page. */
function failure(message: string): Error {
  const error = new Error(message)
  delete error.stack
  return error
}

describe('commands', { concurrent: true, timeout: 30 * MINUTES }, () => {
  it.each(pages.map((page, index) => [page.path, page, index] as const))('of %s run', async (_, page, index) => {
    const { failures, ran, skipped } = await processes.lend((warm) => runPage(page, index, reader, warm, isRun))
    if (skipped.length > 0)
      console.log(
        `${page.path}: ${skipped.length} of ${ran + skipped.length} commands need a server that is not installed`,
      )
    if (failures.length > 0) throw failure(`${failures.length} of ${ran} commands fail:\n\n${failures.join('\n\n')}`)
  })
})

it('the list of commands that are not run has nothing in it that no page has', () => {
  const unused = NOT_RUN.filter(([pattern]) => !commands.some(({ text }) => pattern.test(text)))
  expect(unused.map(([pattern, why]) => `${pattern.source}: ${why}`)).toEqual([])
})

it('no command is in a block that is not run', () => {
  expect(allPages.flatMap(hiddenCommands)).toEqual([])
})

it('every npm script on a page exists', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = commands.flatMap(({ text }) => /^npm run ([\w:-]+)/.exec(text)?.[1] ?? [])
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
