import { describe, expect, it } from 'vitest'
import { buildFrom } from '../parse/answer.ts'
import { buildArticulated, CATEGORIES } from '../domain/objects/catalogue.ts'
import { type ArticulatedModel, type ModelJoint, trueRobot } from '../domain/objects/model.ts'
import { writeProgram } from '../domain/objects/write-program.ts'
import { implausible, plausibilityCritique } from './plausible.ts'

const FAR = [3, 3, 3] as const

describe('the plausibility critic', () => {
  it.each(CATEGORIES)('accepts a correct %s', (category) => {
    for (let seed = 0; seed < 3; seed++) {
      for (const places of ['usual', 'drawn'] as const) {
        const model = buildArticulated(category, seed, { places })
        expect(implausible(trueRobot(model), model), `${model.id} ${places}`).toEqual([])
      }
    }
  })

  it.each([
    [
      'a part that floats',
      (model: ArticulatedModel, part: string) => ({ centers: new Map([[part, FAR]]), joints: [] }),
    ],
    [
      'a hinge beside its part',
      (model: ArticulatedModel, part: string) => ({
        joints: model.joints.map((joint): ModelJoint =>
          joint.child === part
            ? { ...joint, type: 'revolute', axis: [0, 0, 1], origin: FAR, lower: 0, upper: 1 }
            : joint,
        ),
      }),
    ],
  ] as const)('finds %s', (_, change) => {
    for (const category of CATEGORIES) {
      const model = buildArticulated(category, 2)
      const source = writeProgram(model, change(model, model.joints[0]!.child))
      const built = buildFrom('```python\n' + source + '```', model.shelf)
      if (built.kind !== 'robot') throw new Error(built.problem)
      expect(implausible(built.robot, model).length, category).toBeGreaterThan(0)
    }
  })

  it('finds most objects whose parts are all in the middle of the first one', () => {
    const found = CATEGORIES.filter((category) => {
      const model = buildArticulated(category, 2)
      const centers = new Map(model.parts.map(({ name }) => [name, [0, 0, 0] as const]))
      const built = buildFrom('```python\n' + writeProgram(model, { centers, joints: [] }) + '```', model.shelf)
      if (built.kind !== 'robot') throw new Error(built.problem)
      return plausibilityCritique(built.robot, model).feedback_score < 5
    })
    expect(found.length).toBeGreaterThanOrEqual(14)
  })

  it('finds parts that were all put into the same place', () => {
    const model = buildArticulated('oven', 0)
    const [root, ...parts] = model.parts.map(({ name }) => name)
    const lines = [
      'def partnet_oven(input_dir, links):',
      '    robot = Robot(input_dir=input_dir, name="oven")',
      '    robot.add_link(links["base"])',
      `    robot.add_link(links["${root}"])`,
      `    robot.add_joint(Joint("base_to_${root}", Parent("base"), Child("${root}"), type="fixed"))`,
      ...parts.flatMap((part) => [
        `    robot.add_link(links["${part}"])`,
        `    robot.place_relative_to("${part}", "${root}", placement="inside")`,
      ]),
      '    return robot',
    ]
    const built = buildFrom('```python\n' + lines.join('\n') + '\n```', model.shelf)
    if (built.kind !== 'robot') throw new Error(built.problem)
    expect(implausible(built.robot, model).map(({ kind }) => kind)).toContain('same-place')
    expect(plausibilityCritique(built.robot, model).feedback_score).toBeLessThan(5)
  })
})
