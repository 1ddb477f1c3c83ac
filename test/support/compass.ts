/** A small suite for tests of the engine: after a few turns, which way do you face? */
import { defineSuite, type Played, Random, z } from '../../src/suite.ts'

const WINDS = ['north', 'east', 'south', 'west'] as const
const TURNS = { right: 1, left: 3, around: 2 } as const
const PROMPT = 'You face north. You turn {turns}. Which way do you face now? Answer with one word.'

interface Case {
  id: string
  cluster: string
  labels: { turns: string }
  question: string
  answer: (typeof WINDS)[number]
}

interface Outcome {
  answer: string | null
}

export const compass = defineSuite({
  name: 'compass',
  title: 'Keep your bearings over a few turns',
  version: 1,
  profiles: ['exact'],
  options: z.object({ turns: z.int().min(1).max(20).default(3).describe('turns before the question') }),
  metrics: { correct: { title: 'Correct', better: 'higher', unit: 'percent', failed: 'zero' } },
  prompts: () => ({ question: PROMPT }),

  sources: {
    builtin: {
      title: 'turns drawn from a seed',
      usage: 'builtin:samples=100',
      args: z.object({ samples: z.int().min(0).default(100) }),
      open({ args, options, seed }) {
        const count = args.samples
        return Promise.resolve({
          fingerprint: `compass-1/${count}/${seed}`,
          count,
          *samples() {
            for (let i = 0; i < count; i++) yield makeCase(i, options.turns, new Random(`compass/${seed}/${i}`))
          },
        })
      },
    },
  },

  async play(sample, episode): Promise<Played<Outcome>> {
    const reply = await episode.ask('player', [{ role: 'user', content: sample.question }], {
      baselineInput: sample.answer,
    })
    const words = reply.text.toLowerCase().match(/[a-z]+/g) ?? []
    const answer = words.findLast((word) => (WINDS as readonly string[]).includes(word)) ?? null
    if (answer !== null) return { status: 'answered', outcome: { answer } }
    return {
      status: words.length === 0 ? 'no_answer' : 'parse_failed',
      outcome: { answer },
      problem: 'no wind in the reply',
    }
  },

  score: (sample, { answer }) => ({ correct: answer === sample.answer ? 1 : 0 }),

  summary: (means) => ({
    headline: 'correct',
    rows: [
      {
        key: 'correct',
        title: 'Correct',
        value: means.mean('correct'),
        n: means.count('correct'),
        unit: 'percent',
        better: 'higher',
        chance: 1 / WINDS.length,
      },
    ],
  }),

  baselines: {
    oracle: { title: 'knows the answer', start: (sample) => () => sample.answer },
    random: {
      title: 'any wind',
      start:
        (_, { random }) =>
        () =>
          random.pick(WINDS),
    },
  },
})

function makeCase(index: number, turns: number, random: Random): Case {
  const names = Array.from({ length: turns }, () => random.pick(['right', 'left', 'around'] as const))
  const quarter = names.reduce((sum, name) => sum + TURNS[name], 0) % WINDS.length
  return {
    id: `turns-${index}`,
    cluster: `turns-${index}`,
    labels: { turns: String(turns) },
    question: PROMPT.replace('{turns}', names.join(', then ')),
    answer: WINDS[quarter]!,
  }
}
