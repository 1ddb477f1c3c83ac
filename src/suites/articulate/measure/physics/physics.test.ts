import { describe, expect, it } from 'vitest'
import { messageOf, UserError } from '../../../../base/errors.ts'
import { IDENTITY, type Joint, type Robot, type Vec3 } from '../../../../world.ts'
import { builtinModel } from '../../domain/objects/find.ts'
import { trueRobot } from '../../domain/objects/model.ts'
import { physicsModel, type Solid } from './mjcf.ts'
import { physicsOf, requirePhysics } from './index.ts'
import { simulated } from './simulate.ts'

const isInstalled = await requirePhysics().then(
  () => true,
  (error: unknown) => {
    if (error instanceof UserError) return false
    throw new Error(messageOf(error))
  },
)

interface Piece {
  at: Vec3
  size: Vec3
  joint?: Pick<Joint, 'type' | 'axis'> & { limit: { lower: number; upper: number }; pivot?: Vec3 }
}

/** Boxes on a root box, each at its place, some on a joint. */
function made(root: Vec3, pieces: Record<string, Piece>): { robot: Robot; parts: Solid[] } {
  const part = (name: string, size: Vec3): Solid => ({
    name,
    size,
    occluders: [{ frame: IDENTITY, half: [size[0] / 2, size[1] / 2, size[2] / 2] }],
  })
  const link = (name: string, xyz: Vec3 = [0, 0, 0]) => ({
    name,
    visuals: [
      {
        origin: { xyz, rpy: [0, 0, 0] as Vec3 },
        geometry: { kind: 'mesh' as const, filename: `${name}.obj`, scale: [1, 1, 1] as Vec3 },
      },
    ],
    collisions: [],
  })
  const robot: Robot = {
    name: 'test',
    links: [
      link('root'),
      ...Object.entries(pieces).map(([name, { at, joint }]) =>
        link(name, joint?.pivot ? [at[0] - joint.pivot[0], at[1] - joint.pivot[1], at[2] - joint.pivot[2]] : [0, 0, 0]),
      ),
    ],
    joints: Object.entries(pieces).map(([name, { at, joint }]): Joint => ({
      name: `root_to_${name}`,
      parent: 'root',
      child: name,
      type: joint?.type ?? 'fixed',
      axis: joint?.axis ?? [1, 0, 0],
      origin: { xyz: joint?.pivot ?? at, rpy: [0, 0, 0] },
      ...(joint ? { limit: { ...joint.limit, effort: 1, velocity: 1 } } : {}),
    })),
  }
  return { robot, parts: [part('root', root), ...Object.entries(pieces).map(([name, { size }]) => part(name, size))] }
}

const run = (given: { robot: Robot; parts: Solid[] }) => simulated(physicsModel(given.robot, given.parts))

describe.skipIf(!isInstalled)('physics', () => {
  const slide = { type: 'prismatic', axis: [1, 0, 0] as Vec3, limit: { lower: 0, upper: 0.3 } } as const

  it('lets a free slide reach both ends', async () => {
    const result = await run(
      made([0.1, 0.1, 0.1], { drawer: { at: [0.15, 0, 0], size: [0.1, 0.1, 0.1], joint: slide } }),
    )
    expect(result).toMatchObject({ problem: null, moves: 1, stable: true, executable: true })
    expect([result.rest, result.moving]).toEqual([0, expect.closeTo(0, 6)])
  })

  it('measures how far a slide runs into a wall: the travel less the gap', async () => {
    // 0.2 m to the wall, 0.3 m of travel; the wall is 0.4 m thick, so the shortest way out is back.
    const wall = { at: [0.6, 0, 0] as Vec3, size: [0.4, 1, 1] as Vec3 }
    const result = await run(
      made([0.1, 0.1, 0.1], { drawer: { at: [0.15, 0, 0], size: [0.1, 0.1, 0.1], joint: slide }, wall }),
    )
    expect(result.moving).toBeCloseTo(0.1, 3)
    expect(result).toMatchObject({ moves: 0, stable: true, executable: false })
  })

  it('measures the overlap of two parts at rest', async () => {
    const result = await run(
      made([0.1, 0.1, 0.1], {
        a: { at: [0.3, 0, 0], size: [0.2, 0.2, 0.2] },
        b: { at: [0.48, 0, 0], size: [0.2, 0.2, 0.2] },
      }),
    )
    expect(result.rest).toBeCloseTo(0.02, 3)
    expect(result).toMatchObject({ moves: null, executable: true })
  })

  it.each([
    ['outward', -1, true],
    ['into the case', 1, false],
  ])('a door that turns %s', async (_, sign, executable) => {
    // Before the front of a case, hinged at its left edge: a quarter turn.
    const door: Piece = {
      at: [0.32, 0, 0],
      size: [0.02, 0.6, 0.6],
      joint: { type: 'revolute', axis: [0, 0, sign], limit: { lower: 0, upper: Math.PI / 2 }, pivot: [0.33, -0.3, 0] },
    }
    expect((await run(made([0.6, 0.6, 0.6], { door }))).executable).toBe(executable)
  })

  it('is the same twice, and in a process of its own', async () => {
    const model = builtinModel({ category: 'cabinet', seed: 2, generator: 2 })
    const robot = trueRobot(model)
    const [a, b] = [await simulated(physicsModel(robot, model.parts)), await physicsOf(robot, model)]
    expect(b).toEqual(a)
    expect(a.executable).toBe(true)
  })

  it('says why the engine does not take an object', async () => {
    const given = made([0.1, 0.1, 0.1], {
      drawer: { at: [1e12, 0, 0], size: [0.1, 0.1, 0.1], joint: { ...slide, axis: [0, 0, 0] } },
    })
    expect(await run(given)).toMatchObject({ problem: expect.stringMatching(/axis/) as unknown, executable: false })
  })
})
