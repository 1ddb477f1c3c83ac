/**
 * Objects that differ from the original in one known way, or hardly at all: what critics are graded on. What was built is
 * drawn first, from all that could be built; the original follows from it by a deviation. So the code of what was built
 * says nothing about whether it is right.
 */
import type { Random } from '../../../../suite.ts'
import { aboutAxis, add, AXES, cross, lengthOf, moved, scaled, unit, type Vec3 } from '../../../../world.ts'
import type { ArticulatedModel, ModelJoint, ModelPart } from './model.ts'

/** A critic of joints and one of placement see different faults. Graded kinds come in sizes, on both sides of the tolerance. */
export const JOINT_FAULTS = ['none', 'type', 'axis-tilt', 'axis-turn', 'origin-shift', 'direction', 'range'] as const
export const LINK_FAULTS = ['none', 'part-shift', 'part-missing'] as const
export type FaultKind = (typeof JOINT_FAULTS | typeof LINK_FAULTS)[number]

/** Where an object differs from the model. */
export interface Variant {
  joints: readonly ModelJoint[]
  centers: readonly (readonly [string, Vec3])[]
  without: readonly string[]
}

/** What was built. */
export interface Fault extends Variant {
  kind: FaultKind
  /** The part it happens to. */
  part: string
  /** Degrees, shares or meters, by kind; 0 where there is nothing to measure. */
  size: number
  /** Words for tables: `axis-tilt 20°`. */
  name: string
}

/** What was built, and what it should have been. */
export interface Deviation {
  fault: Fault
  truth: Variant
}

/** Sizes of deviations that a critic must let pass, and of those that it must find. */
interface Grades {
  within: readonly number[]
  beyond: readonly number[]
}

/** Degrees; the tolerance is 14.3. */
const TILTS: Grades = { within: [3, 6, 9], beyond: [20, 30, 45] }
/** Shares of the tolerance, which is 50 mm or a tenth of the part's diagonal. */
const SHIFTS: Grades = { within: [0.2, 0.4, 0.6], beyond: [1.5, 2.5, 4] }
/** Degrees of a hinge's far end; the tolerance is 30. */
const TURNS: Grades = { within: [5, 10, 18], beyond: [45, 60, 90] }
/** Shares of a travel; the tolerance is 0.2. */
const TRAVELS: Grades = { within: [0.05, 0.1, 0.14], beyond: [0.3, 0.5, 0.8] }
/** Meters that a part is off; the tolerance is 0.05. */
const OFFSETS: Grades = { within: [0.005, 0.01, 0.025], beyond: [0.08, 0.12, 0.2] }

const degrees = (value: number): number => (value * Math.PI) / 180
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A part's joint: as it was built, and as it should be. Null when this joint cannot have such a deviation. */
export function jointDeviation(
  model: ArticulatedModel,
  joint: ModelJoint,
  isRight: boolean,
  random: Random,
): Deviation | null {
  const part = model.parts.find(({ name }) => name === joint.child)!
  const built = wildJoint(joint, part, random.fork('built'))
  const kinds = JOINT_FAULTS.filter((kind) => canHave(built, kind) && (isRight ? isGraded(kind) : kind !== 'none'))
  const drawn = deviate(built, part, random.pick(kinds), isRight, random)
  if (!drawn) return null
  const { kind, size, name, truth } = drawn
  const withJoint = (own: ModelJoint): Variant => ({
    joints: model.joints.map((other) => withoutNegativeZero(other === joint ? own : other)),
    centers: [],
    without: [],
  })
  return { fault: { kind, part: joint.child, size, name, ...withJoint(built) }, truth: withJoint(truth) }
}

/** JSON has no −0, which an axis that was turned round may have. */
function withoutNegativeZero(joint: ModelJoint): ModelJoint {
  const [x, y, z] = joint.axis
  return { ...joint, axis: [x + 0, y + 0, z + 0] }
}

const isGraded = (kind: FaultKind): boolean =>
  kind === 'none' || kind === 'axis-tilt' || kind === 'origin-shift' || kind === 'range'

/** A joint that anybody might have written for this part. */
function wildJoint(joint: ModelJoint, part: ModelPart, random: Random): ModelJoint {
  const diagonal = lengthOf(part.size)
  let built = random.chance(0.25) ? otherType(joint, part, random) : joint
  if (random.chance(0.5)) built = { ...built, axis: tilted(built.axis, random.range(2, 45), random) }
  if (random.chance(0.5) && built.type !== 'prismatic')
    built = { ...built, origin: add(built.origin, scaled(across(built.axis, random), random.range(0, 0.4) * diagonal)) }
  if (random.chance(0.5) && built.type === 'revolute')
    built = { ...built, lower: 0, upper: random.range(degrees(20), degrees(165)) }
  if (random.chance(0.3)) built = { ...built, axis: scaled(built.axis, -1) }
  return built
}

