/** Points as models write them, in the order of the declared convention. */
import { isObject } from '../../../suite.ts'
import type { Convention } from '../domain/coords.ts'
import { meanOf, pairsOf, type Point } from '../domain/points.ts'

/** `(523, 411)`, `[52.3%, 41.1%]`; bounded repetitions keep it linear. */
export const PAIR = String.raw`[([【（<]\s{0,4}(-?\d{1,6}(?:\.\d{1,9})?)\s{0,2}(%?)\s{0,2}[,，、;]\s{0,8}(-?\d{1,6}(?:\.\d{1,9})?)\s{0,2}(%?)\s{0,4}[)\]】）>]`
const BARE_PAIR =
  /^\s*(-?\d{1,6}(?:\.\d{1,9})?)\s{0,2}(%?)\s{0,2}[,，、;\s]\s{0,8}(-?\d{1,6}(?:\.\d{1,9})?)\s{0,2}(%?)\s*$/
const NAMED = /^\W{0,4}x\W{0,4}(-?\d{1,6}(?:\.\d{1,9})?)\W{1,6}y\W{0,4}(-?\d{1,6}(?:\.\d{1,9})?)\W{0,4}$/i
const WHOLE_PAIR = new RegExp(`^\\s*${PAIR}\\s*$`)
const MAX_TEXT = 80

/** Named coordinates, whatever order is declared. */
export function namedPoint(x: number, y: number, convention: Convention): Point {
  return convention === 'yx1000' ? [y, x] : [x, y]
}

/** Percentages say what they are; pixels would need the size of the frame. */
export function percentPoint(a: number, b: number, convention: Convention): Point {
  const scale = convention === 'xy1' ? 0.01 : convention === 'xy1000' || convention === 'yx1000' ? 10 : 1
  return [a * scale, b * scale]
}

export function pairFrom([, a, firstUnit, b, secondUnit]: RegExpExecArray, convention: Convention): Point {
  const isPercent = firstUnit === '%' || secondUnit === '%'
  return isPercent ? percentPoint(Number(a), Number(b), convention) : [Number(a), Number(b)]
}

export function readPoint(value: unknown, convention: Convention): Point | null {
  if (typeof value === 'string') return pointInText(value, convention)
  if (isObject(value)) {
    const [x, y] = [numberIn(value['x'] ?? value['X']), numberIn(value['y'] ?? value['Y'])]
    return x === null || y === null ? null : namedPoint(x, y, convention)
  }
  const texts = Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
  if (texts) return pointInText(value.join(', '), convention)
  const numbers = numeric(value)
  // A third number is a confidence, a visibility or a depth.
  const isTriple = Array.isArray(numbers) && numbers.length === 3 && numbers.every((each) => typeof each === 'number')
  const pairs = pairsOf(isTriple ? numbers.slice(0, 2) : numbers)
  if (!pairs) return null
  const mean = meanOf(pairs)
  return Number.isFinite(mean[0]) && Number.isFinite(mean[1]) ? mean : null
}

/** The middle of `[x1, y1, x2, y2]`. */
export function middleOfBox(value: unknown): Point | null {
  const box = numeric(value)
  if (!Array.isArray(box) || box.length !== 4) return null
  const [x1, y1, x2, y2] = box.map((side) => (typeof side === 'number' && Number.isFinite(side) ? side : null))
  if (x1 == null || y1 == null || x2 == null || y2 == null) return null
  return [(x1 + x2) / 2, (y1 + y2) / 2]
}

function pointInText(text: string, convention: Convention): Point | null {
  if (text.length > MAX_TEXT) return null
  const pair = WHOLE_PAIR.exec(text) ?? BARE_PAIR.exec(text)
  if (pair) return pairFrom(pair, convention)
  const named = NAMED.exec(text)
  return named ? namedPoint(Number(named[1]), Number(named[2]), convention) : null
}

function numberIn(value: unknown): number | null {
  const read = numeric(value)
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

/** Accepts quoted numbers, which models sometimes write. */
function numeric(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 64).map(numeric)
  return typeof value === 'string' && /^\s{0,9}-?\d{1,9}(\.\d{1,9})?\s{0,9}$/.test(value) ? Number(value) : value
}
