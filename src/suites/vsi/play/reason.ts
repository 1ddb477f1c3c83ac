/**
 * Ways to make a model reason before it answers: zero-shot chain of thought, self-consistency and tree of thoughts, with
 * the numbers of runs and votes of the benchmark's paper (appendix B.3). Each resolves to the reply that counts.
 */
import type { Episode, Message } from '../../../suite.ts'
import { readAnswer, readVote } from '../parse.ts'
import { chainOfThoughtPrompts, followPlanPrompt, planPrompt, votePrompt } from '../prompts.ts'
import type { Reasoned } from '../domain/protocol.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from './baseline-input.ts'
import { type Part, text } from './message-parts.ts'

const RUNS = 5
const CHOICES = 3
const VOTES = 3
/** With top-p 1; the paper's top-k of 40 is not a setting that all providers have. */
const DIVERSE = { temperature: 0.7, topP: 1 } as const

/** Requests per question. */
export const REASONED_CALLS: Readonly<Record<Reasoned, number>> = {
  cot: 2,
  'self-consistency': 2 * RUNS,
  'tree-of-thoughts': 2 * (CHOICES + VOTES),
}

interface Asked {
  sample: VsiSample
  episode: Episode
  pictures: readonly Part[]
  maxTokens: number
  /** What baselines know of the question. */
  answerInput: BaselineInput
}

export function reasonedReply(method: Reasoned, asked: Asked): Promise<string> {
  switch (method) {
    case 'cot':
      return chainOfThought(asked, { temperature: 0 })
    case 'self-consistency':
      return selfConsistency(asked)
    case 'tree-of-thoughts':
      return treeOfThoughts(asked)
    default:
      return method satisfies never
  }
}

type Settings = { temperature: number; topP?: number; seed?: number }

/** One request. `seed` makes repetitions of the same request different ones. */
async function ask(
  { episode, maxTokens }: Asked,
  messages: readonly Message[],
  settings: Settings,
  purpose: string,
  baselineInput: BaselineInput = { ask: 'thought' },
): Promise<string> {
  return (await episode.ask('player', messages, { ...settings, maxTokens, purpose, baselineInput })).text
}

const withPictures = ({ pictures }: Asked, prompt: string): Message => ({
  role: 'user',
  content: [...pictures, text(prompt)],
})

async function chainOfThought(asked: Asked, settings: Settings): Promise<string> {
  const prompts = chainOfThoughtPrompts(asked.sample)
  const question = withPictures(asked, prompts.think)
  const thought = await ask(asked, [question], settings, 'thinking')
  const turns: Message[] = [
    question,
    { role: 'assistant', content: thought || ' ' },
    { role: 'user', content: prompts.extract },
  ]
  return ask(asked, turns, { ...settings, temperature: 0 }, 'question', asked.answerInput)
}

async function selfConsistency(asked: Asked): Promise<string> {
  const replies: string[] = []
  for (let seed = 0; seed < RUNS; seed++) replies.push(await chainOfThought(asked, { ...DIVERSE, seed }))
  return replies[plurality(replies.map((reply) => answerKey(reply, asked.sample)))]!
}

/** Replies with the same answer are the same vote; a reply without one is a vote for nothing. */
function answerKey(reply: string, sample: VsiSample): string | null {
  return readAnswer(reply, sample).answer ?? (reply.trim().toLowerCase() || null)
}

async function treeOfThoughts(asked: Asked): Promise<string> {
  const { sample, answerInput } = asked
  const sampled = async (prompt: string, purpose: string, input?: BaselineInput): Promise<string[]> => {
    const replies: string[] = []
    for (let seed = 0; seed < CHOICES; seed++)
      replies.push(await ask(asked, [withPictures(asked, prompt)], { ...DIVERSE, seed }, purpose, input))
    return replies
  }
  const plans = await sampled(planPrompt(sample), 'plan')
  const plan = plans[await elected(asked, plans)]!
  const answers = await sampled(followPlanPrompt(sample, plan), 'question', answerInput)
  return answers[await elected(asked, answers)]!
}

/** The position of the choice with the most votes; the first one if no vote can be read. */
async function elected(asked: Asked, choices: readonly string[]): Promise<number> {
  const prompt = withPictures(asked, votePrompt(asked.sample, choices))
  const votes: (number | null)[] = []
  for (let seed = 0; seed < VOTES; seed++)
    votes.push(readVote(await ask(asked, [prompt], { ...DIVERSE, seed }, 'vote'), choices.length))
  return votes[plurality(votes)] ?? 0
}

/** Position of the first of the values that occur most often; nulls do not count. */
function plurality(values: readonly (string | number | null)[]): number {
  const counts = new Map<string | number, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return Math.max(
    0,
    values.findIndex((value) => value !== null && counts.get(value) === most),
  )
}
