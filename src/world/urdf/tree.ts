/** Whether links and joints make a tree, and in which order to walk it. */
import { UserError } from '../../base/errors.ts'
import type { Joint, Robot } from './model.ts'

/** Throws when names repeat, ends are missing, or links do not hang together under one root. */
export function checkTree({ links, joints }: Robot, what = 'The URDF'): void {
  const fail = (complaint: string): never => {
    throw new UserError(`${what}: ${complaint}.`)
  }
  if (links.length === 0) fail('there is no link')
  const names = new Set<string>()
  for (const { name } of links) {
    if (names.has(name)) fail(`two links are called "${name}"`)
    names.add(name)
  }
  const jointNames = new Set<string>()
  const above = new Map<string, Joint>()
  for (const joint of joints) {
    if (jointNames.has(joint.name)) fail(`two joints are called "${joint.name}"`)
    jointNames.add(joint.name)
    for (const end of [joint.parent, joint.child])
      if (!names.has(end)) fail(`joint "${joint.name}" names the link "${end}", which is not there`)
    const other = above.get(joint.child)
    if (other) fail(`link "${joint.child}" is the child of two joints, "${other.name}" and "${joint.name}"`)
    above.set(joint.child, joint)
  }
  const roots = links.filter(({ name }) => !above.has(name))
  if (roots.length === 0) fail('the joints go round in a circle: no link is without a parent')
  if (roots.length > 1)
    fail(
      `${roots.length} links have no parent (${roots
        .slice(0, 5)
        .map(({ name }) => `"${name}"`)
        .join(', ')}); there must be one root`,
    )
  const reached = walkOrder({ links, joints })
  if (reached.length < joints.length) {
    const lost = joints.find((joint) => !reached.includes(joint))!
    fail(`joint "${lost.name}" is part of a circle`)
  }
  checkMimics(joints, fail)
}

function checkMimics(joints: readonly Joint[], fail: (complaint: string) => never): void {
  const byName = new Map(joints.map((joint) => [joint.name, joint]))
  for (const joint of joints) {
    const seen = new Set([joint.name])
    for (let at = joint; at.mimic;) {
      const next = byName.get(at.mimic.joint)
      if (!next) return fail(`joint "${at.name}" mimics "${at.mimic.joint}", which is not there`)
      if (seen.has(next.name)) return fail(`the joints that mimic each other go round in a circle at "${next.name}"`)
      seen.add(next.name)
      at = next
    }
  }
}

/** The root link: the one that is not the child of any joint. */
export function rootOf({ links, joints }: Pick<Robot, 'links' | 'joints'>): string | undefined {
  const children = new Set(joints.map(({ child }) => child))
  return links.find(({ name }) => !children.has(name))?.name
}

/** Joints from the root outwards: a parent's joint always before its children's. What is not reached is left out. */
export function walkOrder(robot: Pick<Robot, 'links' | 'joints'>): Joint[] {
  const below = new Map<string, Joint[]>()
  for (const joint of robot.joints) {
    const list = below.get(joint.parent)
    if (list) list.push(joint)
    else below.set(joint.parent, [joint])
  }
  const root = rootOf(robot)
  const order: Joint[] = []
  const waiting = root === undefined ? [] : [root]
  for (let at = 0; at < waiting.length; at++) {
    for (const joint of below.get(waiting[at]!) ?? []) {
      order.push(joint)
      waiting.push(joint.child)
    }
  }
  return order
}
