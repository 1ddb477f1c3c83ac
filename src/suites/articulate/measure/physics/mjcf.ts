/** A built robot as a model of MuJoCo: bodies as the boxes that parts are built of, so that a case is hollow. */
import {
  compose,
  type Frame,
  IDENTITY,
  isMovable,
  type Joint,
  originOf,
  poseFrame,
  quaternionOf,
  type Robot,
  rootOf,
  scaled,
} from '../../../../world.ts'
import { restOverlap } from './overlap.ts'
import type { ModelPart } from '../../domain/objects/model.ts'
import { partOfLink, rangeOf } from '../../domain/objects/pose.ts'

export interface PhysicsModel {
  /** With all contacts: what is in each other where. */
  xml: string
  /** The same without contacts between these pairs of bodies. */
  without: (pairs: readonly (readonly [string, string])[]) => string
  joints: { name: string; lower: number; upper: number }[]
  /** Meters: how deep parts are in each other at rest. */
  rest: number
}

/** Thinner boxes than this, in meters, are made this thick: a sheet has no mass. */
const THINNEST = 5e-4
/** Meters that parts may graze each other without a force: bodies are known as boxes, and corners of boxes stick out. */
const GRAZE = 0.006
/** Joints beyond this many are held still: a keyboard has a hundred. */
export const MAX_JOINTS = 24

/** Kilograms per cubic meter, as of foam: parts are light against what their servos move, so all of them arrive in time. */
const DENSITY = 10
/** What the servo of every joint moves, however light its part is: one kilogram, or as much as turns like it. */
const SERVO = { armature: 1, damping: 40, stiffness: 400 } as const

/** What is known of a part's body. */
export type Solid = Pick<ModelPart, 'name' | 'occluders' | 'size'>

export function physicsModel(robot: Robot, parts: readonly Solid[]): PhysicsModel {
  /** By link, in the order of the document: the engine counts bodies in this order, from 1. */
  const names = new Map<string, string>()
  /** In the same order: it is the engine's. */
  const joints: PhysicsModel['joints'] = []
  const whole = treeOf(0)
  const servos = joints.map(({ name }) => `<position joint="${name}" kp="${SERVO.stiffness}"/>`).join('')
  const document = (tree: string, excluded: string): string =>
    `<mujoco><compiler angle="radian" boundmass="0.001" boundinertia="0.000001" autolimits="true"/>` +
    `<option timestep="0.004" gravity="0 0 0" integrator="implicitfast"/>` +
    `<default><geom density="${DENSITY}" condim="1"/><joint armature="${SERVO.armature}" damping="${SERVO.damping}"/></default>` +
    `<worldbody>${tree}</worldbody><contact>${excluded}</contact><actuator>${servos}</actuator></mujoco>`
  return {
    xml: document(whole, ''),
    without: (pairs) =>
      document(treeOf(GRAZE / 2), pairs.map(([a, b]) => `<exclude body1="${a}" body2="${b}"/>`).join('')),
    joints,
    rest: restOverlap(robot, parts),
  }

  /** @param less meters that every side of a box is moved in by */
  function treeOf(less: number): string {
    names.clear()
    joints.length = 0
    return body(rootOf(robot) ?? robot.links[0]!.name, null, less)
  }

  function body(link: string, by: Joint | null, less: number): string {
    const name = `b${names.size + 1}`
    names.set(link, name)
    const own = by && isMovable(by) && joints.length < MAX_JOINTS ? jointText(by) : ''
    const children = robot.joints.filter(({ parent }) => parent === link).map((joint) => body(joint.child, joint, less))
    return `<body name="${name}" ${placed(by ? poseFrame(by.origin) : IDENTITY)}>${own}${geoms(link, less)}${children.join('')}</body>`
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
    const part = visual && parts.find(({ name }) => name === partOfLink(robot, link))
    if (!visual || !part) return ''
    const at = poseFrame(visual.origin)
    const boxes = part.occluders.length > 0 ? part.occluders : [{ frame: IDENTITY, half: scaled(part.size, 0.5) }]
    return boxes
      .map(({ frame, half }) => {
        const size = half.map((side) => number(Math.max(THINNEST, side - less))).join(' ')
        return `<geom type="box" size="${size}" ${placed(compose(at, frame))}/>`
      })
      .join('')
  }
}

function placed(frame: Frame): string {
  const [x, y, z, w] = quaternionOf(frame)
  return `pos="${originOf(frame).map(number).join(' ')}" quat="${[w, x, y, z].map(number).join(' ')}"`
}

/** Numbers that are none would not compile. */
function number(value: number): string {
  return Number.isFinite(value) ? value.toPrecision(12) : '0'
}
