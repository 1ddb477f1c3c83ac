import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { Random } from '../../../base/random.ts'
import { sha256 } from '../../../base/hash.ts'
import { planRun } from '../../../engine/plan.ts'
import { openSource } from '../../../engine/source.ts'
import { DataFiles } from '../../../engine/data-files.ts'
import type { Episode } from '../../../engine/suite.ts'
import { type Message, NO_USAGE, type Reply, type Role, ROLES, textOf } from '../../../models/types.ts'
import { jointCritique, placementCritique } from '../measure/critique.ts'
import { faulty } from '../parse/faulty.ts'
import type { CriticSample } from '../samples/sample.ts'
import { articulateBuild, articulateCritic, articulateJoint, articulatePlace } from '../suite.ts'
import type { Profile } from '../domain/profile.ts'
import type { LoopOutcome } from '../domain/outcome.ts'
import { buildArticulated } from '../domain/objects/catalogue.ts'
import { articulateEvents } from '../events.ts'
import { trueRobot } from '../domain/objects/model.ts'
import { cameraFor } from './pictures/cameras.ts'
import { drawSweep } from './pictures/draw.ts'
import { reachedBox } from '../domain/objects/pose.ts'
import { jointOfPart, sweepVideo } from './show.ts'
import { writeProgram } from '../domain/objects/write-program.ts'

const asLogged = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

interface Told {
  episode: Episode<Profile>
  asked: { role: Role; text: string; pictures: number }[]
}

/** An episode whose models answer from a list. */
function scripted(replies: Partial<Record<Role, string[]>>, profile: Profile = 'fixed'): Told {
  const asked: Told['asked'] = []
  const left = Object.fromEntries(ROLES.map((role) => [role, [...(replies[role] ?? [])]]))
  const pictures = (messages: readonly Message[]): number =>
    messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.filter(({ type }) => type === 'media'),
    ).length
  return {
    asked,
    episode: {
      profile,
      epoch: 0,
      has: (role) => (replies[role]?.length ?? 0) > 0,
      ask(role, messages): Promise<Reply> {
        asked.push({ role, text: messages.map((message) => textOf(message)).join('\n'), pictures: pictures(messages) })
        const text = left[role]?.shift() ?? ''
        return Promise.resolve({ text, finish: 'stop', usage: NO_USAGE, ms: 0, cached: false })
      },
      keep: (bytes, type, _, size) => Promise.resolve({ sha256: sha256(bytes), type, bytes: bytes.length, ...size }),
      fileOf: () => '',
      files: new DataFiles(),
      // As it is in the log, where what is not a number is null.
      note: (event) => void parse(articulateEvents[event.type as keyof typeof articulateEvents], asLogged(event)),
      progress: () => undefined,
      random: new Random('play.test'),
      signal: new AbortController().signal,
    },
  }
}

const options = articulatePlace.options.parse({ size: '320x240', frames: 3, iterations: 3 })
const object = { category: 'box', seed: 1 }
const model = buildArticulated('box', 1, { generator: 1 })
const sample = { id: 'x', cluster: 'x', labels: {}, object, target: null }
const right = '```python\n' + writeProgram(model, { joints: [] }) + '```'
const wrong = '```python\n' + writeProgram(model, { joints: [], centers: new Map([['lid', [0, 0, 1]]]) }) + '```'
const rated = (rating: number): string => `{"realism_rating": ${rating}, "description": "hm"}`

