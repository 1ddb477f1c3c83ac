import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Random } from '../../base/random.ts'
import { linesForProfile } from '../../engine/rescore.ts'
import { type ModelRequest, textOf } from '../../models/types.ts'
import type { Report } from '../../report/report.ts'
import type { EpisodeLine } from '../../store/records.ts'
import { spaceText } from './suite.ts'
import { playInFolder, type PlayOptions } from '../../../test/support/suites/space.ts'
import type { BaselineInput } from './play/baseline-input.ts'
import { TASK_NAMES } from './domain/answers/question.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-space-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Played = Partial<Pick<PlayOptions, 'model' | 'profile' | 'options'>> & { scenes?: number }

const played = ({ model = 'baseline/oracle', scenes = 2, ...rest }: Played) =>
  playInFolder(folder, { suite: spaceText, model, source: `builtin:seed=3,scenes=${scenes}`, ...rest })

const value = (report: Report, key: string): number | null | undefined =>
  report.rows.find((row) => row.key === key)?.value

describe('the oracle', () => {
  it.each(['fixed', 'upstream'])('answers everything correctly under %s', async (profile) => {
    const { report } = await played({ profile, scenes: 6 })
    for (const task of TASK_NAMES) {
      // A view can look the same from two cells; then even a perfect map has to guess.
      if (task === 'bwd_loc_text') expect(value(report, task)).toBeGreaterThan(0.9)
      else expect([task, value(report, task)]).toEqual([task, 1])
    }
    expect(value(report, 'coverage.nodes')).toBe(1)
  })

  it('draws perfect maps and reports every change', async () => {
    const { report } = await played({ options: { maps: 'every', revision: true, questions: 0 } })
    const perfect = ['correctness', 'perception', 'consistency', 'stability', 'selfTracking', 'rooms'].flatMap((name) =>
      ['position', 'facing'].map((field) => `map.${name}.${field}`),
    )
    for (const key of [
      ...perfect,
      'map.uncertainty.f1',
      'revision.identification.f1',
      'revision.belief.position',
      'revision.belief.facing',
    ]) {
      if (report.rows.some((row) => row.key === key)) expect([key, value(report, key)]).toEqual([key, 1])
    }
    expect(value(report, 'revision.inertia.position') ?? 0).toBe(0)
    expect(value(report, 'revision.identification.f1')).toBe(1)
  })

  it('finds every one of several successive changes, and reads single views', async () => {
    const options = { maps: 'last', revision: true, changes: 3, views: 4, questions: 0 }
    const { report, lines } = await played({ scenes: 1, options })
    for (const round of [1, 2, 3]) {
      expect(value(report, `changes.f1.${round}`)).toBe(1)
      expect(value(report, `changes.belief.${round}`)).toBe(1)
      expect(value(report, `changes.cost.${round}`)).toBeGreaterThan(0)
    }
    expect(value(report, 'revision.identification.f1')).toBe(1)
    expect([value(report, 'single.position'), value(report, 'single.far')]).toEqual([1, 1])
    expect(lines[0]!.usage.calls).toBeGreaterThan(40)
  })

  it.each(['plain', 'own-map', 'last-map', 'true-map'])('answers in evaluation mode %s', async (evaluation) => {
    const { report } = await played({ options: { evaluation, questions: 1 } })
    expect(value(report, 'dir')).toBe(1)
    expect(value(report, 'bwd_nav_text')).toBe(1)
  })

  it.each(['scout', 'strategist', 'oracle'])('reads the log of the %s when passive', async (proxy) => {
    const { report, lines } = await played({ options: { explore: 'passive', proxy, questions: 1, maps: 'last' } })
    expect(value(report, 'accuracy')).toBeGreaterThan(0.98)
    expect(value(report, 'cost')).toBeGreaterThan(5)
    expect(lines[0]!.usage.calls).toBe(10)
  })

  it.each([1, 2, 4, 8])('plays in %i rooms', async (rooms) => {
    const { report } = await played({ scenes: 1, options: { rooms, objects: rooms > 4 ? 2 : 4, steps: 60 } })
    expect(value(report, 'accuracy')).toBeGreaterThan(0.95)
  })
})

