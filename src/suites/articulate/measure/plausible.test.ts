import { describe, expect, it } from 'vitest'
import { Random } from '../../../base/random.ts'
import { buildFrom } from '../parse/answer.ts'
import { injectFault } from '../domain/objects/faults.ts'
import { buildArticulated, CATEGORIES } from '../domain/objects/catalogue.ts'
import { trueRobot } from '../domain/objects/model.ts'
import { writeProgram } from '../domain/objects/write-program.ts'
import { implausible, plausibilityCritique } from './plausible.ts'

describe('the plausibility critic', () => {
  it.each(CATEGORIES)('accepts a correct %s', (category) => {
    for (let seed = 0; seed < 3; seed++) {
      const model = buildArticulated(category, seed)
      expect(implausible(trueRobot(model), model.shelf), model.id).toEqual([])
    }
  })

  it.each(['part-floating', 'origin-shift'] as const)('finds %s', (kind) => {
    let found = 0
    let seen = 0
    for (const category of CATEGORIES) {
      const model = buildArticulated(category, 2)
      const fault = injectFault(model, kind, new Random(`plausible/${category}`))
      if (!fault || (kind === 'origin-shift' && fault.size < 0.5)) continue
      const source = writeProgram(model, { ...fault, centers: new Map(fault.centers) })
      const built = buildFrom('```python\n' + source + '```', model.shelf)
      if (built.kind !== 'robot') throw new Error(built.problem)
      seen += 1
      if (implausible(built.robot, model.shelf).length > 0) found += 1
    }
    expect(seen).toBeGreaterThan(3)
    expect(found / seen).toBeGreaterThan(0.6)
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
    expect(implausible(built.robot, model.shelf).map(({ kind }) => kind)).toContain('same-place')
    expect(plausibilityCritique(built.robot, model.shelf).feedback_score).toBeLessThan(5)
  })
})
