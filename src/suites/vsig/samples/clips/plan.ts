/** Plans a clip before rendering: objects, intent, and the timing of hand, head and voice. */
import { Random } from '../../../../suite.ts'
import { type Camera, fieldOfView, lookAt, type Vec3 } from '../../../../world.ts'
import type { Word } from '../../domain/annotation.ts'
import { type Language, SHAPES as TEMPLATE_SHAPES, TEMPLATES, type Template } from '../../domain/templates.ts'
import { type ClipKnobs, type Level, LEVELS } from './levels.ts'
import { DIRECTIONS, type Direction, phrases, sideName, spokenText } from './speech.ts'
import { type Hold, timeClip } from './timing.ts'
import { pickObjects, type ObjectKind, type ObjectModel } from './objects.ts'

export const GENERATOR = 'vsig-clips-3'
export const WIDTH = 960
export const HEIGHT = 540

export const TABLE = { z: 0.75, x: [-0.8, 0.8], y: [-0.1, 0.82] } as const
/** Where objects are placed: within reach and sight. */
const REACH = { x: [-0.5, 0.5], y: [0.06, 0.6] } as const
/** Minimum gap between two objects, and radius of a free spot, in meters. */
const GAP = 0.05
const FREE_RADIUS = 0.055
/** Radius of "here", and how far "to the left of it" reaches and opens, in meters. */
const SPOT_RADIUS = 0.07
const SIDE_REACH = 0.2
const SIDE_SLOPE = 0.6

export interface PlacedObject extends ObjectKind {
  /** The id in rendered images, from 1. */
  id: number
  model: ObjectModel
  position: readonly [number, number]
  yaw: number
  /** Radius of its bounding circle. */
  radius: number
}

/** What the hand does while it holds still. */
export interface Gesture extends Hold {
  target: Vec3
  object: number | null
  /** From the fingertip to the target, in meters. */
  away: number
}

/** An entry of the annotation. */
export type PlannedEntry =
  | { kind: 'object'; object: number; name: string }
  /** `also`: other correct names, after other objects nearby. */
  | { kind: 'area'; at: readonly [number, number]; name: string; region: Region; also?: string[] }

/** The part of the table that an area means: where its point may be. */
export type Region =
  | { kind: 'disc'; radius: number }
  /** Next to an object on one side: a sector that opens from the object's edge. */
  | { kind: 'side'; of: number; direction: Direction }

/** What a clip is made from. */
export interface ClipKey {
  seed: number
  index: number
  language: Language
  level: Level
  /** The first attempt in which everything can be seen. */
  attempt: number
}

export interface ClipPlan extends ClipKey {
  template: Template
  objects: PlacedObject[]
  entries: PlannedEntry[]
  gestures: Gesture[]
  words: Word[]
  text: string
  frames: number
  durationMs: number
  /** Which hand points: 1 right, −1 left. */
  hand: 1 | -1
  skin: number
  sleeve: number
  tableTop: number
  /** Random parameters of the head's sway. */
  sway: readonly number[]
}

type DrawnPlan = Omit<ClipPlan, keyof ClipKey>

export function planClip(key: ClipKey): ClipPlan {
  const { seed, index, language, level, attempt } = key
  const random = new Random(`${GENERATOR}/${seed}/${index}/${language}/${level}/${attempt}`)
  const template = TEMPLATES[index % TEMPLATES.length]!
  for (let tries = 0; ; tries++) {
    const plan = tryPlan(random.fork(`try/${tries}`), template, language, LEVELS[level])
    if (plan) return { seed, index, language, level, attempt, ...plan }
    if (tries > 400) throw new Error(`Cannot lay out clip ${seed}/${index}.`)
  }
}

function tryPlan(random: Random, template: Template, language: Language, knobs: ClipKnobs): DrawnPlan | null {
  const objects = placeObjects(random.fork('things'), knobs)
  if (!objects) return null
  const meant = chooseEntries(random.fork('meant'), template, objects, language)
  if (!meant) return null
  const speech = random.fork('speech')
  const spoken = phrases(template, meant.sides, language, speech)
  const timing = timeClip(template, spoken, language, knobs, speech)
  if (!timing) return null
  const { words, holds, frames, durationMs } = timing
  const others = random.fork('others')
  const idle = objects.filter(({ id }) => !meant.pointed.some(({ object }) => object === id))
  const gestures = holds.map((hold): Gesture => {
    const away = others.range(...knobs.away)
    const bystander = others.pick(idle)
    if (hold.slot === null) return { ...hold, target: centerOf(bystander), object: bystander.id, away }
    return { ...hold, ...meant.pointed[hold.slot]!, away }
  })
  return {
    template,
    objects,
    entries: meant.entries,
    gestures,
    words,
    text: spokenText(words, language),
    frames,
    durationMs,
    hand: random.chance(0.85) ? 1 : -1,
    skin: random.int(4),
    sleeve: random.int(5),
    tableTop: random.int(4),
    sway: Array.from({ length: 9 }, () => random.range(-1, 1)),
  }
}

