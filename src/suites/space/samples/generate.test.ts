import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../../../base/errors.ts'
import { generateScene, type SceneOptions } from './generate.ts'
import { isRoomCode, sceneProblems } from '../domain/grid/invariants.ts'
import type { Topology } from './layout.ts'
import { DOOR_EAST_WEST, type Scene, type Vec, WALL } from '../domain/grid/scene.ts'
import { sceneId } from '../domain/grid/scene-json.ts'
import { aligned } from '../domain/grid/spacing.ts'

const options: fc.Arbitrary<SceneOptions> = fc.record({
  seed: fc.integer(),
  rooms: fc.integer({ min: 1, max: 8 }),
  topology: fc.constantFrom<Topology>(0, 1, 2),
  roomSize: fc.tuple(fc.integer({ min: 4, max: 9 }), fc.integer({ min: 4, max: 9 })),
  objectsPerRoom: fc.integer({ min: 1, max: 4 }),
  profile: fc.constantFrom('fixed' as const, 'upstream' as const),
})

/** The rooms connected to each room. */
function neighbors(scene: Scene): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>()
  for (const { rooms } of scene.doors) {
    for (const [a, b] of [rooms, [rooms[1], rooms[0]]] as const) found.set(a, (found.get(a) ?? new Set()).add(b))
  }
  return found
}

const degrees = (scene: Scene): number[] => [...neighbors(scene).values()].map((set) => set.size).sort((a, b) => a - b)

describe('a generated scene', () => {
  it('is valid and connected, without corner gaps', () => {
    fc.assert(
      fc.property(options, (given) => {
        const scene = generateScene(given)
        expect(sceneProblems(scene)).toEqual([])
        expect(hasCornerGap(scene.mask)).toBe(false)
        expect(scene.doors).toHaveLength(given.rooms! - 1)
        expect(scene.objects).toHaveLength(given.rooms! * given.objectsPerRoom!)
        expect(scene.start.room).toBe(1)
      }),
      { numRuns: 200 },
    )
  })

  it('depends only on seed and options', () => {
    expect(sceneId(generateScene({ seed: 'a' }))).toBe(sceneId(generateScene({ seed: 'a' })))
    expect(sceneId(generateScene({ seed: 'a' }))).toMatchInlineSnapshot(
      `"87a2031ae4184b8b18778584432cd10de3df36fe9f9ba7c9ab18b45390b84e70"`,
    )
  })
})

describe('topologies', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed)

  it.each([
    ['a chain', { rooms: 5, topology: 0 }, [1, 1, 2, 2, 2]],
    ['two neighbors of the first', { rooms: 3, topology: 1 }, [1, 1, 2]],
    ['three neighbors of the first', { rooms: 4, topology: 2 }, [1, 1, 1, 3]],
    ['a ring', { rooms: 4, topology: 3 }, [2, 2, 2, 2]],
    ['three neighbors with three rooms: falls back to two', { rooms: 3, topology: 2 }, [1, 1, 2]],
    ['two neighbors with two rooms: falls back to a chain', { rooms: 2, topology: 1 }, [1, 1]],
  ] as const)('%s', (_, how, expected) => {
    for (const seed of seeds) expect(degrees(generateScene({ seed, ...how }))).toEqual(expected)
  })

  it('puts the first room in the middle where the topology requires it', () => {
    for (const seed of seeds) {
      expect(neighbors(generateScene({ seed, rooms: 6, topology: 1 })).get(1)!.size).toBe(2)
      expect(neighbors(generateScene({ seed, rooms: 4, topology: 2 })).get(1)!.size).toBe(3)
      expect(neighbors(generateScene({ seed, rooms: 5, topology: 1 })).get(2)).toEqual(new Set([1, 4]))
    }
  })
})

