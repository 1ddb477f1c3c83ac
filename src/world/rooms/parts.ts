/** Whether two things are in each other's way. Most are as their boxes; a chair may stand under a table. */
import { compose } from '../frames.ts'
import type { ObjectModel } from '../objects/model.ts'
import { turnOf } from '../trig.ts'
import { turnedOverlap } from './boxes.ts'

export interface Thing {
  category: string
  position: readonly [number, number, number]
  yaw: number
  model: ObjectModel
}

/** What is pushed under something else is compared part by part. */
const SEATS: ReadonlySet<string> = new Set(['chair', 'office chair', 'stool'])
/** What has room below its top, and is compared part by part with a seat. */
const TOPS: ReadonlySet<string> = new Set(['table', 'round table', 'desk', 'school desk'])

/** Whether two things overlap by more than `tolerance` meters. */
export function intersect(a: Thing, b: Thing, tolerance: number): boolean {
  if (!turnedOverlap(boxOf(a), boxOf(b), tolerance)) return false
  if (!SEATS.has(a.category) && !SEATS.has(b.category)) return true
  const others = partsOf(b)
  return partsOf(a).some((part) => others.some((other) => partsOverlap(part, other, tolerance)))
}

const boxOf = ({ model, position, yaw }: Thing) => ({ size: model.size, position, yaw })

interface Part {
  frame: readonly number[]
  half: readonly [number, number, number]
}

/** Boxes in the room: the object's parts, or the one around it. */
function partsOf({ category, model, position, yaw }: Thing): Part[] {
  const [c, s] = turnOf(yaw)
  const frame = [c, -s, 0, position[0], s, c, 0, position[1], 0, 0, 1, position[2]]
  if (SEATS.has(category) || TOPS.has(category))
    return model.occluders.map((part) => ({ frame: compose(frame, part.frame), half: part.half }))
  const [d, w, h] = model.size
  return [{ frame: compose(frame, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, h / 2]), half: [d / 2, w / 2, h / 2] }]
}

/** Two boxes turned in any way, by separating axes: their own and what is square to a pair of them. */
function partsOverlap(a: Part, b: Part, tolerance: number): boolean {
  const between = [0, 1, 2].map((k) => b.frame[k * 4 + 3]! - a.frame[k * 4 + 3]!)
  const own = [a, b].flatMap(({ frame }) => [0, 1, 2].map((k) => [frame[k]!, frame[k + 4]!, frame[k + 8]!] as const))
  const square = own.slice(0, 3).flatMap((p) => own.slice(3).map((q) => cross(p, q)))
  return [...own, ...square].every((axis) => {
    const length = Math.sqrt(dot(axis, axis))
    if (length < 1e-6) return true
    const reach = (first: number, { half }: Part): number =>
      [0, 1, 2].reduce((sum, k) => sum + half[k]! * Math.abs(dot(own[first + k]!, axis)), 0)
    return Math.abs(dot(between, axis)) < reach(0, a) + reach(3, b) - tolerance * length
  })
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!
}

function cross(a: readonly number[], b: readonly number[]): readonly [number, number, number] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!]
}
