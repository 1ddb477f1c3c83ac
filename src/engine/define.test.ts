import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, test } from 'vitest'
import { z } from 'zod'
import { defineSuite } from './define.ts'
import { user } from './messages.ts'
import { suiteOptions } from './options.ts'
import { planRecorded, planRun } from './plan.ts'
import { oneOf } from './readers.ts'
import { makeReport } from './reporting.ts'
import { scoreAgain } from './rescore.ts'
import { measureRun, resumeRun, startRun } from './run.ts'
import { openSource } from './source.ts'
import type { AnySuite, Instrument } from './suite.ts'
import { testEnvironment, speaker } from '../../test/support/engine.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-define-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const coins = defineSuite({
  name: 'coins',
  version: 1,
  options: z.object({ biased: z.boolean().default(false) }),
  sources: {
    builtin: {
      args: z.object({ samples: z.int().min(1).default(12), path: z.string().optional() }),
      *samples({ args, options, random }) {
        expectTypeOf(args.samples).toEqualTypeOf<number>()
        expectTypeOf(options.biased).toEqualTypeOf<boolean>()
        for (let i = 0; i < args.samples; i++) {
          const side = options.biased || random.chance(0.5) ? ('heads' as const) : ('tails' as const)
          yield { side, labels: { half: i < args.samples / 2 ? 'first' : 'second' } }
        }
      },
    },
  },
  ask: (sample) => [user`The coin shows ${sample.side}. What does it show?`],
  read: oneOf('heads', 'tails'),
  truth: (sample) => sample.side,
})

async function samples(suite: AnySuite, source = 'builtin', seed = 0): Promise<unknown[]> {
  const opened = await openSource(suite, source, suiteOptions(suite, {}), { seed, profile: 'default' })
  const found: unknown[] = []
  for await (const sample of opened.samples()) found.push(sample)
  return found
}

describe('a definition of a question', () => {
  test('ids, clusters and labels are filled in', async () => {
    expect((await samples(coins))[0]).toMatchObject({ id: '0001', cluster: '0001', labels: { half: 'first' } })
    expect(await samples(coins)).toEqual(await samples(coins))
    expect(await samples(coins, 'builtin', 1)).not.toEqual(await samples(coins))
  })

  it.each([
    ['builtin:samples=abc', /samples: .*expected number/],
    ['builtin:samples=0', /samples: .*>=1/],
    ['builtin:case=3', /no argument "case".*/],
    ['biultin', /no source called "biultin"/],
  ])('a source that is written %s is refused', async (source, problem) => {
    await expect(samples(coins, source)).rejects.toThrow(problem)
  })

  test('a folder with a number for a name stays a folder', async () => {
    await expect(samples(coins, 'builtin:path=7,samples=2')).resolves.toHaveLength(2)
  })

  test('has a table with chance, the best constant answer and groups', async () => {
    const plan = await planRun({ suite: coins, models: { player: 'baseline/constant' } })
    const env = await testEnvironment(folder)
    const { id } = await startRun(plan, env)
    const report = await makeReport(await env.store.openRunById(id), coins)
    const [all, ...groups] = report.rows
    expect(all).toMatchObject({ key: 'correct', chance: 0.5, n: 12 })
    expect(all!.constant).toBeCloseTo(Math.max(all!.value!, 1 - all!.value!), 9)
    expect(groups.map(({ key, section }) => [key, section])).toEqual([
      ['half.first', 'By half'],
      ['half.second', 'By half'],
    ])
  })

  test('replies without an answer fail and count as wrong', async () => {
    const env = await testEnvironment(folder, () =>
      Promise.resolve(speaker('test/odd', (_, call) => ['', 'hm'][call % 2]!)),
    )
    const { id } = await startRun(await planRun({ suite: coins, models: { player: 'test/odd' } }), env)
    const lines = await (await env.store.openRunById(id)).episodes()
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set(['no_answer', 'parse_failed']))
    expect(lines.every(({ scores }) => scores['correct'] === 0)).toBe(true)
  })
})

