/** Theory of Space in text: explore rooms on a grid, build a belief, answer, revise. See README.md beside this file. */
import { defineSuite, type EpisodeEstimate } from '../../suite.ts'
import type { SpaceSample } from './samples/sample.ts'
import { builtinRooms, sceneFiles } from './samples/sources.ts'
import { spaceOutcome } from './domain/outcome.ts'
import { PROFILES } from './domain/profile.ts'
import { spaceEvents } from './events.ts'
import { type SpaceOptions, spaceOptions } from './options.ts'
import { play } from './play.ts'
import { baselines } from './baselines/baselines.ts'
import { allPrompts } from './prompts/prompts.ts'
import { score } from './score.ts'
import { metrics, summary } from './summary.ts'

/** Rough sizes of a conversation, for the estimate: a turn's feedback, a reply with thoughts, the first prompt. */
const TOKENS = { prompt: 1500, turn: 250, reply: 300, question: 150 }

/** What the suite in words and the suite in pictures have in common. */
export const protocol = {
  options: spaceOptions,
  profiles: PROFILES,
  metrics,
  prompts: allPrompts,
  score,
  summary,
  events: spaceEvents,
  schemas: { outcome: spaceOutcome },
  comparableWith: ['space/text', 'space/vision'],
}

export const spaceText = defineSuite({
  ...protocol,
  name: 'space/text',
  title: 'Theory of Space in words: explore, believe, answer, revise',
  version: 1,
  sources: { builtin: builtinRooms(), scenes: sceneFiles() },
  play: (sample, episode, options) => play(sample, episode, options),
  baselines,
  estimate: estimateWords,
})

export function estimateWords({ questions }: SpaceSample, options: SpaceOptions): EpisodeEstimate {
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
}
