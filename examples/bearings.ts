/** Which way do you face after a few turns? A complete benchmark: `sightline run ./bearings.ts`. */
import { defineSuite, oneOf, user, z } from 'sightline/suite'

const WINDS = ['north', 'east', 'south', 'west'] as const
const TURNS = { right: 1, around: 2, left: 3 } as const

export default defineSuite({
  name: 'bearings',
  title: 'Which way do you face after a few turns?',
  version: 1,
  options: z.object({ turns: z.int().min(1).max(20).default(6).describe('turns before the question') }),
  sources: {
    builtin: {
      title: 'turns drawn from a seed',
      args: z.object({ samples: z.int().min(1).max(10_000).default(100), seed: z.int().min(0).optional() }),
      *samples({ args, options, random }) {
        for (let i = 0; i < args.samples; i++) {
          const turns = Array.from({ length: options.turns }, () => random.pick(['right', 'around', 'left'] as const))
          const quarters = turns.reduce((sum, turn) => sum + TURNS[turn], 0)
          yield { turns: turns.join(', then '), answer: WINDS[quarters % 4]! }
        }
      },
    },
  },
  ask: (sample) => [user`You face north. You turn ${sample.turns}. Which way do you face now? Answer in one word.`],
  read: oneOf(...WINDS),
  truth: (sample) => sample.answer,
})
