import { describe, expect, test } from 'vitest'
import { Random } from '../../base/random.ts'
import { parseSource } from '../../engine/source.ts'
import type { Sample } from '../../report/sample.ts'
import { freeSpace } from '../../world/geometry/index.ts'
import { boxRoom } from '../../world/geometry/box-room.ts'
import type { OrientedBox, SceneObject } from '../../world/mesh.ts'
import type { VsiCase } from './case.ts'
import { locality, readMap, trueMap } from './cognitive-map.ts'
import { vsiBlind, vsiExplore, vsiVideo } from './index.ts'
import { blindOptions, exploreOptions, videoOptions } from './options.ts'
import { questionsOf, type QuestionScene } from './questions/index.ts'
import { bearing, directionAnswer } from './questions/relative.ts'
import { turnBetween } from './questions/route.ts'
import { loadStage } from './scene/stages.ts'
import { vsiSummary } from './summary.ts'
import { scripted } from './testing.ts'
import { QUESTION_TYPES } from './types.ts'

const SOURCE = 'builtin:seed=20,scenes=2,look=plain'
const run = { seed: 1, profile: 'official' }

async function casesOf(
  suite: typeof vsiExplore | typeof vsiVideo | typeof vsiBlind,
  options: unknown,
): Promise<VsiCase[]> {
  const opened = await suite.sources['builtin']!.open(parseSource(SOURCE), options as never, run)
  const cases: VsiCase[] = []
  for await (const kase of opened.cases()) cases.push(kase)
  expect(cases).toHaveLength(opened.count!)
  return cases
}

/** Plays a case with a built-in player and gives its score. */
async function scoreWith(
  suite: typeof vsiExplore | typeof vsiVideo | typeof vsiBlind,
  options: unknown,
  name: string,
  kase: VsiCase,
  profile = 'official',
): Promise<number> {
  const player = suite.baselines[name]!.start(kase, {
    random: new Random(`${name}/${kase.id}`),
    options: options as never,
    profile,
  })
  const { episode } = scripted([(request) => player(request) as string], profile)
  const { outcome } = await suite.play(kase, episode, options as never)
  return (await suite.score(kase, outcome, { profile, options: options as never }))['score']!
}

describe('built-in scenes', () => {
  const explore = exploreOptions.parse({ steps: 2, firstView: 'fixed' })
  const video = videoOptions.parse({ frames: 2 })

  test('the oracle has everything right, moving and watching; the same questions are asked both ways', async () => {
    const moving = await casesOf(vsiExplore, explore)
    const watching = await casesOf(vsiVideo, video)
    // The place of the order is left out where there is no video.
    const shared = watching.map(({ id }) => id).filter((id) => !id.endsWith('-9'))
    expect(moving.map(({ id }) => id)).toEqual(shared)
    // One scene is enough to play; the other is only asked about.
    for (const kase of moving.slice(0, 9)) expect(await scoreWith(vsiExplore, explore, 'oracle', kase)).toBe(1)
    for (const kase of watching.slice(0, 10)) expect(await scoreWith(vsiVideo, video, 'oracle', kase)).toBe(1)
  })

  test.each(['official', 'lmms-eval', 'vlmevalkit'])(
    'the oracle has everything right in the leaderboard form under %s',
    async (profile) => {
      const options = videoOptions.parse({ frames: 1, prompts: 'leaderboard' })
      const [first] = await casesOf(vsiVideo, options)
      expect(await scoreWith(vsiVideo, options, 'oracle', first!, profile)).toBe(1)
    },
  )

  test('a tour answers from what it saw better than chance', async () => {
    const options = exploreOptions.parse({ steps: 6, firstView: 'fixed' })
    const cases = (await casesOf(vsiExplore, options)).slice(0, 6)
    let sum = 0
    for (const kase of cases) sum += await scoreWith(vsiExplore, options, 'tour', kase)
    expect(sum / cases.length).toBeGreaterThan(0.6)
  })

  test('chance is chance: letters drawn at random are right as often as there are options', async () => {
    const options = blindOptions.parse({})
    const cases = (await casesOf(vsiBlind, options)).filter((kase) => kase.options !== null)
    let right = 0
    let expected = 0
    let variance = 0
    for (let round = 0; round < 60; round++) {
      for (const kase of cases) {
        const chance = 1 / kase.options!.length
        right += await scoreWith(vsiBlind, options, 'random', { ...kase, id: `${kase.id}/${round}` })
        expected += chance
        variance += chance * (1 - chance)
      }
    }
    expect(Math.abs(right - expected)).toBeLessThan(3.5 * Math.sqrt(variance))
  })

  test('while a scene is lit and made ready, everything else goes on', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const stage = await loadStage({ kind: 'builtin', scene: 'bathroom', seed: 5, look: 'lit' })
    clearInterval(timer)
    expect(stage.objects.length).toBeGreaterThan(3)
    // Built in this thread, it would all be one turn of the event loop.
    expect(turns).toBeGreaterThan(10)
  })

  test('the same seed gives the same questions, another one others', async () => {
    const open = async (source: string) => {
      const opened = await vsiBlind.sources['builtin']!.open(parseSource(source), blindOptions.parse({}), run)
      const asked: string[] = []
      for await (const { question, truth, options } of opened.cases())
        asked.push(`${question} ${options?.join()} ${truth}`)
      return asked
    }
    const first = await open('builtin:seed=20,scenes=1')
    expect(await open('builtin:seed=20,scenes=1,look=lit')).toEqual(first)
    expect(await open('builtin:seed=36,scenes=1')).not.toEqual(first)
    expect(new Set(first).size).toBe(10)
  })
})