interface Deviated {
  kind: FaultKind
  size: number
  name: string
  /** What it should have been. */
  truth: ModelJoint
}

function deviate(
  built: ModelJoint,
  part: ModelPart,
  kind: FaultKind,
  isRight: boolean,
  random: Random,
): Deviated | null {
  const graded = (grades: Grades): number => random.pick(isRight ? grades.within : grades.beyond)
  switch (kind) {
    case 'type': {
      const truth = otherType(built, part, random)
      return { kind, size: 0, name: `type ${truth.type} to ${built.type}`, truth }
    }
    case 'axis-tilt': {
      const size = graded(TILTS)
      return { kind, size, name: `axis-tilt ${size}°`, truth: { ...built, axis: tilted(built.axis, size, random) } }
    }
    case 'axis-turn':
      return { kind, size: 90, name: 'axis-turn 90°', truth: { ...built, axis: across(built.axis, random) } }
    case 'origin-shift': {
      const size = graded(SHIFTS)
      const tolerance = Math.max(0.05, 0.1 * lengthOf(part.size))
      const origin = add(built.origin, scaled(across(built.axis, random), size * tolerance))
      return { kind, size, name: `origin-shift ${size} × tolerance`, truth: { ...built, origin } }
    }
    case 'direction':
      return { kind, size: 0, name: 'direction', truth: { ...built, axis: scaled(built.axis, -1) } }
    case 'range': {
      const slides = built.type === 'prismatic'
      const size = graded(slides ? TRAVELS : TURNS)
      // The true travel is what the tolerance is a share of.
      const ends = [-1, 1]
        .map((sign) => (slides ? built.upper / (1 + sign * size) : built.upper + sign * degrees(size)))
        .filter((upper) => upper > (slides ? 0.002 : degrees(8)) && (slides || upper < degrees(215)))
      if (ends.length === 0) return null
      const truth = { ...built, upper: random.pick(ends) }
      return { kind, size, name: slides ? `travel ${percent(size)}` : `range ${size}°`, truth }
    }
    case 'none':
    case 'part-shift':
    case 'part-missing':
      return { kind: 'none', size: 0, name: 'none', truth: built }
  }
}

function canHave({ type, upper, lower }: ModelJoint, kind: FaultKind): boolean {
  const isOneSided = Math.min(Math.abs(lower), Math.abs(upper)) < 1e-9
  switch (kind) {
    case 'origin-shift':
      return type !== 'prismatic'
    case 'direction':
    case 'range':
      return type !== 'continuous' && isOneSided
    case 'none':
    case 'type':
    case 'axis-tilt':
    case 'axis-turn':
    case 'part-shift':
    case 'part-missing':
      return true
  }
}

/** A slide for what turns, a hinge at an edge for what slides. */
function otherType(joint: ModelJoint, part: ModelPart, random: Random): ModelJoint {
  const size = random.range(0.25, 0.7) * lengthOf(part.size)
  return joint.type === 'prismatic'
    ? { ...joint, type: 'revolute', lower: 0, upper: random.range(degrees(30), degrees(150)) }
    : { ...joint, type: 'prismatic', origin: part.center, lower: 0, upper: Math.max(0.03, size) }
}

/** All parts: as they were placed, and as they should be. One is off, missing, or hardly off. */
export function linkDeviation(model: ArticulatedModel, isRight: boolean, random: Random): Deviation | null {
  if (model.joints.length === 0) return null
  const part = random.pick(model.joints).child
  const kind = random.pick(['part-shift', 'part-shift', 'part-missing'] as const)
  const built = wildCenters(model, random.fork('built'))
  const variant = (centers: ReadonlyMap<string, Vec3>, without: readonly string[]): Variant => ({
    joints: [],
    centers: [...centers],
    without,
  })
  if (kind === 'part-missing') {
    const without = below(model, part)
    const fault = { kind: isRight ? ('none' as const) : kind, part, size: 0, name: isRight ? 'none' : kind }
    return { fault: { ...fault, ...variant(built, without) }, truth: variant(built, isRight ? without : []) }
  }
  const size = random.pick(isRight ? OFFSETS.within : OFFSETS.beyond)
  const by = scaled(random.pick(inPlane(model.parts.find(({ name }) => name === part)!)), size)
  const truth = carried(model, part, by, built)
  const fault: Fault = { kind, part, size, name: `part-shift ${size * 1000} mm`, ...variant(built, []) }
  return { fault, truth: variant(truth, []) }
}

