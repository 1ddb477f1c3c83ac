/** Scores an episode from the player's replies alone, by replaying them in the deterministic world. */
import { mean, type ScoreContext, type Scores } from '../../suite.ts'
import type { SpaceSample } from './samples/sample.ts'
import { scoreReply } from './domain/answers/forms.ts'
import { TASK_NAMES } from './domain/answers/question.ts'
import { hasTunedConstants, referenceScores } from './domain/answers/reference.ts'
import { startExploration } from './domain/explore/exploration.ts'
import { oneMoreLook } from './domain/explore/one-more-look.ts'
import { Progress } from './domain/explore/progress.ts'
import { repliesOf, replay, type ReplayedTurn, startPassive } from './domain/explore/replay.ts'
import type { SpaceOutcome } from './domain/outcome.ts'
import type { Profile } from './domain/profile.ts'
import { runProxy } from './domain/proxies/run.ts'
import type { SpaceOptions } from './options.ts'
import { BeliefScorer, scoreRevisions } from './score/belief.ts'
import { singleViewScores } from './score/single-views.ts'

const REFERENCE_SCORES = ['chance', 'constant', 'ceiling'] as const

/** Costs at which the curves are sampled. */
export const CURVE_COSTS = [2, 5, 10, 15, 20] as const

/** Scores under `profile`; the world is replayed under the profile of the run. */
export function score(
  sample: SpaceSample,
  outcome: SpaceOutcome,
  { profile, options }: Pick<ScoreContext<SpaceOptions, Profile>, 'profile' | 'options'>,
): Scores {
  const progress = new Progress(sample.scene, outcome.profile)
  const belief = new BeliefScorer(sample, outcome, profile)
  const curve = new Map<string, number>()
  const turns = replayExploration(sample, outcome, options, progress, (number, turn) => {
    belief.after(number, turn, progress)
    recordCurve(curve, turn.state.cost, progress, profile, belief.correctness)
  })
  const last = turns.at(-1)
  const answered = answerScores(sample, outcome, profile, options)
  const believed = belief.record()
  return {
    ...answered,
    ...explorationScores(turns, progress, profile),
    ...Object.fromEntries(curve),
    ...believed,
    ...singleViewScores(sample.scene, outcome, profile),
    ...correlationMoments(believed['map.correctness.overall'], answered),
    ...(last &&
      scoreRevisions(sample, outcome, last, progress, {
        profile,
        old: belief.lastBelief,
        maxSteps: options.revisionSteps,
      })),
  }
}

/** The value at a cost is the last one before more was spent, carried forward to the end. */
function recordCurve(
  curve: Map<string, number>,
  cost: number,
  progress: Progress,
  profile: Profile,
  correctness: number | null,
): void {
  for (const at of CURVE_COSTS) {
    if (cost > at) continue
    curve.set(`curve.information.${at}`, progress.solver.level(profile))
    curve.set(`curve.nodes.${at}`, progress.coverage.nodeCoverage)
    if (correctness !== null) curve.set(`curve.map.${at}`, correctness)
  }
}

/** Moments for the correlation of map and accuracy over scenes: a summary only has means. */
function correlationMoments(map: number | undefined, answered: Scores): Scores {
  const tasks = TASK_NAMES.flatMap((task) => (answered[task] === undefined ? [] : [answered[task]]))
  if (map === undefined || tasks.length === 0) return {}
  const accuracy = mean(tasks)
  return {
    'moment.map': map,
    'moment.accuracy': accuracy,
    'moment.map2': map * map,
    'moment.accuracy2': accuracy * accuracy,
    'moment.both': map * accuracy,
  }
}

function answerScores(sample: SpaceSample, outcome: SpaceOutcome, profile: Profile, options: SpaceOptions): Scores {
  const replies = new Map(outcome.answers.map(({ question, reply }) => [question, reply]))
  const how = { profile, afterMap: options.evaluation === 'own-map' }
  // A question that was never asked counts as unanswered.
  const rows = sample.questions.map((question) => ({
    question,
    result: scoreReply(question, replies.get(question.id) ?? '', sample.scene, how).result,
  }))
  if (rows.length === 0) return {}
  const scores: Record<string, number> = {}
  for (const task of TASK_NAMES) {
    const asked = rows.filter(({ question }) => question.task === task)
    if (asked.length === 0) continue
    scores[task] = mean(asked.map(({ result }) => result.score))
    const lines = asked.map(({ question }) => referenceScores(question, sample.scene, profile))
    const known = hasTunedConstants(sample.scene)
      ? REFERENCE_SCORES
      : REFERENCE_SCORES.filter((line) => line !== 'constant')
    for (const line of known) scores[`${task}.${line}`] = mean(lines.map((one) => one[line]))
  }
  return {
    ...scores,
    exact: mean(rows.map(({ result }) => result.exact)),
    format: mean(rows.map(({ result }) => result.formatError)),
  }
}

function explorationScores(turns: readonly ReplayedTurn[], progress: Progress, profile: Profile): Scores {
  const last = turns.at(-1)
  if (!last) return {}
  return {
    cost: last.state.cost,
    steps: turns.length,
    'coverage.nodes': progress.coverage.nodeCoverage,
    'coverage.edges': progress.coverage.edgeCoverage,
    information: progress.solver.level(profile),
    failed: mean(turns.map(({ turn }) => (turn.failed ? 1 : 0))),
    invalid: mean(turns.map(({ turn }) => (turn.valid ? 0 : 1))),
    ...(last.turn.ended === 'term' && { 'stop.missed': oneMoreLook(last.state), 'stop.idle': idleCost(turns) }),
  }
}

/** What was spent after the last turn that showed something for the first time. */
function idleCost(turns: readonly ReplayedTurn[]): number {
  const end = turns.at(-1)!.state
  const complete = turns.find(({ state }) => state.observed.size === end.observed.size)
  return end.cost - (complete?.state.cost ?? 0)
}

/** The first exploration: the player's own, or that of the proxy whose log it read. */
function replayExploration(
  sample: SpaceSample,
  outcome: SpaceOutcome,
  options: SpaceOptions,
  progress: Progress,
  after: (number: number, turn: ReplayedTurn) => void,
): ReplayedTurn[] {
  const { profile } = outcome
  if (options.explore === 'passive') {
    const { turns } = runProxy(options.proxy, sample.scene, profile)
    return replay(startPassive(sample.scene, profile, turns.length), repliesOf(turns), progress, after)
  }
  const start = startExploration(sample.scene, { profile, maxSteps: options.steps })
  return replay(start, outcome.explored, progress, after)
}
