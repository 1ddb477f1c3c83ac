/** How the published code reads a model's reply. */
import { readPythonJson } from '../../../base/python/json.ts'
import { isObject } from '../../../base/json-object.ts'
import { swapped } from '../points.ts'

export type PublishedJson = { value: unknown } | { raises: true }

/** Generation 1: one fence around it is taken off, the rest must be JSON; anything else is an empty object. */
export function publishedJson1(reply: string): PublishedJson {
  let text = reply.trim()
  if (text.startsWith('```')) {
    const lines = text.split('\n').slice(1)
    // A fence and its JSON on one line leave nothing, and the original looks at the last line of it.
    if (lines.length === 0) return { raises: true }
    if (lines.at(-1)!.trim() === '```') lines.pop()
    text = lines.join('\n')
  }
  const value = readPythonJson(text)
  return { value: value === undefined ? {} : value }
}

/** Generation 4: several places are tried, then repairs that also break valid nested lists. */
export function publishedJson4(reply: string): unknown {
  const text = reply.trim()
  const tagged = /```json([\s\S]*?)```/.exec(text)
  const fenced = [...text.matchAll(/```[^\n`]*\n?([\s\S]*?)```/g)].map((match) => match[1]!)
  const open = text.indexOf('{')
  const close = text.lastIndexOf('}')
  const outermost = open >= 0 && close > open ? text.slice(open, close + 1) : null
  const candidates = [tagged?.[1], text, ...fenced, outermost ?? undefined]
  for (const candidate of candidates) {
    const value = candidate === undefined ? undefined : readPythonJson(candidate.trim())
    if (value !== undefined) return value
  }
  if (outermost === null) return {}
  const repaired = outermost
    .replaceAll(']]', ']')
    .replaceAll('}}', '}')
    .replaceAll(/,\s*([\]}])/g, '$1')
  for (const attempt of [repaired, repaired.replace(/\}\s*$/, ']}'), outermost.replaceAll(/,\s*([\]}])/g, '$1')]) {
    const value = readPythonJson(attempt)
    if (value !== undefined) return value
  }
  return {}
}

export interface PublishedPrediction {
  command: unknown
  /** Points in `[y, x]`; null when the reply had no list at all. */
  points: readonly Record<string, unknown>[] | null
}

/** Generation 1: what of a parsed reply reaches the scorer, points swapped to `[y, x]`; null when it is dropped. */
export function publishedPrediction1(output: unknown): PublishedPrediction | null {
  const value: unknown = Array.isArray(output) ? output[0] : output
  if (!isObject(value) || Object.keys(value).length === 0) return null
  const command = value['explicit_command']
  if (!('point_list' in value)) return { command, points: null }
  const list = value['point_list']
  // What has nothing in it can be gone through, whatever it is.
  if (list === '' || (isObject(list) && Object.keys(list).length === 0)) return { command, points: [] }
  if (!Array.isArray(list) || !list.every(isObject)) return null
  const points = list.map((item) => ('point' in item ? { ...item, point: swapped(item['point']) } : item))
  return { command, points }
}

/** Later generations: the order of the model's coordinates is a setting; everything after it works in `[x, y]`. */
export function publishedOrder(order: string, point: unknown): unknown {
  return order === 'yx' ? swapped(point) : point
}

/** The frames that are shown: every one of a short clip, else evenly spread, in floating point as the original has it. */
export function sampledFrames(
  totalFrames: number,
  count: number,
  fps = 30,
  endSeconds: number | null = null,
): number[] {
  const last = totalFrames - 1
  const end = endSeconds === null ? last : Math.min(Math.trunc(endSeconds * fps), last)
  if (end < 0 || count < 1) return []
  if (end < count) return Array.from({ length: end + 1 }, (_, i) => i)
  if (count === 1) return [0]
  const step = end / (count - 1)
  return Array.from({ length: count }, (_, i) => (i === count - 1 ? end : Math.floor(i * step)))
}