describe('listing order', () => {
  const scenes = (profile: 'fixed' | 'upstream'): Scene[] =>
    Array.from({ length: 300 }, (_, seed) => generateScene({ seed, rooms: 3, topology: 1, profile }))

  it('gives away rooms and door axes under upstream', () => {
    for (const scene of scenes('upstream')) {
      expect(scene.objects.map(({ room }) => room)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
      const axes = scene.doors.map(({ pos }) => scene.mask[pos[0]]![pos[1]]!)
      expect(axes).toEqual(axes.toSorted((a, b) => a - b))
    }
  })

  it('gives away neither under fixed', () => {
    const all = scenes('fixed')
    const firstInRoomOne = all.filter((scene) => scene.objects[0]!.room === 1).length
    expect(firstInRoomOne).toBeGreaterThan(60)
    expect(firstInRoomOne).toBeLessThan(140)
    const mixed = all.filter(({ doors, mask }) => new Set(doors.map(({ pos }) => mask[pos[0]]![pos[1]])).size === 2)
    const redIsEastWest = mixed.filter(({ doors, mask }) => {
      const { pos } = doors.find(({ name }) => name === 'red door')!
      return mask[pos[0]]![pos[1]] === DOOR_EAST_WEST
    })
    expect(redIsEastWest.length / mixed.length).toBeGreaterThan(0.35)
    expect(redIsEastWest.length / mixed.length).toBeLessThan(0.65)
  })
})

describe('spacing of the published dataset', () => {
  it('keeps neighbors free, avoids lines, and has enough objects with a front in every room', () => {
    for (let seed = 0; seed < 60; seed++) {
      const scene = generateScene({ seed, spacing: 'dataset' })
      for (const room of [1, 2, 3]) {
        const inside = scene.objects.filter((object) => object.room === room)
        expect(inside.filter(({ oriented }) => oriented).length).toBeGreaterThanOrEqual(room === 1 ? 3 : 2)
        const doors = scene.doors.filter(({ rooms }) => rooms.includes(room))
        const points: Vec[] = [...inside, ...doors].map(({ pos }) => pos)
        if (room === 1) points.push(scene.start.pos)
        for (const [i, a] of points.entries()) {
          for (const [j, b] of points.entries()) {
            if (i >= j || i >= inside.length) continue
            expect(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]))).toBeGreaterThan(1)
            for (const c of points.slice(j + 1)) expect(aligned(a, b, c, 0.4)).toBe(false)
          }
        }
      }
    }
  })
})

describe('impossible options', () => {
  it.each([
    [{ rooms: 9 }, /9 rooms/],
    [{ rooms: 5, topology: 3 }, /ring of 5/],
    [{ roomSize: [1, 4] }, /1 × 4/],
    [{ roomSize: [2, 2], objectsPerRoom: 4 }, /4 objects in 4 cells/],
    [{ rooms: 8, objectsPerRoom: 9 }, /72 objects/],
    [{ roomSize: [3, 3], objectsPerRoom: 4, spacing: 'dataset' }, /after 2000 attempts/],
  ] as const)('are rejected with a reason: %o', (how, message) => {
    expect(() => generateScene({ seed: 1, ...how })).toThrow(UserError)
    expect(() => generateScene({ seed: 1, ...how })).toThrow(message)
  })
})

/** Two different rooms that touch only at a corner, with walls on the other diagonal: light would leak through. */
function hasCornerGap(mask: Scene['mask']): boolean {
  for (let x = 0; x + 1 < mask.length; x++) {
    const left = mask[x]!
    const right = mask[x + 1]!
    for (let y = 0; y + 1 < left.length; y++) {
      if (isGap(left[y]!, right[y + 1]!, left[y + 1]!, right[y]!)) return true
      if (isGap(left[y + 1]!, right[y]!, left[y]!, right[y + 1]!)) return true
    }
  }
  return false
}

function isGap(room: number, other: number, wall: number, otherWall: number): boolean {
  return isRoomCode(room) && isRoomCode(other) && room !== other && wall === WALL && otherWall === WALL
}
