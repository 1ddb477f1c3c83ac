import { describe, expect, it } from 'vitest'
import { Random } from '../../../base/random.ts'
import { buildFrom } from '../parse/answer.ts'
import { injectFault } from '../domain/objects/faults.ts'
import { buildArticulated, CATEGORIES } from '../domain/objects/catalogue.ts'
import { trueRobot } from '../domain/objects/model.ts'
import { writeProgram } from '../domain/objects/write-program.ts'
import { implausible } from './plausible.ts'

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
})
