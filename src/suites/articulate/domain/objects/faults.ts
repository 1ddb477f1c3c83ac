/** Known objects with one known thing wrong: what critics are graded on. */
import type { Random } from '../../../../suite.ts'
import { aboutAxis, add, cross, lengthOf, moved, scaled, unit, type Vec3 } from '../../../../world.ts'
import type { ArticulatedModel, ModelJoint } from './model.ts'

/** A critic of joints and one of placement see different faults. */
export const JOINT_FAULTS = ['none', 'type', 'axis-tilt', 'axis-turn', 'origin-shift', 'direction', 'range'] as const
export const LINK_FAULTS = ['none', 'part-shift', 'part-floating', 'part-missing'] as const
export type FaultKind = (typeof JOINT_FAULTS | typeof LINK_FAULTS)[number]

export interface Fault {
  kind: FaultKind
  /** The part it happens to. */
  part: string
  /** Degrees, share of the part's diagonal, or factor, by kind; 0 where there is nothing to measure. */
  size: number
  /** Words for tables: `axis-tilt 20°`. */
  name: string
  joints: readonly ModelJoint[]
  centers: readonly (readonly [string, Vec3])[]
  without: readonly string[]
}

const TILTS = [10, 20, 45]
const SHIFTS = [0.15, 0.3, 0.6]
const FACTORS = [0.25, 0.5, 2]

/** Draws a fault of the kind for a part of the object; null when the object has no part that can have it. */
export function injectFault(model: ArticulatedModel, kind: FaultKind, random: Random): Fault | null {
  const fits = model.joints.filter((joint) => canHave(joint, kind))
  if (fits.length === 0) return null
  const joint = random.pick(fits)
  const whole: Omit<Fault, 'kind' | 'part' | 'size' | 'name'> = { joints: model.joints, centers: [], without: [] }
  const changed = (change: Partial<ModelJoint>): readonly ModelJoint[] =>
    model.joints.map((other) => (other === joint ? { ...other, ...change } : other))
  const part = model.parts.find(({ name }) => name === joint.child)!
  const diagonal = lengthOf(part.size)
  const named = (size: number, name: string, change: Partial<typeof whole>): Fault => ({
    kind,
    part: joint.child,
    size,
    name,
    ...whole,
    ...change,
  })
  switch (kind) {
    case 'none':
      return named(0, 'none', {})
    case 'type': {
      const slides = joint.type === 'prismatic'
      const change: Partial<ModelJoint> = slides
        ? { type: 'revolute', lower: 0, upper: Math.PI / 2 }
        : { type: 'prismatic', origin: part.center, lower: 0, upper: Math.max(0.05, diagonal * 0.5) }
      return named(0, `type ${joint.type} to ${change.type!}`, { joints: changed(change) })
    }
    case 'axis-tilt': {
      const size = random.pick(TILTS)
      const tilted = moved(aboutAxis(across(joint.axis, random), (size * Math.PI) / 180), joint.axis)
      return named(size, `axis-tilt ${size}°`, { joints: changed({ axis: tilted }) })
    }
    case 'axis-turn':
      return named(90, 'axis-turn 90°', { joints: changed({ axis: across(joint.axis, random) }) })
    case 'origin-shift': {
      const size = random.pick(SHIFTS)
      // Never less than a hand's breadth, so that small parts are not shifted by nothing.
      const distance = Math.max(size * diagonal, 0.06 + size * 0.1)
      const origin = add(joint.origin, scaled(across(joint.axis, random), distance))
      return named(size, `origin-shift ${size * 100} %`, { joints: changed({ origin }) })
    }
    case 'direction':
      return named(0, 'direction', { joints: changed({ axis: scaled(joint.axis, -1) }) })
    case 'range': {
      const size = random.pick(FACTORS)
      return named(size, `range × ${size}`, { joints: changed({ upper: joint.upper * size }) })
    }
    case 'part-shift': {
      const size = random.pick(SHIFTS)
      const distance = Math.max(size * diagonal, 0.06 + size * 0.1)
      const direction = random.pick<Vec3>([
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
      ])
      return named(size, `part-shift ${size * 100} %`, {
        centers: carried(model, joint.child, scaled(direction, distance)),
        joints: [],
      })
    }
    case 'part-floating':
      return named(1, 'part-floating', {
        centers: carried(model, joint.child, scaled([1, 0, 0], Math.max(diagonal * 0.6, 0.15))),
        joints: [],
      })
    case 'part-missing':
      return named(0, 'part-missing', { without: below(model, joint.child), joints: [] })
  }
}

function canHave({ type, upper, lower }: ModelJoint, kind: FaultKind): boolean {
  if (type === 'fixed') return false
  const isOneSided = Math.min(Math.abs(lower), Math.abs(upper)) < 1e-9
  switch (kind) {
    case 'origin-shift':
      return type !== 'prismatic'
    case 'direction':
      return type !== 'continuous' && isOneSided
    case 'range':
      // Of a small turn no factor is beyond the tolerance of 30°.
      return isOneSided && (type === 'prismatic' || (type === 'revolute' && upper > 1.2 && upper < Math.PI))
    case 'none':
    case 'type':
    case 'axis-tilt':
    case 'axis-turn':
    case 'part-shift':
    case 'part-floating':
    case 'part-missing':
      return true
  }
}

/** A part and all that hangs on it, moved. */
function carried(model: ArticulatedModel, part: string, by: Vec3): [string, Vec3][] {
  return below(model, part).map((name) => [name, add(model.parts.find((other) => other.name === name)!.center, by)])
}

function below(model: ArticulatedModel, part: string): string[] {
  const names = [part]
  for (let at = 0; at < names.length; at++)
    for (const { parent, child } of model.joints) if (parent === names[at]) names.push(child)
  return names
}

/** A unit vector at right angles to the axis. */
function across(axis: Vec3, random: Random): Vec3 {
  const away: Vec3 = Math.abs(axis[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]
  const first = unit(cross(axis, away))
  return moved(aboutAxis(unit(axis), random.pick([0, 0.5, 1, 1.5]) * Math.PI), first)
}
