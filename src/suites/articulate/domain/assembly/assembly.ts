/** An object while a candidate function builds it: links, the joints between them, and where everything is. */
import { groupBy } from '../../../../suite.ts'
import {
  add,
  compose,
  dot,
  type Frame,
  frameOf,
  IDENTITY,
  type Joint,
  type JointType,
  lengthOf,
  type Limit,
  originOf,
  type Robot,
  scaled,
  subtract,
  turnedBack,
  unit,
  type Vec3,
} from '../../../../world.ts'
import type { Profile } from '../profile.ts'
import { type Box, boxAround, centerOf, shifted } from './box.ts'
import { hullDistance } from './hull-distance.ts'
import { BASE, type Part, type PartShelf } from './parts.ts'
import { along, displacement, PLACEMENTS, type Rule } from './placement.ts'
import { AssemblyError } from './problem.ts'

export interface Linked {
  part: Part
  /** Where the part's own frame is in the link's: moved when a hinge takes the link's frame elsewhere. */
  shift: Vec3
}

export interface Jointed {
  name: string
  type: JointType
  parent: string
  child: string
  /** Null while nothing was said about it. */
  xyz: Vec3 | null
  rpy: Vec3 | null
  axis: Vec3 | null
  limit: Limit | null
}

export interface PlaceOptions {
  placement?: string
  clearance?: number
  snap?: boolean
  overwrite?: boolean
}

export interface RevoluteOptions {
  axis: Vec3
  lowerDegrees: number
  upperDegrees: number
  pivot?: Vec3 | null
  overwrite?: boolean
}

type Placing = Required<Omit<PlaceOptions, 'placement'>>

/** Where links are, as programs are told. */
export interface World {
  frames: ReadonlyMap<string, Frame>
  boxes: ReadonlyMap<string, Box>
  /** By link in order: how far its lowest point was below the ground when its turn came. */
  raised: readonly number[]
}

export interface AssemblySetting {
  profile: Profile
  /** The turn of the first joint on the base, from the object's own file: meshes that lie on their side stand up. */
  baseTurn?: Vec3 | null
  /** Asked before work that takes time; throws when there was enough of it. */
  spend?(work: number): void
}

const SNAP_STEP = 0.01
const SNAP_STEPS = 100
/** Hulls nearer than this touch. */
const CONTACT = 1e-9
const HELPER = 'base_helper'
const DRIVE = { velocity: 5, effort: 5 }
const SHORTEST = 1e-9
/** Meters; squares of far larger numbers are not finite. */
const LONGEST = 1e6
const NOTHING: Box = { min: [0, 0, 0], max: [0, 0, 0] }
/** A snap ends this close, in meters. */
const SNUG = 1e-4
const ADVANCES = 40

export class Assembly {
  readonly links = new Map<string, Linked>()
  readonly joints: Jointed[] = []
  readonly warnings: string[] = []
  name: string
  readonly #shelf: PartShelf
  readonly #setting: AssemblySetting
  #aligned = false
  #world: World | null = null

  constructor(name: string, shelf: PartShelf, setting: AssemblySetting) {
    this.name = name
    this.#shelf = shelf
    this.#setting = setting
  }

