/** Grades answers, from 0 to 1, by the rules of a suite's file. */
import { contentWords, isObject, meanRelativeAccuracy, relativeError, sameText } from '../suite.ts'
import type { Rules } from './domain/format.ts'
import type { Scale, ScoreRule } from './domain/rules-format.ts'
import { isInMask, type RunMask } from './domain/masks.ts'
import { iou, isInside } from './domain/regions.ts'
import { rescaled, scalesOf } from './domain/scale.ts'
import type { Answer } from './domain/sample.ts'
import { answerText, cellText } from './domain/truth.ts'

type Grade = (answer: Answer, truth: Answer) => number

/** Rounding: 0.1 is not a binary number. */
const TOLERANCE = 1e-9

export function gradeOf(rules: Rules): Grade {
  const kind = rules.answer?.kind ?? 'choice'
  const score = rules.score ?? DEFAULTS[kind]
  const { replies } = scalesOf(rules)
  if (score === 'exact')
    return kind === 'text'
      ? texts((answer, truth) => right(answer.trim() === truth.trim()))
      : (answer, truth) => right(answer === truth)
  if (score === 'normalized') return texts((answer, truth) => right(sameText(answer, truth)))
  if (score === 'f1') return texts(f1)
  if (score === 'iou') return (answer, truth) => iou(numbers(answer), numbers(truth))
  if (score === 'inside')
    return (answer, truth) =>
      right(
        isMask(truth)
          ? isInMask(truth, ...pixelOf(numbers(answer), replies, truth))
          : isInside(numbers(answer), numbers(truth)),
      )
  if (score === 'mra') return amounts(meanRelativeAccuracy)
  if ('mra' in score)
    return amounts((answer, truth) => {
      const [given, wanted] = score.of === 'answer' ? [truth, answer] : [answer, truth]
      if (score.rounding !== 'binary') return meanRelativeAccuracy(given, wanted, score.mra)
      const error = relativeError(given, wanted)
      return score.mra.filter((threshold) => error <= 1 - threshold).length / score.mra.length
    })
  if ('iou' in score) return (answer, truth) => right(iou(numbers(answer), numbers(truth)) >= score.iou)
  if ('relative' in score)
    return amounts((answer, truth) => right(relativeError(answer, truth) <= score.relative + TOLERANCE))
  return amounts((answer, truth) => right(Math.abs(answer - truth) <= score.absolute + TOLERANCE))
}

type Kind = NonNullable<NonNullable<Rules['answer']>['kind']>

const DEFAULTS: Readonly<Record<Kind, ScoreRule>> = {
  choice: 'exact',
  number: 'mra',
  'yes-no': 'exact',
  text: 'normalized',
  point: 'inside',
  box: 'iou',
  moves: 'mra',
}

/** The rules that make sense for a kind of answer; others would score 0 always. */
export function scoreFits(kind: Kind, score: ScoreRule): boolean {
  const name = typeof score === 'string' ? score : Object.keys(score)[0]!
  const fitting: Readonly<Record<Kind, readonly string[]>> = {
    choice: ['exact'],
    number: ['exact', 'mra', 'relative', 'absolute'],
    'yes-no': ['exact'],
    text: ['exact', 'normalized', 'f1'],
    point: ['inside'],
    box: ['iou'],
    moves: ['mra'],
  }
  return fitting[kind].includes(name)
}

function right(is: boolean): number {
  return is ? 1 : 0
}

/** The grade of a number, or the mean over the axes of moves. */
function amounts(grade: (answer: number, truth: number) => number): Grade {
  return (answer, truth) => {
    if (typeof answer === 'number' && typeof truth === 'number') return grade(answer, truth)
    const [given, wanted] = [numbers(answer), numbers(truth)]
    if (wanted.length === 0) return 0
    return wanted.reduce((sum, each, i) => sum + grade(given[i] ?? 0, each), 0) / wanted.length
  }
}

function isMask(truth: Answer): truth is RunMask {
  return isObject(truth) && 'runs' in truth
}

function pixelOf(point: readonly number[], scale: Scale = 'pixels', { width, height }: RunMask): [number, number] {
  const [x = Number.NaN, y = Number.NaN] = rescaled(point, { from: scale, to: 'pixels', size: [width, height] })
  return [x, y]
}

function numbers(answer: Answer): number[] {
  return Array.isArray(answer) ? answer.map(Number) : []
}

/** The best grade that one of the accepted texts gives. */
function texts(grade: (answer: string, truth: string) => number): Grade {
  return (answer, truth) => Math.max(0, ...[truth].flat().map((each) => grade(answerText(answer), cellText(each))))
}

function f1(answer: string, truth: string): number {
  const [given, wanted] = [contentWords(answer), contentWords(truth)]
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of given) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    shared++
  }
  return (2 * shared) / (given.length + wanted.length)
}