describe('recorded events', () => {
  const entries = z.array(z.object({ name: z.string(), pos: z.tuple([z.number(), z.number()]) }))
  const turnShape = z.object({ turn: z.number(), explored: z.array(z.unknown()), observed: z.array(z.string()) })

  it('include ground truth, turns, beliefs and answers', async () => {
    const { reader, lines } = await played({ scenes: 1, options: { maps: 'every', revision: true, questions: 1 } })
    const events = z.array(z.looseObject({ type: z.string() })).parse(await reader.events(lines[0]!))
    const of = (type: string) => events.filter((event) => event.type === type)
    for (const [type, schema] of Object.entries(spaceText.events)) {
      for (const event of of(type)) expect(z.safeParse(schema, event).error).toBeUndefined()
    }
    expect(events.filter(({ type }) => type.startsWith('space/') && !(type in spaceText.events))).toEqual([])
    const sceneShape = z.looseObject({ mask: z.array(z.array(z.number())), order: z.array(z.string()) })
    expect(of('space/scene')).toMatchObject([
      { phase: 'exploration', changes: null },
      { phase: 'false-belief', changes: [{}, {}, {}, {}] },
    ])
    const { mask, order } = sceneShape.parse(of('space/scene')[0]!['scene'])
    const turns = z.array(turnShape).parse(of('space/turn').filter(({ phase }) => phase === 'exploration'))
    expect(turns.map(({ turn }) => turn)).toEqual(turns.map((_, i) => i + 1))
    const last = turns.at(-1)!
    expect(turns[0]!.explored.length).toBeLessThan(last.explored.length)
    expect(last.explored.length).toBeLessThanOrEqual(mask.flat().filter((code) => code > 0 && code < 100).length)
    expect(last.observed.toSorted()).toEqual(order.toSorted())
    for (const { kind, map, truth } of of('space/map')) {
      const known = new Map(entries.parse(truth).map(({ name, pos }) => [name, pos]))
      const believed = entries.parse(map)
      // A rooms map leaves out the player and each room's origin.
      if (kind !== 'rooms') expect(believed).toHaveLength(known.size)
      for (const { name, pos } of believed) expect([kind, name, pos]).toEqual([kind, name, known.get(name)])
    }
    for (const { unexplored, named } of of('space/fog')) expect(named).toEqual(unexplored)
    expect(of('space/answer').map(({ task }) => task)).toEqual([...TASK_NAMES])
    for (const { answer, expected, score } of of('space/answer')) if (score === 1) expect(answer).toBe(expected)
  })
})

describe('guessing', () => {
  it('scores at its computed reference scores', async () => {
    const { report: random } = await played({ model: 'baseline/random', scenes: 60 })
    const { report: constant } = await played({ model: 'baseline/constant', scenes: 20 })
    for (const task of TASK_NAMES) {
      const row = random.rows.find(({ key }) => key === task)!
      // A 95% CI misses once in twenty, so widen it by half its width.
      const slack = (row.interval![1] - row.interval![0]) / 2 + 0.01
      expect(row.chance).toBeGreaterThan(row.interval![0] - slack)
      expect(row.chance).toBeLessThan(row.interval![1] + slack)
      const fixed = constant.rows.find(({ key }) => key === task)!
      // The audit may know a better constant for more scenes.
      expect(fixed.value, task).toBeLessThanOrEqual(fixed.constant!)
    }
  })
})

