/**
 * How the parts of a built-in object move: drawn for every object, so that neither names nor sizes nor places tell. A third of
 * the objects move as one expects, with sides and limits drawn; in the others doors slide, lids turn, knobs are pushed.
 */
import type { Random } from '../../../../suite.ts'
import {
  aboutAxis,
  add,
  AXES,
  compose,
  dot,
  type Frame,
  frameOf,
  lengthOf,
  moved,
  scaled,
  subtract,
  type Vec3,
} from '../../../../world.ts'
import { isNearAxis, type Solid } from '../assembly/hull-distance.ts'
import { type Block, blocksOf, depthOf, movedBlock } from './clearance.ts'
import { type ArticulatedModel, hullPoints, type ModelJoint, type ModelPart } from './model.ts'

export type Expectation = 'prior-consistent' | 'counter-prior'

const USUAL_SHARE = 0.35
const degrees = (value: number): number => (value * Math.PI) / 180

const SMALLEST_TURN = degrees(20)
/** Turns with an end stay well below the 270° over which those without end are shown. */
const LARGEST_TURN = degrees(200)
const LARGEST_SWING = degrees(165)
const TURN_STEP = degrees(7.5)
/** Of the largest travel. */
const SLIDE_STEPS = 20
const SHORTEST_SLIDE = 0.006
/** Meters that a part may go into another one on its way, beyond what it does at rest. */
const TOUCH = 0.006

/** A way to move, from rest towards positive values. */
interface Motion {
  type: 'revolute' | 'prismatic' | 'continuous'
  axis: Vec3
  origin: Vec3
  family: 'swing' | 'slide' | 'turn' | 'spin'
}

type Drawable = Omit<ArticulatedModel, 'shelf'>

/** The joints that an object gets, usual ones in a share of the objects; what cannot move otherwise moves as expected. */
export function drawMechanisms(model: Drawable, random: Random, usualShare = USUAL_SHARE): ModelJoint[] {
  const isCounter = random.chance(1 - usualShare)
  return model.joints.map((joint) => {
    if (joint.type === 'fixed') return joint
    const own = random.fork(joint.child)
    const room = new Room(model, joint)
    const surprise = isCounter ? drawSurprise(room, joint, own) : null
    return surprise ?? { ...drawUsual(room, joint, own), prior: 'prior-consistent' }
  })
}

function drawUsual(room: Room, joint: ModelJoint, random: Random): ModelJoint {
  const { type, lower, upper } = joint
  if (type === 'continuous') {
    // A knob may have ends or none, whatever it belongs to.
    if (random.chance(0.5)) return joint
    const axis = scaled(joint.axis, random.pick([-1, 1]))
    return { ...joint, type: 'revolute', axis, lower: 0, upper: random.range(SMALLEST_TURN, LARGEST_TURN) }
  }
  if (lower < 0) {
    const share = (): number => random.range(0.3, 1.25)
    const reach = room.reach({ ...joint, type: 'revolute', family: 'swing' })
    return { ...joint, lower: lower * share(), upper: Math.min(upper * share(), Math.max(upper, reach)) }
  }
  const sides = type === 'revolute' ? hingeSides(room, joint) : [joint]
  const side = random.pick(sides)
  const family = type === 'prismatic' ? 'slide' : 'swing'
  const reach = Math.max(upper, room.reach({ ...side, type: type === 'prismatic' ? type : 'revolute', family }))
  return { ...side, upper: drawLimit(family, reach, random) }
}

/** Doors hang on either side: the hinge as it is, and on the other side of its part where that is free as well. */
function hingeSides(room: Room, joint: ModelJoint): ModelJoint[] {
  const { center, size } = room.part
  const across = joint.origin[1] - center[1]
  if (Math.abs(joint.axis[2]) < 0.9 || Math.abs(across) < 0.35 * size[1]) return [joint]
  const mirrored: ModelJoint = {
    ...joint,
    origin: [joint.origin[0], center[1] - across, joint.origin[2]],
    axis: scaled(joint.axis, -1),
  }
  return room.reach({ ...mirrored, type: 'revolute', family: 'swing' }) > degrees(60) ? [joint, mirrored] : [joint]
}

function drawSurprise(room: Room, joint: ModelJoint, random: Random): ModelJoint | null {
  const free = motionsOf(room)
    .filter((motion) => !isLike(motion, joint, room.part) && room.holds(motion))
    .map((motion) => ({ motion, reach: room.reach(motion) }))
    .filter(({ motion, reach }) => reach >= (motion.type === 'prismatic' ? room.shortestSlide(motion) : SMALLEST_TURN))
  if (free.length === 0) return null
  const family = random.pick([...new Set(free.map(({ motion }) => motion.family))])
  const { motion, reach } = random.pick(free.filter((each) => each.motion.family === family))
  const { type, axis, origin } = motion
  const upper = type === 'continuous' ? 0 : drawLimit(family, reach, random)
  return { ...joint, type, axis, origin, lower: 0, upper, prior: 'counter-prior' }
}

/** Travels are told by their share: drawn so that every factor is as likely. Turns are told by their degrees. */
function drawLimit(family: Motion['family'], reach: number, random: Random): number {
  if (family !== 'slide') return random.range(Math.min(SMALLEST_TURN, reach * 0.5), reach)
  return reach * Math.exp(-random.unit() * Math.log(Math.min(5, Math.max(2, reach / SHORTEST_SLIDE))))
}

