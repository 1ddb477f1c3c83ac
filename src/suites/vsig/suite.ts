/** Visual-speech intent grounding: what did the pointing hand and the voice mean? See README.md beside this file. */
import type { Suite } from '../../engine/suite.ts'
import { baselines } from './players.ts'
import type { VsigSample, VsigOutcome } from './cases/sample.ts'
import { builtin } from './cases/builtin.ts'
import { type VsigOptions, vsigOptions } from './options.ts'
import { play } from './play.ts'
import { allPrompts } from './prompts.ts'
import { PROFILES, score } from './score.ts'
import { folder } from './cases/folder.ts'
import { metrics, summary } from './summary.ts'

/** Rough sizes, for the estimate: the question, a picture of about a megapixel, a reply. */
const TOKENS = { prompt: 700, frame: 1100, second: 300, reply: 400 }

export const vsig: Suite<VsigOptions, VsigSample, VsigOutcome> = {
  name: 'vsig',
  title: 'What did the pointing hand and the voice mean: command, points in the last frame, moments',
  version: 4,
  options: vsigOptions,
  roles: ['player'],
  optionalRoles: ['judge'],
  profiles: PROFILES,
  metrics,
  sources: { builtin, vsig: folder },
  defaultSource: 'builtin',
  prompts: () => Promise.resolve(allPrompts()),
  play,
  score,
  summary,
  baselines,
  estimate: (_, options) => ({
    calls: 1,
    inputTokens: TOKENS.prompt + (options.input === 'video' ? 8 * TOKENS.second : options.frames * TOKENS.frame),
    outputTokens: TOKENS.reply,
  }),
}