describe('the loop', () => {
  it('rejects feedback=critic without a critic model', async () => {
    const plan = (feedback: string) =>
      planRun({ suite: articulateBuild, models: { player: 'baseline/random' }, options: { feedback }, limit: '1' })
    await expect(plan('critic')).rejects.toThrow('No model given for the role "critic"')
    await expect(plan('auto')).resolves.toBeDefined()
    const models = { player: 'baseline/random', critic: 'baseline/random' }
    await expect(planRun({ suite: articulateBuild, models, limit: '1' })).resolves.toBeDefined()
  })

  it('sends errors back with line and reason and uses the next answer', async () => {
    const { episode, asked } = scripted({ player: ['```python\ndef partnet_x(a, b):\n    return Robt()\n```', right] })
    const { status, outcome } = await articulatePlace.play(sample, episode, options)
    expect(asked[1]!.text).toContain("line 2: NameError: name 'Robt' is not defined")
    expect(outcome.stop.code).toBe('no_critic')
    expect(status).toBe('answered')
    expect(await articulatePlace.score(sample, outcome, { profile: 'fixed', options, measurements: {} })).toMatchObject(
      {
        success: 1,
        first: 0,
      },
    )
  })

  it('shows the critic ground truth and prediction, and stops once it accepts', async () => {
    const { episode, asked } = scripted({ player: [wrong, right], critic: [rated(3), rated(9)] })
    const { outcome } = await articulatePlace.play(sample, episode, options)
    expect(asked.map(({ role }) => role)).toEqual(['player', 'critic', 'player', 'critic'])
    expect(asked[1]!.pictures).toBe(2)
    expect(asked[1]!.text).toContain('object: box\naffordance: its lid can be moved')
    expect(outcome).toMatchObject({ best: 1, stop: { code: 'overall_threshold' } })
    expect(outcome.iterations.map(({ feedback_score }) => feedback_score)).toEqual([3, 9])
  })

  it('returns the best iteration; the published loop returns the last', async () => {
    const replies = { player: [right, wrong, wrong], critic: [rated(5), rated(2), rated(1)] }
    const best = await Promise.all(
      (['fixed', 'upstream'] as const).map(async (profile) => {
        const { outcome } = await articulatePlace.play(sample, scripted(replies, profile).episode, options)
        return outcome.best
      }),
    )
    expect(best).toEqual([0, 2])
  })

  it('asks the critic again after an unreadable answer', async () => {
    const { episode, asked } = scripted({ player: [right], critic: ['no idea', rated(9)] })
    const { outcome } = await articulatePlace.play(sample, episode, options)
    expect(asked.at(-1)!.text).toContain('could not be parsed')
    expect(outcome.iterations[0]!.feedback_score).toBe(9)
  })

  it('accepts URDF answers unchanged', async () => {
    const center = model.parts[1]!.center.join(' ')
    const urdf = `<robot name="r"><link name="base"/><link name="box_body"/><link name="lid"/>
      <joint name="a" type="fixed"><parent link="base"/><child link="box_body"/></joint>
      <joint name="b" type="fixed"><parent link="box_body"/><child link="lid"/><origin xyz="${center}"/></joint></robot>`
    const { outcome } = await articulatePlace.play(sample, scripted({ player: [urdf] }).episode, options)
    expect(await articulatePlace.score(sample, outcome, { profile: 'fixed', options, measurements: {} })).toMatchObject(
      { success: 1 },
    )
  })

  it.each([
    ['', 'no_answer'],
    ['I cannot do that.', 'parse_failed'],
  ])('fails without an answer: %j', async (reply, status) => {
    const played = await articulatePlace.play(sample, scripted({ player: [reply, reply, reply] }).episode, options)
    expect(played.status).toBe(status)
    expect(
      await articulatePlace.score(sample, played.outcome, { profile: 'fixed', options, measurements: {} }),
    ).toMatchObject({
      success: 0,
    })
  })

  it('shows all motions for build and only the target motion for joint', async () => {
    const build = scripted({ player: ['```python\n' + writeProgram(model) + '```'] })
    const { outcome } = await articulateBuild.play(sample, build.episode, options)
    expect(build.asked[0]!.pictures).toBe(1 + 3)
    expect(await articulateBuild.score(sample, outcome, { profile: 'fixed', options, measurements: {} })).toMatchObject(
      {
        success: 1,
        joints: 1,
      },
    )
    const joint = scripted({ player: ['```python\n' + writeProgram(model) + '```'] })
    const played = await articulateJoint.play({ ...sample, target: 'lid' }, joint.episode, options)
    expect(joint.asked[0]!.pictures).toBe(3)
    expect(
      await articulateJoint.score({ ...sample, target: 'lid' }, played.outcome, {
        profile: 'upstream',
        options,
        measurements: {},
      }),
    ).toMatchObject({ success: 1 })
  })

  it.each([
    [60, 4, 1 + 2 * 4],
    [5, 3, 1 + 2 * 2],
    [4, 4, 1 + 1],
  ])('bounds the images of a prompt: at most %i, of %i frames per motion', async (pictures, frames, expected) => {
    const many = buildArticulated('refrigerator', 1, { generator: 1 })
    const parts = many.joints.filter(({ type }) => type !== 'fixed').length
    const told = scripted({ player: ['```python\n' + writeProgram(many) + '```'] })
    const own = { ...sample, object: { category: 'refrigerator', seed: 1 } }
    await articulateBuild.play(own, told.episode, { ...options, frames, pictures })
    expect({ parts, pictures: told.asked[0]!.pictures }).toEqual({ parts: 2, pictures: expected })
  })

  it('reports joint errors: angle, distance, direction, range', async () => {
    const lid = { ...sample, target: 'lid', labels: { category: 'box', type: 'revolute' } }
    const urdf = (axis: string, lower: number, upper: number): string => {
      const [hinge] = model.joints
      const at = (xyz: readonly number[]): string => `<origin xyz="${xyz.join(' ')}"/>`
      const from = model.parts[1]!.center.map((value, i) => value - hinge!.origin[i]!)
      return `<robot name="r"><link name="base"/><link name="box_body"/>
        <link name="lid"><visual>${at(from)}<geometry><mesh filename="lid.obj"/></geometry></visual></link>
        <joint name="a" type="fixed"><parent link="base"/><child link="box_body"/></joint>
        <joint name="b" type="revolute"><parent link="box_body"/><child link="lid"/>${at(hinge!.origin)}
        <axis xyz="${axis}"/><limit lower="${lower}" upper="${upper}"/></joint></robot>`
    }
    const scored = async (reply: string, profile: Profile = 'fixed') => {
      const { outcome } = await articulateJoint.play(lid, scripted({ player: [reply] }).episode, options)
      return articulateJoint.score(lid, outcome, { profile, options, measurements: {} })
    }
    const { axis, lower, upper } = model.joints[0]!
    const exact = { success: 1, 'type.strict': 1, angle: 0, direction: 1, limits: 1 }
    expect(await scored(urdf(axis.join(' '), lower, upper))).toMatchObject(exact)
    expect(await scored(urdf(axis.join(' '), upper, lower)), 'the wrong way round').toMatchObject(exact)
    expect(await scored(urdf(axis.join(' '), -upper, lower))).toMatchObject({ success: 0, direction: 0, limits: 0 })
    expect(await scored(urdf('1 0 0', lower, upper))).toMatchObject({ success: 0, angle: 90 })
    expect(await scored('no idea')).toMatchObject({ success: 0, direction: 0, limits: 0 })
    const skew = urdf('0.3 1 0.2', upper, lower)
    const { angle, offset, direction, limits, sweep } = await scored(skew)
    expect(await scored(skew, 'upstream')).toMatchObject({ angle, offset, direction, limits, sweep })
  })

  it('excludes continuous joints from the published success', async () => {
    const fan = buildArticulated('fan', 1, { generator: 1 })
    const part = fan.joints.find(({ type }) => type === 'continuous')!.child
    const given = { ...sample, object: { category: 'fan', seed: 1 }, target: part, labels: { type: 'continuous' } }
    const { episode } = scripted({ player: ['```python\n' + writeProgram(fan) + '```'] })
    const { outcome } = await articulateJoint.play(given, episode, options)
    const scores = (profile: Profile) => articulateJoint.score(given, outcome, { profile, options, measurements: {} })
    expect(await scores('fixed')).toMatchObject({ success: 1, first: 1 })
    expect(Object.keys(await scores('upstream'))).not.toContain('success')
  })
})

