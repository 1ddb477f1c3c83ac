import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bestView } from '../film/best-view.ts'
import { dollhouse } from '../film/dollhouse.ts'
import { planTour, type Tour } from '../film/tour.ts'
import { writeGlb, writePly } from '../formats/index.ts'
import { openScene } from './open-scene.ts'
import { boundsOf } from '../geometry/index.ts'
import { fieldOfView, type Pose, prepareScene, Renderer } from '../render/index.ts'
import { buildScene } from '../rooms/assemble.ts'
import { generateScene } from '../rooms/generate.ts'
import type { Scene } from '../rooms/scene.ts'
import { sceneStats } from './stats.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-scene-'))
})
afterAll(() => rm(folder, { recursive: true }))

const posesOf = ({ frames }: Tour): Pose[] => frames.map(({ pose }) => pose)

describe('opening a scene', () => {
  it('reads a description and its exported mesh as the same scene', async () => {
    const json = join(folder, 'room.json')
    const glb = join(folder, 'room.glb')
    await writeFile(json, JSON.stringify(generateScene({ seed: 5, kind: 'bathroom' })))
    const described = await openScene(json)
    await writeFile(glb, await writeGlb(await described.mesh()))
    const mesh = await openScene(glb)
    const [a, b] = [await sceneStats(described), await sceneStats(mesh)]
    expect(a.objects.length).toBeGreaterThan(4)
    expect(b.objects).toEqual([])
    expect(b.triangles).toBe(a.triangles)
    for (const axis of [0, 1, 2]) expect(b.sizeMeters[axis]).toBeCloseTo(a.sizeMeters[axis]!, 4)
    expect(a.freeSquareMeters).toBeLessThan(a.floorSquareMeters)
    expect(a.navPolygons).toBeGreaterThan(4)
  })

  it('chooses a viewpoint that shows objects, and a full top-down view', async () => {
    const json = join(folder, 'office.json')
    await writeFile(json, JSON.stringify(generateScene({ seed: 2, kind: 'office' })))
    const { prepared, mesh, bounds, objects } = await openScene(json)
    const size = { width: 160, height: 120 }
    const view = bestView(prepared, posesOf(planTour(await mesh())))
    const renderer = new Renderer(prepared)
    const seen = (hideBackFaces: boolean): number => {
      const cutOpen = { ...size, ids: true, cutAbove: bounds.min[2] + 1.8, hideBackFaces }
      return new Set(renderer.render(dollhouse(bounds, size), cutOpen).ids).size
    }
    expect(view).not.toBeNull()
    expect(seen(false)).toBeGreaterThan(objects!.length / 4)
    expect(seen(true)).toBeGreaterThan(seen(false))
  })

  it('chooses a viewpoint with a long view in an unlabeled scan', () => {
    const { mesh } = buildScene(generateScene({ seed: 4, kind: 'class room' }), { light: false })
    const { triangleInstances: _, ...scan } = mesh
    const prepared = prepareScene(scan)
    const tour = planTour(scan)
    const size = { width: 96, height: 72 }
    const far = (pose: Pose): number => {
      const { depth } = new Renderer(prepared).render(
        { pose, lens: fieldOfView(90, size.width, size.height) },
        { ...size, color: false, depth: true },
      )
      return depth.reduce((sum, meters) => sum + meters, 0)
    }
    const all = tour.frames.map(({ pose }) => far(pose)).sort((a, b) => a - b)
    expect(far(bestView(prepared, posesOf(tour))!)).toBeGreaterThan(all[Math.floor(all.length * 0.8)]!)
  })

  it('loads a mesh in millimeters and y-up with options, and guesses the unit without', async () => {
    const path = join(folder, 'millimetres.ply')
    const room = buildScene(generateScene({ seed: 3, kind: 'corridor' }), { light: false }).mesh
    const positions = room.positions.map((_, i) => {
      const at = i - (i % 3)
      const [x, y, z] = room.positions.subarray(at, at + 3)
      return 1000 * [x!, z!, -y!][i % 3]!
    })
    await writeFile(path, writePly({ ...room, positions }))
    const told = await sceneStats(await openScene(path, { up: 'y', metersPerUnit: 0.001 }))
    const { min, max } = boundsOf(room.positions)
    for (const axis of [0, 1, 2]) expect(told.sizeMeters[axis]).toBeCloseTo(max[axis]! - min[axis]!, 3)
    const guessed = await openScene(path, { up: 'y' })
    expect(guessed.notes).toEqual([expect.stringMatching(/^Units guessed: .* taken as millimeters/)])
    expect((await sceneStats(guessed)).sizeMeters).toEqual(told.sizeMeters)
  })

  it('shows a mesh of an impossible size as a thing of a plausible one, and says so', async () => {
    const path = join(folder, 'tower.obj')
    await writeFile(path, 'v 0 0 0\nv 1 0 1e30\nv 0 1 0\nf 1 2 3\n')
    const scene = await openScene(path)
    expect(scene.notes).toEqual([expect.stringMatching(/^Units unknown: .* shown 10 m long/)])
    expect((await sceneStats(scene)).sizeMeters[2]).toBeCloseTo(10)
    await expect(openScene(path, { metersPerUnit: 1 }).then(sceneStats)).rejects.toThrow(/is it in metres\?/)
  })

  it.each<[string, (scene: Scene) => void, RegExp]>([
    [
      'a hall as large as a town',
      ({ rooms }) => void (rooms[0]!.x = [-1000, 1000]),
      /rooms: they have \d+ m² of floor/,
    ],
    ['a tower', (scene) => void (scene.height = 1e9), /height: /],
    ['walls like mountains', (scene) => void (scene.wallThickness = 1e6), /wallThickness: /],
    ['a room inside out', ({ rooms }) => void rooms[0]!.x.reverse(), /rooms\.0\.x: it must begin before it ends/],
    ['a door beside its wall', ({ doors }) => void (doors[0]!.along = 900), /doors\.0: it does not fit/],
    ['a window above the ceiling', ({ windows }) => void (windows[0]!.sill = 50), /windows\.0: it is .* high/],
    ['a door to nowhere', ({ doors }) => void (doors[0]!.rooms = [99, 98]), /doors\.0: its room is not/],
    [
      'two things of one number',
      ({ objects }) => void (objects[1]!.instance = objects[0]!.instance),
      /objects\.1: .*twice/,
    ],
    [
      'a thing on nothing',
      ({ objects }) => void (objects[0]!.support = 60_000),
      /objects\.0\.support: there is no other/,
    ],
    ['a thing in no room', ({ objects }) => void (objects[0]!.room = 500), /objects\.0\.room: there is no room 500/],
    ['too many things', ({ objects }) => void objects.push(...Array(3000).fill(objects[0]!)), /objects: Too big/],
  ])('refuses a description of %s', async (_, spoil, message) => {
    const path = join(folder, 'spoilt.json')
    const scene = generateScene({ seed: 7, kind: 'flat' })
    spoil(scene)
    await writeFile(path, JSON.stringify(scene))
    await expect(openScene(path)).rejects.toThrow(message)
  })

  it.each([
    ['{"a": 1}', /is not a scene/],
    ['{"a": ', /is not JSON/],
    ['', /empty/],
    ['hello', /no mesh/],
  ])('says what is wrong with a file that holds %j', async (text, message) => {
    const path = join(folder, 'wrong.json')
    await writeFile(path, text)
    await expect(openScene(path)).rejects.toThrow(message)
  })
})
