import { expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { DataFiles } from '../../../engine/data-files.ts'
import { openSource } from '../../../engine/source.ts'
import { type VsiSample, vsiSample } from './sample.ts'
import { vsiBlind, vsiExplore, vsiVideo } from '../suite.ts'
import { blindOptions, exploreOptions, videoOptions } from '../options.ts'
import { loadStage } from '../domain/scene/stages.ts'
import { cameraFor } from '../domain/camera.ts'
import { hashOf } from '../../../base/hash.ts'
import { openWalkthrough } from '../domain/scene/walkthrough.ts'
import { scripted } from '../../../../test/support/suites/vsi.ts'
import type { Profile } from '../domain/protocol.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { closestInBox, distance as metersBetween, turnedBox } from '../../../world.ts'

const SCENES = 2
const SOURCE = `builtin:seed=20,scenes=${SCENES},look=plain`
const run = { seed: 1, profile: 'official' }
const files = new DataFiles()

async function samplesOf(
  suite: typeof vsiExplore | typeof vsiVideo | typeof vsiBlind,
  options: unknown,
  source = SOURCE,
): Promise<VsiSample[]> {
  const opened = await openSource(suite, source, options, run)
  const samples: VsiSample[] = []
  for await (const sample of opened.samples()) samples.push(vsiSample.parse(sample))
  if (opened.count !== null) expect(samples).toHaveLength(opened.count)
  return samples
}

/** Plays a sample with a baseline and returns its score. */
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
  const { episode } = scripted([async (request) => (await player(request)) as string], profile)
  const { outcome } = await suite.play(sample, episode, options as never)
  return (await suite.score(sample, outcome, { profile, options: options as never, measurements: {} }))['score']!
}

const explore = exploreOptions.parse({ steps: 2, firstView: 'fixed', unanswerable: 'ask' })
const video = videoOptions.parse({ frames: 2, unanswerable: 'ask' })

test('all questions and all scenes differ', async () => {
  const samples = await samplesOf(vsiBlind, blindOptions.parse({}))
  const texts = samples.map(({ scene, question, options }) => JSON.stringify([scene, question, options?.toSorted()]))
  expect(samples).toHaveLength(SCENES * 10)
  expect(new Set(texts).size).toBe(SCENES * 10)
  expect(new Set(samples.map(({ id }) => id)).size).toBe(SCENES * 10)
  expect(new Set(samples.map(({ scene }) => JSON.stringify(scene))).size).toBe(SCENES)
  expect(new Set(samples.map(({ type }) => type)).size).toBeGreaterThan(6)
})

test('more questions of each type are new ones', async () => {
  const options = blindOptions.parse({})
  const few = await samplesOf(vsiBlind, options, 'builtin:seed=20,scenes=1,look=plain')
  const many = await samplesOf(vsiBlind, options, 'builtin:seed=20,scenes=1,look=plain,questions=4')
  expect(many.slice(0, few.length)).toEqual(few)
  expect(many.length).toBeGreaterThan(few.length)
  expect(
    new Set(many.map(({ question, options: choices }) => `${question} ${choices?.toSorted().join()}`)),
  ).toHaveLength(many.length)
})

test('asks about things that are far away', async () => {
  const far = 'builtin:seed=20,scenes=1,look=plain,walkthrough=stand,distance=2.5'
  const samples = await samplesOf(vsiBlind, blindOptions.parse({}), far)
  const { scene } = samples[0]!
  const walkthrough = await openWalkthrough(scene, files, cameraFor(scene))
  expect(walkthrough.poseOf(10)!.position).toEqual(walkthrough.poseOf(0)!.position)
  for (const { type, things } of samples.filter((sample) => sample.type !== 'room_size_estimation')) {
    const nearest = things!.map(({ box, seenIn }) =>
      Math.min(
        ...seenIn!.map(({ frame }) => {
          const { position } = walkthrough.poseOf(frame)!
          return metersBetween(closestInBox(turnedBox(box), position), position)
        }),
      ),
    )
    expect([type, Math.max(...nearest) >= 2.5]).toEqual([type, true])
  }
})

test('explore and video ask the same questions', async () => {
  const moving = await samplesOf(vsiExplore, explore)
  const watching = await samplesOf(vsiVideo, video)
  // Explore has no appearance-order question, which is in slot 9.
  const shared = watching.map(({ id }) => id).filter((id) => !id.endsWith('-9'))
  expect(moving.map(({ id }) => id)).toEqual(shared)
})