describe('questions', () => {
  const box = (x: number, y: number, size: OrientedBox['size'] = [0.6, 0.6, 1]): OrientedBox => ({
    center: [x, y, size[2] / 2],
    size,
    yaw: 0,
  })
  const boxes = [
    box(1, 1),
    box(1, 5),
    box(4.6, 4.2),
    box(5, 1),
    box(5, 1.9, [0.5, 0.5, 1.5]),
    box(3, 5.6, [2, 0.3, 0.5]),
  ]
  const names = ['sofa', 'lamp', 'plant', 'desk', 'chair', 'chair']
  const objects = boxes.map((each, i): SceneObject => ({
    instance: i + 1,
    category: names[i]!,
    box: each,
    facing: null,
    support: 'floor',
    room: 1,
  }))
  const scene: QuestionScene = {
    objects,
    area: 36,
    rooms: 1,
    space: freeSpace(boxRoom({ size: [6, 6], boxes })),
    firstSeen: new Map(objects.map(({ instance }) => [instance, instance * 20])),
    firstGlimpse: new Map(objects.map(({ instance }) => [instance, instance * 20 - 5])),
  }
  const all = (type: (typeof QUESTION_TYPES)[number]) => questionsOf(type, scene, new Random('test'))

  test('count only what there are several of', () => {
    expect(all('object_counting').map(({ question, truth }) => [question, truth])).toEqual([
      ['How many chair(s) are in this room?', '2'],
    ])
  })

  test('distances from closest point to closest point, sizes along the longest side', () => {
    const between = all('object_abs_distance').find(({ about }) => [...about.categories].sort().join() === 'lamp,sofa')!
    expect(between.truth).toBe('3.4')
    expect(all('object_size_estimation').find(({ about }) => about.categories[0] === 'sofa')!.truth).toBe('100')
    expect(all('room_size_estimation')[0]!.truth).toBe('36.0')
  })

  test('the nearest of a category counts, and near ties are not asked', () => {
    for (const { options, truth, about } of all('object_rel_distance')) {
      if (about.categories[0] !== 'desk') continue
      // A chair stands right beside the desk, though the other one is far away.
      if (options!.some((option) => option.endsWith('chair')))
        expect(options![truth.charCodeAt(0) - 65]).toContain('chair')
    }
    expect(all('object_rel_distance').length).toBeGreaterThan(0)
  })

  test.each([
    // By the sofa at (1, 1), facing the lamp at (1, 5): +y is ahead, +x is right.
    ['object_rel_direction_easy', 2, 'right'],
    ['object_rel_direction_hard', 2, 'front-right'],
    ['object_rel_direction_medium', 3, 'right'],
  ] as const)('%s', (type, asked, answer) => {
    expect(directionAnswer(type, bearing(objects[0]!, objects[1]!, objects[asked]!))).toBe(answer)
  })

  test('behind means a turn of at least 135°, and borders are not asked', () => {
    expect(directionAnswer('object_rel_direction_medium', 150)).toBe('back')
    expect(directionAnswer('object_rel_direction_medium', -120)).toBe('right')
    expect(directionAnswer('object_rel_direction_medium', 134)).toBeNull()
    expect(directionAnswer('object_rel_direction_hard', 88)).toBeNull()
    expect(directionAnswer('object_rel_direction_hard', -170)).toBeNull()
  })

  test('routes are walked on free floor and their turns have names', () => {
    expect([turnBetween(0, 90), turnBetween(0, -80), turnBetween(170, -10), turnBetween(0, 30)]).toEqual([
      'left',
      'right',
      'back',
      null,
    ])
    const routes = all('route_planning')
    expect(routes.length).toBeGreaterThan(0)
    for (const { options, truth, about } of routes)
      expect(about.turns![truth.charCodeAt(0) - 65]).toHaveLength(options!.length === 3 ? 1 : 2)
  })

  test('the order is that of first appearance', () => {
    for (const { options, truth } of all('obj_appearance_order')) {
      const order = options![truth.charCodeAt(0) - 65]!.slice(3).split(', ')
      const frames = order.map((name) =>
        Math.min(...objects.filter(({ category }) => category === name).map(({ instance }) => instance * 20)),
      )
      expect(frames).toEqual(frames.toSorted((a, b) => a - b))
      expect(new Set(options).size).toBe(4)
    }
  })

  test('an order that the first pixels contradict is not asked', () => {
    const early = {
      ...scene,
      firstGlimpse: new Map(objects.map(({ instance }) => [instance, instance === 4 ? 0 : instance * 20])),
    }
    for (const { about } of questionsOf('obj_appearance_order', early, new Random('test'))) {
      // The desk is glimpsed before all others but seen after the sofa, lamp and plant.
      expect(about.categories).not.toContain('desk')
    }
  })

  test('what is never seen is never asked about', () => {
    const hidden = { ...scene, firstSeen: new Map([...scene.firstSeen].filter(([instance]) => instance !== 1)) }
    for (const type of QUESTION_TYPES) {
      for (const { about } of questionsOf(type, hidden, new Random('test')))
        expect(about.categories).not.toContain('sofa')
    }
  })
})

