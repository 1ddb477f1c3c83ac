import { describe, expect, test } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import { buildScene } from './assemble.ts'
import { checkScene } from './check.ts'
import { generateScene } from './generate.ts'
import { type PlacedObject, SCENE_KINDS, type Scene, sceneHash, sceneSchema } from './scene.ts'

const SEEDS = Array.from({ length: 6 }, (_, seed) => seed)

describe.each(SCENE_KINDS)('%s', (kind) => {
  test.each(SEEDS)('seed %i keeps every rule', (seed) => {
    expect(checkScene(generateScene({ seed, kind }))).toEqual([])
  })

  test('round-trips through JSON', () => {
    const scene = generateScene({ seed: 11, kind })
    expect(sceneSchema.parse(JSON.parse(JSON.stringify(scene)))).toEqual(scene)
    expect(sceneHash(generateScene({ seed: 11, kind }))).toBe(sceneHash(scene))
    expect(sceneHash(generateScene({ seed: 12, kind }))).not.toBe(sceneHash(scene))
  })

  test('is furnished', () => {
    for (const seed of SEEDS) expect(generateScene({ seed, kind }).objects.length).toBeGreaterThanOrEqual(6)
  })
})

/** Change these only together with what scenes look like: runs on different scenes cannot be compared. */
const HASHES = [
  ['bedroom', '1a30a2c14317b210'],
  ['living room', 'e89dd16e70965c78'],
  ['kitchen', '03d5239e3a159f10'],
  ['bathroom', '6cac54811dc07937'],
  ['office', '39fb822c73beca35'],
  ['class room', '314cf02e240fd8e1'],
  ['workshop', 'df5422746e70e244'],
  ['corridor', 'e7ff99fa3c6fcc2b'],
  ['flat', 'e52a61a9412300dc'],
] as const

test.each(HASHES)('%s of seed 1 is the same scene on every machine', (kind, hash) => {
  expect(sceneHash(generateScene({ seed: 1, kind })).slice(0, hash.length)).toBe(hash)
})

test('its triangles and its light are the same bytes on every machine', () => {
  const { mesh } = buildScene(generateScene({ seed: 1, kind: 'bathroom' }))
  const digest = ({ buffer }: Float32Array): string => sha256(new Uint8Array(buffer)).slice(0, 16)
  expect(digest(mesh.positions)).toBe('adf6020678c07054')
  expect(digest(mesh.light!)).toBe('c55031bf5321d0e5')
})

test.each([2, 3, 4, 5, 6, 7, 8])('a flat has the requested %i rooms, with doors and windows', (rooms) => {
  const scene = generateScene({ seed: 3, kind: 'flat', rooms })
  expect(scene.rooms).toHaveLength(rooms)
  expect(scene.doors.length).toBeGreaterThanOrEqual(rooms)
  expect(scene.windows.length).toBeGreaterThan(0)
  expect(checkScene(scene)).toEqual([])
})

test('rooms contain their defining furniture', () => {
  const count = (kind: Scene['kind'], category: string): number =>
    SEEDS.filter((seed) => generateScene({ seed, kind }).objects.some((placed) => placed.category === category)).length
  for (const [kind, category] of [
    ['bedroom', 'bed'],
    ['living room', 'sofa'],
    ['kitchen', 'refrigerator'],
    ['bathroom', 'toilet'],
    ['office', 'desk'],
    ['class room', 'school desk'],
    ['workshop', 'workbench'],
  ] as const) {
    expect(count(kind, category), `${category} in ${kind}`).toBeGreaterThanOrEqual(SEEDS.length - 1)
  }
})

describe('the checks report', () => {
  const scene = generateScene({ seed: 1, kind: 'living room' })
  const changed = (change: (placed: PlacedObject) => PlacedObject | null): Scene => ({
    ...scene,
    objects: scene.objects.flatMap((placed) => change(structuredClone(placed)) ?? []),
  })
  const first = (category: string): PlacedObject => scene.objects.find((placed) => placed.category === category)!
  const rules = (broken: Scene): string[] => checkScene(broken).map(({ rule }) => rule)

  test('two objects in one place', () => {
    const [x, y] = first('sofa').position
    expect(
      rules(changed((placed) => (placed.category === 'tv stand' ? { ...placed, position: [x, y, 0] } : placed))),
    ).toContain('intersection')
  })
  test('a floating object', () => {
    expect(
      rules(
        changed((placed) =>
          placed.category === 'sofa' ? { ...placed, position: [placed.position[0], placed.position[1], 0.4] } : placed,
        ),
      ),
    ).toContain('floating')
  })
  test('an object whose table was removed', () => {
    const below = first('television').support
    expect(rules(changed((placed) => (placed.instance === below ? null : placed)))).toContain('floating')
  })
  test('a picture away from the wall', () => {
    expect(
      rules(
        changed((placed) =>
          placed.category === 'picture' ? { ...placed, position: [0.5, 0.5, 1.4], yaw: 45 } : placed,
        ),
      ),
    ).toContain('floating')
  })
  test('an object outside the room', () => {
    expect(
      rules(changed((placed) => (placed.category === 'sofa' ? { ...placed, position: [-3, 1, 0] } : placed))),
    ).toContain('outside')
  })
  test('a room without a door', () => {
    expect(rules({ ...scene, doors: [] })).toContain('unreachable')
  })
  test('a door behind a wardrobe', () => {
    const door = scene.doors[0]!
    const { x, y } = scene.rooms[0]!
    const upright = door.side === 'west' || door.side === 'east'
    const at: [number, number, number] = upright
      ? [door.side === 'west' ? x[0] + 0.4 : x[1] - 0.4, door.along, 0]
      : [door.along, door.side === 'south' ? y[0] + 0.4 : y[1] - 0.4, 0]
    const wardrobe: PlacedObject = {
      instance: 999,
      category: 'wardrobe',
      variant: 0,
      position: at,
      yaw: upright ? 0 : 90,
      room: 1,
      support: 'floor',
    }
    expect(rules({ ...scene, objects: [...scene.objects, wardrobe] })).toContain('unreachable')
  })
  test('a cup inside a refrigerator', () => {
    const fridge: PlacedObject = {
      instance: 998,
      category: 'refrigerator',
      variant: 0,
      position: [2, 2, 0],
      yaw: 0,
      room: 1,
      support: 'floor',
    }
    const cup: PlacedObject = {
      instance: 999,
      category: 'cup',
      variant: 0,
      position: [1.95, 2, 0.6],
      yaw: 0,
      room: 1,
      support: 998,
    }
    expect(rules({ ...scene, objects: [fridge, cup] })).toContain('hidden')
  })
})