/** Measures the length of an answer with a ruler that can be exchanged. */
function measured(ruler: { version: string; unit: number; fails?: boolean }) {
  const seen: string[] = []
  const suite = defineSuite({
    name: 'lengths',
    version: 1,
    options: z.object({ ruler: z.string().default('first') }),
    profiles: ['strict', 'loose'],
    samples: [{ word: 'a' }, { word: 'bb' }, { word: 'ccc' }],
    metrics: { length: { title: 'Length', better: 'higher', unit: 'number', failed: 'leave-out' } },
    async play(sample, episode) {
      seen.push(`play ${sample.word}`)
      await episode.ask('player', [user`${sample.word}`])
      return { status: 'answered', outcome: { word: sample.word } }
    },
    measure: {
      options: ['ruler'],
      open: () => {
        const instruments: Instrument[] = [{ name: 'ruler', version: ruler.version }]
        return Promise.resolve({
          all: instruments,
          wanted: () => instruments,
          measure: (_, { word }) => {
            if (ruler.fails) return Promise.reject(new Error('the ruler broke'))
            seen.push(`measure ${word}`)
            return Promise.resolve({ ruler: word.length * ruler.unit })
          },
        })
      },
    },
    score: (_, __, { measurements, profile }) => ({
      length: Number(measurements['ruler']) + (profile === 'loose' ? 1 : 0),
    }),
    summary: (means) => ({
      headline: 'length',
      rows: [
        {
          key: 'length',
          title: 'Length',
          value: means.mean('length'),
          n: means.count('length'),
          unit: 'number',
          better: 'higher',
        },
      ],
    }),
    baselines: { echo: { title: 'says it again', start: (sample) => () => sample.word } },
  })
  return { suite, seen }
}

describe('the measure stage', () => {
  const total = async (id: string, suite: AnySuite, profile?: string): Promise<number | null | undefined> => {
    const { store } = await testEnvironment(folder)
    return (await makeReport(await store.openRunById(id), suite, profile)).rows[0]!.value
  }

  test('runs between play and score; another instrument measures what is recorded and plays nothing', async () => {
    const env = await testEnvironment(folder)
    const first = measured({ version: '1', unit: 1 })
    const { id } = await startRun(await planRun({ suite: first.suite, models: { player: 'baseline/echo' } }), env)
    expect(await total(id, first.suite)).toBe(2)
    const reader = await env.store.openRunById(id)
    const then = reader.header.fingerprint

    const second = measured({ version: '2', unit: 10 })
    const options = { ...reader.header.options, ruler: 'second' }
    const plan = planRecorded(second.suite, { ...reader.header, options })
    await expect(measureRun(plan, reader, env)).resolves.toMatchObject({ state: 'done' })
    expect(second.seen).toEqual(['measure a', 'measure bb', 'measure ccc'])
    expect(await total(id, second.suite)).toBe(20)
    const again = await env.store.openRunById(id)
    expect(again.header).toMatchObject({ options: { ruler: 'second' } })
    expect(again.header.fingerprint.parts['instruments']).not.toBe(then.parts['instruments'])
    expect(again.header.fingerprint.parts['modelAddress.player']).toBe(then.parts['modelAddress.player'])

    // The same instrument has nothing to do.
    const third = measured({ version: '2', unit: 10 })
    await measureRun(planRecorded(third.suite, again.header), again, env)
    expect(third.seen).toEqual([])
  })

  test('scoring again uses what was measured, under every profile, without the instruments', async () => {
    const env = await testEnvironment(folder)
    const { suite } = measured({ version: '1', unit: 1 })
    const { id } = await startRun(await planRun({ suite, models: { player: 'baseline/echo' } }), env)
    const reader = await env.store.openRunById(id)
    const blunt = measured({ version: '9', unit: 0, fails: true }).suite
    expect((await scoreAgain(reader, blunt, 'loose')).map(({ scores }) => scores['length'])).toEqual([2, 3, 4])
  })

  test('a fault in measuring ends the run, and what was played is resumed', async () => {
    const env = await testEnvironment(folder)
    const broken = measured({ version: '1', unit: 1, fails: true })
    await expect(
      startRun(await planRun({ suite: broken.suite, models: { player: 'baseline/echo' } }), env),
    ).rejects.toThrow('the ruler broke')
    const [run] = await env.store.listRuns()
    const mended = measured({ version: '1', unit: 1 })
    const plan = await planRun({ suite: mended.suite, models: { player: 'baseline/echo' } })
    await expect(resumeRun(plan, run!.id, env)).resolves.toMatchObject({ state: 'done' })
  })
})
