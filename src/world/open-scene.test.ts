import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bestView, dollHouse, planTour } from './film/index.ts'
import { writeGlb } from './formats/index.ts'
import { openScene } from './open-scene.ts'
import { Renderer } from './render/index.ts'
import { generateScene } from './rooms/generate.ts'
import { sceneStats } from './stats.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-scene-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('opening a scene', () => {
  it('reads a description and the mesh that was exported from it alike', async () => {
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
    expect(b.sizeMeters[0]).toBeCloseTo(a.sizeMeters[0], 0)
    expect(a.freeSquareMeters).toBeLessThan(a.floorSquareMeters)
    expect(a.navPolygons).toBeGreaterThan(4)
  })

  it('shows a room from where things are seen, and whole from above', async () => {
    const json = join(folder, 'office.json')
    await writeFile(json, JSON.stringify(generateScene({ seed: 2, kind: 'office' })))
    const { prepared, mesh, bounds, objects } = await openScene(json)
    const size = { width: 160, height: 120 }
    const view = bestView(prepared, planTour(await mesh()))
    const renderer = new Renderer(prepared)
    const seen = new Set(
      renderer.render(dollHouse(bounds, size), { ...size, ids: true, cutAbove: bounds.min[2] + 1.8 }).ids,
    )
    expect(view).not.toBeNull()
    expect(seen.size).toBeGreaterThan(objects!.length / 4)
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
