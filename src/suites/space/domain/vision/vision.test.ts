import { describe, expect, it } from 'vitest'
import { decodeImage } from '../../../../media/image.ts'
import { facingDifferences } from '../../../../../test/support/suites/space/facings.ts'
import { sightingsOf } from '../../../../../test/support/suites/space/sightings.ts'
import { CATALOG } from '../../samples/catalog.ts'
import { generateScene } from '../../samples/generate.ts'
import { calibrationImage } from '../../play/images/instructions.ts'
import { startPose } from '../grid/view.ts'
import { buildGridMesh, instanceId } from './build.ts'
import { cameraAt } from './camera.ts'
import { appearanceKey, displayedObject, renderProblems } from './displayed-object.ts'
import { renderView } from './images.ts'

const scenes = Array.from({ length: 12 }, (_, seed) => generateScene({ seed: `vision/${seed}`, spacing: 'dataset' }))

describe('the size of objects', () => {
  it('is the same part of their real size, for every object', () => {
    for (const scene of scenes) {
      const { positions, indices, triangleInstances } = buildGridMesh(scene, { light: false })
      for (const object of scene.objects) {
        const { model, catalogued } = displayedObject(object, appearanceKey(scene))
        const instance = instanceId(scene, object.name)
        const stand = model.size[2] - catalogued.size[2]
        const low = [Infinity, Infinity, Infinity]
        const high = [-Infinity, -Infinity, -Infinity]
        for (let i = 0; i < indices.length; i++) {
          const at = indices[i]! * 3
          if (triangleInstances![Math.floor(i / 3)] !== instance || positions[at + 2]! < stand * 0.6 - 1e-6) continue
          for (let axis = 0; axis < 3; axis++) {
            // The edges of a stand belong to its top.
            if (axis < 2 && stand > 0 && positions[at + 2]! < stand * 0.6 + 1e-3) continue
            low[axis] = Math.min(low[axis]!, positions[at + axis]!)
            high[axis] = Math.max(high[axis]!, positions[at + axis]!)
          }
        }
        const turned = object.oriented && object.heading[0] === 0
        const drawn = [high[turned ? 1 : 0]! - low[turned ? 1 : 0]!, high[turned ? 0 : 1]! - low[turned ? 0 : 1]!]
        for (const [drawnSize, realSize] of [
          [high[2]! - stand * 0.6, catalogued.size[2]],
          // The foot of a device is within a millimeter of its stand: its other sides are wider.
          [drawn[0]!, catalogued.size[0]],
          [drawn[1]!, catalogued.size[1]],
        ] as const) {
          expect(drawnSize / realSize / 0.6, `${object.name} (${catalogued.variant})`).toBeCloseTo(1, 2)
        }
      }
    }
  })

  it('stays within a cell', () => {
    for (const scene of scenes) {
      for (const object of scene.objects) {
        const [depth, width] = displayedObject(object, appearanceKey(scene)).model.size
        expect(Math.max(depth, width) * 0.6, object.name).toBeLessThanOrEqual(1)
      }
    }
    expect(renderProblems({ objects: [{ ...scenes[0]!.objects[0]!, name: 'bed' }] })).toEqual([
      'the built-in bed is larger than a cell',
    ])
  })
})

describe('the field of view', () => {
  it('shows more than 90°, so nothing that counts as seen is cut in half', () => {
    const sightings = scenes.flatMap((scene) => sightingsOf(scene, 'fixed'))
    const least = (cells: number): number =>
      Math.min(
        ...sightings
          .filter(({ right, ahead }) => Math.abs(right) === ahead && ahead >= cells)
          .map(({ shown }) => shown),
      )
    // The margin grows with the distance; at 2 cells, the widest objects would need an image of 115°.
    expect(least(2)).toBeGreaterThan(0.6)
    expect(least(4)).toBeGreaterThan(0.9)
    expect(sightings.filter(({ shown }) => shown >= 1).length / sightings.length).toBeGreaterThan(0.92)
    for (const { right, ahead, shown, object } of sightings) {
      if (Math.abs(right) < ahead) expect(shown, `${object.name} at ${right}, ${ahead}`).toBe(1)
    }
  })
})

describe('the facing of an object', () => {
  const oriented = CATALOG.filter(({ oriented: hasFront }) => hasFront).map(({ name }) => name)
  it.each(oriented)('%s is visible at every distance', (name) => {
    for (const { meters, pixels, facings } of [
      ...facingDifferences(name, 'a', [2, 4, 6, 8], 'fixed'),
      ...facingDifferences(name, 'b', [4, 8], 'upstream'),
    ]) {
      expect(pixels, `${facings} at ${meters} m`).toBeGreaterThanOrEqual(50)
    }
  })
})

describe('distance', () => {
  it('can be read off a floor of tiles of one meter', () => {
    const scene = generateScene({ seed: 'vision/floor', spacing: 'dataset', objectsPerRoom: 1 })
    const pose = startPose(scene)
    const { bitmap, ids } = renderView(scene, pose, 'fixed')
    const { lens } = cameraAt(pose, 'fixed')
    const column = Math.floor(lens.cx)
    const brightness = (meters: number): number => {
      const pixel = Math.floor(lens.cy + (lens.fy * 0.8) / meters) * bitmap.width + column
      expect(ids[pixel]).toBe(0)
      return bitmap.data[pixel * 3]! + bitmap.data[pixel * 3 + 1]! + bitmap.data[pixel * 3 + 2]!
    }
    const [one, two, three] = [brightness(1), brightness(2), brightness(2.9)]
    expect(Math.sign(one - two)).toBe(Math.sign(three - two))
    expect(Math.min(Math.abs(one - two), Math.abs(three - two))).toBeGreaterThan(15)
  })

  it.each(['fixed', 'upstream'] as const)('is calibrated with four whole cylinders under %s', async (profile) => {
    const { data, width, height } = await decodeImage(calibrationImage(profile))
    const colorful = (x: number, y: number): boolean => {
      const [r, g, b] = [0, 1, 2].map((c) => data[(y * width + x) * 3 + c]!)
      return Math.max(r!, g!, b!) - Math.min(r!, g!, b!) > 60
    }
    const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
      Array.from({ length: height }, (_, y) => y).some((y) => colorful(x, y)),
    )
    expect(columns[0]).toBeGreaterThan(2)
    // Yellow, blue with red behind it, green.
    expect(columns.filter((x, i) => x !== columns[i - 1]! + 1)).toHaveLength(3)
  })
})
