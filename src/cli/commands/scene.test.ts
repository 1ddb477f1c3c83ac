import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeImage } from '../../media/image.ts'
import { writePly } from '../../world/formats/index.ts'
import { buildObject } from '../../world/objects/catalogue.ts'
import { generateScene } from '../../world/rooms/generate.ts'
import { parsePose, parseSize, showScene } from './scene.ts'

let folder: string
let scene: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-show-'))
  scene = join(folder, 'scene.json')
  await writeFile(scene, JSON.stringify(generateScene({ seed: 1, kind: 'corridor' })))
})
afterAll(() => rm(folder, { recursive: true }))

const DEFAULTS = { size: { width: 64, height: 48 }, fov: 90, antialias: false }

describe('scene show', () => {
  const inFolder = (value: string): string => (value.includes('.') ? join(folder, value) : value)

  it.each([
    ['a map without an output file', { map: true }, /--map needs an output file/],
    ['a pose without an output file', { pose: [0, 0, 1] }, /--pose needs an output file/],
    [
      'two views at once',
      { map: true, dollhouse: true, output: 'view.png' },
      /--map and --dollhouse cannot be combined/,
    ],
    [
      'a video with odd sides',
      { video: 'tour.mp4', size: { width: 301, height: 201 } },
      /width and height must be even/,
    ],
    ['an image that is too large', { output: 'view.png', size: { width: 5000, height: 10 } }, /from 1 to 4096/],
    ['mesh options for a scene', { up: 'y' as const }, /--up and --meters-per-unit only apply to meshes/],
  ])('rejects %s', async (_, asked, message) => {
    const files = Object.fromEntries(
      Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? inFolder(value) : value]),
    )
    await expect(showScene(scene, { ...DEFAULTS, ...files })).rejects.toThrow(message)
    for (const name of ['view.png', 'tour.mp4']) await expect(access(join(folder, name))).rejects.toThrow('ENOENT')
  })
})

it.each([
  ['default', {}],
  ['dollhouse', { dollhouse: true }],
])('fits a single object into the %s view', async (_, asked) => {
  const [mesh, output] = [join(folder, 'chair.ply'), join(folder, 'chair.png')]
  await writeFile(mesh, writePly(buildObject('chair', 0).mesh))
  await showScene(mesh, { ...DEFAULTS, ...asked, output }, join(folder, 'cache'))
  const { width, height, channels, data } = await decodeImage(await readFile(output))
  const drawn = Array.from({ length: width * height }, (_, i) => i).filter((i) => data[i * channels]! < 255)
  expect(drawn.length).toBeGreaterThan(200)
  for (const i of drawn) {
    const [x, y] = [i % width, Math.floor(i / width)]
    expect(x > 0 && y > 0 && x < width - 1 && y < height - 1).toBe(true)
  }
})

it.each(['1,,2', '1,2', '1,2,3,4,5,6', '1,2,x', '1,2,Infinity', ''])('rejects %j as a pose', (text) => {
  expect(() => parsePose(text)).toThrow(/Invalid --pose/)
})

it.each(['0x10', '10', '10x', '-1x5', '1e3x5', '100000x5'])('rejects %j as a size', (text) => {
  expect(() => parseSize(text)).toThrow(/Invalid --size/)
})
