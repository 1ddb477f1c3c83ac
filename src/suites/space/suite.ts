/** Theory of Space in text: explore rooms on a grid, answer spatial questions, detect changes. See README.md. */
import { auditFile, defineSuite, type EpisodeEstimate, type EpisodeEvent } from '../../suite.ts'
import type { SpaceSample } from './samples/sample.ts'
import { builtinRooms, sceneFiles } from './samples/sources.ts'
import { spaceOutcome } from './domain/outcome.ts'
import { PROFILES } from './domain/profile.ts'
import { audit } from './audit.ts'
import { describe } from './describe.ts'
import { spaceEvents } from './events.ts'
import { type SpaceOptions, spaceOptions } from './options.ts'
import { play } from './play.ts'
import { baselines } from './baselines/baselines.ts'
import { allPrompts } from './prompts/prompts.ts'
import { score } from './score.ts'
import { publishedResults } from './published/leaderboard.ts'
import { metrics, summary } from './summary.ts'
import { tools } from './tools.ts'
import { explain } from './explain.ts'
import floors from './audit.json' with { type: 'json' }

/** Rough token counts of a conversation, for the cost estimate. */
const TOKENS = { prompt: 1500, turn: 250, reply: 300, question: 150 }

/** Shared by `space/text` and `space/vision`. */
export const protocol = {
  options: spaceOptions,
  profiles: PROFILES,
  metrics,
  prompts: allPrompts,
  score,
  summary,
  describe,
  audit,
  audits: () => auditFile.parse(floors),
  events: spaceEvents,
  // What it has found out about where things are, while it explores.
  progress: ({ type, phase, information }: EpisodeEvent) =>
    type === 'space/turn' && phase === 'exploration' && typeof information === 'number' ? information : null,
  tools,
  explain,
  schemas: { outcome: spaceOutcome },
  comparableWith: ['space/text', 'space/vision'],
}

export const spaceText = defineSuite({
  ...protocol,
  name: 'space/text',
  title: 'Theory of Space (text): explore rooms, answer questions, detect changes',
  version: 4,
  sources: { builtin: builtinRooms(), scenes: sceneFiles() },
  play: (sample, episode, options) => play(sample, episode, options),
  baselines,
  published: () => publishedResults('text'),
  estimate: estimateText,
})

export function estimateText({ questions }: SpaceSample, options: SpaceOptions): EpisodeEstimate {
  const turns = options.explore === 'passive' ? 0 : Math.min(options.steps, 15)
  const probes = options.maps === 'every' ? turns * 4 : options.maps === 'last' ? 1 : 0
  const revision = options.revision ? Math.min(options.revisionSteps, 8) * (options.changes ?? 1) : 0
  const history = TOKENS.prompt + (options.explore === 'passive' ? 15 : turns) * (TOKENS.turn + TOKENS.reply)
  const forks = questions.length + probes + (options.views ?? 0)
  const inputTokens = ((turns + revision) * (TOKENS.prompt + history)) / 2 + forks * (history + TOKENS.question)
  const fresh = history + revision * (TOKENS.turn + TOKENS.reply) + forks * TOKENS.question
  return {
    calls: turns + forks + revision,
    inputTokens,
    outputTokens: (turns + forks + revision) * TOKENS.reply,
    repeatedTokens: Math.max(0, inputTokens - fresh),
  }
}
