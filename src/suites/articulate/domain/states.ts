/** Joints and links as metrics see them: in the world, all joints at 0. Meters and radians. */
import type { Quaternion, Vec3 } from '../../../world.ts'

export interface MeasuredJoint {
  type: string
  origin: Vec3
  orientation: Quaternion
  axis: Vec3
  lower: number
  upper: number
}

export interface LinkState {
  /** The middle of its box. */
  center: Vec3
  orientation: Quaternion
}

export type LinkStates = Readonly<Record<string, LinkState>>

/** Joints without end have neither a direction nor limits. */
export const ENDLESS = 'continuous'

export const FAILURES = ['joint_type', 'joint_axis', 'joint_origin', 'joint_limit'] as const
export type JointReason = (typeof FAILURES)[number] | 'success'

/** What can be wrong with a joint that was built. */
export const FINDINGS = [...FAILURES, 'missing_joint', 'wrong_parent'] as const
export type Finding = (typeof FINDINGS)[number] | 'success'

/** Without a word of their own for critics, the others are as bad as a wrong type. */
export function reasonOf(finding: Finding): JointReason {
  return finding === 'missing_joint' || finding === 'wrong_parent' ? 'joint_type' : finding
}

/** What a critic must give for each reason; success is anything above 5, 10 in the published code. */
export const RATINGS: Readonly<Record<JointReason, number>> = {
  joint_type: 0,
  joint_axis: 1,
  joint_origin: 2,
  joint_limit: 3,
  success: 10,
}
