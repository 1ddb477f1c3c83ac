import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../world.ts'
import { builtinModel } from '../domain/objects/find.ts'
import { trueRobot } from '../domain/objects/model.ts'
import { chamfer, fieldMeasures, generalizedIou, iou } from './field.ts'

const box = (x: number, size = 1) => ({ min: [x, 0, 0] as Vec3, max: [x + size, size, size] as Vec3 })

describe('measures of the field', () => {
  it.each([
    ['the same box', 0, 1, 1],
    ['half a side apart', 0.5, 1 / 3, 1 / 3],
    ['touching', 1, 0.001 / 1.999, 0],
    ['two sides apart', 3, 0, -0.5],
  ])('of %s are known', (_, x, intersection, generalized) => {
    expect(iou(box(0), box(x))).toBeCloseTo(intersection, 6)
    expect(generalizedIou(box(0), box(x))).toBeCloseTo(generalized, 2)
  })

  it('a shifted set of points is as far away as it was shifted', () => {
    const points = Float64Array.of(0, 0, 0, 5, 0, 0, 0, 5, 0)
    expect(chamfer(points, points)).toBe(0)
    const raised = points.map((value, i) => (i % 3 === 2 ? value + 0.25 : value))
    expect(chamfer(points, raised)).toBeCloseTo(0.25, 12)
  })

  it('the truth agrees with itself at rest and in motion', () => {
    const model = builtinModel({ category: 'cabinet', seed: 3 })
    const found = fieldMeasures(model, trueRobot(model))
    expect(found).toMatchObject({ giou: { rest: 1, moving: 1 }, chamfer: { rest: 0, moving: 0 } })
    const { joints, ...rest } = trueRobot(model)
    const still = fieldMeasures(model, {
      ...rest,
      joints: joints.map((joint) => ({ ...joint, type: 'fixed' as const })),
    })
    expect(still.giou.rest).toBe(1)
    expect(still.giou.moving).toBeLessThan(1)
    expect(still.chamfer.moving).toBeGreaterThan(0)
  })
})
