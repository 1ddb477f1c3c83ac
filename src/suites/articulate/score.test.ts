import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSource } from '../../engine/source.ts'
import { writePartNet } from '../../../test/support/suites/articulate/objects.ts'
import { writeUrdf } from '../../world/urdf/index.ts'
import { describeCritic } from './describe.ts'
import type { CriticSample, LoopSample, Task } from './samples/sample.ts'
import { buildArticulated, CATEGORIES, GENERATOR } from './domain/objects/catalogue.ts'
import { loadPartNet } from './domain/objects/partnet.ts'
import { type ArticulatedModel, trueRobot } from './domain/objects/model.ts'
import { storedShape } from './domain/objects/shape.ts'
import { writeProgram } from './domain/objects/write-program.ts'
import { PROFILES } from './domain/profile.ts'
import type { Physics } from './domain/outcome.ts'
import { criticOptions, loopOptions } from './options.ts'
import { buildFrom } from './parse/answer.ts'
import { scoreCritic, scoreLoop } from './score.ts'
import { articulateBuild, articulateJoint } from './suite.ts'

const options = loopOptions.parse({})
const TASKS: readonly Task[] = ['place', 'joint', 'build']

function outcomeOf(urdf: string) {
  const record = { iteration: 0, seed: 0, feedback_score: 0, source: '', urdf, problem: null, feedback: null }
  return { iterations: [record], best: 0, stop: { code: 'no_critic', text: '' } as const }
}

/** Everything a little off and out of true: boxes of turned parts are no longer those of parts that stand straight. */
function askew(model: ArticulatedModel): string {
  const joints = model.joints.map((joint) => ({ ...joint, upper: joint.upper * 0.9 }))
  const built = buildFrom('```python\n' + writeProgram(model, { joints }) + '```', model.shelf)
  if (built.kind !== 'robot') throw new Error(built.problem)
  return built.urdf.replaceAll('<origin ', '<origin rpy="0.3 0.2 -0.5" ')
}

describe('scoring from the recorded sample', () => {
  it.each([...CATEGORIES])('scores a %s as the full object does', (category) => {
    const model = buildArticulated(category, 5)
    const target = model.joints.find(({ type }) => type !== 'fixed')!.child
    for (const task of TASKS) {
      const part = task === 'joint' ? target : null
      const builtin: LoopSample = {
        id: 'x',
        cluster: 'x',
        labels: {},
        object: { category, seed: 5, generator: GENERATOR },
        target: part,
      }
      const shape = JSON.parse(JSON.stringify(storedShape(model, part))) as LoopSample['shape'] & object
      const kept: LoopSample = { ...builtin, object: { source: 'gone', folder: '1' }, shape }
      for (const profile of PROFILES) {
        const scored = (sample: LoopSample, urdf: string) =>
          scoreLoop(task)(sample, outcomeOf(urdf), { profile, options, measurements: {} })
        expect(scored(kept, writeUrdf(trueRobot(model)))).toMatchObject({ success: 1 })
        const wrong = scored(builtin, askew(model))
        expect(wrong).toMatchObject({ success: 0, executable: 1 })
        expect(scored(kept, askew(model))).toEqual(wrong)
      }
    }
  })
})

describe('physics', () => {
  const model = buildArticulated('cabinet', 5)
  const object = { category: 'cabinet', seed: 5, generator: GENERATOR }
  const target = model.joints.find(({ type }) => type !== 'fixed')!.child
  const still: Physics = { problem: null, moves: null, stable: true, rest: 0.01, moving: 0, executable: true }
  const nothing = { 'physics.executable': 0, 'physics.moves': 0 }

  it.each<[string, Physics, object]>([
    ['cannot be simulated', { ...still, problem: 'too slow', stable: false, executable: false }, nothing],
    ['does not move', still, { ...nothing, 'physics.rest': 0.01 }],
    [
      'moves',
      { ...still, moves: 1, moving: 0.002 },
      { 'physics.executable': 1, 'physics.moves': 1, 'physics.rest': 0.01, 'physics.moving': 0.002 },
    ],
  ])('scores an answer that %s', (_, physics, expected) => {
    for (const task of ['joint', 'build'] as const) {
      const sample = { id: 'x', cluster: 'x', labels: {}, object, target: task === 'joint' ? target : null }
      const outcome = { ...outcomeOf(writeUrdf(trueRobot(model))), physics }
      const context = { profile: 'fixed', options: { ...options, physics: true }, measurements: {} } as const
      const scores = Object.entries(scoreLoop(task)(sample, outcome, context))
      expect(Object.fromEntries(scores.filter(([key]) => key.startsWith('physics.')))).toEqual(expected)
    }
  })
})

describe('a URDF critic', () => {
  it('is described with the verdict that is scored', () => {
    const { joints } = buildArticulated('cabinet', 5)
    const sample: CriticSample = {
      id: 'x',
      cluster: 'x',
      labels: { category: 'cabinet', critic: 'urdf', fault: 'none', size: 'none', truth: 'success' },
      object: { category: 'cabinet', seed: 5, generator: GENERATOR },
      critic: 'urdf',
      fault: { kind: 'none', part: '', size: 0, name: 'none', joints, centers: [], without: [] },
    }
    // The joints are not judged one by one, so it does not count as accepting.
    const outcome = { reply: '{"link_position_score": 10, "joint_score": 9, "success": true}' }
    const context = { profile: 'fixed', options: criticOptions.parse({}), measurements: {} } as const
    expect(scoreCritic(sample, outcome, context)).toMatchObject({ accepted: 0, 'says.joint': 1 })
    expect(describeCritic(sample, outcome, { ...context, images: [] }).answer).toBe('joint')
  })
})

describe('PartNet-Mobility samples', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'partnet-score-'))
    await writePartNet(root)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  it.each([articulateJoint, articulateBuild])('are scored after their files are deleted: $name', async (suite) => {
    const opened = await openSource(suite, `partnet:${root}`, options, { seed: 0, profile: 'fixed' })
    const samples: LoopSample[] = []
    for await (const sample of opened.samples()) samples.push(JSON.parse(JSON.stringify(sample)) as LoopSample)
    const urdf = writeUrdf(trueRobot(await loadPartNet(join(root, '45001'))))
    await rm(root, { recursive: true })
    expect(samples).toHaveLength(1)
    const scores = await suite.score(samples[0]!, outcomeOf(urdf), { profile: 'fixed', options, measurements: {} })
    expect(scores).toMatchObject({ success: 1, first: 1 })
    expect(JSON.stringify(samples[0]).length).toBeLessThan(2000)
  })
})