describe('the published loop', () => {
  const broken = '```python\ndef partnet_x(a, b):\n    return Robt()\n```'
  const lid = { ...sample, target: 'lid' }
  const judged = (position: number, joint: number, success = false): string =>
    JSON.stringify({ link_position_score: position, joint_score: joint, success })
  const played = async (
    suite: typeof articulatePlace,
    given: typeof sample | typeof lid,
    replies: Partial<Record<Role, string[]>>,
    more: Record<string, unknown> = {},
  ) => {
    const { episode, asked } = scripted(replies, 'upstream')
    const chosen = suite.options.parse({ size: '320x240', frames: 2, ...more })
    const { outcome } = await suite.play(given, episode, chosen)
    return {
      outcome,
      asked,
      scores: await suite.score(given, outcome, { profile: 'upstream', options: chosen, measurements: {} }),
    }
  }
  const codes = ({ iterations }: LoopOutcome): number[] => iterations.map(({ feedback_score }) => feedback_score)

  it('passes on the latest run only, and nothing after an error', async () => {
    const critic = [rated(3), rated(2), rated(9)]
    const { asked, outcome } = await played(
      articulatePlace,
      sample,
      { player: [wrong, broken, wrong, right], critic },
      {
        iterations: 4,
      },
    )
    const prompts = asked.filter(({ role }) => role === 'player').map(({ text }) => text)
    expect(prompts[1]).toContain('A critic compared it')
    expect(prompts[2]).toBe(prompts[0])
    expect(prompts[3]!.match(/A critic compared it/g)).toHaveLength(1)
    expect(codes(outcome)).toEqual([3, -1, 2, 9])
    expect(outcome).toMatchObject({ best: 3, stop: { code: 'accepted' } })
  })

  it('does not retry the joint actor after an error', async () => {
    const { asked, outcome, scores } = await played(
      articulateJoint,
      lid,
      { player: [broken, right], critic: ['{}'] },
      { iterations: 3 },
    )
    expect(asked).toHaveLength(1)
    expect(codes(outcome)).toEqual([-1, -1, -1])
    expect(outcome.iterations[1]!.problem).toContain('has lost the placement')
    expect(scores).toMatchObject({ success: 0, iterations: 3 })
  })

  it('counts a program that runs as correct without a critic', async () => {
    const { outcome, scores } = await played(articulatePlace, sample, { player: [right] })
    expect(outcome).toMatchObject({ best: 0, stop: { code: 'accepted' }, iterations: [{ feedback_score: 10 }] })
    expect(scores).toMatchObject({ success: 1 })
  })

  it('drops the result when the critic is unreadable', async () => {
    const replies = { player: [right], critic: ['It is fine: {"realism_rating": 9}'] }
    const { asked, outcome, scores } = await played(articulatePlace, sample, replies, { iterations: 1 })
    expect(asked).toHaveLength(2)
    expect(outcome).toMatchObject({
      best: 0,
      stop: { code: 'exhausted' },
      iterations: [{ feedback_score: -1, urdf: null }],
    })
    expect(scores).toMatchObject({ success: 0 })
  })

  it('ends build by the driver rules and returns the last result', async () => {
    const whole = '```python\n' + writeProgram(model) + '```'
    const success = await played(articulateBuild, sample, { player: [whole], critic: [judged(8, 8, true)] })
    expect(success.outcome).toMatchObject({ best: 0, stop: { code: 'critic_success' } })
    const early = await played(
      articulateBuild,
      sample,
      { player: [whole, wrong, broken], critic: [judged(6, 6), judged(2, 2)] },
      { iterations: 3 },
    )
    expect(early.outcome).toMatchObject({ best: 1, stop: { code: 'exhausted' } })
    expect(codes(early.outcome)).toEqual([6, 2, -1])
  })

  it('uses a published verifier on request, counting from 0', async () => {
    const critic = [rated(1), rated(2), rated(3), rated(4)]
    const replies = { player: [wrong, wrong, wrong, wrong], critic }
    const { outcome } = await played(articulatePlace, sample, replies, { iterations: 3, verifier: 'threshold' })
    expect(codes(outcome)).toEqual([1, 2, 3, 4])
    expect(outcome).toMatchObject({ best: 3, stop: { code: 'max_iterations' } })
  })
})

