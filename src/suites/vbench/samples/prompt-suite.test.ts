import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../base/hash.ts'
import { CATEGORIES, DIMENSION_FACTS, DIMENSIONS, LISTS } from '../domain/dimensions.ts'
import { builtinPromptSuite } from './builtin.ts'
import { openPromptSuite } from './checkout.ts'
import { readFullInfo, writeFullInfo } from './full-info.ts'
import { planOf, planTable } from './plan.ts'
import { rewrittenTexts } from './rewritten.ts'

/** The public prompts are not part of this repository: these tests run where VBENCH_SUITE names a checkout of them. */
const PUBLIC = process.env['VBENCH_SUITE'] ?? ''
const publicSuite = describe.skipIf(PUBLIC === '')

publicSuite('the public suite', () => {
  test('has the protocol’s counts and only its known oddities', async () => {
    const suite = await openPromptSuite(PUBLIC)
    expect(suite.entries).toHaveLength(946)
    expect(suite.remarks).toEqual([
      'two entries have the prompt "The bund Shanghai, oil painting": they share its videos',
      'two entries have the prompt "A beautiful coastal beach in spring, waves lapping on sand by Hokusai, in the style of ' +
        'Ukiyo": they share its videos',
      'two categories have the prompt "video of a indoor green plant": they share its videos',
      'two categories have the prompt "a highway built across an agricultural area in the countryside": they share its videos',
    ])
    expect(CATEGORIES.map((name) => suite.categories[name].length)).toEqual(CATEGORIES.map(() => 100))
  })

  test('plans 944 prompts and 4,720 videos, 6,220 with 25 for flickering', async () => {
    const suite = await openPromptSuite(PUBLIC)
    const five = planOf(suite, { flickeringSamples: 5 })
    expect([five.entries.length, five.prompts.length, five.videos.length]).toEqual([946, 944, 4720])
    expect(planOf(suite).videos).toHaveLength(6220)
    expect(planTable(five)).toEqual(
      DIMENSIONS.map((dimension) => {
        const { list, prompts } = DIMENSION_FACTS[dimension]
        return { dimension, list, prompts, videos: prompts * 5 }
      }),
    )
    expect(five.collisions).toEqual([['a fantasy landscape', 'A fantasy landscape']])
    const names = five.videos.map(({ file }) => file).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(sha256(names.join('\n'))).toBe('d0cd1d0474d9686ef454771c72634fcf72b6c7b32a617e23847e9c08d773f991')
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4715)
    const apart = planOf(suite, { flickeringSamples: 5, ignoreCase: true })
    expect(new Set(apart.videos.map(({ file }) => file.toLowerCase())).size).toBe(4720)
  })

  test('plans categories instead of dimensions', async () => {
    const suite = await openPromptSuite(PUBLIC)
    expect(planOf(suite, { categories: CATEGORIES }).prompts).toHaveLength(798)
    expect(planOf(suite, { categories: ['food'] }).videos).toHaveLength(500)
  })

  test.each(['gpt', 'hunyuan', 'wan', 'chinese'])(
    'samples with the %s texts under the original names',
    async (name) => {
      const suite = await openPromptSuite(PUBLIC)
      const texts = await rewrittenTexts(suite, name)
      const { prompts, videos } = planOf(suite, { dimensions: ['scene'], texts })
      expect(prompts.every(({ prompt, text }) => text === texts.get(prompt) && text !== prompt)).toBe(true)
      expect(videos[0]!.file).toBe('alley-0.mp4')
    },
  )

  test('round-trips', async () => {
    const suite = await openPromptSuite(PUBLIC)
    const written = writeFullInfo(suite.entries, () => null)
    expect(readFullInfo(JSON.parse(written), 'again')).toEqual(suite.entries)
    expect(suite.entries.filter(({ facts }) => Object.keys(facts).length > 0)).toHaveLength(506)
  })
})

describe('the built-in suite', () => {
  test('has prompts for every dimension and category, with the traps of the public suite', () => {
    const plan = planOf(builtinPromptSuite())
    expect(planTable(plan).map(({ dimension }) => dimension)).toEqual(DIMENSIONS)
    expect(new Set(plan.entries.map(({ dimensions }) => dimensions[0]))).toEqual(new Set(LISTS))
    expect([plan.entries.length, plan.prompts.length]).toEqual([38, 37])
    expect(builtinPromptSuite().remarks).toEqual([
      expect.stringContaining('37 in 38 entries'),
      'two entries have the prompt "A bicycle in a workshop, watercolor painting": they share its videos',
    ])
    expect(plan.collisions).toHaveLength(1)
    expect(plan.prompts.some(({ prompt }) => /[^\u0020-\u007e]/.test(prompt))).toBe(true)
    expect(planOf(builtinPromptSuite(), { categories: CATEGORIES }).prompts).toHaveLength(16)
  })
})

describe('an invalid prompt suite', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vbench-suite-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('rejects empty folders, missing folders and broken files with clear errors', async () => {
    await expect(openPromptSuite(folder)).rejects.toThrow('is not a VBench checkout')
    await expect(openPromptSuite(join(folder, 'nowhere'))).rejects.toThrow('File or folder not found: ')
    await writeFile(join(folder, 'list.json'), '[{"prompt": "x"}]')
    await expect(openPromptSuite(join(folder, 'list.json'))).rejects.toThrow('0.prompt_en')
    await writeFile(join(folder, 'broken.json'), '[{"prompt_en": ')
    await expect(openPromptSuite(join(folder, 'broken.json'))).rejects.toMatchObject({
      message: expect.stringContaining('is not JSON'),
      hint: expect.stringContaining('a checkout of'),
    })
  })

  test('keeps prompts that cannot be file names, and gives their videos safe names', async () => {
    const prompts = ['../../etc/passwd', 'black/white', 'two\nlines', '.hidden', 'x'.repeat(300), 'plain']
    await mkdir(join(folder, 'odd'))
    await writeFile(
      join(folder, 'odd', 'VBench_full_info.json'),
      JSON.stringify(prompts.map((prompt_en) => ({ prompt_en, dimension: ['scene', 'nonsense'] }))),
    )
    const suite = await openPromptSuite(join(folder, 'odd'))
    expect(suite.remarks.filter((remark) => remark.includes('safe name'))).toHaveLength(5)
    const files = planOf(suite).videos.map(({ file }) => file)
    expect(new Set(files).size).toBe(prompts.length * 5)
    for (const file of files) expect(file).toMatch(/^[\w][\w ~-]*\.mp4$/)
    expect(files.at(-1)).toBe('plain-4.mp4')
  })
})
