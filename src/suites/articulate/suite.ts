/** Articulate: assemble articulated objects, predict their joints, critique them. Protocol: docs/suites/articulate. */
import { auditFile, defineSuite } from '../../suite.ts'
import { auditCritic, auditLoop } from './audit.ts'
import type { Task } from './samples/sample.ts'
import { criticSources, loopSources } from './samples/sources.ts'
import { PROFILES } from './domain/profile.ts'
import { describeCritic, describeLoop } from './describe.ts'
import { articulateEvents } from './events.ts'
import { criticOptions, loopOptions } from './options.ts'
import { playCritic } from './play/critic.ts'
import { playLoop } from './play/loop.ts'
import { criticBaselines, loopBaselines } from './baselines.ts'
import { loopImporter } from './import/index.ts'
import { allPrompts } from './prompts/prompts.ts'
import { publishedResults } from './published/leaderboard.ts'
import { criticConsistency, scoreCritic, scoreLoop } from './score.ts'
import { criticMetrics, criticSummary, loopMetrics, loopSummary } from './summary.ts'
import floors from './audit.json' with { type: 'json' }

/** Rough token counts for the cost estimate. */
const TOKENS = { prompt: 1600, picture: 450, program: 900, critique: 250 }

const TITLES: Readonly<Record<Task, string>> = {
  place: 'Place the parts of an object',
  joint: 'Predict the joint of a part from images of its motion',
  build: 'Place all parts and predict all joints of an object',
}

function loopSuite(task: Task) {
  return defineSuite({
    name: `articulate/${task}`,
    title: TITLES[task],
    version: 10,
    options: loopOptions,
    roles: { critic: { needed: ({ feedback }) => feedback === 'critic', baselines: true } },
    profiles: PROFILES,
    metrics: loopMetrics(task),
    sources: loopSources(task),
    prompts: () => allPrompts(),
    play: playLoop(task),
    score: scoreLoop(task),
    summary: loopSummary(task),
    describe: describeLoop(task),
    baselines: loopBaselines(task),
    events: articulateEvents,
    importer: loopImporter(task),
    ...(task === 'build' ? {} : { published: () => publishedResults(task) }),
    audit: auditLoop(task),
    audits: () => auditFile.parse(floors),
    estimate(_, { iterations, frames, feedback }) {
      const pictures = task === 'place' ? 2 : task === 'joint' ? frames : 1 + frames * 3
      const rounds = feedback === 'none' ? 1 : Math.min(2, iterations)
      const critics = feedback === 'none' || feedback === 'geometric' ? 0 : rounds
      const first = TOKENS.prompt + pictures * TOKENS.picture
      return {
        calls: rounds + critics,
        inputTokens: rounds * first + critics * (first + pictures * TOKENS.picture),
        outputTokens: rounds * TOKENS.program + critics * TOKENS.critique,
      }
    },
  })
}

export const articulatePlace = loopSuite('place')
export const articulateJoint = loopSuite('joint')
export const articulateBuild = loopSuite('build')

export const articulateCritic = defineSuite({
  name: 'articulate/critic',
  title: 'Critique built objects with one known fault, or none',
  version: 8,
  options: criticOptions,
  profiles: PROFILES,
  metrics: criticMetrics,
  sources: criticSources,
  prompts: () => allPrompts(),
  play: playCritic,
  score: scoreCritic,
  combine: (lines) => criticConsistency(lines),
  summary: criticSummary,
  describe: describeCritic,
  baselines: criticBaselines,
  published: () => publishedResults('critic'),
  audit: auditCritic,
  audits: () => auditFile.parse(floors),
  events: articulateEvents,
  estimate: ({ critic }, { frames }) => ({
    calls: 1,
    inputTokens: TOKENS.prompt + (critic === 'joint' ? frames * 2 : 2) * TOKENS.picture,
    outputTokens: TOKENS.critique,
  }),
})
