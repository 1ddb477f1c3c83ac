/** Plans a clip before rendering: objects, intent, and the timing of hand, head and voice. */
import { Random } from '../../../../suite.ts'
import { type Camera, fieldOfView, lookAt, type Vec3 } from '../../../../world.ts'
import type { Word } from '../../domain/annotation.ts'
import { type Language, SHAPES as TEMPLATE_SHAPES, TEMPLATES, type Template } from '../../domain/templates.ts'
import { DIRECTIONS, type Direction, phrases, sideName, spokenText, timePhrases } from './speech.ts'
import { pickObjects, type ObjectKind, type ObjectModel } from './objects.ts'

export const GENERATOR = 'vsig-clips-1'
export const WIDTH = 960
export const HEIGHT = 540
export const FPS = 15

export const TABLE = { z: 0.75, x: [-0.8, 0.8], y: [-0.1, 0.82] } as const
/** Where objects are placed: within reach and sight. */
const REACH = { x: [-0.5, 0.5], y: [0.06, 0.6] } as const
const OBJECT_COUNT = [6, 8] as const
/** Minimum gap between two objects, and radius of a free spot, in meters. */
const GAP = 0.05
const FREE_RADIUS = 0.055

export interface PlacedObject extends ObjectKind {
  /** The id in rendered images, from 1. */
  id: number
  model: ObjectModel
  position: readonly [number, number]
  yaw: number
  /** Radius of its bounding circle. */
  radius: number
}

/** A pointing gesture at an object or a free spot. */
export interface Gesture {
  target: Vec3
  object: number | null
  /** When the hand holds still, in milliseconds. */
  hold: readonly [number, number]
}

/** An entry of the annotation. */
export type PlannedEntry =
  | { kind: 'object'; object: number; name: string }
  | { kind: 'area'; at: readonly [number, number]; name: string }

