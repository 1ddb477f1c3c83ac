/** Parses the player's reply: JSON as asked for, JSON in other words, point tags, or points in prose. */
import { dropThinking, isObject, type JsonObject, jsonValues, lastObject } from '../../../suite.ts'
import type { Convention } from '../domain/coords.ts'
import type { PredictedPoint, Prediction } from '../domain/prediction.ts'
import { middleOfBox, readPoint } from './point.ts'
import { taggedPoints, writtenAnswer } from './prose.ts'
import { readTime } from './time.ts'

const FIELDS = ['point_list', 'explicit_command', 'selected_options']

/** Other names of the fields, compared without case and separators. */
const COMMANDS = names(
  'explicit_command, command, instruction, intent, user_command, request, 明确指令, 指令, 命令, 意图',
)
const LISTS = names(
  'point_list, points, point, entries, targets, target_list, points_2d, point_2d, 点列表, 点, 坐标列表',
)
const OPTIONS = names('selected_options, options, selected, 选项')
const POINTS = names(
  'point, point_2d, points, coordinates, coordinate, coords, coord, position, location, xy, center, pixel, keypoint, 坐标, 点, 位置',
)
const BOXES = names('bbox, bbox_2d, box, box_2d, bounding_box')
const TEXTS = names('description, label, name, object, desc, text, alt, target, 描述, 名称, 物体')
const TIMES = names(
  'timestamp, timestamps, time, times, time_range, timestamp_ms, time_ms, range, moment, interval, 时间, 时间戳, 时刻',
)
const SECONDS = /^(?:time|timestamp|moment)s?(?:[_ -]s|[_ -]?sec(?:ond)?s?|[_ -]?in[_ -]s(?:econds)?)$|^seconds$/i
const STARTS = names('start_ms, start, start_time, begin, begin_ms')
const ENDS = names('end_ms, end, end_time')

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(', ').map(plainKey))
}

function plainKey(key: string): string {
  return key.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** The value of the first field with one of these names. */
function pick(object: JsonObject, wanted: ReadonlySet<string>): unknown {
  return Object.entries(object).find(([key]) => wanted.has(plainKey(key)))?.[1]
}

/** The answer in a reply, or null. `convention` decides the order of coordinates that are named `x` and `y`. */
export function readReply(reply: string, convention: Convention = 'xy1000'): Prediction | null {
  const { text, repairs } = dropThinking(reply)
  const found = jsonValues(text)
  const asked = lastObject(found, (object) => FIELDS.some((field) => field in object))
  if (asked) return predictionIn(asked.value, [...repairs, ...asked.repairs], convention)
  const other = lastObject(found, (object) => isAnswer(object, convention))
  if (other) return predictionIn(other.value, [...repairs, ...other.repairs, 'other field names'], convention)
  const values = found.map(({ value }) => value)
  const inner = innerText(text, values)
  if (inner !== null) return readReply(inner, convention)
  const points = listedPoints(values, convention) ?? taggedPoints(text, convention)
  if (points) return { command: '', points, options: undefined, repairs: ['points without an object'] }
  const written = writtenAnswer(text, convention)
  return written && { ...written, options: undefined, repairs: ['read from prose'] }
}

/** JSON within a text of JSON, as in a quoted reply or the arguments of a tool call; null if there is none. */
function innerText(text: string, found: readonly unknown[]): string | null {
  const quoted = text.startsWith('"') ? readJson(text) : undefined
  const values = quoted === undefined ? found : [quoted]
  for (const value of values.toReversed()) {
    const texts = typeof value === 'string' ? [value] : isObject(value) ? Object.values(value) : []
    const inner = texts.findLast(
      (each) => typeof each === 'string' && FIELDS.some((field) => each.includes(`"${field}"`)),
    )
    if (typeof inner === 'string' && inner.length < text.length) return inner
  }
  return null
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An object with a command or a list of points under another name. */
function isAnswer(object: JsonObject, convention: Convention): boolean {
  if (typeof pick(object, COMMANDS) === 'string') return true
  const list = pick(object, LISTS)
  return Array.isArray(list) && list.some((item) => isPointLike(item, convention))
}

function isPointLike(item: unknown, convention: Convention): boolean {
  if (Array.isArray(item)) return item.length === 2 && readPoint(item, convention) !== null
  return isObject(item) && pointOf(item, convention) !== null
}

function predictionIn(value: JsonObject, repairs: readonly string[], convention: Convention): Prediction {
  const command = value['explicit_command'] ?? pick(value, COMMANDS)
  const list = value['point_list'] ?? pick(value, LISTS)
  return {
    command: typeof command === 'string' ? command : '',
    points: itemsIn(list).map((item) => predictedPoint(item, convention)),
    options: value['selected_options'] ?? pick(value, OPTIONS),
    repairs,
  }
}

/** A list, a single point, or an object of points by name: `{"object1": {"point": [1, 2]}}`. */
function itemsIn(list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list.length === 2 && list.every((item) => typeof item === 'number') ? [list] : list
  if (!isObject(list)) return []
  const values = Object.values(list)
  return pick(list, POINTS) === undefined && values.every(isObject) ? values : [list]
}

/** Points may be bare pairs instead of objects. */
function predictedPoint(item: unknown, convention: Convention): PredictedPoint {
  if (!isObject(item)) return { point: readPoint(item, convention), description: '', time: null }
  const description = item['description'] ?? pick(item, TEXTS)
  return {
    point: pointOf(item, convention),
    description: typeof description === 'string' ? description : '',
    time: timeOf(item),
  }
}

function pointOf(item: JsonObject, convention: Convention): PredictedPoint['point'] {
  const given = item['point'] ?? pick(item, POINTS)
  return (
    (given === undefined ? null : readPoint(given, convention)) ??
    readPoint(item, convention) ??
    middleOfBox(pick(item, BOXES) ?? given)
  )
}

const MS_PER_SECOND = 1000

function timeOf(item: JsonObject): PredictedPoint['time'] {
  const seconds = Object.entries(item).find(([key]) => SECONDS.test(key))
  if (seconds !== undefined) return readTime(seconds[1], MS_PER_SECOND)
  const given = item['timestamp'] ?? pick(item, TIMES)
  if (given !== undefined) return readTime(given)
  const [from, to] = [pick(item, STARTS), pick(item, ENDS)]
  return from === undefined || to === undefined ? null : readTime([from, to])
}

/** The last list of points in the text, or all objects with a point that stand alone. */
function listedPoints(values: readonly unknown[], convention: Convention): PredictedPoint[] | null {
  const list = values.findLast(
    (value) => Array.isArray(value) && value.some((item) => isObject(item) && isPointLike(item, convention)),
  )
  const items = Array.isArray(list) ? list : values.filter((value) => isObject(value) && isPointLike(value, convention))
  return items.length === 0 ? null : items.map((item) => predictedPoint(item, convention))
}
