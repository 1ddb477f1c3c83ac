/**
 * How far words alone get: a few small models, the best of which is chosen by cross-validation within the training
 * scenes, and tested on scenes that none of them has seen.
 */
import { groupBy } from '../../base/group.ts'
import { hashOf } from '../../base/hash.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { Random } from '../../base/random.ts'
import { bestConstant, chanceOf } from './constants.ts'
import { byCandidate, byPrediction, byWords, type Guess } from './neighbors.ts'
import { boostedTrees, ridge, scaledAnswers, treeColumns } from './number-models.ts'
import { byOptions, featuresOfOptions } from './options-model.ts'
import { type Problem, problemOf } from './problem.ts'
import type { BlindTask } from './task.ts'

/** A task and the scene it is about: tasks of one scene are never split between training and test. */
export interface ClusteredTask {
  task: BlindTask
  cluster: string
}

/** Points of one task. */
export interface BlindPoints {
  /** Of a random pick; null for numbers. */
  chance: number | null
  /** Of the constant answer that is best on other scenes. */
  constant: number
  /** Of the answer learned from the words of other scenes. */
  blind: number
}

const FOLDS = 5
const INNER_FOLDS = 3
const MAX_OPTIONS = 32

type Model = (train: readonly number[]) => Guess

/** The tasks that are learned together: those of a row that have the same kind of answer. */
export function groupTasks<T extends ClusteredTask>(all: readonly T[]): T[][] {
  return [...groupBy(all, ({ task }) => `${task.row}\u0000${task.target.kind}`).values()]
}

/** Suites that ask the same questions, such as `vsi/video` and `vsi/blind`, learn the same. */
const learned = new LruCache<readonly (BlindPoints | null)[]>(64)

/** Points of each task of a group, in order; null if there are fewer than two scenes. */
export function learnBlind(all: readonly ClusteredTask[], seed: number): readonly (BlindPoints | null)[] {
  const problem = problemOf(all.map(({ task }) => task))
  const told = all.map(({ task: { words, target }, cluster }, i) => [
    cluster,
    words,
    target.kind === 'choice' ? target.options : null,
    [...problem.points[i]!],
  ])
  return learned.getOrCreate(hashOf({ told, seed }), () => learn(all, problem, seed))
}

function learn(all: readonly ClusteredTask[], problem: Problem, seed: number): (BlindPoints | null)[] {
  const models = modelsFor(problem)
  const points = all.map((): BlindPoints | null => null)
  const folds = foldsOf(all, [...all.keys()], FOLDS, seed)
  if (folds.length < 2) return points
  for (const test of folds) {
    const train = folds.filter((fold) => fold !== test).flat()
    const constant = bestConstant(problem, train)
    const best = chosenModel(all, problem, models, train, seed)
    const guess = best === null ? constant : best(train)
    for (const i of test) {
      points[i] = {
        chance: chanceOf(problem, i),
        constant: pointsOf(problem, i, constant(i)),
        blind: pointsOf(problem, i, guess(i)),
      }
    }
  }
  return points
}

function pointsOf({ points }: Problem, i: number, candidate: number): number {
  return points[i]![candidate] ?? 0
}

/** The simplest first: it wins ties. */
function modelsFor(problem: Problem): readonly Model[] {
  const common: Model[] = [
    (train) => bestConstant(problem, train),
    (train) => byCandidate(problem, train),
    (train) => byWords(problem, train),
  ]
  if (problem.values === null) {
    // With so many, the options are the same in all tasks, and the models above know as much.
    if (problem.candidates.some(({ length }) => length > MAX_OPTIONS)) return common
    const alone = featuresOfOptions(problem, false)
    const withWords = featuresOfOptions(problem, true)
    return [
      ...common,
      (train) => byOptions(problem, alone, train, 1e-3),
      (train) => byOptions(problem, withWords, train, 1e-4),
      (train) => byOptions(problem, withWords, train, 1e-2),
    ]
  }
  // Numbers that are asked for in the same words every time can only be answered with a constant.
  if (new Set(problem.tasks.map(({ words }) => words)).size === 1) return common.slice(0, 1)
  const answers = scaledAnswers(problem)
  const columns = treeColumns(problem)
  return [
    ...common,
    (train) => byPrediction(problem, train, ridge(problem, answers, train, 0.1)),
    (train) => byPrediction(problem, train, ridge(problem, answers, train, 3)),
    (train) => byPrediction(problem, train, boostedTrees(columns, answers, train)),
  ]
}

/** The model with the most points on held-out training scenes; null if there are too few scenes to tell. */
function chosenModel(
  all: readonly ClusteredTask[],
  problem: Problem,
  models: readonly Model[],
  train: readonly number[],
  seed: number,
): Model | null {
  const folds = foldsOf(all, train, INNER_FOLDS, seed)
  if (folds.length < 2) return null
  const totals = models.map((model) => {
    let total = 0
    for (const test of folds) {
      const guess = model(folds.filter((fold) => fold !== test).flat())
      for (const i of test) total += pointsOf(problem, i, guess(i))
    }
    return total
  })
  return models[totals.indexOf(Math.max(...totals))]!
}

/** Splits tasks into folds of whole clusters, as many tasks in each as possible. */
export function foldsOf(
  all: readonly ClusteredTask[],
  indices: readonly number[],
  count: number,
  seed: number,
): number[][] {
  const clusters = [...groupBy(indices, (i) => all[i]!.cluster)].sort(([a], [b]) => (a < b ? -1 : 1))
  new Random(`audit/folds/${seed}`).shuffle(clusters)
  const folds = Array.from({ length: Math.min(count, clusters.length) }, (): number[] => [])
  for (const [, own] of clusters)
    folds.reduce((least, fold) => (fold.length < least.length ? fold : least)).push(...own)
  return folds
}
