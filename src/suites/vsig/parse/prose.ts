/** Answers that are not JSON: point tags, tables, lists and sentences with coordinates. */
import type { Convention } from '../domain/coords.ts'
import type { PredictedPoint, Prediction } from '../domain/prediction.ts'
import type { Point } from '../domain/points.ts'
import { namedPoint, PAIR, pairFrom } from './point.ts'
import { timeInText } from './time.ts'

/** Longer texts are not searched: an answer with coordinates is short. */
const MAX_TEXT = 200_000

/** `<point x="61.5" y="40.2" alt="cup">cup</point>`, `<points x1="1" y1="2" x2="3" y2="4">` */
const TAG = /<points?\s([^<>]{1,2000})>/gi
const ATTRIBUTE = /\b([xy])(\d{0,3})\s{0,2}=\s{0,2}["']?(-?\d{1,6}(?:\.\d{1,9})?)/gi
const ALT = /\balt\s{0,2}=\s{0,2}"([^"]{0,200})"/i

export function taggedPoints(text: string, convention: Convention): PredictedPoint[] | null {
  const points: PredictedPoint[] = []
  for (const [, attributes] of text.slice(-MAX_TEXT).matchAll(TAG)) {
    const sides = new Map<string, { x?: number; y?: number }>()
    for (const [, axis, number, value] of attributes!.matchAll(ATTRIBUTE)) {
      const side = sides.get(number!) ?? {}
      side[axis!.toLowerCase() as 'x' | 'y'] = Number(value)
      sides.set(number!, side)
    }
    const description = ALT.exec(attributes!)?.[1] ?? ''
    for (const { x, y } of sides.values()) {
      if (x !== undefined && y !== undefined)
        points.push({ point: namedPoint(x, y, convention), description, time: null })
    }
  }
  return points.length === 0 ? null : points
}

/** Pairs in brackets, pairs after a word for a point, or named coordinates. */
const PAIRS = new RegExp(
  `${PAIR}|(?:points?|coordinates?|position|location|坐标)[^\\d\\n([<-]{0,12}(-?\\d{1,6}(?:\\.\\d{1,9})?)\\s{0,2}[,，]\\s{0,3}(-?\\d{1,6}(?:\\.\\d{1,9})?)(?![\\d.])|\\bx\\s{0,3}[=:：]\\s{0,3}(-?\\d{1,6}(?:\\.\\d{1,9})?)[\\s,，;；]{1,4}(?:and\\s)?y\\s{0,3}[=:：]\\s{0,3}(-?\\d{1,6}(?:\\.\\d{1,9})?)`,
  'gi',
)
/** What stands before a range of time, or after it. */
const TIME_BEFORE = /(?:time(?:stamp|s)?|range|moment|interval|when|between|时间戳?|时刻|时段)[^\d\n([]{0,12}$/i
const TIME_AFTER = /^\s{0,3}(?:ms|毫秒|milliseconds?|s\b|sec|秒)/i
const RANGE =
  /(?:\d{1,3}:)?\d{1,9}(?:[.:]\d{1,6})?(?:\.\d{1,3})?\s{0,3}(?:ms|msec|毫秒|milliseconds?|s|secs?|秒|seconds?)?\s{0,3}(?:-|–|—|to|~|到|至|until)\s{0,3}(?:\d{1,3}:)?\d{1,9}(?:[.:]\d{1,6})?(?:\.\d{1,3})?(?:\s{0,3}(?:ms|msec|毫秒|milliseconds?|s|secs?|秒|seconds?)(?![a-z]))?/i
const MOMENT = /\d{1,9}(?:\.\d{1,6})?\s{0,3}(?:ms|msec|毫秒|milliseconds?|s|secs?|秒|seconds?)(?![a-z])/i
const COMMAND =
  /(?:^|\n)[\s*#>\-\d.]{0,8}(?:explicit[ _]command|command|instruction|明确指令|指令|命令)[*_]{0,2}\s{0,3}[:：][*_]{0,2}[ \t]{0,4}([^\n]{1,500})/i
/** The answer proper, after thinking aloud. */
const FINAL = /(?:final (?:answer|points?|result)|answer is|my answer|最终答案|答案|最终结果)/gi
const CONTEXT = 40
/** A time belongs to the point before it, on the same line or the next two. */
const REACH = 240

interface PlacedPoint {
  point: Point
  from: number
  to: number
}

export function writtenAnswer(reply: string, convention: Convention): Pick<Prediction, 'command' | 'points'> | null {
  const text = finalPart(reply.slice(-MAX_TEXT))
  const found: PlacedPoint[] = []
  const ranges: { from: number; to: number }[] = []
  for (const match of text.matchAll(PAIRS)) {
    const [from, to] = [match.index, match.index + match[0].length]
    const before = text.slice(Math.max(0, from - CONTEXT), from)
    const isTime = TIME_BEFORE.test(before) || TIME_AFTER.test(text.slice(to, to + CONTEXT))
    if (isTime) ranges.push({ from, to })
    else found.push({ point: pointIn(match, convention), from, to })
  }
  const command = commandIn(text)
  if (found.length === 0 && command === '') return null
  const points = found.map(({ point, to }, i): PredictedPoint => {
    const until = Math.min(found[i + 1]?.from ?? text.length, to + REACH)
    const range = ranges.find(({ from }) => from >= to && from < until)
    const time = range ? timeInText(text.slice(range.from, range.to + 4)) : timeBetween(text.slice(to, until))
    return { point, description: '', time }
  })
  return { command, points }
}

function pointIn(match: RegExpExecArray, convention: Convention): Point {
  if (match[5] !== undefined) return [Number(match[5]), Number(match[6])]
  if (match[7] !== undefined) return namedPoint(Number(match[7]), Number(match[8]), convention)
  return pairFrom(match, convention)
}

function timeBetween(text: string): PredictedPoint['time'] {
  const found = RANGE.exec(text) ?? MOMENT.exec(text)
  return found ? timeInText(found[0]) : null
}

function commandIn(text: string): string {
  const line = COMMAND.exec(text)?.[1] ?? ''
  return line
    .trim()
    .replaceAll(/^[*_"'“「]{1,3}|[*_"'”」]{1,3}$/g, '')
    .trim()
}

/** From the last announcement of an answer that still has coordinates after it. */
function finalPart(text: string): string {
  let from = 0
  for (const match of text.matchAll(FINAL)) from = match.index
  if (from === 0) return text
  PAIRS.lastIndex = 0
  const rest = text.slice(from)
  return rest.search(PAIRS) < 0 ? text : rest
}