describe('the critic benchmark', () => {
  const given = articulateCritic.options.parse({ size: '320x240', frames: 2 })
  const cases = async (): Promise<CriticSample[]> => {
    const opened = await openSource(articulateCritic, 'builtin:objects=12', given, { seed: 0, profile: 'fixed' })
    const all: CriticSample[] = []
    for await (const one of opened.samples()) all.push(one as CriticSample)
    return all
  }

  it('labels what was built as its program says, near misses as right, half and half', async () => {
    const all = await cases()
    for (const one of all) {
      const { model: original, robot } = await faulty(one, new DataFiles({}))
      const found =
        one.critic === 'joint'
          ? jointCritique(original, robot, one.fault.part).finding
          : placementCritique(original, robot).feedback_score > 5
            ? 'success'
            : 'placement'
      expect(found, one.id).toBe(one.labels['truth'])
    }
    const right = all.filter(({ labels }) => labels['truth'] === 'success')
    expect(right.some(({ fault }) => fault.kind !== 'none')).toBe(true)
    expect(Math.abs(right.length / all.length - 0.5)).toBeLessThan(0.25)
  })

  it('grades verdicts, and asks without images or without code where that is wanted', async () => {
    const wrong = (await cases()).find(({ critic, labels }) => critic === 'joint' && labels['truth'] !== 'success')!
    const reply = (reason: string, rating: number): string =>
      JSON.stringify({ failure_reason: reason, realism_rating: rating })
    const grade = async (text: string, sees: 'both' | 'code' | 'pictures' = 'both') => {
      const told = scripted({ player: [text] })
      const { status, outcome } = await articulateCritic.play(wrong, told.episode, { ...given, sees })
      const context = { profile: 'fixed' as const, options: given, measurements: {} }
      const { text: asked, pictures } = told.asked[0]!
      return [
        status,
        await articulateCritic.score(wrong, outcome, context),
        asked.includes('def partnet'),
        pictures > 0,
      ]
    }
    const truth = wrong.labels['truth']!
    const found = { verdict: 1, caught: 1 }
    expect(await grade(reply(truth, 2))).toMatchObject(['answered', { right: 1, ...found }, true, true])
    const other = truth === 'joint_axis' ? 'joint_type' : 'joint_axis'
    expect(await grade(reply(other, 1), 'code')).toMatchObject(['answered', { right: 0, ...found }, true, false])
    const missed = { right: 0, verdict: 0, caught: 0 }
    expect(await grade(reply('success', 9), 'pictures')).toMatchObject(['answered', missed, false, true])
    expect(await grade('hm')).toMatchObject(['parse_failed', { readable: 0, caught: 0 }, true, true])
  })
})

