/** Baselines. They reply in text like any model, which exercises the parsers in every episode. */
import type { Random } from '../../../suite.ts'
import type { SpaceSample } from '../samples/sample.ts'
import type { ExplorationState } from '../domain/explore/exploration.ts'
import { baseline, type BaselinePolicy, type PolicyContext, type SpaceBaseline } from './policy.ts'
import { type ProxyName, runProxy } from '../domain/proxies/run.ts'
import { letterOf } from '../domain/belief/fog-probe.ts'
import { perfectFog, perfectMap } from './perfect.ts'
import type { Change } from '../domain/grid/scene.ts'
import { formOf } from '../domain/answers/forms.ts'
import { constantAnswer } from '../domain/answers/reference.ts'

function term(changes: readonly Change[]): string {
  return `Term(changes="${changes.map(({ name, kind }) => `${name}: ${kind}`).join(', ')}")`
}

/** Explores like a proxy agent; in the revision phase, explores again and reports `changes`. */
function followProxy(
  name: ProxyName,
  sample: SpaceSample,
  { profile }: PolicyContext,
  changes: (round: number) => readonly Change[],
): BaselinePolicy['explore'] {
  const plans = new Map<number, string[]>()
  return ({ state, round }, turn) => {
    let plan = plans.get(round)
    if (!plan) {
      plan = runProxy(name, state.scene, profile).turns.map(({ actions }) => actions.join(', '))
      plans.set(round, plan)
    }
    const isOver = turn >= plan.length - 1 || state.remaining <= 1
    if (isOver) return state.phase === 'exploration' ? 'Term()' : term(changes(round))
    return plan[turn]!
  }
}

const oracle = baseline('knows the scene: explores like the oracle proxy, answers perfectly', (sample, context) => ({
  explore: followProxy('oracle', sample, context, (round) => {
    const { revision, later = [] } = sample
    return (round === 1 ? revision : later[round - 2])?.changes ?? []
  }),
  question: ({ question }) => formOf(question.answer, sample.scene).perfect(context.profile),
  map: ({ map, state }) => perfectMap(map, { scene: state.scene, pose: state.pose, observed: state.observed }),
  fog: ({ probe }) => perfectFog(probe),
}))

const random = baseline('explores and answers at random', (sample, { random: draw, profile }) => ({
  explore: ({ state }, turn) => randomActions(sample, state, turn, draw),
  question: ({ question }) => formOf(question.answer, sample.scene).random(draw, profile),
  map: ({ state }) =>
    JSON.stringify(Object.fromEntries([...state.observed, 'agent'].map((name) => [name, randomEntry(draw)]))),
  fog: ({ probe }) =>
    JSON.stringify({ unexplored: probe.candidates.flatMap((_, i) => (draw.chance(0.5) ? [letterOf(i)] : [])) }),
}))

const constant = baseline('looks around once, then gives the best constant answers', (sample, context) => ({
  explore: lookAround(sample),
  ...constantReplies(sample, context),
}))

function explorer(name: ProxyName): SpaceBaseline {
  return baseline(`explores like the ${name} proxy, then gives the best constant answers`, (sample, context) => ({
    explore: followProxy(name, sample, context, () => []),
    ...constantReplies(sample, context),
  }))
}

export const baselines = {
  random,
  constant,
  oracle,
  scout: explorer('scout'),
  strategist: explorer('strategist'),
} satisfies Record<string, SpaceBaseline>

function constantReplies(sample: SpaceSample, { profile }: PolicyContext): Omit<BaselinePolicy, 'explore'> {
  return {
    question: ({ question }) => constantAnswer(question, sample.scene, profile),
    map: ({ state }) =>
      JSON.stringify(
        Object.fromEntries([...state.observed, 'agent'].map((name) => [name, { position: [0, 0], facing: 'north' }])),
      ),
    fog: ({ probe }) => JSON.stringify({ unexplored: probe.candidates.map((_, i) => letterOf(i)) }),
  }
}

const LOOKS = 4

function lookAround(sample: SpaceSample): BaselinePolicy['explore'] {
  return ({ state }, turn) => {
    if (turn < LOOKS && state.remaining > 1) return turn === 0 ? 'Observe()' : 'Rotate(90), Observe()'
    return state.phase === 'exploration' ? 'Term()' : term([{ name: sample.scene.order[0]!, kind: 'position' }])
  }
}

const RANDOM_TURNS = 8

function randomActions(sample: SpaceSample, state: ExplorationState, turn: number, draw: Random): string {
  const names = sample.scene.order
  if (turn >= RANDOM_TURNS || state.remaining <= 1) {
    if (state.phase === 'exploration') return 'Term()'
    return term(draw.sample(names, 4).map((name) => ({ name, kind: draw.pick(['position', 'orientation'] as const) })))
  }
  const turned = `Rotate(${draw.pick([0, 90, 180, 270])})`
  const jump = state.lastVisible.length > 0 && draw.chance(0.5) ? `JumpTo(${draw.pick(state.lastVisible)}), ` : ''
  return `${jump}${turned}, Observe()`
}

const RANDOM_RANGE = 10

function randomEntry(draw: Random): { position: number[]; facing: string } {
  const position = [draw.between(-RANDOM_RANGE, RANDOM_RANGE), draw.between(-RANDOM_RANGE, RANDOM_RANGE)]
  return { position, facing: draw.pick(['north', 'east', 'south', 'west']) }
}