/** The same kind of motion about or along the same line. */
function isLike({ type, axis, origin }: Motion, joint: ModelJoint, { size }: ModelPart): boolean {
  const turns = (kind: string): boolean => kind !== 'prismatic'
  if (turns(type) !== turns(joint.type) || Math.abs(dot(axis, joint.axis)) < 0.9) return false
  if (!turns(type)) return dot(axis, joint.axis) > 0
  const offset = subtract(origin, joint.origin)
  const away = lengthOf(subtract(offset, scaled(axis, dot(offset, axis))))
  return away < Math.max(0.05, 0.12 * lengthOf(size)) && (type === joint.type || dot(axis, joint.axis) > 0)
}

/** All that a box can do next to what holds it: swing about its edges, slide, turn in its plane, spin. */
function motionsOf({ part: { center, size }, parent }: Room): Motion[] {
  const flat = size.indexOf(Math.min(...size))
  const [u, v] = [0, 1, 2].filter((k) => k !== flat) as [number, number]
  const unitOf = (k: number): Vec3 => [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]
  const half = (k: number): Vec3 => scaled(unitOf(k), size[k]! / 2)
  const back = add(center, scaled(half(flat), parent.center[flat]! < center[flat]! ? -1 : 1))
  const swings = [u, v].flatMap((along) =>
    [-1, 1].flatMap((side) => {
      const origin = add(back, scaled(half(along === u ? v : u), side * 0.985))
      return [-1, 1].map((sign): Motion => ({
        type: 'revolute',
        axis: scaled(unitOf(along), sign),
        origin,
        family: 'swing',
      }))
    }),
  )
  const slides = AXES.map((axis): Motion => ({ type: 'prismatic', axis, origin: center, family: 'slide' }))
  const corners = [-1, 1].flatMap((i) => [-1, 1].map((j) => add(scaled(half(u), i * 0.9), scaled(half(v), j * 0.9))))
  const turns = [...corners, [0, 0, 0] as const].flatMap((corner) =>
    [-1, 1].map((sign): Motion => ({
      type: 'revolute',
      axis: scaled(unitOf(flat), sign),
      origin: add(center, corner),
      family: 'turn',
    })),
  )
  const spins = [flat, u, v].map((k): Motion => ({
    type: 'continuous',
    axis: unitOf(k),
    origin: center,
    family: 'spin',
  }))
  return [...swings, ...slides, ...turns, ...spins]
}

/** A part with all that hangs on it, and what it must not run into. */
class Room {
  readonly part: ModelPart
  readonly parent: ModelPart
  readonly #moving: readonly Block[]
  readonly #still: readonly Block[]
  readonly #hull: readonly Vec3[]
  readonly #floor: number
  /** The part and what it hangs on. */
  readonly #held: readonly Solid[]
  /** By pair of blocks, at rest. */
  readonly #rest: readonly number[]

  constructor({ parts, joints, ground }: Drawable, { child, parent }: ModelJoint) {
    const named = (name: string): ModelPart => parts.find((part) => part.name === name)!
    this.part = named(child)
    this.parent = named(parent)
    const carried = new Set([child])
    for (const name of carried) for (const joint of joints) if (joint.parent === name) carried.add(joint.child)
    const blocks = (isMoving: boolean): Block[] =>
      parts.filter(({ name }) => carried.has(name) === isMoving).flatMap((part) => blocksOf(part, frameOf(part.center)))
    this.#moving = blocks(true)
    this.#still = blocks(false)
    this.#rest = this.#moving.flatMap((block) => this.#still.map((other) => Math.max(0, depthOf(block, other))))
    this.#hull = [...carried].flatMap((name) => {
      const { mesh, center } = named(name)
      const points = hullPoints(mesh.positions)
      return Array.from({ length: points.length / 3 }, (_, i) =>
        add([points[i * 3]!, points[i * 3 + 1]!, points[i * 3 + 2]!], center),
      )
    })
    this.#held = [this.part, this.parent].map(({ mesh, center }) => ({
      points: hullPoints(mesh.positions),
      frame: frameOf(center),
    }))
    this.#floor = Math.min(-ground, ...this.#hull.map(([, , z]) => z))
  }

  /** A part hangs on what its axis runs through. */
  holds(motion: Motion): boolean {
    return motion.type === 'prismatic' || this.#held.every((solid) => isNearAxis(motion, solid))
  }

  /** Less than this of a slide is not seen for one. */
  shortestSlide(motion: Motion): number {
    return Math.max(SHORTEST_SLIDE, this.#longestSlide(motion) * 0.2)
  }

  #longestSlide({ axis }: Motion): number {
    const along = Math.abs(dot(axis, this.part.size))
    return Math.max(along, 0.6 * Math.max(...this.part.size))
  }

  /** How far it can go, in radians or meters: 0 when it is stuck at once. */
  reach(motion: Motion): number {
    const { type, family } = motion
    const most = type === 'prismatic' ? this.#longestSlide(motion) : family === 'swing' ? LARGEST_SWING : LARGEST_TURN
    const end = type === 'continuous' ? 2 * Math.PI : most
    const step = type === 'prismatic' ? most / SLIDE_STEPS : TURN_STEP
    let free = 0
    for (let q = step; q <= end + 1e-9; q += step) {
      if (!this.#isFree(motionFrame(motion, q))) break
      free = q
    }
    return type === 'continuous' && free < end - TURN_STEP ? 0 : free
  }

  #isFree(by: Frame): boolean {
    if (this.#hull.some((point) => moved(by, point)[2] < this.#floor - 0.003)) return false
    let pair = 0
    for (const block of this.#moving) {
      const at = movedBlock(block, by)
      for (const other of this.#still) if (depthOf(at, other) > this.#rest[pair++]! + TOUCH) return false
    }
    return true
  }
}

function motionFrame({ type, axis, origin }: Motion, q: number): Frame {
  if (type === 'prismatic') return frameOf(scaled(axis, q))
  return compose(frameOf(origin), compose(aboutAxis(axis, q), frameOf(scaled(origin, -1))))
}