describe('videos of true motions', () => {
  it('replace rendered frames, with optical-flow traces', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'films-'))
    try {
      const robot = trueRobot(model)
      const camera = cameraFor('front', reachedBox(model, robot), { width: 160, height: 120 })
      const joint = jointOfPart(robot, 'lid')!.name
      const film = drawSweep(model, robot, joint, camera, { width: 160, height: 120, frames: 8 })
      await writeFile(join(folder, `${model.id}-lid.mp4`), (await sweepVideo(film)).bytes)
      const made = async (films?: string): Promise<string[]> => {
        const { episode } = scripted({ player: ['no'] })
        const kept: string[] = []
        const keep: Episode['keep'] = (bytes, type, provenance, size) => {
          if (type === 'image/jpeg')
            kept.push(
              `${provenance.made} ${size?.width} ${String(provenance['frame'])} ${String(provenance['traces'])}`,
            )
          return episode.keep(bytes, type, provenance, size)
        }
        const given = articulateJoint.options.parse({ size: '320x240', frames: 3, iterations: 1, traces: true, films })
        await articulateJoint.play({ ...sample, target: 'lid' }, { ...episode, keep }, given)
        return kept
      }
      expect(await made(folder)).toEqual([0, 4, 7].map((frame) => `video-frame 160 ${frame} flow`))
      expect(await made()).toEqual([0, 1, 2].map((frame) => `render 320 ${frame} undefined`))
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