test.each([
  ['explore', vsiExplore, explore, QUESTION_TYPES.filter((type) => type !== 'obj_appearance_order')],
  ['video', vsiVideo, video, QUESTION_TYPES],
] as const)('the oracle answers every type correctly in %s', async (_, suite, options, types) => {
  const samples = await samplesOf(suite, options)
  for (const type of types) {
    const sample = samples.find((each) => each.type === type)
    if (sample === undefined) continue
    expect([type, await scoreWith(suite, options, 'oracle', sample)]).toEqual([type, 1])
  }
})

test('encodes the whole video once for all questions of a scene, and records the encoder', async () => {
  const sample = (await samplesOf(vsiVideo, video))[0]!
  const { scene } = sample
  const camera = cameraFor(scene)
  const [first, second] = [await openWalkthrough(scene, files, camera), await openWalkthrough(scene, files, camera)]
  const { videos } = await loadStage(scene, files)
  const encoded = { bytes: new Uint8Array([1, 2, 3]), encoder: 'by hand' }
  // A fake cached video is returned, so nothing is encoded again.
  void videos.getOrCreate(hashOf(camera), () => Promise.resolve(encoded))
  expect(await first.whole()).toBe(encoded)
  expect(await second.whole()).toBe(encoded)
  const { episode, kept } = scripted(['4'])
  await vsiVideo.play(sample, episode, videoOptions.parse({ input: 'video' }))
  expect(kept).toMatchObject([
    { bytes: encoded.bytes, provenance: { encoder: 'by hand', renderer: expect.stringContaining('sightline') } },
  ])
})

test.each(['official', 'lmms-eval', 'vlmevalkit'] as const)(
  'the oracle answers leaderboard prompts correctly under %s',
  async (profile) => {
    const options = videoOptions.parse({ frames: 1, prompts: 'leaderboard', unanswerable: 'ask' })
    const [first] = await samplesOf(vsiVideo, options)
    expect(await scoreWith(vsiVideo, options, 'oracle', first!, profile)).toBe(1)
  },
)

test.each([
  ['explore', vsiExplore, exploreOptions.parse({ firstView: 'fixed' })],
  ['video', vsiVideo, videoOptions.parse({})],
] as const)('a perfect eye answers every question from the default images of %s', async (_, suite, options) => {
  for (const sample of (await samplesOf(suite, options)).filter(({ cluster }) => cluster.endsWith('-0000'))) {
    expect([sample.id, await scoreWith(suite, options, 'eye', sample)]).toEqual([sample.id, 1])
  }
})

test('questions that few images do not answer are left out and counted, or asked', async () => {
  const idsAt = async (options: object) => {
    const opened = await openSource(vsiVideo, SOURCE, videoOptions.parse(options), run)
    const samples: VsiSample[] = []
    for await (const sample of opened.samples()) samples.push(vsiSample.parse(sample))
    return samples
  }
  const few = await idsAt({ frames: 2 })
  const every = await idsAt({ frames: 2, unanswerable: 'ask' })
  expect(every).toHaveLength(SCENES * 10)
  expect(few.length).toBeLessThan(every.length)
  expect(few.reduce((sum, { leftOut = 0 }) => sum + leftOut, few.length)).toBe(every.length)
  const ids = new Set(every.map(({ id }) => id))
  expect(few.every(({ id }) => ids.has(id))).toBe(true)
})

test('random letters are correct at chance level', async () => {
  const options = blindOptions.parse({})
  const samples = (await samplesOf(vsiBlind, options)).filter((sample) => sample.options !== null)
  let right = 0
  let expected = 0
  let variance = 0
  for (let round = 0; round < 20; round++) {
    for (const sample of samples) {
      const chance = 1 / sample.options!.length
      right += await scoreWith(vsiBlind, options, 'random', { ...sample, id: `${sample.id}/${round}` })
      expected += chance
      variance += chance * (1 - chance)
    }
  }
  expect(expected).toBeGreaterThan(10)
  expect(Math.abs(right - expected)).toBeLessThan(3.5 * Math.sqrt(variance))
})

test('building and lighting a scene does not block the event loop', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const stage = await loadStage({ kind: 'builtin', scene: 'bathroom', seed: 5, look: 'lit' }, files)
  clearInterval(timer)
  expect(stage.objects.length).toBeGreaterThan(3)
  // In this thread, it would take a single turn of the event loop.
  expect(turns).toBeGreaterThan(10)
})

test('the same seed gives the same questions, another seed different ones', async () => {
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
