/** Points and boxes in pixels, or as a part of the image. */
import type { Scale } from './rules-format.ts'
import type { Rules } from './format.ts'

/** Width and height of an image. */
export type Size = readonly [number, number]

/** What replies and data write points and boxes in; the same, where only one of them is said. */
export function scalesOf({ answer, read }: Rules): { replies: Scale | undefined; data: Scale | undefined } {
  const replies = read?.scale ?? answer?.scale
  // A mask has a size of its own; a point stays as it is until then.
  return { replies, data: answer?.written === 'mask' ? replies : (answer?.scale ?? read?.scale) }
}

/** Whether only the size of the image tells where a point of a reply is in the data. */
export function needsSize(rules: Rules): boolean {
  const { replies, data } = scalesOf(rules)
  const isPlace = rules.answer?.kind === 'point' || rules.answer?.kind === 'box'
  return isPlace && replies !== data && (replies === 'pixels' || data === 'pixels')
}

/** Coordinates in another scale. @param size of the image; only pixels need it */
export function rescaled(
  coordinates: readonly number[],
  { from, to, size }: { from: Scale | undefined; to: Scale | undefined; size: Size | null },
): number[] {
  if (from === undefined || to === undefined || from === to) return [...coordinates]
  return coordinates.map((each, i) => (each / whole(from, size, i)) * whole(to, size, i))
}

const WHOLE: Readonly<Record<Exclude<Scale, 'pixels'>, number>> = { '0-1': 1, '0-100': 100, '0-1000': 1000 }

function whole(scale: Scale, size: Size | null, index: number): number {
  return scale === 'pixels' ? (size?.[index % 2] ?? 1) : WHOLE[scale]
}
