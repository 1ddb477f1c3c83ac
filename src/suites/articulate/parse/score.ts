/** Scores from 0 to 10 as critics write them. */

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{1,6})?)`
/** Longer texts are descriptions, not scores. */
const LONGEST = 200

/** What may stand before a number, what comes after it, and the whole that it is a part of. */
const SCORE = new RegExp(
  String.raw`^[\s*_\`"'~≈(]{0,8}(?:(?:about|approximately|approx\.?|around|roughly|a|an|rating|score|solid|strong)\b[\s:*]{0,4}){0,3}` +
    String.raw`${NUMBER}(?![\d.,]\d)(?:\s{0,2}(?:-|–|—|to)\s{0,2}${NUMBER})?\s{0,2}(?:\*\*|\`)?` +
    String.raw`\s{0,2}(?:(?:\/|out of|of|von|sur|de)\s{0,2}(\d{1,3})\b|(%|percent\b))?`,
  'i',
)
const SPELLED = new RegExp(String.raw`^[\s*_\`"'(]{0,8}(${WORDS.join('|')})\b`, 'i')

/** A number from 0 to 10: `8`, `"8/10"`, `4 out of 5`, `80%`, `seven`, `7-8`. Null where there is none. */
export function scoreOf(value: unknown): number | null {
  if (typeof value === 'number') return onScale(value)
  if (typeof value !== 'string' || value.length > LONGEST) return null
  const spelled = SPELLED.exec(value)?.[1]
  if (spelled !== undefined) return WORDS.indexOf(spelled.toLowerCase())
  const found = SCORE.exec(value)
  if (!found) return null
  const [, first, second, whole, percent] = found
  const read = (text: string): number => Number(text.replace(',', '.'))
  // The template's own "0-10".
  if (second !== undefined && read(first!) === 0 && read(second) === 10) return null
  const number = second === undefined ? read(first!) : (read(first!) + read(second)) / 2
  const scale = percent === undefined ? (whole === undefined ? 10 : Number(whole)) : 100
  return onScale((number / scale) * 10)
}

function onScale(value: number): number | null {
  // What was scaled may have lost its last digit.
  const rounded = Math.round(value * 1e9) / 1e9
  return rounded >= 0 && rounded <= 10 ? rounded : null
}

const OUT_OF_TEN = new RegExp(String.raw`${NUMBER}\s{0,2}(?:\*\*)?\s{0,2}(?:\/|out of)\s{0,2}10\b`, 'gi')
const GIVEN = new RegExp(
  String.raw`\b(?:rate|give|rating|score|scores|grade)\b[^.\n\d]{0,40}\b(\d{1,2}(?:[.,]\d{1,6})?|${WORDS.join('|')})\b(?!\s{0,2}(?:cm|mm|m|deg|%|°|parts|links|images))`,
  'gi',
)

/** The last rating that prose gives: `4/10`, `I would rate it a three`. */
export function outOfTen(text: string): number | null {
  const last = [...text.matchAll(OUT_OF_TEN)].at(-1) ?? [...text.matchAll(GIVEN)].at(-1)
  return last ? scoreOf(last[1]) : null
}
