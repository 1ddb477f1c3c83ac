import { describe, expect, it } from 'vitest'
import { Random } from '../../../../base/random.ts'
import { isMovable } from '../../../../world.ts'
import { buildFrom } from '../../parse/answer.ts'
import { evaluate } from '../../measure/evaluate.ts'
import { injectFault, JOINT_FAULTS, LINK_FAULTS } from './faults.ts'
import { writeProgram } from './write-program.ts'
import { buildArticulated, CATEGORIES } from './catalogue.ts'
import { trueRobot } from './model.ts'
import { partFrames, rangeOf, wholeBox } from './pose.ts'

const REASONS: Readonly<Record<string, readonly string[]>> = {
  none: ['success'],
  type: ['joint_type'],
  'axis-tilt': ['joint_axis', 'joint_origin', 'joint_limit', 'success'],
  'axis-turn': ['joint_axis'],
  'origin-shift': ['joint_origin'],
  direction: ['joint_limit'],
  range: ['joint_limit'],
}

describe('built-in objects', () => {
  it('cover at least a dozen categories and are deterministic per seed', () => {
    expect(CATEGORIES.length).toBeGreaterThanOrEqual(12)
    const [a, b] = [buildArticulated('cabinet', 5), buildArticulated('cabinet', 6)]
    expect(a.joints).not.toEqual(b.joints)
    expect(buildArticulated('cabinet', 5)).toBe(a)
  })

  it.each(CATEGORIES)('%s: the true program rebuilds the object for every seed', (category) => {
    for (let seed = 0; seed < 6; seed++) {
      const model = buildArticulated(category, seed)
      expect(model.joints.map(({ child }) => child).sort()).toEqual(
        model.parts
          .slice(1)
          .map(({ name }) => name)
          .sort(),
      )
      for (const profile of ['fixed', 'upstream'] as const)
        expect(evaluate(model, trueRobot(model), profile).joints.every(({ success }) => success)).toBe(true)
      const built = buildFrom('```python\n' + writeProgram(model) + '```', model.shelf)
      if (built.kind !== 'robot') throw new Error(`${model.id}: ${built.problem}`)
      const { links, placed, joints, extraJoints } = evaluate(model, built.robot, 'fixed')
      expect(placed, model.id).toBe(true)
      expect(links.meanPosition).toBeLessThan(1e-5)
      expect(
        joints.filter(({ success }) => !success),
        model.id,
      ).toEqual([])
      expect(extraJoints).toBe(0)
    }
  })

  it('are never solved by placing everything inside', () => {
    let placed = 0
    for (const category of CATEGORIES) {
      const model = buildArticulated(category, 1)
      const inside = writeProgram(model, {
        centers: new Map(model.parts.map(({ name }) => [name, [0, 0, 0] as const])),
      })
      const built = buildFrom('```python\n' + inside + '```', model.shelf)
      if (built.kind === 'robot' && evaluate(model, built.robot, 'fixed').placed) placed += 1
    }
    expect(placed).toBeLessThanOrEqual(2)
  })

  it.each([...new Set([...JOINT_FAULTS, ...LINK_FAULTS])])('the geometric critic identifies the fault %s', (kind) => {
    let seen = 0
    for (const category of CATEGORIES) {
      for (let seed = 0; seed < 3; seed++) {
        const model = buildArticulated(category, seed)
        const fault = injectFault(model, kind, new Random(`fault/${kind}/${category}/${seed}`))
        if (!fault) continue
        seen += 1
        const source = writeProgram(model, { ...fault, centers: new Map(fault.centers) })
        const built = buildFrom('```python\n' + source + '```', model.shelf)
        if (built.kind !== 'robot') throw new Error(`${model.id} ${fault.name}: ${built.problem}`)
        const { placed, joints } = evaluate(model, built.robot, 'fixed')
        if (!JOINT_FAULTS.some((own) => own === kind)) {
          expect(placed, `${model.id} ${fault.name}`).toBe(false)
          continue
        }
        const found = joints.find(({ child }) => child === fault.part)!.finding
        const isSubtle = kind === 'axis-tilt' && fault.size < 15
        expect(
          isSubtle ? ['success'] : kind === 'axis-tilt' ? ['joint_axis'] : REASONS[kind],
          `${model.id} ${fault.name}`,
        ).toContain(found)
      }
    }
    expect(seen).toBeGreaterThan(10)
  })
})

it.each(CATEGORIES)('%s: no joint sweeps a part through the floor', (category) => {
  for (let seed = 0; seed < 4; seed++) {
    const model = buildArticulated(category, seed)
    const robot = trueRobot(model)
    for (const joint of robot.joints.filter((each) => isMovable(each))) {
      const [lower, upper] = rangeOf(joint)
      for (let i = 0; i <= 12; i++) {
        const { min } = wholeBox(model, partFrames(robot, { [joint.name]: lower + ((upper - lower) * i) / 12 }))
        expect(min[2] + model.ground, `${model.id} ${joint.name} ${i}`).toBeGreaterThan(-0.005)
      }
    }
  }
})
