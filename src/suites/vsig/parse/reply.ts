/** Parses the player's reply. */
import { bestObject, isObject } from '../../../suite.ts'
import { meanOf, pairsOf, type Point } from '../domain/points.ts'
import type { PredictedPoint, Prediction } from '../domain/prediction.ts'

const FIELDS = ['point_list', 'explicit_command', 'selected_options']

/** The answer in a reply, or null. Points may be bare pairs instead of objects. */
export function readReply(reply: string): Prediction | null {
  const found = bestObject(reply, (object) => FIELDS.some((field) => field in object))
  if (!found) return null
  const { value, repairs } = found
  const list = value['point_list']
  return {
    command: typeof value['explicit_command'] === 'string' ? value['explicit_command'] : '',
    points: Array.isArray(list) ? list.map(readPoint) : [],
    options: value['selected_options'],
    repairs,
  }
}

function readPoint(item: unknown): PredictedPoint {
  if (!isObject(item)) return { point: readPair(item), description: '', time: null }
  const { description, timestamp } = item
  return {
    point: readPair(item['point']),
    description: typeof description === 'string' ? description : '',
    time: readTime(timestamp),
  }
}

function readPair(value: unknown): Point | null {
  const pairs = pairsOf(numeric(value))
  if (!pairs) return null
  const mean = meanOf(pairs)
  return Number.isFinite(mean[0]) && Number.isFinite(mean[1]) ? mean : null
}

/** Accepts quoted numbers, which models sometimes write. */
function numeric(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 64).map(numeric)
  return typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

function readTime(value: unknown): PredictedPoint['time'] {
  const read = numeric(value)
  if (typeof read === 'number') return Number.isFinite(read) ? read : null
  if (!Array.isArray(read)) return null
  const [from, to]: unknown[] = read
  if (read.length === 1 && typeof from === 'number') return from
  if (read.length !== 2 || typeof from !== 'number' || typeof to !== 'number' || !(from <= to)) return null
  return [from, to]
}
