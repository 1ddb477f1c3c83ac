/** A built robot as a model of MuJoCo: parts as the boxes or convex pieces that they are made of, so that a case is hollow. */
import {
  compose,
  type Frame,
  IDENTITY,
  isMovable,
  type Joint,
  linkFrames,
  originOf,
  poseFrame,
  quaternionOf,
  type Robot,
  rootOf,
} from '../../../../world.ts'
import { partOfLink, rangeOf } from '../../domain/objects/pose.ts'
import { boxAround, centerOf, sizeOf } from '../../domain/assembly/box.ts'
import type { Piece, Solid } from './pieces.ts'

export interface PhysicsModel {
  /** Every joint with a servo. */
  xml: string
  /** The same without contacts between these pairs of bodies. */
  without: (pairs: readonly Pair[]) => string
  joints: { name: string; lower: number; upper: number }[]
  /** Every part for itself, at rest: the engine does not look for contacts between what never moves. */
  rest: string
  /** Bodies that hang on each other, which may be in each other. */
  hanging: ReadonlySet<string>
}

/** Two bodies, `b1 b2`. */
export type Pair = string

/** Thinner boxes than this, in meters, are made this thick: a sheet has no mass. */
const THINNEST = 5e-4
/** Meters that parts may graze each other without a force: corners of the boxes that stand for bodies stick out. */
const GRAZE = 0.006
/** Joints beyond this many are held still: a keyboard has a hundred. */
export const MAX_JOINTS = 24

/** Kilograms per cubic meter, as of foam: parts are light against what their servos move, so all of them arrive in time. */
const DENSITY = 10
/** What the servo of every joint moves, however light its part is: one kilogram, or as much as turns like it. */
const SERVO = { armature: 1, damping: 40, stiffness: 400 } as const

export function physicsModel(robot: Robot, parts: readonly Solid[]): PhysicsModel {
  /** By link, in the order of the document: the engine counts bodies in this order, from 1. */
  const names = new Map<string, string>()
  const joints: PhysicsModel['joints'] = []
  const hanging = new Set<string>()
  const whole = treeOf(0)
  const servos = joints.map(({ name }) => `<position joint="${name}" kp="${SERVO.stiffness}"/>`).join('')
  const driven = (tree: string, less: number, excluded = ''): string =>
    document(tree, less, `<contact>${excluded}</contact><actuator>${servos}</actuator>`)
  return {
    xml: driven(whole, 0),
    without: (pairs) =>
      driven(
        treeOf(GRAZE / 2),
        GRAZE / 2,
        pairs.map((pair) => `<exclude body1="${pair.split(' ')[0]}" body2="${pair.split(' ')[1]}"/>`).join(''),
      ),
    joints,
    rest: document(apart(), 0),
    hanging,
  }

  function document(bodies: string, less: number, rest = ''): string {
    const meshes = parts.flatMap(({ pieces }, part) =>
      pieces.map((piece, i) => {
        const vertices = shrunk(piece, less).map(number).join(' ')
        return `<mesh name="m${part}_${i}" inertia="shell" vertex="${vertices}"/>`
      }),
    )
    return (
      `<mujoco><compiler angle="radian" boundmass="0.001" boundinertia="0.000001" autolimits="true"/>` +
      `<option timestep="0.004" gravity="0 0 0" integrator="implicitfast"/>` +
      `<default><geom density="${DENSITY}" condim="1"/><joint armature="${SERVO.armature}" damping="${SERVO.damping}"/></default>` +
      `<asset>${meshes.join('')}</asset><worldbody>${bodies}</worldbody>${rest}</mujoco>`
    )
  }

  /** @param less meters that every side of a body is moved in by */
  function treeOf(less: number): string {
    names.clear()
    joints.length = 0
    return body(rootOf(robot) ?? robot.links[0]!.name, null, less)
  }

  function body(link: string, by: Joint | null, less: number): string {
    const name = `b${names.size + 1}`
    names.set(link, name)
    if (by) hanging.add(pairOf(names.get(by.parent)!, name))
    const own = by && isMovable(by) && joints.length < MAX_JOINTS ? jointText(by) : ''
    const children = robot.joints.filter(({ parent }) => parent === link).map((joint) => body(joint.child, joint, less))
    return `<body name="${name}" ${placed(by ? poseFrame(by.origin) : IDENTITY)}>${own}${geoms(link, less)}${children.join('')}</body>`
  }

  /** Every part for itself, where it is at rest. */
  function apart(): string {
    const frames = linkFrames(robot)
    return [...names]
      .map(([link, name]) => {
        const shape = geoms(link, 0)
        // What has no body cannot be free to move.
        const free = shape === '' ? '' : '<freejoint/>'
        return `<body name="${name}" ${placed(frames.get(link) ?? IDENTITY)}>${free}${shape}</body>`
      })
      .join('')
  }

  function jointText(joint: Joint): string {
    const name = `j${joints.length}`
    const [lower, upper] = rangeOf(joint)
    joints.push({ name, lower, upper })
    const type = joint.type === 'prismatic' ? 'slide' : 'hinge'
    return `<joint name="${name}" type="${type}" axis="${joint.axis.map(number).join(' ')}"/>`
  }

  function geoms(link: string, less: number): string {
    const [visual] = robot.links.find(({ name }) => name === link)?.visuals ?? []
    const part = parts.findIndex(({ name }) => name === partOfLink(robot, link))
    if (!visual || part < 0) return ''
    const at = poseFrame(visual.origin)
    const { boxes, pieces } = parts[part]!
    return [
      ...boxes.map(({ frame, half }) => {
        const size = half.map((side) => number(Math.max(THINNEST, side - less))).join(' ')
        return `<geom type="box" size="${size}" ${placed(compose(at, frame))}/>`
      }),
      ...pieces.map((_, i) => `<geom type="mesh" mesh="m${part}_${i}" ${placed(at)}/>`),
    ].join('')
  }
}

/** Toward the middle of its box. */
function shrunk(piece: Piece, less: number): number[] {
  const box = boxAround(piece, IDENTITY)!
  const [middle, size] = [centerOf(box), sizeOf(box)]
  return piece.map((value, i) => {
    const half = size[i % 3]! / 2
    const share = half > THINNEST ? Math.max(THINNEST, half - less) / half : 1
    return middle[i % 3]! + (value - middle[i % 3]!) * share
  })
}

/** The same for both orders. */
export function pairOf(a: string, b: string): Pair {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

function placed(frame: Frame): string {
  const [x, y, z, w] = quaternionOf(frame)
  return `pos="${originOf(frame).map(number).join(' ')}" quat="${[w, x, y, z].map(number).join(' ')}"`
}

/** Numbers that are none would not compile. */
function number(value: number): string {
  return Number.isFinite(value) ? value.toPrecision(12) : '0'
}
