/** Mesh retrieval from an image, a video or words, and what follows from it. Protocol: docs/suites/articulate. */
import { defineSuite } from '../../suite.ts'
import { PROFILES } from './domain/profile.ts'
import { articulateEvents } from './events.ts'
import { allPrompts } from './prompts/prompts.ts'
import { retrieveBaselines } from './play/retrieve/baselines.ts'
import { describeRetrieve } from './play/retrieve/describe.ts'
import { retrieveOptions } from './play/retrieve/options.ts'
import { playRetrieve, prompts } from './play/retrieve/play.ts'
import { scoreRetrieve } from './play/retrieve/score.ts'
import { retrieveSources } from './play/retrieve/source.ts'
import { retrieveMetrics, retrieveSummary } from './play/retrieve/summary.ts'

/** Rough token counts for the cost estimate. */
const TOKENS = { prompt: 600, planner: 3000, picture: 450, reply: 250, program: 900 }

export const articulateRetrieve = defineSuite({
  name: 'articulate/retrieve',
  title: 'Find the meshes of an object shown or described, and the part that moves',
  version: 3,
  options: retrieveOptions,
  roles: { critic: { needed: ({ feedback }) => feedback === 'critic', baselines: true } },
  profiles: PROFILES,
  metrics: retrieveMetrics,
  sources: retrieveSources,
  prompts: ({ stages }) => ({ ...prompts.all(), ...(stages === 'make' ? allPrompts() : {}) }),
  play: playRetrieve,
  score: scoreRetrieve,
  summary: retrieveSummary,
  describe: describeRetrieve,
  baselines: retrieveBaselines,
  events: articulateEvents,
  estimate({ input }, { frames, candidates, stages }) {
    const made = stages === 'make' ? 2 : 0
    if (input === 'text')
      return {
        calls: 6 + Math.min(1, made),
        inputTokens: TOKENS.planner + 6 * TOKENS.prompt,
        outputTokens: 6 * TOKENS.reply + made * TOKENS.program,
      }
    const pictures = (input === 'video' ? frames : 1) + candidates + 1 + (stages === 'retrieve' ? 0 : frames + 2)
    return {
      calls: 3 + made,
      inputTokens: 3 * TOKENS.prompt + (pictures + made * frames) * TOKENS.picture,
      outputTokens: 3 * TOKENS.reply + made * TOKENS.program,
    }
  },
})
