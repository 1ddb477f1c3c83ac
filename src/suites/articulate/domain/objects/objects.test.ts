import { describe, expect, it } from 'vitest'
import { isMovable } from '../../../../world.ts'
import { buildFrom } from '../../parse/answer.ts'
import { evaluate } from '../../measure/evaluate.ts'
import { writeProgram } from './write-program.ts'
import { buildArticulated, CATEGORIES } from './catalogue.ts'
import { trueRobot } from './model.ts'
import { partFrames, rangeOf, wholeBox } from './pose.ts'

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

  it('move as one expects or not, each with limits of its own, and the first generator stays as it was', () => {
    const joints = CATEGORIES.flatMap((category) => [...buildArticulated(category, 3).joints])
    const counter = joints.filter(({ prior }) => prior === 'counter-prior')
    expect(counter.length).toBeGreaterThan(joints.length / 4)
    expect(counter.length).toBeLessThan(joints.length)
    const limits = joints.filter(({ type }) => type === 'revolute').map(({ upper }) => upper.toFixed(6))
    expect(new Set(limits).size).toBe(limits.length)
    expect(buildArticulated('oven', 3, { generator: 1 }).joints.map(({ upper }) => upper)).toContain(Math.PI * 1.5)
  })

  it('have their parts elsewhere where that is asked for, also relative to each other', () => {
    const likely = CATEGORIES.filter((category) => {
      const [usual, drawn] = [buildArticulated(category, 2), buildArticulated(category, 2, { places: 'drawn' })]
      expect(drawn.parts.map(({ name, size }) => [name, size])).toEqual(
        usual.parts.map(({ name, size }) => [name, size]),
      )
      expect(drawn.parts.slice(1).map(({ center }) => center)).not.toEqual(
        usual.parts.slice(1).map(({ center }) => center),
      )
      return evaluate(drawn, trueRobot(usual), 'fixed').placed
    })
    // Scissors are hardly longer than the tolerance.
    expect(likely.length).toBeLessThanOrEqual(1)
  })

  it('have names that say nothing where that is asked for, two of a kind still being two of a kind', () => {
    const [plain, neutral] = [
      buildArticulated('refrigerator', 1),
      buildArticulated('refrigerator', 1, { names: 'neutral' }),
    ]
    expect(plain.parts.map(({ name }) => name)).toEqual(['refrigerator_body', 'door', 'door_2'])
    expect(neutral.parts.map(({ name }) => name)).toEqual(['part1', 'part2', 'part2_2'])
    expect(writeProgram(neutral)).not.toMatch(/door|refrigerator|body/)
    expect(neutral.joints.map(({ upper }) => upper)).toEqual(plain.joints.map(({ upper }) => upper))
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
