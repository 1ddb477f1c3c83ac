import { describe, expect, it } from 'vitest'
import { parseMesh } from '../../../world/formats/index.ts'
import { type Frame, isMovable } from '../../../world/urdf/index.ts'
import type { RobotData } from '../events.ts'
import { partsGlb, robotData } from './record.ts'
import { buildArticulated, CATEGORIES } from '../domain/objects/catalogue.ts'
import { trueRobot } from '../domain/objects/model.ts'
import { partFrames, rangeOf } from '../domain/objects/pose.ts'

type Matrix = readonly number[]

function times(a: Matrix, b: Matrix): number[] {
  return Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[(i >> 2) * 4 + k]! * b[k * 4 + (i & 3)]!, 0),
  )
}

/** Turn about or shift along a unit axis, by the book. */
function motion(type: string, [x = 0, y = 0, z = 0]: readonly number[], q: number): number[] {
  if (type === 'prismatic') return [1, 0, 0, x * q, 0, 1, 0, y * q, 0, 0, 1, z * q, 0, 0, 0, 1]
  const [c, s, k] = [Math.cos(q), Math.sin(q), 1 - Math.cos(q)]
  return [
    [c + x * x * k, x * y * k - z * s, x * z * k + y * s, 0],
    [y * x * k + z * s, c + y * y * k, y * z * k - x * s, 0],
    [z * x * k - y * s, z * y * k + x * s, c + z * z * k, 0],
    [0, 0, 0, 1],
  ].flat()
}

/** What a viewer does with the recorded data: where each part is when one joint stands at `q`. */
function posed({ root, links, joints }: RobotData, moved: string, q: number): Map<string, number[]> {
  const at = new Map([[root, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]]])
  for (let found = true; found;) {
    found = false
    for (const { name, type, parent, child, origin, axis } of joints) {
      const base = at.get(parent)
      if (!base || at.has(child)) continue
      const own = type === 'fixed' ? motion('prismatic', axis, 0) : motion(type, axis, name === moved ? q : 0)
      at.set(child, times(times(base, origin), own))
      found = true
    }
  }
  return new Map(links.map(({ name, part, visual }) => [part ?? '', times(at.get(name)!, visual)]))
}

describe.each([...CATEGORIES])('the recorded %s', (category) => {
  const model = buildArticulated(category, 3)
  const robot = trueRobot(model)
  const data = robotData(robot)

  it('can be posed', () => {
    for (const joint of robot.joints.filter((each) => isMovable(each))) {
      for (const q of rangeOf(joint)) {
        const expected = partFrames(robot, { [joint.name]: q })
        const found = posed(data, joint.name, q)
        for (const [part, frame] of expected) near(found.get(part)!, frame)
      }
    }
    expect(data.joints.filter(({ range }) => range !== null)).toHaveLength(
      robot.joints.filter((each) => isMovable(each)).length,
    )
  })

  it('has a GLB node for every part', async () => {
    const { parts, mesh } = await parseMesh(await partsGlb(model), 'parts.glb')
    expect(parts.map(({ name }) => name)).toEqual(model.parts.map(({ name }) => name))
    expect(mesh.indices.length).toBe(model.parts.reduce((sum, part) => sum + part.mesh.indices.length, 0))
  })
})

function near(matrix: readonly number[], frame: Frame): void {
  for (const [i, value] of frame.entries()) expect(matrix[i]).toBeCloseTo(value, 9)
}
