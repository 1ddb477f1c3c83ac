/** Answers that do not depend on the sample: chance, and the best constant. */
import { mean } from '../../base/numbers.ts'
import { largest, type Problem } from './problem.ts'

/** Points of a random pick; null for numbers, which have no uniform choice. */
export function chanceOf({ points, values }: Problem, i: number): number | null {
  return values === null ? mean([...points[i]!]) : null
}

/** The same answer to every task: one text or value, or, if that is better, one place in the list of options. */
export function bestConstant({ candidates, points, different, values }: Problem, train: readonly number[]) {
  const byText = new Float64Array(different)
  const byPlace = new Float64Array(Math.max(0, ...candidates.map(({ length }) => length)))
  for (const i of train) {
    const own = candidates[i]!
    for (let c = 0; c < own.length; c++) {
      byText[own[c]!]! += points[i]![c]!
      byPlace[c]! += points[i]![c]!
    }
  }
  const text = largest(byText)
  const place = largest(byPlace)
  const usesText = values !== null || byText[text]! >= byPlace[place]!
  /** The position of the answer among the candidates of a task; -1 if it is not offered. */
  return (i: number): number => (usesText ? candidates[i]!.indexOf(text) : place < candidates[i]!.length ? place : -1)
}

/** The best constant of all tasks, in words: `left`, `2.5`, `option 3`. */
export function constantText(problem: Problem): string {
  const { tasks, values } = problem
  const all = [...tasks.keys()]
  const answer = bestConstant(problem, all)
  if (values !== null) return String(values[answer(0)]!)
  const texts = new Set(
    tasks.map(({ target }, i) => (target.kind === 'choice' ? target.options[answer(i)] : undefined)),
  )
  texts.delete(undefined)
  return texts.size === 1 ? String([...texts][0]) : `option ${answer(0) + 1}`
}
