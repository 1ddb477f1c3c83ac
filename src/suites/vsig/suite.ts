/** Visual-speech intent grounding: what did the pointing hand and the voice mean? See README.md beside this file. */
import { defineSuite } from '../../suite.ts'
import { builtin } from './samples/builtin.ts'
import { folder } from './samples/folder.ts'
import { sampleSchema } from './samples/sample.ts'
import { outcomeSchema } from './domain/outcome.ts'
import { PROFILES } from './domain/profiles.ts'
import { events } from './events.ts'
import { vsigOptions } from './options.ts'
import { play } from './play.ts'
import { players } from './baselines.ts'
import { allPrompts } from './prompts/prompts.ts'
import { score } from './score.ts'
import { metrics, summary } from './summary.ts'

/** Rough sizes, for the estimate: the question, a picture of about a megapixel, a reply. */
const TOKENS = { prompt: 700, frame: 1100, second: 300, reply: 400 }

export const vsig = defineSuite({
  name: 'vsig',
  title: 'What did the pointing hand and the voice mean: command, points in the last frame, moments',
  version: 5,
  options: vsigOptions,
  roles: { judge: {} },
  profiles: PROFILES,
  metrics,
  sources: { builtin, vsig: folder },
  prompts: allPrompts,
  play,
  score,
  summary,
  baselines: players,
  events,
  schemas: { sample: sampleSchema, outcome: outcomeSchema },
  estimate: (_, options) => ({
    calls: 1,
    inputTokens: TOKENS.prompt + (options.input === 'video' ? 8 * TOKENS.second : options.frames * TOKENS.frame),
    outputTokens: TOKENS.reply,
  }),
})
