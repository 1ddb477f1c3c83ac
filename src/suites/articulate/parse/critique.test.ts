import { describe, expect, it } from 'vitest'
import { readJointCritique, readLinkCritique, readUrdfCritique } from './critique.ts'
import { readCriticReply } from './critic-reply.ts'

describe("critics' replies", () => {
  it.each([
    ['as asked', '```json\n{"failure_reason": "joint_axis", "realism_rating": 1}\n```', 'joint_axis', 1, false],
    ['bare, quoted', '{"failure_reason": "success", "realism_rating": "7"}', 'success', 7, false],
    ['with prose', 'Well:\n{"failure_reason": "Joint Limit", "realism_rating": 3,} so.', 'joint_limit', 3, false],
    ['that contradicts itself', '{"failure_reason": "joint_type", "realism_rating": 9}', 'joint_type', 0, true],
    ['content and low', '{"failure_reason": "success", "realism_rating": 1}', 'success', 10, true],
    ['without a rating', '{"failure_reason": "joint_origin"}', 'joint_origin', 2, true],
  ])('are read when they are %s', (_, text, reason, rating, isInconsistent) => {
    const read = readJointCritique(text)
    expect(read.ok && read.value).toMatchObject({ reason, rating, isInconsistent })
  })

  it.each(['', 'It looks good.', '{"failure_reason": "joint_speed"}', '[1, 2]'])(
    'are refused otherwise: %s',
    (text) => {
      expect(readJointCritique(text).ok).toBe(false)
    },
  )

  it('must rate links from 0 to 10', () => {
    expect(readLinkCritique('{"realism_rating": "8/10", "description": "fine"}')).toMatchObject({
      value: { rating: 8 },
    })
    expect(readLinkCritique('{"realism_rating": 42}').ok).toBe(false)
  })

  it('succeed only if both scores reach 8 and every joint was evaluated', () => {
    const details = (type: number): object[] => [
      { joint_name: 'hinge', type_score: type, position_score: 9, reasoning: '' },
    ]
    const reply = (position: number, type: number): string =>
      JSON.stringify({
        link_position_score: position,
        joint_score: 10,
        joint_evaluation_details: details(type),
        success: true,
      })
    const read = (text: string, joints: string[]): unknown => {
      const found = readUrdfCritique(text, joints)
      return found.ok ? [found.value.joint, found.value.success] : found.problem
    }
    expect(read(reply(8, 9), ['hinge'])).toEqual([9, true])
    expect(read(reply(7.9, 9), ['hinge'])).toEqual([9, false])
    expect(read(reply(9, 5), ['hinge'])).toEqual([7, false])
    expect(read(reply(9, 9), ['hinge', 'slide'])).toEqual([9, false])
    expect(readUrdfCritique(reply(7, 5), ['hinge'])).toMatchObject({
      value: {
        discrepancies: ['joint_score 10 where the details give 7.00', 'success true where the scores say false'],
      },
    })
  })

  it('are parsed as strictly as published with upstream', () => {
    const chatty = 'Here it is:\n```json\n{"failure_reason": "success", "realism_rating": 10}\n```'
    expect(readCriticReply('joint', chatty, 'upstream')).toBeNull()
    expect(readCriticReply('joint', chatty, 'fixed')).toMatchObject({ accepts: true })
    expect(readCriticReply('link', '{"realism_rating": 5.9}', 'upstream')).toMatchObject({ accepts: false })
  })
})