describe('the summary', () => {
  const sampleOf = (scores: Readonly<Record<string, number>>): Sample => ({
    mean: (metric, where) =>
      metric === 'score' && where?.['type'] !== undefined ? (scores[where['type']] ?? null) : null,
    count: (metric, where) =>
      metric !== 'score' ? 0 : where?.['type'] === undefined ? 10 : where['type'] in scores ? 1 : 0,
    values: (label) => (label === 'type' ? Object.keys(scores) : []),
  })
  const complete = {
    object_counting: 0.75,
    object_abs_distance: 0.3,
    object_size_estimation: 0.5,
    room_size_estimation: 0.9,
    object_rel_distance: 1 / 3,
    object_rel_direction_easy: 1,
    object_rel_direction_medium: 0.25,
    object_rel_direction_hard: 0,
    route_planning: 1,
    obj_appearance_order: 0.5,
  }

  test('is the mean over eight types, and called overall only when all are there', () => {
    const whole = vsiSummary(sampleOf(complete))
    expect(whole.headline).toBe('overall')
    expect(whole.rows[0]!.value).toBeCloseTo(0.5875, 12)
    const { obj_appearance_order: _, ...rest } = complete
    const partial = vsiSummary(sampleOf(rest))
    expect(partial.headline).toBe('overall_partial')
    expect(partial.rows[0]!.note).toContain('Appearance order missing')
  })

  test('where it is known what was pruned, the debiased mean stands beside the whole one', () => {
    const sample = sampleOf(complete)
    const both = vsiSummary({
      ...sample,
      mean: (metric, where) => {
        const value = sample.mean(metric, where)
        return value !== null && where?.['pruned'] === 'no' ? value / 2 : value
      },
      values: (label) => (label === 'pruned' ? ['no', 'yes'] : sample.values(label)),
    })
    expect(both.rows.find(({ key }) => key === 'debiased')).toMatchObject({ title: 'Overall, debiased' })
    expect(both.rows.find(({ key }) => key === 'debiased')!.value).toBeCloseTo(0.5875 / 2, 12)
    expect(vsiSummary(sample).rows.map(({ key }) => key)).not.toContain('debiased')
  })
})

describe('cognitive maps', () => {
  test('tuples and lists are read; what was not asked for or lies outside is left out', () => {
    const map = readMap('Map: {"sofa": [(1, 2), (3, 4)], "Lamp": [9, 9], "cat": [[1, 1]], "desk": [[40, 2]]}', [
      'sofa',
      'lamp',
      'desk',
    ])
    expect(map).toEqual({ sofa: [[1, 2], [3, 4]], lamp: [[9, 9]] }) // prettier-ignore
    expect(readMap('no map', ['sofa'])).toBeNull()
  })

  test('distances agree within one cell, in bins of the true distance', () => {
    const truth = { a: [[0, 0]], b: [[0, 3]], c: [[9, 0]] } as const
    const { agreement, bins } = locality({ a: [[0, 0]], b: [[0, 4]], c: [[5, 0]] }, truth)
    expect(agreement).toBeCloseTo(1 / 3, 12)
    expect(bins.find(({ upTo }) => upTo === 3.3)).toMatchObject({ pairs: 1, agreeing: 1 })
    expect(bins.find(({ upTo }) => upTo === 10)).toMatchObject({ pairs: 2, agreeing: 0 })
  })

  test('the true map stretches the room over the grid', () => {
    const things = [{ category: 'bed', box: { center: [5.9, 0.1, 0], size: [1, 1, 1], yaw: 0 } }] as const
    expect(trueMap(things, { min: [0, 0, 0], max: [6, 4, 3] })).toEqual({ bed: [[9, 0]] })
  })
})
