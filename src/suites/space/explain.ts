/** What the player is about to do, in words, where a baseline thinks nothing: for training data. */
import { BASELINE_THOUGHT } from '../../suite.ts'
import type { Profile } from './domain/profile.ts'
import { type Action, parseActions } from './parse/actions.ts'
import type { SpaceSample } from './samples/sample.ts'

export function explain(_: SpaceSample, reply: string, { profile }: { profile: Profile }): string {
  const [, answer] = /FINAL ANSWER:\n(.*)$/s.exec(reply) ?? []
  return answer === undefined ? reply : reply.replace(BASELINE_THOUGHT, thoughtBefore(answer, profile))
}

function thoughtBefore(answer: string, profile: Profile): string {
  if (!answer.startsWith('Actions:')) return 'I answer from what I have seen.'
  const parsed = parseActions(answer, 'exploration', profile)
  const { actions } = parsed.ok ? parsed : { actions: null }
  if (actions === null) return 'I compare what I see with what I saw before.'
  if (actions.final.kind === 'term') return 'I have seen enough.'
  const parts = [...actions.motions, actions.final].map(inWords)
  return `I ${[parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')}.`
}

function inWords(action: Exclude<Action, { kind: 'term' }>): string {
  if (action.kind === 'observe') return 'look ahead'
  if (action.kind === 'jump') return `go to the ${action.name}`
  if (action.kind === 'query') return `ask where the ${action.name} is`
  return `turn ${Math.abs(action.degrees)} degrees ${action.degrees < 0 ? 'counterclockwise' : 'clockwise'}`
}
