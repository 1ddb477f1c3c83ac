/** Moments and ranges as models write them: `[1200, 1800]`, `"1.2s"`, `"00:01.2"`, `"1200–1800 ms"`, `{"start": 1200}`. */
import { isObject } from '../../../suite.ts'
import type { PredictedPoint } from '../domain/prediction.ts'

type Time = PredictedPoint['time']

/** Bounded repetitions keep every pattern linear. */
const NUMBER = String.raw`\d{1,9}(?:\.\d{1,6})?`
const UNIT = String.raw`\s{0,3}(ms|msec|毫秒|milliseconds?|s|secs?|秒|seconds?)(?![a-z])`
const TOKEN = new RegExp(String.raw`(?:(\d{1,3}):)?(\d{1,3}):(\d{2}(?:\.\d{1,6})?)|(${NUMBER})(?:${UNIT})?`, 'gi')

const isSeconds = (unit: string): boolean => /^(?:s|秒)/i.test(unit)

interface Token {
  value: number
  /** Milliseconds per unit; null if no unit is written. */
  scale: number | null
}

function tokensIn(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, hours, minutes, seconds, number, unit] of text.slice(0, MAX_TEXT).matchAll(TOKEN)) {
    if (seconds !== undefined) {
      const value = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
      tokens.push({ value, scale: 1000 })
    } else tokens.push({ value: Number(number), scale: unit === undefined ? null : isSeconds(unit) ? 1000 : 1 })
  }
  return tokens
}

/** Longer texts are not times. */
const MAX_TEXT = 120

/** One or two numbers, with the unit of the last for both; milliseconds if there is none. Null for anything else. */
export function timeInText(text: string, scale = 1): Time {
  const tokens = tokensIn(text)
  if (tokens.length === 0 || tokens.length > 2) return null
  const last = tokens.at(-1)!.scale ?? tokens[0]!.scale ?? scale
  const [from, to] = tokens.map((token) => round(token.value * (token.scale ?? last)))
  return to === undefined ? from! : ordered(from!, to)
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000

function ordered(from: number, to: number): Time {
  return from <= to ? [from, to] : null
}

const START = /^(?:start|begin|from|开始|起始)/i
const END = /^(?:end|stop|to|until|结束)/i

/** `scale`: milliseconds per unit of bare numbers. */
export function readTime(value: unknown, scale = 1): Time {
  if (typeof value === 'number') return Number.isFinite(value) ? round(value * scale) : null
  if (typeof value === 'string') return timeInText(value, scale)
  if (isObject(value)) {
    const entries = Object.entries(value)
    const ends = [START, END].flatMap((name) => entries.find(([key]) => name.test(key))?.slice(1) ?? [])
    return ends.length === 2 ? readTime(ends, scale) : null
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > 2) return null
  const moments = value.map((item: unknown) => (Array.isArray(item) ? null : readTime(item, scale)))
  const [from, to] = moments
  if (value.length === 1) return from ?? null
  return typeof from === 'number' && typeof to === 'number' ? ordered(from, to) : null
}
