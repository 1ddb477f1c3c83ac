import { expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { DataFiles } from '../../../engine/data-files.ts'
import { openSource } from '../../../engine/source.ts'
import { type VsiSample, vsiSample } from './sample.ts'
import { vsiBlind, vsiExplore, vsiVideo } from '../suite.ts'
import { blindOptions, exploreOptions, videoOptions } from '../options.ts'
import { loadStage } from '../domain/scene/stages.ts'
import { openWalkthrough } from '../domain/scene/walkthrough.ts'
import { scripted } from '../../../../test/support/suites/vsi.ts'
import type { Profile } from '../domain/protocol.ts'
import { CHOICE_TYPES, QUESTION_TYPES } from '../domain/question-types.ts'

const SCENES = 3
const SOURCE = `builtin:seed=20,scenes=${SCENES},look=plain`
const run = { seed: 1, profile: 'official' }
const files = new DataFiles()

async function casesOf(
  suite: typeof vsiExplore | typeof vsiVideo | typeof vsiBlind,
  options: unknown,
): Promise<VsiSample[]> {
  const opened = await openSource(suite, SOURCE, options, run)
  const cases: VsiSample[] = []
  for await (const sample of opened.samples()) cases.push(vsiSample.parse(sample))
  expect(cases).toHaveLength(opened.count!)
  return cases
}

/** Plays a case with a built-in player and gives its score. */
async function scoreWith(
  suite: typeof vsiExplore | typeof vsiVideo | typeof vsiBlind,
  options: unknown,
  name: string,
  sample: VsiSample,
  profile: Profile = 'official',
): Promise<number> {
  const player = suite.baselines[name]!.start(sample, {
    random: new Random(`${name}/${sample.id}`),
    options: options as never,
    profile,
    files,
  })
  const { episode } = scripted([(request) => player(request) as string], profile)
  const { outcome } = await suite.play(sample, episode, options as never)
  return (await suite.score(sample, outcome, { profile, options: options as never, measurements: {} }))['score']!
}

const explore = exploreOptions.parse({ steps: 2, firstView: 'fixed' })
const video = videoOptions.parse({ frames: 2 })

test('no two questions are the same, in no two scenes the same', async () => {
  const cases = await casesOf(vsiBlind, blindOptions.parse({}))
  const told = cases.map(({ scene, question, options }) => JSON.stringify([scene, question, options?.toSorted()]))
  expect(cases).toHaveLength(SCENES * 10)
  expect(new Set(told).size).toBe(SCENES * 10)
  expect(new Set(cases.map(({ id }) => id)).size).toBe(SCENES * 10)
  expect(new Set(cases.map(({ scene }) => JSON.stringify(scene))).size).toBe(SCENES)
  expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES))
})

test('the same questions are asked by moving and by watching', async () => {
  const moving = await casesOf(vsiExplore, explore)
  const watching = await casesOf(vsiVideo, video)
  // The place of the order is left out where there is no video.
  const shared = watching.map(({ id }) => id).filter((id) => !id.endsWith('-9'))
  expect(moving.map(({ id }) => id)).toEqual(shared)
})

test.each([
  ['moving', vsiExplore, explore, QUESTION_TYPES.filter((type) => type !== 'obj_appearance_order')],
  ['watching', vsiVideo, video, QUESTION_TYPES],
] as const)('the oracle has every type right, %s', async (_, suite, options, types) => {
  const cases = await casesOf(suite, options)
  for (const type of types) {
    const sample = cases.find((each) => each.type === type)!
    expect([type, await scoreWith(suite, options, 'oracle', sample)]).toEqual([type, 1])
  }
})

test('the whole film is encoded once for all questions of a scene, and says how', async () => {
  const sample = (await casesOf(vsiVideo, video))[0]!
  const { scene } = sample
  const [first, second] = [await openWalkthrough(scene, files), await openWalkthrough(scene, files)]
  const { videos: films } = await loadStage(scene, files)
  const encoded = { bytes: new Uint8Array([1, 2, 3]), encoder: 'by hand' }
  // What stands in for the film is handed out: nothing is encoded again.
  void films.of('walk', () => Promise.resolve(encoded))
  expect(await first.whole()).toBe(encoded)
  expect(await second.whole()).toBe(encoded)
  const { episode, kept } = scripted(['4'])
  await vsiVideo.play(sample, episode, videoOptions.parse({ input: 'video' }))
  expect(kept).toMatchObject([
    { bytes: encoded.bytes, provenance: { encoder: 'by hand', renderer: expect.stringContaining('sightline') } },
  ])
})

test.each(['official', 'lmms-eval', 'vlmevalkit'] as const)(
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
  for (const sample of cases) sum += await scoreWith(vsiExplore, options, 'tour', sample)
  expect(sum / cases.length).toBeGreaterThan(0.6)
})

test.each(CHOICE_TYPES)(
  'chance is chance: random letters of %s are right as often as there are options',
  async (type) => {
    const options = blindOptions.parse({})
    const cases = (await casesOf(vsiBlind, options)).filter((sample) => sample.type === type)
    let right = 0
    let expected = 0
    let variance = 0
    for (let round = 0; round < 60; round++) {
      for (const sample of cases) {
        const chance = 1 / sample.options!.length
        right += await scoreWith(vsiBlind, options, 'random', { ...sample, id: `${sample.id}/${round}` })
        expected += chance
        variance += chance * (1 - chance)
      }
    }
    expect(expected).toBeGreaterThan(10)
    expect(Math.abs(right - expected)).toBeLessThan(3.5 * Math.sqrt(variance))
  },
)

test('while a scene is lit and made ready, everything else goes on', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const stage = await loadStage({ kind: 'builtin', scene: 'bathroom', seed: 5, look: 'lit' }, files)
  clearInterval(timer)
  expect(stage.objects.length).toBeGreaterThan(3)
  // Built in this thread, it would all be one turn of the event loop.
  expect(turns).toBeGreaterThan(10)
})

test('the same seed gives the same questions, another one others', async () => {
  const open = async (source: string) => {
    const opened = await openSource(vsiBlind, source, blindOptions.parse({}), run)
    const asked: string[] = []
    for await (const sample of opened.samples()) {
      const { question, truth, options } = vsiSample.parse(sample)
      asked.push(`${question} ${options?.join()} ${truth}`)
    }
    return asked
  }
  const first = await open('builtin:seed=20,scenes=1')
  expect(await open('builtin:seed=20,scenes=1,look=lit')).toEqual(first)
  expect(await open('builtin:seed=36,scenes=1')).not.toEqual(first)
  expect(new Set(first).size).toBe(10)
})