describe('a conversation', () => {
  it('is forked for every question', async () => {
    const { requests } = await played({ scenes: 1, model: cooperativePlayer() })
    const questions = requests.filter(({ baselineInput }) => (baselineInput as BaselineInput).kind === 'question')
    expect(questions).toHaveLength(27)
    const lengths = new Set(questions.map(({ messages }) => messages.length))
    expect(lengths.size).toBe(1)
    for (const { messages } of questions) {
      expect(messages.map(({ role }) => role).join(' ')).toMatch(/^system user( assistant user)*$/)
      expect(messages.slice(0, -1).some((message) => /Answer format/.test(textOf(message)))).toBe(false)
    }
  })

  it('never reveals positions', async () => {
    const { requests, lines } = await played({ scenes: 1, model: cooperativePlayer() })
    expect(lines[0]!.status).toBe('answered')
    const prompt = textOf(requests[0]!.messages[1]!)
    expect(prompt).not.toMatch(/\(-?\d+, -?\d+\)(?<!\(0, 0\))/)
    expect(prompt).toContain('You have a maximum of 20 exploration steps.')
  })
})

/** Looks around and stops; gives the same answer to every question. */
function cooperativePlayer() {
  return ({ baselineInput }: ModelRequest): string => {
    const asked = baselineInput as BaselineInput
    if (asked.kind !== 'explore') return 'FINAL ANSWER: front, near'
    return asked.state.turns < 3
      ? 'FINAL ANSWER:\nActions: [Rotate(90), Observe()]'
      : 'FINAL ANSWER:\nActions: [Term()]'
  }
}

describe('hostile players', () => {
  const junk = new Random('junk')
  const players: Record<string, (request: ModelRequest, call: number) => string> = {
    'never answers': () => '',
    'answers in another language': () => '思考：我想先看看四周。最终答案：[观察()]',
    'jumps to an unknown object': () => 'FINAL ANSWER:\nActions: [JumpTo(unicorn), Observe()]',
    'sends 200 actions at once': () => `FINAL ANSWER:\nActions: [${'Rotate(90), '.repeat(200)}Observe()]`,
    'repeats itself': () => 'FINAL ANSWER:\nActions: [Observe()]',
    'writes brackets': () => '['.repeat(5000),
    'writes code': () => '"}]);process.exit(1)//<script>alert(1)</script>${7*7}',
    'writes noise': () => Array.from({ length: 400 }, () => String.fromCodePoint(junk.between(1, 0xd7ff))).join(''),
    'writes megabytes': () => 'north '.repeat(200_000),
    'queries everything': (_, call) =>
      `FINAL ANSWER:\nActions: [Query(${['initial_pos', '__proto__', 'red door'][call % 3]})]`,
  }
  const statuses: Record<string, string> = {
    'never answers': 'no_answer',
    'answers in another language': 'parse_failed',
    'writes brackets': 'parse_failed',
    'writes code': 'parse_failed',
    'writes noise': 'parse_failed',
    'writes megabytes': 'parse_failed',
  }
  it.each(Object.keys(players))('a player that %s stays within budget and ends with a status', async (name) => {
    const { lines } = await played({
      scenes: 1,
      model: players[name]!,
      options: { maps: 'every', revision: true, questions: 1, steps: 6, revisionSteps: 4 },
    })
    const [line] = lines as [EpisodeLine]
    expect(line.status).toBe(statuses[name] ?? 'answered')
    expect(line.usage.calls).toBeLessThan(6 * 5 + 9 + 5 * 2 + 4)
    for (const score of Object.values(line.scores)) expect(Number.isFinite(score)).toBe(true)
    for (const task of TASK_NAMES) expect(line.scores[task]).toBeLessThanOrEqual(1)
  })
})

describe('rescoring', () => {
  it('scores recorded episodes under the other profile', async () => {
    const { reader, lines } = await played({
      model: 'baseline/random',
      scenes: 5,
      options: { maps: 'every', revision: true },
    })
    const upstream = await linesForProfile(reader, spaceText, 'upstream')
    expect(upstream.map(({ scores }) => Object.keys(scores).length > 20)).toEqual([true, true, true, true, true])
    expect(upstream.some((line, i) => line.scores['bwd_loc_text'] !== lines[i]!.scores['bwd_loc_text'])).toBe(true)
  })
})