/** Places objects on the table without contact, tall ones at the back. */
function placeObjects(random: Random, { objects, lookAlikes }: ClipKnobs): PlacedObject[] | null {
  const kinds = pickObjects(random.fork('kinds'), random.between(...objects), random.between(...lookAlikes))
  const placed: PlacedObject[] = []
  for (const [i, kind] of kinds.entries()) {
    const model = kind.build(random.fork(`model/${i}`))
    const radius = Math.hypot(model.size[0], model.size[1]) / 2
    let position: readonly [number, number] | null = null
    for (let tries = 0; tries < 60 && !position; tries++) {
      const x = random.range(...REACH.x)
      const back = model.size[2] > 0.16 ? 0.3 : 0
      const y = random.range(REACH.y[0] + back, REACH.y[1])
      if (
        placed.every((other) => Math.hypot(other.position[0] - x, other.position[1] - y) > other.radius + radius + GAP)
      )
        position = [x, y]
    }
    if (!position) return null
    placed.push({ ...kind, id: i + 1, model, position, yaw: random.range(0, 360), radius })
  }
  return placed.every((object) => placed.every((other) => isTellable(object, other))) ? placed : null
}

/** Look-alikes stand far enough apart for "left" and "right" to tell them apart in lists of options. */
const TELLABLE = 0.1

function isTellable(a: PlacedObject, b: PlacedObject): boolean {
  return a === b || a.key !== b.key || Math.abs(a.position[0] - b.position[0]) >= TELLABLE
}

/** The object that looks like this one, if there is one. */
function twinOf({ id, key }: PlacedObject, objects: readonly PlacedObject[]): PlacedObject | undefined {
  return objects.find((other) => other.key === key && other.id !== id)
}

/** A name that no other object on the table has. */
export function uniqueName(object: PlacedObject, objects: readonly PlacedObject[], language: Language): string {
  const twin = twinOf(object, objects)
  if (!twin) return object[language]
  const isLeft = object.position[0] < twin.position[0]
  if (language === 'zh') return `${isLeft ? '左边' : '右边'}的${object.zh}`
  return `${object.en} on the ${isLeft ? 'left' : 'right'}`
}

interface PlannedIntent {
  entries: PlannedEntry[]
  pointed: { target: Vec3; object: number | null }[]
  sides: Direction[]
}

const OFFSETS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  front: [0, -1],
  behind: [0, 1],
}

function chooseEntries(
  random: Random,
  template: Template,
  objects: readonly PlacedObject[],
  language: Language,
): PlannedIntent | null {
  const { entries: pattern } = TEMPLATE_SHAPES[template]
  // Objects that have look-alikes are meant first in most clips, so that only the hand tells which one.
  const shuffled = random.sample(objects, objects.length)
  const hasTwin = (object: PlacedObject): number => Number(twinOf(object, objects) !== undefined)
  let order = random.chance(0.7) ? shuffled.toSorted((a, b) => hasTwin(a) - hasTwin(b)) : shuffled
  const meant: PlannedIntent = { entries: [], pointed: [], sides: [] }
  const taken: (readonly [number, number])[] = []
  let reference: PlacedObject | null = null
  for (const letter of pattern) {
    if (letter === 'o') {
      const object = order.pop()
      if (!object) return null
      // "Put the ring to the left of the ring" would not say which is which.
      order = order.filter(({ key }) => key !== object.key)
      reference = object
      meant.entries.push({ kind: 'object', object: object.id, name: object[language] })
      meant.pointed.push({ target: centerOf(object), object: object.id })
      continue
    }
    if (template === '指令3') {
      const at = pickFreeSpot(random, objects, taken)
      if (!at) return null
      // Other than the object that is put there, and its look-alikes.
      const others = objects.filter(({ key }) => key !== reference!.key)
      const [name, ...also] = freeNames(at, others, language)
      if (name === undefined) return null
      meant.entries.push({ kind: 'area', at, name, also, region: { kind: 'disc', radius: SPOT_RADIUS } })
      meant.pointed.push({ target: [at[0], at[1], TABLE.z], object: null })
      continue
    }
    // The hand points at the reference object, not at the place next to it.
    const side = random
      .sample(DIRECTIONS, 4)
      .find((direction) => isFree(sidePosition(reference!, direction), objects, taken))
    if (!side) return null
    const at = sidePosition(reference!, side)
    taken.push(at)
    meant.sides.push(side)
    const region: Region = { kind: 'side', of: reference!.id, direction: side }
    meant.entries.push({ kind: 'area', at, name: sideName(side, language), region })
  }
  return meant
}

/** The visual center of an object. */
export function centerOf({ position, model }: PlacedObject): Vec3 {
  return [position[0], position[1], TABLE.z + model.size[2] * 0.55]
}

