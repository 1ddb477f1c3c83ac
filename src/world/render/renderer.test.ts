/** What a user sees in pictures. */
import { describe, expect, it } from 'vitest'
import { boxes, checkers, confetti, hills, room } from '../../../test/support/world/render/meshes.ts'
import { focalLength, fromYawPitch, type Picture, prepareScene, PreparedScene, Renderer, RenderPool } from './index.ts'
import { encodeSrgb, srgbToLinear } from './srgb.ts'

const SIZE = { width: 160, height: 120 }
const lens = focalLength(80, SIZE.width, SIZE.height)
const facingX = { pose: fromYawPitch([0, 0, 1], 0), lens }

function colorAt({ color, width }: Picture, x: number, y: number): number[] {
  return [...color.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
}

const red = { min: [3, 0.8, 0.5], max: [3.5, 1.8, 1.5], color: [255, 0, 0], instance: 7 } as const
const blue = { min: [3, -1.8, 0.5], max: [3.5, -0.8, 1.5], color: [0, 0, 255], instance: 8 } as const

describe('a picture', () => {
  it('shows +y on the left when facing +x, and in the middle after a 90° turn', () => {
    const renderer = new Renderer(prepareScene(boxes([red, blue])))
    const ahead = renderer.render(facingX, { ...SIZE, ids: true })
    expect(colorAt(ahead, 46, 60)).toEqual([255, 0, 0])
    expect(colorAt(ahead, 114, 60)).toEqual([0, 0, 255])
    expect([ahead.ids[60 * 160 + 46], ahead.ids[60 * 160 + 114], ahead.ids[60 * 160 + 80]]).toEqual([7, 8, 0])
    const turned = renderer.render({ pose: fromYawPitch([3.2, 0, 1], 90), lens }, SIZE)
    expect(colorAt(turned, 80, 60)).toEqual([255, 0, 0])
  })

  it('shows captured colors unchanged', () => {
    const wall = { min: [2, -9, -9], max: [3, 9, 9], color: [13, 177, 250] } as const
    const picture = new Renderer(prepareScene(boxes([wall]))).render(facingX, SIZE)
    expect(new Set(picture.color)).toEqual(new Set([13, 177, 250]))
  })

  it('has the same colors when they are only lent', () => {
    const renderer = new Renderer(prepareScene(boxes([red, blue])))
    const lent = renderer.renderColor(facingX, SIZE, (color) => [...color])
    expect(lent).toEqual([...renderer.render(facingX, SIZE).color])
  })

  it('has background color and no depth where nothing is hit', () => {
    const renderer = new Renderer(prepareScene(boxes([red])))
    const away = { pose: fromYawPitch([0, 0, 1], 180), lens }
    const picture = renderer.render(away, { ...SIZE, depth: true, ids: true, background: [1, 2, 3] })
    expect(colorAt(picture, 10, 10)).toEqual([1, 2, 3])
    expect(new Set(picture.depth)).toEqual(new Set([0]))
    expect(new Set(picture.ids)).toEqual(new Set([0]))
  })

  it('shows and reports objects behind glass', () => {
    const materials = [
      { name: 'paint', color: [255, 255, 255] as const },
      { name: 'glass', color: [255, 255, 255] as const, opacity: 0.25 },
    ]
    const wall = { min: [4, -9, -9], max: [5, 9, 9], color: [200, 0, 0], instance: 1 } as const
    const pane = { min: [2, -0.5, 0.5], max: [2, 0.5, 1.5], color: [0, 0, 100], instance: 2, material: 1 } as const
    const further = { ...pane, min: [3, -0.5, 0.5], max: [3, 0.5, 1.5] } as const
    const look = (...panes: (typeof pane | typeof further)[]): Picture =>
      new Renderer(prepareScene(boxes([wall, ...panes], materials))).render(facingX, {
        ...SIZE,
        ids: true,
        depth: true,
      })
    const one = look(pane)
    expect(colorAt(one, 80, 60)).toEqual([150, 0, 25])
    expect(colorAt(one, 10, 60)).toEqual([200, 0, 0])
    expect(one.ids[60 * 160 + 80]).toBe(1)
    expect(one.depth[60 * 160 + 80]).toBeCloseTo(4, 5)
    expect(colorAt(look(pane, further), 80, 60)).toEqual([112, 0, 44])
  })

  it('antialiases on request without changing depth and ids', () => {
    const renderer = new Renderer(prepareScene(boxes([red, blue])))
    const turned = { pose: fromYawPitch([0, 0, 1], 8, 5), lens }
    const plain = renderer.render(turned, { ...SIZE, depth: true, ids: true })
    const smooth = renderer.render(turned, { ...SIZE, depth: true, ids: true, antialias: true })
    expect(smooth.depth).toEqual(plain.depth)
    expect(smooth.ids).toEqual(plain.ids)
    const shades = ({ color }: Picture): number => new Set(color).size
    expect(shades(plain)).toBe(2)
    expect(shades(smooth)).toBe(5)
  })

  it('shows a distant texture as its mean color in linear light', () => {
    const floor = { min: [1, -300, -300], max: [300, 300, 0], material: 0 } as const
    const mesh = boxes([floor], [{ name: 'tiles', color: [255, 255, 255], texture: checkers(64, 64) }])
    const picture = new Renderer(prepareScene(mesh)).render({ pose: fromYawPitch([0, 0, 1], 0, 0), lens }, SIZE)
    const mean = (a: number, b: number): number => encodeSrgb((srgbToLinear(a / 255) + srgbToLinear(b / 255)) / 2)
    for (let x = 20; x < 140; x += 10)
      for (const [c, value] of [mean(230, 90), mean(220, 60), mean(200, 40)].entries())
        expect(Math.abs(colorAt(picture, x, 61)[c]! - value)).toBeLessThan(12)
  })

  it('shows a lit surface in its own color at light 1, darker below', () => {
    const wall = { min: [2, -9, -9], max: [3, 9, 9], color: [120, 60, 200] } as const
    const look = (light: number, exposure = 1): number[] => {
      const mesh = boxes([wall], undefined, true)
      mesh.light?.fill(light)
      return colorAt(new Renderer(prepareScene(mesh)).render(facingX, { ...SIZE, exposure }), 80, 60)
    }
    expect(look(1)).toEqual([120, 60, 200])
    expect(look(0.5, 2)).toEqual([120, 60, 200])
    expect(look(0.25)[0]).toBeLessThan(70)
    expect(Math.max(...look(100))).toBeLessThan(256)
  })

  it('rejects invalid sizes and cameras', () => {
    const renderer = new Renderer(prepareScene(boxes([red])))
    expect(() => renderer.render(facingX, { width: 0, height: 10 })).toThrow(/width must be a whole number/)
    expect(() => renderer.render({ ...facingX, near: 0 }, SIZE)).toThrow(/not positive/)
    expect(() => renderer.render(facingX, { ...SIZE, triangles: true })).toThrow(/triangle numbers/)
  })
})

describe('a prepared scene', () => {
  it('draws the same image after a round trip to disk', () => {
    const scene = prepareScene(room(true))
    const again = PreparedScene.fromBytes(scene.bytes.slice())
    const options = { ...SIZE, depth: true, ids: true }
    expect(new Renderer(again).render(facingX, options)).toEqual(new Renderer(scene).render(facingX, options))
    expect(again.bounds).toEqual(scene.bounds)
  })

  it('rejects foreign bytes', () => {
    expect(() => PreparedScene.fromBytes(new Uint8Array(1000))).toThrow(/not the bytes of a prepared scene/)
    const older = prepareScene(room(false)).bytes.slice()
    older[4] = 99
    expect(() => PreparedScene.fromBytes(older)).toThrow(/format 99/)
  })

  it('takes at most 120 bytes per triangle, even if no two triangles share a vertex', () => {
    for (const mesh of [confetti(5000, 'memory'), hills(80)]) {
      const vertices = mesh.positions.length / 3
      const everything = { ...mesh, uvs: new Float32Array(vertices * 2), light: new Float32Array(vertices * 3) }
      const scene = prepareScene(everything, { keepTriangleNumbers: true })
      expect(scene.byteLength / scene.triangles).toBeLessThan(120)
    }
  })

  it('skips triangles with NaN corners and draws an empty mesh as nothing', () => {
    const mesh = boxes([red])
    mesh.positions[0] = Number.NaN
    expect(prepareScene(mesh).triangles).toBe(10)
    const nothing = { positions: new Float32Array(0), indices: new Uint32Array(0), materials: [] }
    expect(new Set(new Renderer(prepareScene(nothing)).render(facingX, SIZE).color)).toEqual(new Set([255]))
  })

  it('rejects a mesh with dangling references', () => {
    const mesh = boxes([red])
    const far = mesh.indices.slice()
    far[5] = 1000
    expect(() => prepareScene({ ...mesh, indices: far })).toThrow(/triangle 1 names vertex 1000, but there are 24/)
    const materials = new Uint16Array(12).fill(3)
    expect(() => prepareScene({ ...mesh, triangleMaterials: materials })).toThrow(/names material 3/)
  })
})

describe('memory of a scene', () => {
  const sizes = Array.from({ length: 40 }, (_, i) => ({ width: 16 + i * 8, height: 12 + i * 6 }))
  const [largest] = sizes.slice(-1)
  /** Where images of all sizes, smaller ones first, may take a few times what the largest needs. */
  const bytesFor = async (draw: (scene: PreparedScene, size: typeof largest) => unknown) => {
    const [grown, alone] = [prepareScene(room(true)), prepareScene(room(true))]
    for (const size of sizes) await draw(grown, size)
    await draw(alone, largest)
    return grown.memory.buffer.byteLength / alone.memory.buffer.byteLength
  }

  it.each([true, false])('does not grow with every larger image that is lent (antialias: %s)', async (antialias) => {
    const lent = await bytesFor((scene, size) => {
      new Renderer(scene).lend(facingX, { ...size!, depth: true, antialias }, () => null)
    })
    const pool = new RenderPool({ threads: 1 })
    const pooled = await bytesFor((scene, size) => pool.render(scene, facingX, { ...size!, depth: true, antialias }))
    await pool.close()
    expect(Math.max(lent, pooled)).toBeLessThan(4)
  })
})

describe('a pool of threads', () => {
  it('matches a single thread for any order and scene', async () => {
    const scenes = [prepareScene(room(true)), prepareScene(hills(40))]
    const pool = new RenderPool({ threads: 2 })
    const jobs = Array.from({ length: 12 }, (_, i) => ({
      scene: scenes[i % 2]!,
      camera: { pose: fromYawPitch([0, 0, 1.5], i * 30, -10), lens },
      options: { ...SIZE, depth: true, ids: true, antialias: i % 3 === 0 },
    }))
    const drawn = await Promise.all(jobs.map(({ scene, camera, options }) => pool.render(scene, camera, options)))
    await pool.close()
    for (const [i, { scene, camera, options }] of jobs.entries())
      expect(drawn[i]).toEqual(new Renderer(scene).render(camera, options))
    await expect(pool.render(scenes[0]!, facingX, SIZE)).rejects.toThrow(/closed/)
  })

  it('lends images, each until its use is done', async () => {
    const scene = prepareScene(room(true))
    const pool = new RenderPool({ threads: 2 })
    const cameras = Array.from({ length: 8 }, (_, i) => ({ pose: fromYawPitch([0, 0, 1.5], i * 45), lens }))
    const options = { ...SIZE, depth: true, antialias: true }
    let used = 0
    const lent = await Promise.all(
      cameras.map((camera, i) =>
        pool.lend(scene, camera, options, async ({ color, depth }) => {
          // The first one is in use while all others are drawn.
          if (i === 0) await expect.poll(() => used).toBe(7)
          used++
          return [[...color], [...depth]]
        }),
      ),
    )
    await pool.close()
    const renderer = new Renderer(scene)
    const drawn = cameras.map((camera) => renderer.render(camera, options))
    expect(lent).toEqual(drawn.map(({ color, depth }) => [[...color], [...depth]]))
  })

  it('draws a few images ahead of those in use', async () => {
    const scene = prepareScene(room(true))
    const pool = new RenderPool({ threads: 1 })
    let [inUse, most] = [0, 0]
    let go!: () => void
    const wait = new Promise<void>((resolve) => (go = resolve))
    const lent = Array.from({ length: 40 }, () =>
      pool.lend(scene, facingX, SIZE, async () => {
        most = Math.max(most, ++inUse)
        await wait
        inUse--
      }),
    )
    await expect.poll(() => most).toBe(6)
    // What needs room is drawn as soon as there is some.
    const further = pool.render(scene, facingX, { ...SIZE, depth: true, antialias: true })
    go()
    await Promise.all([...lent, further])
    await pool.close()
    expect(most).toBe(6)
  })

  it('rejects unfinished and queued images when closed', async () => {
    const scene = prepareScene(hills(40))
    const pool = new RenderPool({ threads: 1 })
    const pictures = Promise.allSettled(Array.from({ length: 6 }, () => pool.render(scene, facingX, SIZE)))
    await pool.close()
    expect((await pictures).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'))
  })
})
