/** Candidate functions written from the truth: what a perfect player answers, and what critics are shown. */
import { scaled, subtract, type Vec3 } from '../../../../world.ts'
import type { ArticulatedModel, ModelJoint, ModelPart } from './model.ts'

export const JOINT_MARK = '# ====================JOINT PREDICTION===================='

const number = (value: number): string => String(Math.round(value * 1e6) / 1e6 + 0)
const vector = (value: Vec3): string => `[${value.map((item) => number(item)).join(', ')}]`

export interface Written {
  /** Joints to write, those of the model where absent; an empty list leaves all parts fixed. */
  joints?: readonly ModelJoint[]
  /** Where parts are, where that differs from the model. */
  centers?: ReadonlyMap<string, Vec3>
  /** Parts to leave out. */
  without?: readonly string[]
}

/** Every part is put in place along all three axes by its distance from a side of its parent. */
export function writeProgram(
  model: ArticulatedModel,
  { joints = model.joints, centers, without = [] }: Written = {},
): string {
  const root = model.parts[0]!
  const parts = new Map(model.parts.map((part) => [part.name, part]))
  const centerOf = (name: string): Vec3 => centers?.get(name) ?? parts.get(name)!.center
  const lines = [
    `def ${functionName(model)}(input_dir, links) -> Robot:`,
    `    pred_robot = Robot(input_dir=input_dir, name="${functionName(model)}")`,
    '    pred_robot.add_link(links["base"])',
    `    pred_robot.add_link(links["${root.name}"])`,
    `    pred_robot.add_joint(Joint("base_to_${root.name}", Parent("base"), Child("${root.name}"), type="fixed"))`,
  ]
  for (const { child, parent } of model.joints) {
    if (without.includes(child)) continue
    lines.push(`    pred_robot.add_link(links["${child}"])`)
    const clearances = insideClearances(parts.get(child)!, centerOf(child), parts.get(parent)!, centerOf(parent))
    for (const [placement, clearance] of clearances)
      lines.push(
        `    pred_robot.place_relative_to("${child}", "${parent}", placement="${placement}", clearance=${number(clearance)})`,
      )
  }
  lines.push(`    ${JOINT_MARK}`)
  for (const joint of joints)
    if (!without.includes(joint.child)) lines.push(...jointLines(joint).map((line) => `    ${line}`))
  lines.push('    return pred_robot')
  return `${lines.join('\n')}\n`
}

export function functionName({ id }: ArticulatedModel): string {
  return `partnet_${id.replaceAll(/\W/g, '_')}`
}

function insideClearances(child: ModelPart, at: Vec3, parent: ModelPart, parentAt: Vec3): [string, number][] {
  const low = (part: ModelPart, center: Vec3): Vec3 => subtract(center, scaled(part.size, 0.5))
  const [x, y, z] = subtract(low(child, at), low(parent, parentAt))
  return [
    ['back_inside', x],
    ['left_inside', y],
    ['below_inside', z],
  ]
}

export function jointLines({ type, child, parent, origin, axis, lower, upper }: ModelJoint): string[] {
  const degrees = (radians: number): string => number((radians * 180) / Math.PI)
  switch (type) {
    case 'revolute':
      return [
        `pred_robot.make_revolute_joint("${child}", "${parent}", global_axis=${vector(axis)}, lower_angle_deg=${degrees(lower)}, upper_angle_deg=${degrees(upper)}, pivot_point=${vector(origin)})`,
      ]
    case 'continuous':
      return [
        `pred_robot.make_continuous_joint("${child}", "${parent}", global_axis=${vector(axis)}, pivot_point=${vector(origin)})`,
      ]
    case 'prismatic':
      return [
        `pred_robot.make_prismatic_joint("${child}", "${parent}", lower_point=${vector(scaled(axis, lower))}, upper_point=${vector(scaled(axis, upper))})`,
      ]
    case 'fixed':
      return []
  }
}