export interface ClipPlan {
  seed: number
  index: number
  attempt: number
  language: Language
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

/** Time before the first word or gesture; `TAIL_MS` is the time after the last. */
const LEAD_IN_MS = [900, 1400] as const
/** Time the hand takes from one target to the next. */
export const HAND_MOVE_MS = 420
const TAIL_MS = 1300

export function planClip(seed: number, index: number, language: Language, attempt = 0): ClipPlan {
  const random = new Random(`${GENERATOR}/${seed}/${index}/${language}/${attempt}`)
  const template = TEMPLATES[index % TEMPLATES.length]!
  for (let tries = 0; ; tries++) {
    const plan = tryPlan(random.fork(`try/${tries}`), template, language)
    if (plan) return { ...plan, seed, index, attempt }
    if (tries > 200) throw new Error(`Cannot lay out clip ${seed}/${index}.`)
  }
}

function tryPlan(
  random: Random,
  template: Template,
  language: Language,
): Omit<ClipPlan, 'seed' | 'index' | 'attempt'> | null {
  const objects = placeObjects(random.fork('things'))
  if (!objects) return null
  const meant = chooseEntries(random.fork('meant'), template, objects, language)
  if (!meant) return null
  const speech = random.fork('speech')
  const start = Math.round(speech.range(...LEAD_IN_MS))
  const pieces = timePhrases(phrases(template, meant.sides, language, speech), start, language, speech)
  const words = pieces.flatMap((piece) => piece.words)
  const silent: readonly [number, number] = [start, start + Math.round(speech.range(900, 1500))]
  const gestures = meant.pointed.map(({ target, object }, i): Gesture => {
    const piece = pieces[i]
    // The hand arrives just before the words and stays until they end.
    const hold: readonly [number, number] = piece ? [piece.begin - Math.round(speech.range(0, 120)), piece.end] : silent
    return { target, object, hold }
  })
  const durationMs = gestures.at(-1)!.hold[1] + HAND_MOVE_MS + TAIL_MS
  const frames = Math.ceil((durationMs / 1000) * FPS)
  return {
    language,
    template,
    objects,
    entries: meant.entries,
    gestures,
    words,
    text: spokenText(words, language),
    frames,
    durationMs: Math.round((frames / FPS) * 1000),
    hand: random.chance(0.85) ? 1 : -1,
    skin: random.int(4),
    sleeve: random.int(5),
    tableTop: random.int(4),
    sway: Array.from({ length: 9 }, () => random.range(-1, 1)),
  }
}

/** Places objects on the table without contact, tall ones at the back. */
function placeObjects(random: Random): PlacedObject[] | null {
  const kinds = pickObjects(random.fork('kinds'), random.between(...OBJECT_COUNT))
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
  return placed
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
  const order = random.sample(objects, objects.length)
  const meant: PlannedIntent = { entries: [], pointed: [], sides: [] }
  const taken: (readonly [number, number])[] = []
  let reference: PlacedObject | null = null
  for (const letter of pattern) {
    if (letter === 'o') {
      const object = order.pop()
      if (!object) return null
      reference = object
      meant.entries.push({ kind: 'object', object: object.id, name: object[language] })
      meant.pointed.push({ target: centerOf(object), object: object.id })
      continue
    }
    if (template === '指令3') {
      const at = pickFreeSpot(random, objects, taken)
      if (!at) return null
      meant.entries.push({ kind: 'area', at, name: freeName(at, objects, language) })
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
    meant.entries.push({ kind: 'area', at, name: sideName(side, language) })
  }
  return meant
}

/** The visual center of an object. */
export function centerOf({ position, model }: PlacedObject): Vec3 {
  return [position[0], position[1], TABLE.z + model.size[2] * 0.55]
}

function sidePosition({ position, radius, model }: PlacedObject, direction: Direction): readonly [number, number] {
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

function freeName(at: readonly [number, number], objects: readonly PlacedObject[], language: Language): string {
  const gap = ({ position, radius }: PlacedObject): number =>
    Math.hypot(position[0] - at[0], position[1] - at[1]) - radius
  const nearest = objects.reduce((best, object) => (gap(object) < gap(best) ? object : best))
  return language === 'zh' ? `${nearest.zh}旁边的空闲区域` : `free area beside the ${nearest.en}`
}

const LENS = fieldOfView(70, WIDTH, HEIGHT)

/** The head camera, which sways and follows the hand with a lag. */
export function cameraAt(plan: ClipPlan, ms: number): Camera {
  const t = ms / 1000
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = plan.sway
  const wave = (rate: number, phase: number): number => Math.sin(rate * t + phase * Math.PI)
  const eye: Vec3 = [
    0.03 * a + 0.018 * wave(0.9 + 0.2 * b, c) + 0.05 * d * Math.min(1, t / 6),
    -0.44 + 0.02 * wave(0.7 + 0.2 * e, f),
    TABLE.z + 0.7 + 0.02 * g + 0.012 * wave(1.3, h),
  ]
  const look: [number, number] = [0.02 * i, 0.27]
  let weight = 0
  for (const { target, hold } of plan.gestures) {
    const near = smoothstep((ms - hold[0] + 350) / 700) * (1 - smoothstep((ms - hold[1] - 250) / 900))
    look[0] += (target[0] * 0.28 - look[0]) * near * (1 - weight)
    look[1] += (0.27 + (target[1] - 0.3) * 0.2 - look[1]) * near * (1 - weight)
    weight = Math.max(weight, near * 0.5)
  }
  return { pose: lookAt(eye, [look[0] + 0.012 * wave(1.1, d), look[1], TABLE.z]), lens: LENS }
}

export function smoothstep(t: number): number {
  const clamped = t < 0 ? 0 : t > 1 ? 1 : t
  return clamped * clamped * (3 - 2 * clamped)
}

/** Time of frame `index`, in milliseconds. */
export function frameMs(index: number): number {
  return (index / FPS) * 1000
}
