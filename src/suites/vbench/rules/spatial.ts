/** Whether two boxes stand in a relation, as the published evaluator decides it. */

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number]

export interface NamedBox {
  name: string
  box: Box
}

export interface Relation {
  a: string
  b: string
  relation: string
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

/**
 * Which way the boxes lie from each other is never looked at: left of and right of score alike. `fixed` looks at it
 * (the first box must lie where the relation says); `published` does not.
 */
export function relationScore(
  relation: string,
  a: Box,
  b: Box,
  rule: 'published' | 'fixed' = 'published',
): number | null {
  const shared = overlap(a, b)
  if (shared === null) return null
  const dx = (a[0] + a[2]) / 2 - (b[0] + b[2]) / 2
  const dy = (a[1] + a[3]) / 2 - (b[1] + b[3]) / 2
  // A substring test, in this order: "of" alone is taken as horizontal.
  const horizontal = HORIZONTAL.some((known) => known.includes(relation))
  const vertical = !horizontal && VERTICAL.some((known) => known.includes(relation))
  const along = horizontal ? dx : dy
  const across = horizontal ? dy : dx
  if (!horizontal && !vertical) return 0
  if (!(Math.abs(along) > Math.abs(across))) return 0
  if (rule === 'fixed' && along > 0 !== /right|bottom/.test(relation)) return 0
  return shared < OVERLAP_LIMIT ? 1 : OVERLAP_LIMIT / shared
}

/** The best pair of a frame. Published: any two boxes of either name, two of the same name too. */
export function frameScore(
  { a, b, relation }: Relation,
  found: readonly NamedBox[],
  rule: 'published' | 'fixed' = 'published',
): number | null {
  const wanted = found.filter(({ name }) => name === a || name === b)
  let best = 0
  for (let i = 0; i < wanted.length; i++) {
    for (let j = i + 1; j < wanted.length; j++) {
      const [first, second] = [wanted[i]!, wanted[j]!]
      if (rule === 'fixed') {
        const ordered = first.name === a && second.name === b ? [first, second] : [second, first]
        if (ordered[0]!.name !== a || ordered[1]!.name !== b) continue
        best = Math.max(best, relationScore(relation, ordered[0]!.box, ordered[1]!.box, rule) ?? 0)
        continue
      }
      const score = relationScore(relation, first.box, second.box)
      if (score === null) return null
      best = Math.max(best, score)
    }
  }
  return best
}
