import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../world/urdf/index.ts'
import { jointDiff, jointVerdict, movesTheRightWay } from './joint.ts'
import type { LinkStates, MeasuredJoint } from '../domain/states.ts'
import { publishedJointDiff, publishedJointVerdict } from '../published/joint.ts'
import { linkDiff } from './link.ts'

const hinge = (change: Partial<MeasuredJoint> = {}): MeasuredJoint => ({
  type: 'revolute',
  origin: [0, 0, 0],
  orientation: [0, 0, 0, 1],
  axis: [0, 0, 1],
  lower: 0,
  upper: Math.PI / 2,
  ...change,
})
const drawer = (change: Partial<MeasuredJoint> = {}): MeasuredJoint =>
  hinge({ type: 'prismatic', axis: [1, 0, 0], upper: 0.4, ...change })
const X: Vec3 = [1, 0, 0]

const both = hinge({ lower: -0.5, upper: 0.5 })

describe('a predicted joint', () => {
  it.each([
    ['the same way', hinge(), hinge({ upper: 1 }), true],
    ['the other way', hinge(), hinge({ lower: -1, upper: 0 }), false],
    ['both ways, one a little farther', both, hinge({ lower: -0.52, upper: 0.5 }), true],
    ['one of both ways', both, hinge({ lower: -0.5, upper: 0 }), true],
    ['nowhere where it should', both, hinge({ lower: 1, upper: 2 }), false],
    ['in another manner', both, drawer({ lower: -0.5, upper: 0.5 }), false],
  ])('moves %s', (_, truth, predicted, right) => {
    expect(movesTheRightWay(truth, jointDiff(truth, predicted))).toBe(right)
  })

  it.each([
    ['that swings the other way', hinge(), hinge({ axis: [0, 0, -1] }), 'joint_limit', 'success'],
    ['with limits the other way', hinge(), hinge({ lower: -Math.PI / 2, upper: 0 }), 'joint_limit', 'success'],
    ['that slides the other way', drawer(), drawer({ axis: [-1, 0, 0] }), 'joint_limit', 'success'],
    ['beside its axis, across x', hinge(), hinge({ origin: [0.3, 0, 0] }), 'joint_origin', 'success'],
    ['without an axis', hinge(), hinge({ axis: [0, 0, 0] }), 'joint_axis', 'success'],
    ['that cannot move', hinge({ upper: 1.5 }), hinge({ upper: 0 }), 'joint_limit', 'success'],
    ['slid along its own axis', hinge(), hinge({ origin: [0, 0, 0.7] }), 'success', 'success'],
    [
      'turned in its own frame',
      hinge(),
      hinge({ orientation: [0, 0, Math.sin(0.26), Math.cos(0.26)] }),
      'success',
      'joint_origin',
    ],
    [
      'with axis and limits negated',
      hinge(),
      hinge({ axis: [0, 0, -1], lower: -Math.PI / 2, upper: 0 }),
      'success',
      'success',
    ],
    ['with a long axis', hinge(), hinge({ axis: [0, 0, 5] }), 'success', 'joint_limit'],
    ['of another type', hinge(), drawer(), 'joint_type', 'joint_type'],
    ['about another axis', hinge(), hinge({ axis: X }), 'joint_axis', 'joint_axis'],
    [
      'that turns all the way, called revolute',
      hinge({ type: 'continuous', upper: 0 }),
      hinge({ upper: 6.28 }),
      'success',
      'joint_type',
    ],
  ])('%s', (_, truth, predicted, fixed, upstream) => {
    expect(jointVerdict(truth, predicted, jointDiff(truth, predicted)).reason).toBe(fixed)
    expect(publishedJointVerdict(publishedJointDiff(truth, predicted)).failure_reason).toBe(upstream)
  })

  it('is measured by where it moves the part', () => {
    const part = { min: [0, 0, 0], max: [0.1, 0.5, 1] } as const
    const same = hinge({ axis: [0, 0, -1], lower: -Math.PI / 2, upper: 0, origin: [0, 0, 9] })
    expect(jointDiff(hinge(), same, { part }).sweepError).toBeCloseTo(0)
    expect(jointDiff(hinge(), hinge({ axis: [0, 0, -1] }), { part }).sweepError).toBeGreaterThan(0.2)
  })
})

describe('links', () => {
  const at = (...places: [string, Vec3][]): LinkStates =>
    Object.fromEntries(places.map(([name, center]) => [name, { center, orientation: [0, 0, 0, 1] as const }]))
  const truth = at(['body', [0, 0, 0]], ['door', [0, 1, 0]], ['door_2', [0, -1, 0]])

  it.each([
    ['where they belong', truth, 1],
    ['of one kind that changed names', at(['body', [0, 0, 0]], ['door', [0, -1, 0]], ['door_2', [0, 1, 0]]), 1],
    ['that are missing', at(['body', [0, 0, 0]], ['door', [0, 1, 0]]), 2 / 3],
    ['both in one place', at(['body', [0, 0, 0]], ['door', [0, 1, 0]], ['door_2', [0, 1, 0]]), 2 / 3],
    ['one of them far away', at(['body', [0, 0, 0]], ['door', [0, 1.06, 0]], ['door_2', [0, -1, 0]]), 2 / 3],
  ])('%s', (_, predicted, placed) => {
    expect(linkDiff(truth, predicted).placed).toBeCloseTo(placed)
    expect(linkDiff(truth, predicted).success).toBe(placed === 1)
  })
})
