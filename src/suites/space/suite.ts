/** Theory of Space in text: explore rooms on a grid, build a belief, answer, revise. See README.md beside this file. */
import type { Suite } from '../../engine/suite.ts'
import { baselines } from './players/baselines.ts'
import { builtinRooms, sceneFiles } from './cases/sources.ts'
import type { SpaceSample, SpaceOutcome } from './cases/sample.ts'
import { type SpaceOptions, spaceOptions } from './options.ts'
import { play } from './play.ts'
import { allPrompts } from './prompts.ts'
import { score } from './score.ts'
import { metrics, summary } from './summary.ts'

/** Rough sizes of a conversation, for the estimate: a turn's feedback, a reply with thoughts, the first prompt. */
const TOKENS = { prompt: 1500, turn: 250, reply: 300, question: 150 }

export const spaceText: Suite<SpaceOptions, SpaceSample, SpaceOutcome> = {
  name: 'space/text',
  title: 'Theory of Space in words: explore, believe, answer, revise',
  version: 1,
  options: spaceOptions,
  roles: ['player'],
  profiles: ['fixed', 'upstream'],
  metrics,
  sources: { builtin: builtinRooms(), scenes: sceneFiles() },
  defaultSource: 'builtin',
  prompts: () => Promise.resolve(allPrompts()),
  play: (sample, episode, options) => play(sample, episode, options),
  score,
  summary,
  baselines,
  comparableWith: ['space/text', 'space/vision'],
  estimate({ questions }, options) {
    const turns = options.explore === 'passive' ? 0 : Math.min(options.steps, 15)
    const probes = options.maps === 'every' ? turns * 4 : options.maps === 'last' ? 1 : 0
    const revision = options.revision ? Math.min(options.revisionSteps, 8) : 0
    const history = TOKENS.prompt + (options.explore === 'passive' ? 15 : turns) * (TOKENS.turn + TOKENS.reply)
    const forks = questions.length + probes
    return {
      calls: turns + forks + revision,
      inputTokens: ((turns + revision) * (TOKENS.prompt + history)) / 2 + forks * (history + TOKENS.question),
      outputTokens: (turns + forks + revision) * TOKENS.reply,
    }
  },
}
