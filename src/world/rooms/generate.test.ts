import { describe, expect, test } from 'vitest'
import { sha256 } from '../../base/hash.ts'
import { boundsOf } from '../geometry/index.ts'
import { fieldOfView, fromYawPitch, prepareScene, Renderer } from '../render/index.ts'
import { buildObject } from '../objects/catalogue.ts'
import { buildScene, sceneObjects } from './assemble.ts'
import { outlineOf, roomArea } from './blocks.ts'
import { checkScene } from './check.ts'
import { contactShadows } from './contact.ts'
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
  ['bedroom', '82e12caaac63a2e1'],
  ['living room', '6036548c82fdfaad'],
  ['kitchen', '5c350ec6ca370a09'],
  ['bathroom', '0b4ddaed0ae6e22e'],
  ['office', '2af161d0b52855fc'],
  ['class room', '73412522361c7f0e'],
  ['workshop', 'a13278859fd0fac1'],
  ['corridor', 'c02cda04f01f0dec'],
  ['flat', '55854b847726f4e0'],
] as const

test.each(HASHES)('%s of seed 1 is the same scene on every machine', (kind, hash) => {
  expect(sceneHash(generateScene({ seed: 1, kind })).slice(0, hash.length)).toBe(hash)
})

test('its triangles and its light are the same bytes on every machine', () => {
  const { mesh } = buildScene(generateScene({ seed: 1, kind: 'bathroom' }))
  const digest = ({ buffer }: Float32Array): string => sha256(new Uint8Array(buffer)).slice(0, 16)
  expect(digest(mesh.positions)).toBe('7a46c3a002f316b6')
  expect(digest(mesh.light!)).toBe('9aff25936a8ad86a')
})

test.each([2, 3, 4, 5, 6, 7, 8])('a flat has the requested %i rooms, with doors and windows', (rooms) => {
  const scene = generateScene({ seed: 3, kind: 'flat', rooms })
  expect(scene.rooms).toHaveLength(rooms)
  expect(scene.doors.length).toBeGreaterThanOrEqual(rooms)
  expect(scene.windows.length).toBeGreaterThan(0)
  expect(checkScene(scene)).toEqual([])
})

test('things of a category differ in size and color; with look-alikes they do not', () => {
  const pictures = (lookAlikes: number) =>
    generateScene({ seed: 5, kind: 'living room', lookAlikes }).objects.filter(({ category }) => category === 'picture')
  const spread = (placed: readonly PlacedObject[]): number => {
    const longest = placed.map(({ size }) => Math.max(...size!))
    return Math.max(...longest) / Math.min(...longest)
  }
  const longest = SEEDS.flatMap((seed) => generateScene({ seed, kind: 'bedroom', clutter: 0 }).objects)
    .filter(({ category }) => category === 'wardrobe' || category === 'bed')
    .map(({ size }) => size!.join())
  expect(new Set(longest).size).toBe(longest.length)
  expect(spread(pictures(1))).toBeLessThan(spread(pictures(0)))
})

test('knobs: fewer objects and no clutter leave what makes the room that room', () => {
  const bare = generateScene({ seed: 4, kind: 'kitchen', objects: 8, clutter: 0 })
  const full = generateScene({ seed: 4, kind: 'kitchen', clutter: 60 })
  expect(checkScene(bare)).toEqual([])
  expect(bare.objects.length).toBeLessThan(15)
  expect(full.objects.length).toBeGreaterThan(bare.objects.length * 2)
  expect(generateScene({ seed: 4, kind: 'kitchen', lighting: 'evening' }).lighting).toBe('evening')
})

test('all looks show the same things in the same places', () => {
  const scene = generateScene({ seed: 3, kind: 'bathroom' })
  const instances = (look: 'plain' | 'lit' | 'rich') => {
    const { mesh, objects } = buildScene(scene, { look })
    return {
      objects,
      seen: [...new Set(mesh.triangleInstances)].sort((a, b) => a - b),
      bounds: boundsOf(mesh.positions),
    }
  }
  expect(instances('plain')).toEqual(instances('lit'))
  expect(instances('rich')).toEqual(instances('lit'))
})

test('light and shadows change neither depth nor ids', () => {
  const scene = generateScene({ seed: 3, kind: 'bathroom' })
  const { x, y } = scene.rooms[0]!
  const size = { width: 160, height: 120 }
  const lens = fieldOfView(90, size.width, size.height)
  const pose = fromYawPitch([(x[0] + x[1]) / 2, (y[0] + y[1]) / 2, 1.6], 90, -30)
  const seen = (light: boolean) => {
    const renderer = new Renderer(prepareScene(buildScene(scene, { light }).mesh))
    const { ids, depth } = renderer.render({ pose, lens }, { ...size, ids: true, depth: true })
    return { ids, depth }
  }
  expect(seen(true)).toEqual(seen(false))
})

test('what stands on feet darkens the ground around them, and no shadow reaches beyond the ground', () => {
  const scene = generateScene({ seed: 2, kind: 'living room' })
  const { positions } = contactShadows(scene)
  expect(positions.length / 3).toBeGreaterThan(8 * 40)
  const { x, y } = scene.rooms[0]!
  const { min, max } = boundsOf(positions)
  expect(min[0]).toBeGreaterThan(x[0] - 0.02)
  expect(min[1]).toBeGreaterThan(y[0] - 0.02)
  expect(max[0]).toBeLessThan(x[1] + 0.02)
  expect(max[1]).toBeLessThan(y[1] + 0.02)
})

test('balls are round, and as large as such balls are', () => {
  const balls = SEEDS.flatMap((seed) => generateScene({ seed, kind: 'corridor', clutter: 70 }).objects)
    .concat(SEEDS.flatMap((seed) => generateScene({ seed, kind: 'bedroom', clutter: 70 }).objects))
    .filter(({ category }) => category === 'ball')
  expect(balls.length).toBeGreaterThan(5)
  for (const { variant, size } of balls) {
    const own = buildObject('ball', variant).size
    expect(Math.max(...size!) / Math.min(...size!)).toBeLessThan(1.12)
    expect(size![0] / own[0]).toBeGreaterThan(0.8)
    expect(size![0] / own[0]).toBeLessThan(1.2)
  }
})

test('the floor of an L-shaped room is what its blocks leave', () => {
  const room = SEEDS.map((seed) => generateScene({ seed, kind: 'living room', clutter: 0 }).rooms[0]!).find(
    ({ blocks }) => blocks,
  )!
  const outline = outlineOf(room)
  const twice = outline.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = outline[(i + 1) % outline.length]!
    return sum + x * nextY - nextX * y
  }, 0)
  expect(outline.length).toBeGreaterThan(4)
  expect(twice / 2).toBeCloseTo(roomArea(room), 6)
})

test('objects say what they contain', () => {
  const shelf = generateScene({ seed: 2, kind: 'living room' })
  const found = sceneObjects(shelf).find(({ category }) => category === 'bookshelf')
  expect(found?.contains?.['books']).toBeGreaterThan(3)
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
