/** Code in README and docs: quoted files are the files, programs compile, configs are valid. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPrices } from '../src/models/prices.ts'
import { loadSettings } from '../src/library/config.ts'
import { type CodeBlock, readPages, ROOT } from './docs-commands/collect.ts'

it.each([
  ['add-a-suite.md', 'bearings.ts'],
  ['add-a-suite.md', 'left-or-right.ts'],
  ['add-a-suite.md', 'bearings.test.js'],
  ['viewer.md', 'walks-panel.js'],
])('docs/%s shows examples/%s to the letter', async (doc, name) => {
  const page = await readFile(new URL(`../docs/${doc}`, import.meta.url), 'utf8')
  expect(page).toContain(await readFile(new URL(`../examples/${name}`, import.meta.url), 'utf8'))
})

interface Example extends CodeBlock {
  where: string
}

const pages = await readPages()
const examples = pages.flatMap(({ path, blocks }) =>
  blocks.map((block): Example => ({ ...block, where: `${path}:${block.line}` })),
)
const isTypeScript = ({ language }: CodeBlock): boolean => ['ts', 'typescript', 'tsx'].includes(language)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-examples-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('no example imports what the package does not export', () => {
  const inside = examples.filter(({ text }) => /(?:from|import\()\s*['"][./]*(?:src|dist)\//.test(text))
  expect(inside.map(({ where }) => where)).toEqual([])
})

it('programs that import Sightline compile', async () => {
  const programs = examples.filter((example) => isTypeScript(example) && /from ['"]sightline/.test(example.text))
  expect(programs.length).toBeGreaterThan(0)
  const nameOf = (index: number): string => `example-${index}.ts`
  await Promise.all(programs.map(({ text }, index) => writeFile(join(folder, nameOf(index)), text)))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { types: ['node'] },
    include: ['*.ts'],
    exclude: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const output = await tsc(folder)
  const errors = output.split('\n').flatMap((line) => {
    const [, index, at, message = ''] = /^example-(\d+)\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? []
    // A fragment may use what an earlier one on the page declares.
    if (index === undefined || /^TS(?:2304|2552|18004):/.test(message)) return []
    const { where } = programs[Number(index)]!
    const [path, line0] = where.split(':')
    return [`${path}:${Number(line0) + Number(at) - 1}  ${message}`]
  })
  expect(errors).toEqual([])
})

function tsc(cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'], { cwd, maxBuffer: 1 << 26 }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    )
  })
}

describe('files', () => {
  const json = examples.filter(({ language, text }) => language === 'json' && !text.includes('…'))
  it.each(json.map((example) => [example.where, example] as const))('%s is JSON', (_, { text }) => {
    expect(() => JSON.parse(text)).not.toThrow()
  })

  const configs = examples.filter(({ file, text }) => file?.startsWith('sightline.config.') && !text.includes('…'))
  it.each(configs.map((example) => [example.where, example] as const))(
    '%s is a valid config',
    async (where, { file, text }) => {
      const path = join(folder, `${where.replaceAll(/\W+/g, '-')}-${file}`)
      await writeFile(path, text)
      await expect(loadSettings(path)).resolves.toBeTypeOf('object')
    },
  )

  const prices = examples.filter(({ file, text }) => file === 'prices.json' && !text.includes('…'))
  it.each(prices.map((example) => [example.where, example] as const))('%s is a price list', async (_, { text }) => {
    const path = join(folder, 'prices.json')
    await writeFile(path, text)
    await expect(loadPrices({ file: path })).resolves.toBeTypeOf('object')
  })
})