export function sidePosition(
  { position, radius, model }: PlacedObject,
  direction: Direction,
): readonly [number, number] {
  const [dx, dy] = OFFSETS[direction]
  // Behind a tall object the spot must be further away to be visible.
  const far = radius + FREE_RADIUS + 0.035 + (direction === 'behind' ? model.size[2] * 0.7 : 0)
  return [position[0] + dx * far, position[1] + dy * far]
}

function isFree(
  [x, y]: readonly [number, number],
  objects: readonly PlacedObject[],
  taken: readonly (readonly [number, number])[],
): boolean {
  const inReach = x > TABLE.x[0] + 0.12 && x < TABLE.x[1] - 0.12 && y > -0.02 && y < TABLE.y[1] - 0.06
  return (
    inReach &&
    objects.every(({ position, radius }) => Math.hypot(position[0] - x, position[1] - y) > radius + FREE_RADIUS) &&
    taken.every((other) => Math.hypot(other[0] - x, other[1] - y) > 2 * FREE_RADIUS)
  )
}

function pickFreeSpot(
  random: Random,
  objects: readonly PlacedObject[],
  taken: readonly (readonly [number, number])[],
): readonly [number, number] | null {
  for (let tries = 0; tries < 80; tries++) {
    const at = [random.range(-0.45, 0.45), random.range(0.05, 0.55)] as const
    if (isFree(at, objects, taken)) return at
  }
  return null
}

/** Objects this near to a free spot may be named to describe it. */
const NEARBY = 0.18

/** Names of a free spot after the objects nearby, the nearest first. */
export function freeNames(
  at: readonly [number, number],
  objects: readonly PlacedObject[],
  language: Language,
): string[] {
  const gap = ({ position, radius }: PlacedObject): number =>
    Math.hypot(position[0] - at[0], position[1] - at[1]) - radius
  const near = objects.toSorted((a, b) => gap(a) - gap(b)).filter((object) => gap(object) < NEARBY)
  const names = near.map((object) =>
    language === 'zh' ? `${object.zh}旁边的空闲区域` : `free area beside the ${object.en}`,
  )
  return [...new Set(names)]
}

/** Whether a spot of the table is in the region of an area, leaving aside what stands there. */
export function isInRegion(
  [x, y]: readonly [number, number],
  { at, region }: { at: readonly [number, number]; region: Region },
  objects: readonly PlacedObject[],
): boolean {
  if (region.kind === 'disc') return Math.hypot(x - at[0], y - at[1]) <= region.radius
  const { position, radius, model } = objects[region.of - 1]!
  const [dx, dy] = OFFSETS[region.direction]
  const out = (x - position[0]) * dx + (y - position[1]) * dy - radius
  const aside = Math.abs((x - position[0]) * dy) + Math.abs((y - position[1]) * dx)
  const reach = SIDE_REACH + (region.direction === 'behind' ? model.size[2] * 0.7 : 0)
  return out >= 0 && out <= reach && aside <= radius * 0.6 + out * SIDE_SLOPE
}

const LENS = fieldOfView(70, WIDTH, HEIGHT)

/** The box in which the head stays. */
export const HEAD = { x: [-0.1, 0.1], y: [-0.46, -0.42], z: [TABLE.z + 0.66, TABLE.z + 0.74] } as const

/** Where the head is. It stays there and turns, so a clip is drawn once, and wide. */
function eyeOf({ sway: [a = 0, b = 0, , d = 0, e = 0, , g = 0] }: ClipPlan): Vec3 {
  return [0.04 * a + 0.04 * d + 0.018 * b, -0.44 + 0.02 * e, TABLE.z + 0.7 + 0.03 * g]
}

/** The head camera, which sways and follows the hand with a lag. */
export function cameraAt(plan: ClipPlan, ms: number): Camera {
  const t = ms / 1000
  const [, b = 0, c = 0, d = 0, e = 0, f = 0, , h = 0, i = 0] = plan.sway
  const wave = (rate: number, phase: number): number => Math.sin(rate * t + phase * Math.PI)
  const look: [number, number] = [0.02 * i, 0.27]
  let weight = 0
  for (const { target, hold } of plan.gestures) {
    const near = smoothstep((ms - hold[0] + 350) / 700) * (1 - smoothstep((ms - hold[1] - 250) / 900))
    look[0] += (target[0] * 0.28 - look[0]) * near * (1 - weight)
    look[1] += (0.27 + (target[1] - 0.3) * 0.2 - look[1]) * near * (1 - weight)
    weight = Math.max(weight, near * 0.5)
  }
  const aside = 0.012 * wave(1.1, d) + 0.02 * wave(0.9 + 0.2 * b, c)
  const ahead = 0.016 * wave(0.7 + 0.2 * e, f) + 0.008 * wave(1.3, h)
  return { pose: lookAt(eyeOf(plan), [look[0] + aside, look[1] + ahead, TABLE.z]), lens: LENS }
}

export function smoothstep(t: number): number {
  const clamped = t < 0 ? 0 : t > 1 ? 1 : t
  return clamped * clamped * (3 - 2 * clamped)
}
