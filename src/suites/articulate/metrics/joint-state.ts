/** A joint as metrics see it: in the world, all joints at 0. Metres and radians. */
import type { Quaternion, Vec3 } from '../../../world/urdf/index.ts'

export interface MeasuredJoint {
  type: string
  origin: Vec3
  orientation: Quaternion
  axis: Vec3
  lower: number
  upper: number
}

export const FAILURES = ['joint_type', 'joint_axis', 'joint_origin', 'joint_limit'] as const
export type JointFailure = (typeof FAILURES)[number]
export type JointReason = JointFailure | 'success'

/** What a critic must give for each reason; success is anything above 5, 10 in the published code. */
export const RATINGS: Readonly<Record<JointReason, number>> = {
  joint_type: 0,
  joint_axis: 1,
  joint_origin: 2,
  joint_limit: 3,
  success: 10,
}
