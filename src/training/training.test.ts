/** Training data: what is written, and that a maker that stops goes on without doubles. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharp } from '../media/sharp.ts'
import type { Message } from '../models/types.ts'
import type { Status } from '../store/records.ts'
import bearings from '../../examples/bearings.ts'
import { builtinSuite } from '../suites/index.ts'
import { Balance } from './balance.ts'
import { DatasetFolder } from './dataset-folder.ts'
import { conversations, type Example, preference } from './formats/example.ts'
import { FORMATS } from './formats/format.ts'
import { makeData } from './make.ts'
import { rewardOf } from './reward.ts'
import type { Reward } from './rewards.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-training-'))
})
afterAll(() => rm(folder, { recursive: true }))

const user = (content: string): Message => ({ role: 'user', content })
const said = (content: string): Message => ({ role: 'assistant', content })
const sample = { id: 's', labels: { type: 'a' } }
const picture = { type: 'media', media: { sha256: 'f'.repeat(64), type: 'image/jpeg', bytes: 3 } } as const
const media = new Map([[picture.media.sha256, new Uint8Array([1, 2, 3])]])
const example = (id: string): Example => ({
  id,
  labels: { type: 'a' },
  messages: [{ role: 'user', content: [picture, { type: 'text', text: `question ${id}` }] }],
  reply: 'yes',
  reward: 1,
})

describe('conversations', () => {
  it('end where the suite goes back to ask something else', () => {
    const asked = [
      { messages: [user('1')], reply: 'a' },
      { messages: [user('1'), said('a'), user('2')], reply: 'b' },
      { messages: [user('1'), said('a'), user('3')], reply: 'c' },
    ]
    expect(conversations(sample, { asked, reward: 1 })).toMatchObject([
      { id: 's.1', reply: 'b' },
      { id: 's.2', reply: 'c' },
    ])
  })

  it('are compared at the first reply that differs', () => {
    const played = (reward: number, ...replies: string[]) => ({
      reward,
      asked: replies.map((reply, i) => ({ messages: [user(String(i))], reply })),
    })
    expect(preference(sample, played(1, 'a', 'b'), played(0, 'a', 'x'))).toMatchObject([
      { messages: [user('1')], reply: 'b', rejected: 'x' },
    ])
    expect(preference(sample, played(1, 'a'), played(1, 'x'))).toEqual([])
  })
})

describe('formats', () => {
  it('write the conversation of ShareGPT with placeholders for pictures', async () => {
    const [row] = JSON.parse(Buffer.from(await FORMATS.sharegpt.encode([example('1')], media)).toString()) as [object]
    expect(row).toMatchObject({
      conversations: [
        { from: 'human', value: '<image>\nquestion 1' },
        { from: 'gpt', value: 'yes' },
      ],
      images: [`images/${'f'.repeat(32)}.jpg`],
    })
  })

  it('write tables that can be read', async () => {
    const bytes = await FORMATS.parquet.encode([example('1'), { ...example('2'), rejected: 'no' }], media)
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
    const [first, second] = await parquetReadObjects({ file, utf8: false })
    expect(first).toMatchObject({
      id: '1',
      prompt: [{ role: 'user', content: '<image>question 1' }],
      completion: 'yes',
    })
    expect(first!['images']).toEqual([{ bytes: new Uint8Array([1, 2, 3]), path: `${'f'.repeat(32)}.jpg` }])
    expect(second!['rejected']).toBe('no')
  })

  it('write archives with a checksum in every header', async () => {
    const tar = Buffer.from(await FORMATS.webdataset.encode([example('1')], media))
    expect(tar.toString('latin1', 0, 7)).toBe('1.0.jpg')
    const header = Buffer.from(tar.subarray(0, 512))
    const stated = Number.parseInt(header.toString('latin1', 148, 154), 8)
    header.fill(' ', 148, 156)
    expect(header.reduce((sum, byte) => sum + byte, 0)).toBe(stated)
    expect(tar.length % 512).toBe(0)
  })
})

it('takes as many of each kind as of the rarest, within a quarter', () => {
  const balance = new Balance()
  const taken = { common: 0, rare: 0 }
  for (let i = 0; i < 1000; i++) {
    const type = i % 10 === 0 ? 'rare' : 'common'
    if (balance.takes({ type })) taken[type] += 1
  }
  expect(taken.rare).toBe(100)
  expect(taken.common).toBeLessThanOrEqual(127)
})

it('rewards as the published agent is rewarded', () => {
  const usage = { calls: 1, inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedInputTokens: 0, usd: 0 }
  const line = { index: 0, sample: 's', epoch: 1, cluster: 's', labels: {}, usage, ms: 0 }
  const reward = (correct: number, kind: Reward, status: Status = 'answered') =>
    rewardOf(bearings, { ...line, status, scores: { correct } }, { profile: 'default', options: {} }, kind)
  expect(reward(0.6, 'score')).toBe(0.6)
  expect(reward(0.6, 'graded')).toBeCloseTo(0.4)
  expect(reward(0, 'graded', 'no_answer')).toBe(-1)
  expect([reward(1, 'signed'), reward(0.6, 'signed')]).toEqual([1, -1])
})

describe('a dataset', () => {
  const settings = {
    suite: 'x',
    suiteVersion: 1,
    source: 'builtin:seed=1000000000',
    profile: 'default',
    player: 'baseline/oracle',
    rejected: null,
    options: {},
  }
  const at = (index: number) => ({ seed: 1e9, index, taken: {} })
  const first = at(0)

  it('goes on where its last file ended, and has nothing twice', async () => {
    const path = join(folder, 'resumed')
    const open = () => DatasetFolder.open(path, 'sharegpt', settings, first)
    const before = await open()
    expect(await before.add([example('1'), example('2'), example('1')], media, at(3), 10)).toBe(2)
    await before.finish('1.0', true)
    await before.add([example('lost')], media, at(4), 10)
    await expect(open()).rejects.toThrow(/in use|writ|process/)
    // Killed here: the example was in no file yet.
    await before.close()
    const after = await open()
    expect(after.next).toEqual(at(3))
    expect(await after.add([example('2'), example('3')], media, at(5), 10)).toBe(1)
    await after.finish('1.0', true)
    await after.close()
    const names = (await readdir(path)).filter((name) => name.startsWith('train-'))
    const rows = await Promise.all(
      names.map(async (name) => JSON.parse(await readFile(join(path, name), 'utf8')) as []),
    )
    expect(rows.flat().map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(await readFile(join(path, 'README.md'), 'utf8')).toContain('| a | 3 |')
    await expect(DatasetFolder.open(path, 'sharegpt', { ...settings, profile: 'other' }, first)).rejects.toThrow(
      /other settings \(profile\)/,
    )
  })

  it('is not begun in a folder with files of others, and leaves theirs alone', async () => {
    const path = join(folder, 'others')
    await mkdir(path)
    await writeFile(join(path, 'notes.tmp'), 'mine')
    await expect(DatasetFolder.open(path, 'sharegpt', settings, first)).rejects.toThrow(/is not empty/)
    await rm(join(path, 'notes.tmp'))
    await (await DatasetFolder.open(path, 'sharegpt', settings, first)).close()
    await writeFile(join(path, 'notes.tmp'), 'mine')
    await writeFile(join(path, '.train-00000.json.77-0123456789ab.tmp'), 'half')
    await (await DatasetFolder.open(path, 'sharegpt', settings, first)).close()
    expect((await readdir(path)).filter((name) => name.endsWith('.tmp'))).toEqual(['notes.tmp'])
  })

  const loadFrom = fileURLToPath(new URL('../../examples/bearings.ts', import.meta.url))
  const request = () =>
    ({
      suite: bearings,
      loadFrom: null,
      player: 'baseline/oracle',
      rejected: null,
      examples: 1,
      isBalanced: false,
      reasons: true,
      images: { type: 'jpeg', quality: 90, maxSide: null },
      format: 'sharegpt',
      folder: join(folder, 'made'),
      version: '1.0',
      signal: new AbortController().signal,
      onProgress: () => {},
    }) as const

  it('is made of training seeds only', async () => {
    await expect(makeData({ ...request(), source: 'builtin:seed=5' })).rejects.toThrow(/5 is a test seed/)
    for (const seed of ['x', '1000000000.5', '1e400'])
      await expect(makeData({ ...request(), source: `builtin:seed=${seed}` })).rejects.toThrow(`builtin:seed=${seed}: `)
    await expect(readdir(request().folder)).rejects.toThrow('ENOENT')
  })

  it('is not continued with other replies than it begins with', async () => {
    const path = join(folder, 'before-0.9')
    await makeData({ ...request(), loadFrom, folder: path, threads: 1 })
    const state = join(path, 'sightline-data.json')
    await writeFile(state, (await readFile(state, 'utf8')).replace(/"repliesVersion":\d+,/, ''))
    await expect(makeData({ ...request(), folder: path, examples: 2 })).rejects.toThrow('settings (repliesVersion)')
  })

  it('is not begun in the place of a file', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '')
    await expect(makeData({ ...request(), folder: path })).rejects.toMatchObject({
      hint: 'Move that file away, or choose another folder with --output.',
    })
  })

  it('ends if the source has no samples', async () => {
    const { builtin } = bearings.sources
    const sources = {
      builtin: { ...builtin!, open: async () => ({ fingerprint: 'x', count: 0, async *samples() {} }) },
    }
    const suite = { ...bearings, sources } as unknown as typeof bearings
    const made = await makeData({ ...request(), suite, folder: join(folder, 'empty'), threads: 1 })
    expect(made).toMatchObject({ examples: 0, isExhausted: true })
  })

  it('has no thoughts of a baseline, but reasons if the suite knows some', async () => {
    const made = async (name: string, reasons: boolean, examples = 1) => {
      const path = join(folder, `${name.replace('/', '-')}-${reasons}`)
      await makeData({ ...request(), suite: await builtinSuite(name), folder: path, reasons, examples, threads: 1 })
      return readFile(join(path, 'train-00000.json'), 'utf8')
    }
    const [explained, bare, blind] = [
      await made('space/text', true),
      await made('space/text', false),
      await made('vsi/blind', false),
    ]
    const chosen = await made('articulate/retrieve', false, 6)
    for (const text of [explained, bare, blind, chosen]) expect(text).not.toMatch(/baseline|"known\\/i)
    expect(explained).toMatch(/THINK:\\nI turn 90 degrees (counter)?clockwise and look ahead\.\\nFINAL ANSWER/)
    expect(bare).toContain('THINK:\\n\\nFINAL ANSWER')
    expect(blind).toContain('{\\"reasoning\\":\\"\\"')
  })

  it('is made with settings of libvips that end with it', async () => {
    sharp().cache({ memory: 40, files: 10, items: 90 })
    sharp().concurrency(3)
    try {
      expect(await makeData({ ...request(), loadFrom, threads: 1 })).toMatchObject({ examples: 1 })
      expect(sharp().cache()).toMatchObject({ memory: { max: 40 }, files: { max: 10 }, items: { max: 90 } })
      expect(sharp().concurrency()).toBe(3)
    } finally {
      sharp().cache(true)
      sharp().concurrency(0)
    }
  })
})
