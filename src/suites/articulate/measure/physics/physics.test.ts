import { describe, expect, it } from 'vitest'
import { messageOf, UserError } from '../../../../base/errors.ts'
import { circle, IDENTITY, type Joint, type Robot, Sculpture, steel, type Vec3 } from '../../../../world.ts'
import { builtinModel } from '../../domain/objects/find.ts'
import { trueRobot } from '../../domain/objects/model.ts'
import { physicsModel } from './mjcf.ts'
import { physicsOf, requirePhysics } from './index.ts'
import { type Solid, solidOf } from './pieces.ts'
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
    boxes: [{ frame: IDENTITY, half: [size[0] / 2, size[1] / 2, size[2] / 2] }],
    pieces: [],
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

  /** A part whose mesh is given in its own frame. */
  const drawn = (name: string, draw: (sculpture: Sculpture) => void): Solid => {
    const sculpture = new Sculpture()
    draw(sculpture)
    return solidOf({ name, mesh: sculpture.mesh([0, 0, 0]), occluders: [] })
  }
  const turn = { type: 'revolute', axis: [0, 0, 1] as Vec3, limit: { lower: 0, upper: Math.PI / 2 } } as const
  const surface = steel()

  it('lets a round plate turn between walls that would stop a square one', async () => {
    // Radius 0.1 m, walls 0.11 m from the middle on four sides: corners of a square plate would be at 0.14 m.
    const wall = (x: number, y: number): Piece => ({
      at: [x, y, 0],
      size: x === 0 ? [0.2, 0.02, 0.2] : [0.02, 0.2, 0.2],
    })
    const { robot, parts } = made([0.02, 0.02, 0.02], {
      plate: { at: [0, 0, 0.05], size: [0.2, 0.2, 0.02], joint: turn },
      east: wall(0.12, 0),
      west: wall(-0.12, 0),
      north: wall(0, 0.12),
      south: wall(0, -0.12),
    })
    expect((await run({ robot, parts })).executable).toBe(false)
    const round = drawn('plate', (s) => s.cylinder(surface, 0.1, 0.02, [0, 0, -0.01], 48))
    const result = await run({ robot, parts: parts.map((part) => (part.name === 'plate' ? round : part)) })
    expect(result).toMatchObject({ moves: 1, executable: true })
    expect(result.moving).toBeCloseTo(0, 6)
  })

  it('keeps a ring open: a bar slides through it, and a bar beside its middle does not', async () => {
    const ring = drawn('ring', (s) => s.tube(surface, circle([0, 0, 0], 0.1, 'x', 32), 0.01, 8, true))
    const through = async (y: number) => {
      const { robot, parts } = made([0.02, 0.02, 0.02], {
        ring: { at: [0.5, 0, 0], size: [0.02, 0.22, 0.22] },
        bar: { at: [0.2, y, 0], size: [0.2, 0.02, 0.02], joint: { ...slide, limit: { lower: 0, upper: 0.4 } } },
      })
      return run({ robot, parts: parts.map((part) => (part.name === 'ring' ? ring : part)) })
    }
    expect((await through(0)).executable).toBe(true)
    expect((await through(0.1)).executable).toBe(false)
  })

  it('is the same twice, and in a process of its own', async () => {
    const model = builtinModel({ category: 'cabinet', seed: 2, generator: 2 })
    const robot = trueRobot(model)
    const [a, b] = [await simulated(physicsModel(robot, model.parts.map(solidOf))), await physicsOf(robot, model)]
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