/** Meters that a part is off where nothing shows what it should be: clearly detached. */
const DETACHED: readonly number[] = [0.2, 0.3, 0.4]

/**
 * A whole object as it is, or with a fault that shows without the original: a part that hangs in the air, a joint of another
 * type, about another axis or around a distant point.
 */
export function urdfDeviation(model: ArticulatedModel, isRight: boolean, random: Random): Deviation | null {
  const moving = model.joints.filter(({ type }) => type !== 'fixed')
  if (moving.length === 0) return null
  const joint = random.pick(moving)
  const part = model.parts.find(({ name }) => name === joint.child)!
  const as = (joints: readonly ModelJoint[], centers: ReadonlyMap<string, Vec3> = new Map()): Variant => ({
    joints: joints.map(withoutNegativeZero),
    centers: [...centers],
    without: [],
  })
  const truth = as(model.joints)
  if (isRight) return { fault: { kind: 'none', part: part.name, size: 0, name: 'none', ...truth }, truth }
  const kind = random.pick(
    (['part-shift', 'type', 'axis-turn', 'origin-shift'] as const).filter((each) => canHave(joint, each)),
  )
  if (kind === 'part-shift') {
    const size = random.pick(DETACHED)
    const places = new Map(model.parts.map(({ name, center }): [string, Vec3] => [name, center]))
    const centers = carried(model, part.name, scaled(random.pick(AXES), size), places)
    return {
      fault: { kind, part: part.name, size, name: `part-shift ${size * 1000} mm`, ...as(model.joints, centers) },
      truth,
    }
  }
  const drawn = deviate(joint, part, kind, false, random)
  if (!drawn) return null
  const joints = model.joints.map((other) => (other === joint ? drawn.truth : other))
  return {
    fault: {
      kind,
      part: part.name,
      size: drawn.size,
      name: drawn.name.replace(/^type (\w+) to (\w+)$/, 'type $2 to $1'),
      ...as(joints),
    },
    truth,
  }
}

/** Parts moved about on what they hang on. */
function wildCenters(model: ArticulatedModel, random: Random): ReadonlyMap<string, Vec3> {
  let centers: ReadonlyMap<string, Vec3> = new Map(model.parts.map(({ name, center }) => [name, center]))
  for (const { child } of model.joints) {
    const part = model.parts.find(({ name }) => name === child)!
    if (random.chance(0.6))
      centers = carried(model, child, scaled(random.pick(inPlane(part)), random.range(0, 0.25)), centers)
  }
  return centers
}

/** Both ways along its two longer sides: a part stays on the face that holds it. */
function inPlane({ size }: ModelPart): Vec3[] {
  const flat = size.indexOf(Math.min(...size))
  return [0, 1, 2]
    .filter((k) => k !== flat)
    .flatMap((k) => [-1, 1].map((sign): Vec3 => [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0]))
}

/** A part and all that hangs on it, moved. */
function carried(
  model: ArticulatedModel,
  part: string,
  by: Vec3,
  centers: ReadonlyMap<string, Vec3>,
): ReadonlyMap<string, Vec3> {
  const moving = new Set(below(model, part))
  return new Map([...centers].map(([name, center]) => [name, moving.has(name) ? add(center, by) : center]))
}

function below(model: ArticulatedModel, part: string): string[] {
  const names = [part]
  for (let at = 0; at < names.length; at++)
    for (const { parent, child } of model.joints) if (parent === names[at]) names.push(child)
  return names
}

/** The model as a variant has it. */
export function variantOf(model: ArticulatedModel, { joints, centers, without }: Variant): ArticulatedModel {
  const places = new Map(centers)
  const isThere = (name: string): boolean => !without.includes(name)
  const own = joints.length > 0 ? joints : model.joints
  return {
    ...model,
    shelf: model.shelf,
    parts: model.parts
      .filter(({ name }) => isThere(name))
      .map((part) => {
        const center = places.get(part.name)
        return center ? { ...part, center } : part
      }),
    joints: own.filter(({ child }) => isThere(child)),
  }
}

function tilted(axis: Vec3, angle: number, random: Random): Vec3 {
  return moved(aboutAxis(across(axis, random), degrees(angle)), axis)
}

/** A unit vector at right angles to the axis. */
function across(axis: Vec3, random: Random): Vec3 {
  const away: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]
  const first = unit(cross(axis, away))
  return moved(aboutAxis(unit(axis), random.pick([0, 0.5, 1, 1.5]) * Math.PI), first)
}
