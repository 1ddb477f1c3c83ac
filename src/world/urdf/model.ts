/** A robot as URDF describes one: links that carry shapes, joints that hold them together. Meters and radians. */
import type { Vec3 } from '../vector.ts'

export interface Pose {
  xyz: Vec3
  /** About the fixed x, then y, then z axis. */
  rpy: Vec3
}

export type Geometry =
  | { kind: 'box'; size: Vec3 }
  | { kind: 'cylinder'; radius: number; length: number }
  | { kind: 'sphere'; radius: number }
  | { kind: 'capsule'; radius: number; length: number }
  | { kind: 'mesh'; filename: string; scale: Vec3 }

export interface UrdfMaterial {
  name: string
  rgba?: readonly [number, number, number, number]
  texture?: string
}

export interface Shape {
  name?: string
  origin: Pose
  geometry: Geometry
  material?: UrdfMaterial
}

export interface Inertial {
  origin: Pose
  mass: number
  /** ixx, ixy, ixz, iyy, iyz, izz */
  inertia: readonly [number, number, number, number, number, number]
}

export interface Link {
  name: string
  visuals: readonly Shape[]
  collisions: readonly Shape[]
  inertial?: Inertial
}

export const JOINT_TYPES = ['revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'] as const
export type JointType = (typeof JOINT_TYPES)[number]

export interface Limit {
  lower: number
  upper: number
  effort?: number
  velocity?: number
}

export interface Mimic {
  joint: string
  multiplier: number
  offset: number
}

export interface Joint {
  name: string
  type: JointType
  parent: string
  child: string
  /** The child's frame in the parent's when the joint stands at 0. */
  origin: Pose
  /** Unit vector in the joint's own frame. */
  axis: Vec3
  limit?: Limit
  mimic?: Mimic
  dynamics?: { damping?: number; friction?: number }
  /** `calibration` and `safety_controller`, kept as they were written. */
  extras?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface Robot {
  name: string
  links: readonly Link[]
  joints: readonly Joint[]
}

export const NO_POSE: Pose = { xyz: [0, 0, 0], rpy: [0, 0, 0] }

/** Joints that move by one number. */
export function isMovable({ type }: Pick<Joint, 'type'>): boolean {
  return type === 'revolute' || type === 'prismatic' || type === 'continuous'
}
