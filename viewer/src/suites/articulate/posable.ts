/** A robot in 3D with movable joints. */
import { ArrowHelper, Group, Matrix4, type Object3D, Quaternion, Vector3 } from 'three'
import type { JointData, RobotData } from '../../../../src/suites/articulate/events.ts'

/** Vertices of a GLB are y up; the robot is z up. */
const UPRIGHT = new Matrix4().makeRotationX(Math.PI / 2)
/** Guards against cyclic links in a model's answer. */
const MAX_DEPTH = 200

/** The parts of an object by name. The loader sanitizes names and keeps the original in `userData`. */
export function partsOf(meshes: Object3D): ReadonlyMap<string, Object3D> {
  const parts = new Map<string, Object3D>()
  for (const node of meshes.children) {
    const name: unknown = node.userData['name']
    parts.set(typeof name === 'string' ? name : node.name, node)
  }
  return parts
}

export class PosableRobot {
  readonly group = new Group()
  readonly #joints: { joint: JointData; frame: Group }[] = []

  constructor(robot: RobotData, parts: ReadonlyMap<string, Object3D>, color: string) {
    const links = new Map(robot.links.map((link) => [link.name, link]))
    const hang = (name: string, frame: Group, depth: number): void => {
      const link = links.get(name)
      const part = link?.part === null ? undefined : parts.get(link?.part ?? '')
      if (link && part) {
        const placed = new Group()
        place(placed, matrixOf(link.visual).multiply(UPRIGHT))
        placed.add(part.clone())
        frame.add(placed)
      }
      if (depth > MAX_DEPTH) return
      for (const joint of robot.joints.filter(({ parent }) => parent === name)) {
        const origin = new Group()
        place(origin, matrixOf(joint.origin))
        const moved = new Group()
        origin.add(moved)
        frame.add(origin)
        if (joint.range !== null) {
          this.#joints.push({ joint, frame: moved })
          origin.add(arrowOf(joint, color))
        }
        hang(joint.child, moved, depth + 1)
      }
    }
    hang(robot.root, this.group, 0)
  }

  /** Moves the joints; `share` is a part's position within its range, 0 to 1. */
  pose(share: (part: string) => number): void {
    const values = new Map(
      this.#joints.map(({ joint }) => {
        const [from, to] = joint.range!
        return [joint.name, from + (to - from) * share(joint.part)]
      }),
    )
    for (const { joint, frame } of this.#joints) {
      const { mimic } = joint
      const led = mimic ? values.get(mimic.joint) : undefined
      const value = led === undefined || !mimic ? values.get(joint.name)! : led * mimic.multiplier + mimic.offset
      const axis = new Vector3(...joint.axis).normalize()
      if (joint.type === 'prismatic') frame.position.copy(axis.multiplyScalar(value))
      else frame.quaternion.copy(new Quaternion().setFromAxisAngle(axis, value))
    }
  }
}

const ARROW_METERS = 0.35

/** The joint axis at rest, drawn on top because most axes are hidden inside parts. */
function arrowOf(joint: JointData, color: string): Object3D {
  const axis = new Vector3(...joint.axis).normalize()
  const arrow = new ArrowHelper(axis, new Vector3(), ARROW_METERS, color, 0.07, 0.04)
  arrow.traverse((part) => {
    part.renderOrder = 1
    if ('material' in part) Object.assign(part.material as object, { depthTest: false, transparent: true })
  })
  return arrow
}

/** Converts row-major to three.js's column-major order. */
function matrixOf(rows: readonly number[]): Matrix4 {
  return new Matrix4().fromArray(rows).transpose()
}

function place(group: Group, matrix: Matrix4): void {
  matrix.decompose(group.position, group.quaternion, group.scale)
}
