import { describe, expect, it } from 'vitest'
import { boxPart } from '../../../../test/support/suites/articulate/boxes.ts'
import { Assembly, fixedJoint } from '../domain/assembly/assembly.ts'
import { shelfOf } from '../domain/assembly/parts.ts'
import type { MeasuredJoint } from '../domain/states.ts'
import { publishedEvaluation, publishedLinkScore, publishedReply } from './critiques.ts'
import { PublishedDriver } from './driver.ts'
import { publishedJointDiff } from './joint.ts'
import { publishedLinkDiff } from './link.ts'
import { publishedUrdfShares } from './urdf-scorer.ts'

// Values are what the published code gives; `npm run fuzz` compares thousands more.

const joint = (change: Partial<MeasuredJoint>): MeasuredJoint => ({
  type: 'revolute',
  origin: [0, 0, 0],
  orientation: [0, 0, 0, 1],
  axis: [0, 0, 1],
  lower: 0,
  upper: 1,
  ...change,
})

describe('the published metrics', () => {
  it.each([
    ['an axis without length', { axis: [0, 0, 0] as const }, 1],
    ['an axis that is not of length 1, and no motion', { axis: [0, 0, 2] as const, upper: 0 }, -1],
    ['the other way round', { axis: [0, 0, -1] as const }, 0],
  ])('measure the direction of %s', (_, change, expected) => {
    expect(publishedJointDiff(joint({}), joint(change)).joint_limit.direction_diff).toBe(expected)
  })

  it('leave out a link whose place is not a number', () => {
    const state = (x: number) => ({ door: { center: [x, 0, 0] as const, orientation: [0, 0, 0, 1] as const } })
    expect(publishedLinkDiff(state(0), state(Number.NaN)).position_diff).toEqual({})
  })

  it('read a type that stands in the body of a joint', () => {
    const urdf = (inside: string): string =>
      `<robot><joint name="a">${inside}<axis xyz="0 0 1"/></joint><joint name="b"></joint></robot>`
    expect(publishedUrdfShares(urdf('<motion type="revolute"/>'))).toMatchObject({ axis: 0.6, geometry: 0.6 })
    expect(publishedUrdfShares(urdf(''))).toMatchObject({ axis: 0.5, geometry: 0.4 })
  })
})

describe('the published critics', () => {
  it('strip what Python calls space, and read digits of any script', () => {
    expect(publishedLinkScore(publishedReply('\u001C```json\u00A0{"realism_rating": "٧"}\u2003```'))).toBe(7)
    expect(() => publishedReply('\uFEFF{}')).toThrow('not JSON')
  })

  it('fail where a score is text', () => {
    expect(() => publishedEvaluation({ link_position_score: '8', joint_score: 8 })).toThrow('not a number')
    expect(publishedEvaluation({ success: null })).toMatchObject({ overall_score: 0, success: null })
  })
})

describe('the driver of the published fork', () => {
  const stops = (steps: readonly ('failed' | 'no_urdf')[]): string | null => {
    const driver = new PublishedDriver()
    return steps.map((step, i) => driver.after(i, step)?.code).find((code) => code !== undefined) ?? null
  }

  it('stops early where no URDF is found, not where the actor failed', () => {
    expect(stops(['no_urdf', 'no_urdf', 'no_urdf'])).toBe('early_stop')
    expect(stops(['failed', 'failed', 'failed'])).toBeNull()
    expect(stops(['failed', 'failed', 'failed', 'failed', 'failed'])).toBe('exhausted')
  })
})

describe('the published language', () => {
  const started = (): Assembly => {
    const robot = new Assembly('robot', shelfOf([boxPart('body', [1, 1, 1]), boxPart('door', [0.1, 0.5, 0.8])]), {
      profile: 'upstream',
    })
    for (const link of ['base', 'body', 'door']) robot.addLink(link)
    robot.addJoint(fixedJoint('body', 'base'))
    return robot
  }

  it('raises nothing for the helper on the base, which has no body', () => {
    const robot = started()
    robot.place('door', 'body', { placement: 'front', snap: false })
    robot.makeRevolute('body', 'base', { axis: [0, 0, 1], lowerDegrees: 0, upperDegrees: 90 })
    expect(robot.world().raised[0]).toBe(0)
    expect(robot.boxes(['base_helper']).get('base_helper')).toEqual({ min: [0, 0, 0], max: [0, 0, 0] })
  })

  it('puts the helper under slides as well, and keeps a joint that may not be overwritten', () => {
    const robot = started()
    robot.place('door', 'base', { placement: 'front', snap: false })
    robot.makePrismatic('door', 'base', [0, 0, 0], [1, 0, 0])
    robot.makePrismatic('door', 'base', [0, 0, 0], [0, 5, 0], { overwrite: false })
    expect(robot.joints.map(({ name }) => name)).toEqual([
      'base_to_base_helper',
      'base_helper_to_body',
      'base_helper_to_door',
    ])
    expect(robot.joints.at(-1)).toMatchObject({ type: 'prismatic', axis: [1, 0, 0], limit: { upper: 1 } })
  })

  it('fails to snap while a link hangs on nothing', () => {
    const robot = new Assembly(
      'robot',
      shelfOf([boxPart('body', [1, 1, 1]), boxPart('door', [0.1, 0.5, 0.8]), boxPart('knob', [0.1, 0.1, 0.1])]),
      { profile: 'upstream' },
    )
    for (const link of ['base', 'body', 'door', 'knob']) robot.addLink(link)
    robot.addJoint(fixedJoint('body', 'base'))
    expect(() => robot.place('door', 'body', { placement: 'front', clearance: 1 })).toThrow('not joined to anything')
  })
})
