/** Reply parsers of the published code. */
import { isObject, type JsonObject, readPythonJson } from '../../../suite.ts'
import { swapAxes } from '../domain/points.ts'

export type PublishedJson = { value: unknown } | { raises: true }

/** Generations 1 to 3: strips one code fence; the rest must be JSON, or the result is an empty object. */
export function publishedJson1(reply: string): PublishedJson {
  let text = reply.trim()
  if (text.startsWith('```')) {
    const lines = text.split('\n').slice(1)
    // A fence with its JSON on one line leaves no lines, and the original then indexes the last one.
    if (lines.length === 0) return { raises: true }
    if (lines.at(-1)!.trim() === '```') lines.pop()
    text = lines.join('\n')
  }
  const value = readPythonJson(text)
  return { value: value === undefined ? {} : value }
}

/** Generation 4: tries several candidates, then repairs that also break valid nested lists. */
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

/** The object of a parsed reply, or the first item of a list; null if the reply is dropped. */
function publishedObject(output: unknown): JsonObject | null {
  const value: unknown = Array.isArray(output) ? output[0] : output
  return isObject(value) && Object.keys(value).length > 0 ? value : null
}

/** Generation 1: the points that reach the scorer, swapped to `[y, x]`; null if the reply is dropped. */
export function publishedPoints1(output: unknown): JsonObject[] | null {
  const value = publishedObject(output)
  if (!value) return null
  const list = value['point_list'] ?? ('point_list' in value ? null : [])
  // Python can iterate over any empty container.
  if (list === '' || (isObject(list) && Object.keys(list).length === 0)) return []
  if (!Array.isArray(list) || !list.every(isObject)) return null
  return list.map((item) => ('point' in item ? { ...item, point: swapAxes(item['point']) } : item))
}

/** Input of scorers v2 to v4: option letters, and points as `[x, y]` in 0…1000. */
export interface OptionPrediction {
  options: string[]
  points: readonly JsonObject[]
}

/** Null if the reply is dropped. */
export function optionPrediction(output: unknown): OptionPrediction | null {
  const value = publishedObject(output)
  if (!value) return null
  const list = value['point_list']
  return {
    options: predictedOptions(value['selected_options']),
    points: Array.isArray(list) ? list.map((item) => (isObject(item) ? item : {})) : [],
  }
}

/** Accepts a single option that is not in a list. */
export function predictedOptions(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  return Array.isArray(value) ? value.map((option) => String(option).trim()) : []
}

/** Converts from the configured coordinate order to `[x, y]`. */
export function publishedOrder(order: string, point: unknown): unknown {
  return order === 'yx' ? swapAxes(point) : point
}
