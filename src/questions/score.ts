/** Grades answers, from 0 to 1, by the rules of a suite's file. */
import { contentWords, meanRelativeAccuracy, relativeError, sameText } from '../suite.ts'
import type { Rules, ScoreRule } from './domain/format.ts'
import { iou, isInside } from './domain/regions.ts'
import type { Answer } from './domain/sample.ts'

type Grade = (answer: Answer, truth: Answer) => number

/** Rounding: 0.1 is not a binary number. */
const TOLERANCE = 1e-9

export function gradeOf(rules: Rules): Grade {
  const kind = rules.answer?.kind ?? 'choice'
  const score = rules.score ?? DEFAULTS[kind]
  if (score === 'exact')
    return kind === 'text'
      ? texts((answer, truth) => right(sameText(answer, truth)))
      : (answer, truth) => right(answer === truth)
  if (score === 'f1') return texts(f1)
  if (score === 'iou') return (answer, truth) => iou(numbers(answer), numbers(truth))
  if (score === 'inside') return (answer, truth) => right(isInside(numbers(answer), numbers(truth)))
  if (score === 'mra') return amounts(meanRelativeAccuracy)
  if ('mra' in score) return amounts((answer, truth) => meanRelativeAccuracy(answer, truth, score.mra))
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
  text: 'exact',
  point: 'inside',
  box: 'iou',
}

/** The rules that make sense for a kind of answer; others would score 0 always. */
export function scoreFits(kind: Kind, score: ScoreRule): boolean {
  const name = typeof score === 'string' ? score : Object.keys(score)[0]!
  const fitting: Readonly<Record<Kind, readonly string[]>> = {
    choice: ['exact'],
    number: ['exact', 'mra', 'relative', 'absolute'],
    'yes-no': ['exact'],
    text: ['exact', 'f1'],
    point: ['inside'],
    box: ['iou'],
  }
  return fitting[kind].includes(name)
}

function right(is: boolean): number {
  return is ? 1 : 0
}

function amounts(grade: (answer: number, truth: number) => number): Grade {
  return (answer, truth) => (typeof answer === 'number' && typeof truth === 'number' ? grade(answer, truth) : 0)
}

function numbers(answer: Answer): number[] {
  return Array.isArray(answer) ? answer.map(Number) : []
}

/** The best grade that one of the accepted texts gives. */
function texts(grade: (answer: string, truth: string) => number): Grade {
  return (answer, truth) =>
    Math.max(0, ...[truth].flat().map((each) => grade(String([answer].flat()[0]), String(each))))
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