  get #isUpstream(): boolean {
    return this.#setting.profile === 'upstream'
  }

  addLink(name: string): void {
    const part = this.#shelf.get(name)
    if (!part)
      throw new AssemblyError(
        `There is no part called '${name}'. Parts: ${[...this.#shelf.keys()].join(', ')}.`,
        'KeyError',
      )
    if (this.links.has(name)) {
      this.warnings.push(`link '${name}' was added twice`)
      return
    }
    this.links.set(name, { part, shift: [0, 0, 0] })
    this.#world = null
  }

  addJoint(joint: Jointed): void {
    if (!this.#isUpstream) {
      this.#known(joint.parent)
      this.#known(joint.child)
      if (joint.parent === joint.child) throw new AssemblyError(`'${joint.child}' cannot be joined to itself.`)
      const other = this.joints.find(({ child }) => child === joint.child)
      if (other) throw new AssemblyError(`'${joint.child}' is already joined to '${other.parent}'.`)
      if (this.#isBelow(joint.parent, joint.child))
        throw new AssemblyError(`'${joint.parent}' hangs on '${joint.child}': joining them makes a circle.`)
    }
    const added = { ...joint }
    if (joint.parent === BASE && !this.#aligned) {
      this.#aligned = true
      if (this.#setting.baseTurn) {
        added.rpy = this.#setting.baseTurn
        added.xyz ??= [0, 0, 0]
      }
    }
    this.joints.push(added)
    this.#world = null
  }

  /** World boxes by name; without names those of all links with a body, or as published of all but the root. */
  boxes(names?: readonly string[]): Map<string, Box> {
    const { boxes } = this.world()
    const root = this.#isUpstream ? this.#root() : undefined
    const wanted = names ?? [...boxes.keys()].filter((name) => name !== root)
    return new Map(
      wanted.map((name) => {
        const box = boxes.get(name)
        if (!box) throw this.#notFound(name)
        return [name, box]
      }),
    )
  }

  place(child: string, parent: string, options: PlaceOptions = {}): void {
    const { placement = 'above', clearance = 0, snap = true, overwrite = true } = options
    const rule = PLACEMENTS.get(placement)
    if (rule === undefined)
      throw new AssemblyError(`Unknown placement '${placement}'; known are ${[...PLACEMENTS.keys()].join(', ')}.`)
    if (this.#isUpstream) this.#placeAsPublished(child, parent, rule, { clearance, snap, overwrite })
    else this.#place(child, parent, rule, { clearance, snap })
  }

  makePrismatic(
    child: string,
    givenParent: string,
    lower: Vec3,
    upper: Vec3,
    { overwrite = true }: { overwrite?: boolean } = {},
  ): void {
    const parent = this.#parentFor(givenParent)
    const joint = this.#between(child, parent)
    if (joint && !overwrite && this.#isUpstream) return
    const frame = this.#frame(parent)
    const travel = turnedBack(frame, subtract(upper, lower))
    const length = lengthOf(travel)
    if (!this.#isUpstream && !(length >= SHORTEST))
      throw new AssemblyError(`The joint of '${child}' cannot move: lower_point and upper_point are the same.`)
    if (!this.#isUpstream && !(length <= LONGEST))
      throw new AssemblyError(`The joint of '${child}' is to travel farther than ${LONGEST} m.`)
    const start = turnedBack(frame, lower)
    this.#replace(joint, child, parent, {
      type: 'prismatic',
      xyz: joint ? add(joint.xyz ?? [0, 0, 0], start) : start,
      rpy: this.#isUpstream ? null : (joint?.rpy ?? null),
      axis: unit(travel),
      limit: { lower: 0, upper: length, ...DRIVE },
    })
  }

  makeRevolute(child: string, givenParent: string, options: RevoluteOptions): void {
    const { axis, lowerDegrees, upperDegrees, pivot = null, overwrite = true } = options
    const parent = this.#parentFor(givenParent)
    if (this.#between(child, parent) && !overwrite && this.#isUpstream) return
    if (!this.#isUpstream) {
      if (!(lengthOf(axis) >= SHORTEST)) throw new AssemblyError(`The axis of the joint of '${child}' has no length.`)
      if (lowerDegrees > upperDegrees)
        throw new AssemblyError(`lower_angle_deg ${lowerDegrees} is above upper_angle_deg ${upperDegrees}.`)
    }
    const radians = (degrees: number): number => (degrees * Math.PI) / 180
    const limit = { lower: radians(lowerDegrees), upper: radians(upperDegrees), ...DRIVE }
    this.#turning(child, parent, { type: 'revolute', axis, pivot, limit })
  }

  makeContinuous(child: string, parent: string, axis: Vec3, pivot: Vec3 | null): void {
    if (!(lengthOf(axis) >= SHORTEST)) throw new AssemblyError(`The axis of the joint of '${child}' has no length.`)
    this.#turning(child, parent, { type: 'continuous', axis, pivot, limit: null })
  }

  makeFixed(child: string, parent: string): void {
    const joint = this.#between(child, parent)
    if (joint) {
      joint.type = 'fixed'
      joint.axis = null
      joint.limit = null
      this.#world = null
    } else this.addJoint(fixedJoint(child, parent))
  }

  /** Where everything is, all joints at 0. */
  world(): World {
    if (this.#world) return this.#world
    this.#setting.spend?.(this.links.size + 1)
    const frames = this.#frames(() => [0, 0, 0])
    const boxes = new Map<string, Box>()
    for (const [name, { part, shift }] of this.links) {
      const frame = frames.get(name)
      // What is not joined to anything yet is nowhere.
      if (!frame) continue
      const box = boxAround(part.points, compose(frame, frameOf(shift)))
      if (box) boxes.set(name, box)
    }
    this.#world = this.#isUpstream ? this.#raised(frames, boxes) : { frames, boxes, raised: [] }
    return this.#world
  }

  /** As the published simulator shows it: lifted above the ground link by link, and what has no body has a box of zeros. */
  #raised(frames: Map<string, Frame>, bodies: ReadonlyMap<string, Box>): World {
    const raised: number[] = []
    let lift = 0
    for (const name of this.#simulated()) {
      const below = 0 - ((bodies.get(name)?.min[2] ?? -lift) + lift)
      raised.push(below)
      if (below > 0) lift += below
    }
    if (lift > 0) for (const [name, frame] of frames) frames.set(name, compose(frameOf([0, 0, lift]), frame))
    const boxes = new Map<string, Box>()
    for (const name of frames.keys()) {
      const box = bodies.get(name)
      boxes.set(name, box ? shifted(box, [0, 0, lift]) : NOTHING)
    }
    return { frames, boxes, raised }
  }

  /** Links in the order of the published simulator, down each branch before the next; without the root. */
  #simulated(): string[] {
    const below = groupBy(this.joints, ({ parent }) => parent)
    const root = this.#root()
    const seen = new Set(root === undefined ? [] : [root])
    const walk = (link: string): void => {
      for (const { child } of below.get(link) ?? []) {
        if (seen.has(child) || !this.links.has(child)) continue
        seen.add(child)
        walk(child)
      }
    }
    if (root !== undefined) walk(root)
    return [...seen].slice(1)
  }

  #root(): string | undefined {
    const children = new Set(this.joints.map(({ child }) => child))
    return [...this.links.keys()].find((name) => !children.has(name))
  }

  /**
   * Frames as the published code reads them off the file: the first visual's origin of a parent counts as part of
   * the chain, and nothing is raised.
   */
  publishedFrames(): Map<string, Frame> {
    return this.#frames(({ shift }) => shift)
  }

  /** The same as URDF has it. Parts are named as meshes of their own. */
  robot(): Robot {
    return {
      name: this.name,
      links: [...this.links].map(([name, { part, shift }]) => ({
        name,
        visuals:
          part.points.length === 0
            ? []
            : [
                {
                  origin: { xyz: shift, rpy: [0, 0, 0] },
                  geometry: { kind: 'mesh', filename: `${part.name}.obj`, scale: [1, 1, 1] },
                },
              ],
        collisions: [],
      })),
      joints: this.joints.toSorted(byName).map((joint): Joint => ({
        name: joint.name,
        type: joint.type,
        parent: joint.parent,
        child: joint.child,
        origin: { xyz: joint.xyz ?? [0, 0, 0], rpy: joint.rpy ?? [0, 0, 0] },
        axis: joint.axis ?? [1, 0, 0],
        ...(joint.limit
          ? { limit: joint.limit }
          : joint.type === 'revolute' || joint.type === 'prismatic'
            ? { limit: { lower: 0, upper: 0 } }
            : {}),
      })),
    }
  }

  #frames(shiftOf: (link: Linked) => Vec3): Map<string, Frame> {
    const frames = new Map<string, Frame>()
    const below = groupBy(this.joints, ({ parent }) => parent)
    const root = this.#root()
    const waiting = root === undefined ? [] : [root]
    if (root !== undefined) frames.set(root, IDENTITY)
    for (let at = 0; at < waiting.length; at++) {
      const parent = frames.get(waiting[at]!)!
      for (const { child, xyz, rpy } of below.get(waiting[at]!) ?? []) {
        const link = this.links.get(child)
        if (!link || frames.has(child)) continue
        const frame = compose(parent, frameOf(xyz ?? [0, 0, 0], rpy ?? [0, 0, 0]))
        frames.set(child, compose(frame, frameOf(shiftOf(link))))
        waiting.push(child)
      }
    }
    return frames
  }

  /** Absolute: the result does not depend on where the child was along the axis of the placement. */
  #place(
    child: string,
    parent: string,
    rule: Rule | null,
    { clearance, snap }: Pick<Placing, 'clearance' | 'snap'>,
  ): void {
    this.#known(child)
    this.#known(parent)
    const existing = this.#between(child, parent)
    if (!existing) {
      this.addJoint(fixedJoint(child, parent))
      // Before anything is said about the other axes, the child sits in the middle of its parent.
      const { boxes, frames } = this.world()
      const [c, p] = [boxes.get(child), boxes.get(parent)]
      if (c && p) this.#shift(child, turnedBack(frames.get(parent)!, subtract(centerOf(p), centerOf(c))))
    }
    const { boxes, frames } = this.world()
    const [c, p] = [boxes.get(child), boxes.get(parent)]
    if (!c) throw new AssemblyError(`'${child}' has no body and cannot be placed.`)
    if (!p) throw new AssemblyError(`'${parent}' has no body to place '${child}' on.`)
    const frame = frames.get(parent)!
    if (!rule) {
      this.#shift(child, turnedBack(frame, subtract(centerOf(p), centerOf(c))))
      return
    }
    this.#shift(child, turnedBack(frame, along(rule.axis, displacement(rule, c, p, clearance))))
    if (snap && clearance === 0 && !rule.isInside) this.#snug(child, parent, along(rule.axis, -rule.side))
  }

  /** Boxes touch, bodies may not: moves the child on until they do, or not at all if they never would. */
  #snug(child: string, parent: string, direction: Vec3): void {
    const { frames, boxes } = this.world()
    const [a, b] = [this.links.get(child)!, this.links.get(parent)!]
    const at = compose(frames.get(child)!, frameOf(a.shift))
    const still = { points: b.part.points, frame: compose(frames.get(parent)!, frameOf(b.shift)) }
    const reach = Math.abs(dot(subtract(boxes.get(parent)!.max, boxes.get(parent)!.min), direction))
    let moved = 0
    for (let step = 0; step < ADVANCES; step++) {
      this.#setting.spend?.(4)
      const gap = hullDistance({ points: a.part.points, frame: compose(frameOf(scaled(direction, moved)), at) }, still)
      if (gap <= SNUG) {
        if (moved > 0) this.#shift(child, turnedBack(frames.get(parent)!, scaled(direction, moved)))
        return
      }
      moved += gap
      if (moved > reach) return
    }
  }

  #placeAsPublished(child: string, parent: string, rule: Rule | null, { clearance, snap, overwrite }: Placing): void {
    if (!this.#between(child, parent)) this.addJoint(fixedJoint(child, parent))
    const { boxes, frames } = this.world()
    for (const name of [child, parent]) if (!boxes.has(name)) throw this.#notFound(name)
    const frame = frames.get(parent)!
    const distance = rule ? displacement(rule, boxes.get(child)!, boxes.get(parent)!, clearance) : 0
    let move = turnedBack(frame, rule ? along(rule.axis, distance) : [0, 0, 0])
    if (overwrite) move = subtract(move, turnedBack(frame, subtract(originOf(frames.get(child)!), originOf(frame))))
    this.#shift(child, move, parent)
    if (!snap || !rule) return
    const step = along(rule.axis, -rule.side * SNAP_STEP)
    for (let i = 0; i < SNAP_STEPS && !this.#touchesAny(child); i++) this.#shift(child, turnedBack(frame, step), parent)
  }

  #touchesAny(name: string): boolean {
    const { frames } = this.world()
    const solid = (link: string): { points: ArrayLike<number>; frame: Frame } => {
      const { part, shift } = this.links.get(link)!
      return { points: part.points, frame: compose(frames.get(link)!, frameOf(shift)) }
    }
    const own = solid(name)
    for (const [other, { part }] of this.links) {
      if (other === name || other === BASE) continue
      // The published simulator has no number for a link that hangs on nothing, and fails to look for its contacts.
      if (!frames.has(other)) throw new AssemblyError(`Link '${other}' is not joined to anything yet.`, 'TypeError')
      if (part.points.length === 0) continue
      this.#setting.spend?.(4)
      if (hullDistance(own, solid(other)) <= CONTACT) return true
    }
    return false
  }

  #turning(
    child: string,
    parent: string,
    { type, axis, pivot, limit }: { type: JointType; axis: Vec3; pivot: Vec3 | null; limit: Limit | null },
  ): void {
    const joint = this.#between(child, parent)
    const frame = this.#frame(parent)
    const local = turnedBack(frame, axis)
    let xyz = joint?.xyz ?? null
    if (pivot) {
      const at = turnedBack(frame, subtract(pivot, originOf(frame)))
      if (joint) {
        const before = joint.xyz ?? [0, 0, 0]
        const link = this.links.get(child)
        const back = subtract(before, at)
        if (link) link.shift = add(link.shift, back)
        // What hangs on the child stays where it is; the published code lets it jump.
        if (!this.#isUpstream)
          for (const below of this.joints) if (below.parent === child) below.xyz = add(below.xyz ?? [0, 0, 0], back)
      }
      xyz = at
    }
    this.#replace(joint, child, parent, {
      type,
      xyz,
      rpy: this.#isUpstream ? null : (joint?.rpy ?? null),
      axis: this.#isUpstream ? local : unit(local),
      limit,
    })
  }

  #replace(
    joint: Jointed | undefined,
    child: string,
    parent: string,
    change: Pick<Jointed, 'type' | 'xyz' | 'rpy' | 'axis' | 'limit'>,
  ): void {
    if (joint && !this.#isUpstream) Object.assign(joint, change)
    else {
      // As published a joint that is replaced comes last, under the name of its links.
      if (joint) this.joints.splice(this.joints.indexOf(joint), 1)
      this.addJoint({ ...fixedJoint(child, parent), ...change })
    }
    this.#world = null
  }

  /** As published nothing moves on the base itself: a helper that takes over its joints comes between. */
  #parentFor(parent: string): string {
    if (!this.#isUpstream || parent !== BASE) return parent
    if (!this.links.has(HELPER) && this.joints.some((joint) => joint.parent === BASE)) this.#insertHelper()
    return HELPER
  }

  #insertHelper(): void {
    const onBase = this.joints.filter(({ parent }) => parent === BASE)
    const { xyz, rpy, axis, limit } = onBase[0]!
    this.links.set(HELPER, { part: { name: HELPER, points: [] }, shift: [0, 0, 0] })
    this.joints.push({ ...fixedJoint(HELPER, BASE), xyz, rpy, axis, limit })
    for (const joint of onBase) {
      this.joints.push({ ...joint, parent: HELPER, name: `${HELPER}_to_${joint.child}` })
      this.joints.splice(this.joints.indexOf(joint), 1)
    }
    this.#world = null
  }

  #shift(child: string, by: Vec3, parent?: string): void {
    const joint = this.joints.find((one) => one.child === child && (parent === undefined || one.parent === parent))!
    joint.xyz = add(joint.xyz ?? [0, 0, 0], by)
    this.#world = null
  }

  #between(child: string, parent: string): Jointed | undefined {
    return this.joints.find((joint) => joint.child === child && joint.parent === parent)
  }

  #frame(name: string): Frame {
    const frame = this.world().frames.get(name)
    if (!frame) throw this.#notFound(name)
    return frame
  }

  #known(name: string): void {
    if (!this.links.has(name)) throw new AssemblyError(`Link '${name}' was not added to the robot.`)
  }

  #isBelow(name: string, above: string): boolean {
    let at: string | undefined = name
    for (let i = 0; at !== undefined && i <= this.joints.length; i++) {
      if (at === above) return true
      const current: string = at
      at = this.joints.find(({ child }) => child === current)?.parent
    }
    return false
  }

  #notFound(name: string): AssemblyError {
    if (this.#isUpstream) return new AssemblyError(`Link '${name}' not found.`)
    if (!this.links.has(name)) return new AssemblyError(`Link '${name}' was not added to the robot.`)
    if (this.links.get(name)!.part.points.length === 0) return new AssemblyError(`Link '${name}' has no body.`)
    return new AssemblyError(`Link '${name}' is not joined to anything yet: place it or add a joint first.`)
  }
}

export function fixedJoint(child: string, parent: string): Jointed {
  return { name: `${parent}_to_${child}`, type: 'fixed', parent, child, xyz: null, rpy: null, axis: null, limit: null }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
