/** Whether two boxes stand in a relation, as the published evaluator decides it. */
import type { PromptFacts } from '../../domain/prompts.ts'

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number]

export interface NamedBox {
  name: string
  box: Box
}

/** Boxes that overlap less than this count fully. */
export const OVERLAP_LIMIT = 0.1

const HORIZONTAL = ['on the right of', 'on the left of']
const VERTICAL = ['on the bottom of', 'on the top of']

/** Intersection over union; null where both boxes have no area, which makes the published evaluator raise. */
export function overlap(a: Box, b: Box): number | null {
  const width = Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0]))
  const height = Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]))
  const inter = width * height
  const union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - inter
  return union === 0 ? null : inter / union
}

/** Which way the boxes lie from each other is never looked at: left of and right of score alike, as published. */
export function relationScore(relation: string, a: Box, b: Box): number | null {
  const shared = overlap(a, b)
  if (shared === null) return null
  const dx = Math.abs((a[0] + a[2]) / 2 - (b[0] + b[2]) / 2)
  const dy = Math.abs((a[1] + a[3]) / 2 - (b[1] + b[3]) / 2)
  // A substring test, in this order: "of" alone is taken as horizontal.
  const horizontal = HORIZONTAL.some((known) => known.includes(relation))
  const vertical = VERTICAL.some((known) => known.includes(relation))
  const apart = horizontal ? dx > dy : vertical && dy > dx
  if (!apart) return 0
  return shared < OVERLAP_LIMIT ? 1 : OVERLAP_LIMIT / shared
}

/** The best pair of a frame: any two boxes of either name, two of the same name too. Null where the rule has no answer. */
export function frameScore(
  { a, b, relation }: Required<PromptFacts>['relation'],
  found: readonly NamedBox[],
): number | null {
  const wanted = found.filter(({ name }) => name === a || name === b)
  let best = 0
  for (let i = 0; i < wanted.length; i++) {
    for (let j = i + 1; j < wanted.length; j++) {
      const score = relationScore(relation, wanted[i]!.box, wanted[j]!.box)
      if (score === null) return null
      best = Math.max(best, score)
    }
  }
  return best
}
