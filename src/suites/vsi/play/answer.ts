/** Asks for the answer, and turns the reply into an outcome. */
import type { Episode, Message, Played } from '../../../suite.ts'
import type { VsiOutcome } from '../domain/outcome.ts'
import type { Profile } from '../domain/protocol.ts'
import { isNumberType } from '../domain/question-types.ts'
import { expectedForm, readAnswer } from '../parse.ts'
import { promptWith } from '../prompts.ts'
import { upstreamVideoAnswer } from '../published/upstream-video-answer.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from './baseline-input.ts'
import { readEvent } from './event-builders.ts'

export interface Answered {
  answer: string | null
  reply: string
  unreadable: number
}

/** Retries unreadable replies, except under `upstream`, which does not. */
export async function askForAnswer(
  sample: VsiSample,
  episode: Episode<Profile>,
  messages: readonly Message[],
  how: {
    reasks: number
    maxTokens: number
    direct: boolean
    upstream: boolean
    answerInput: BaselineInput
  },
): Promise<Answered> {
  const conversation = [...messages]
  const sampling = { temperature: 0, maxTokens: how.maxTokens, baselineInput: how.answerInput, purpose: 'question' }
  let reply = (await episode.ask('player', [...conversation], sampling)).text
  let { answer, unreadable } = readReply(sample, episode, reply, how)
  for (let again = 0; again < how.reasks && answer === null && !how.upstream; again++) {
    const problem = `it has no answer that is ${expectedForm(sample)}`
    conversation.push(
      { role: 'assistant', content: reply || ' ' },
      { role: 'user', content: promptWith('reask-answer', { problem }) },
    )
    reply = (await episode.ask('player', [...conversation], { ...sampling, purpose: 're-ask' })).text
    answer = readReply(sample, episode, reply, how).answer
    if (answer === null) unreadable += 1
  }
  return { answer, reply, unreadable }
}

/** The profile extracts a bare answer itself, so only an empty reply has none. */
export function readReply(
  sample: VsiSample,
  episode: Episode<Profile>,
  reply: string,
  { direct, upstream }: { direct: boolean; upstream: boolean },
): Answered {
  if (upstream) {
    const answer = upstreamVideoAnswer(reply, isNumberType(sample.type))
    return { answer, reply, unreadable: answer === null ? 1 : 0 }
  }
  const found = readAnswer(reply, sample)
  const answer = found.answer ?? (direct ? reply.trim() || null : null)
  episode.note(readEvent({ ...found, answer }))
  return { answer, reply, unreadable: answer === null ? 1 : 0 }
}

export function toPlayed(
  { answer, reply, unreadable }: Answered,
  rest: Omit<VsiOutcome, 'answer' | 'reply' | 'unreadable' | 'path'>,
): Played<VsiOutcome> {
  const outcome: VsiOutcome = { answer, reply, unreadable, path: null, ...rest }
  if (answer !== null) return { status: 'answered', outcome }
  if (reply.trim() === '') return { status: 'no_answer', outcome, problem: 'the reply is empty' }
  return { status: 'parse_failed', outcome, problem: 'no answer could be read' }
}
