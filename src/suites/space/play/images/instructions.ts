/** The two images of the first message: a calibration view with known distances, and the objects of the scene. */
import { DRAWING_FONT, encodePng, quickPng, svgToPng } from '../../../../suite.ts'
import {
  bakeLight,
  BoxCaster,
  type Camera,
  fieldOfView,
  finish,
  lacquer,
  lookAt,
  type ObjectModel,
  prepareScene,
  Renderer,
  Sculpture,
  studioMesh,
} from '../../../../world.ts'
import { NORTH, type Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'
import { cameraAt, IMAGE_SIZE } from '../../domain/vision/camera.ts'
import { appearanceKey, displayedObject } from '../../domain/vision/displayed-object.ts'

/** Sine and cosine of 45°. */
const DIAGONAL = Math.SQRT1_2
/** Sine and cosine of 22.5°, as literals: identical on every machine. */
const [SINE, COSINE] = [0.3826834323650898, 0.9238795325112867]

/** As described in the prompt: color, and position to the right and ahead in meters. */
const CYLINDERS = [
  { color: [30, 84, 210], right: 0, ahead: 1 },
  { color: [206, 30, 36], right: 0, ahead: 2 },
  { color: [246, 206, 30], right: -2 * DIAGONAL, ahead: 2 * DIAGONAL },
  { color: [28, 150, 62], right: 3 * SINE, ahead: 3 * COSINE },
] as const
/** Low enough that the red one is visible behind the blue one. */
const CYLINDER = { radius: 0.12, height: 0.45 }
const CALIBRATION_ROOM = 6

/** One image for all scenes, with the profile's field of view. */
export function calibrationImage(profile: Profile): Uint8Array<ArrayBuffer> {
  const cached = calibrations.get(profile)
  if (cached) return cached
  const drawn = drawCalibration(profile)
  calibrations.set(profile, drawn)
  return drawn
}

const calibrations = new Map<Profile, Uint8Array<ArrayBuffer>>()

function drawCalibration(profile: Profile): Uint8Array<ArrayBuffer> {
  const room = new Sculpture()
  const size = CALIBRATION_ROOM
  const steps = Array.from({ length: 4 * size + 1 }, (_, i) => i / 2 - size)
  const floor = finish('calibration floor', [206, 206, 204], { surface: 'tiles', tile: 1.2, roughness: 0.9 })
  const wall = finish('calibration wall', [232, 230, 224], { roughness: 0.9 })
  room.patch(
    floor,
    steps,
    steps,
    (x, y) => [x, y, 0],
    [0, 0, 1],
    (x, y) => [x / 1.2, y / 1.2],
  )
  const heights = [0, 0.5, 1, 1.5, 2.2]
  room.patch(
    wall,
    steps,
    heights,
    (x, z) => [x, size, z],
    [0, -1, 0],
    (x, z) => [x, z],
  )
  room.patch(
    wall,
    steps,
    heights,
    (y, z) => [-size, y, z],
    [1, 0, 0],
    (y, z) => [y, z],
  )
  room.patch(
    wall,
    steps,
    heights,
    (y, z) => [size, y, z],
    [-1, 0, 0],
    (y, z) => [y, z],
  )
  for (const { color, right, ahead } of CYLINDERS) {
    room.cylinder(lacquer([...color]), CYLINDER.radius, CYLINDER.height, [right, ahead, 0], 40)
  }
  const mesh = room.mesh([0, 0, 0])
  const light = bakeLight(mesh, new BoxCaster(room.occluders), {
    areas: [
      {
        center: [0.8, 2, 3.4],
        u: [1.5, 0, 0],
        v: [0, 1.5, 0],
        normal: [0, 0, -1],
        color: [1.5, 1.45, 1.36],
        samples: [2, 2],
        reach: 40,
      },
    ],
    ambient: () => [0.56, 0.57, 0.59],
    ambientReach: 0.7,
  })
  const camera = { ...cameraAt({ pos: [0, 0], heading: NORTH }, profile), near: 0.05 }
  const { color } = new Renderer(prepareScene({ ...mesh, light })).render(camera, {
    width: IMAGE_SIZE,
    height: IMAGE_SIZE,
    antialias: true,
    background: [222, 228, 236],
  })
  return quickPng({ width: IMAGE_SIZE, height: IMAGE_SIZE, channels: 3, data: color })
}

const COLUMNS = 4
/** Side of one view in pixels; an object with a front has two views side by side. */
const TILE = 150
const GAP = 6
const BACKGROUND = [214, 216, 219] as const

/** The numbered objects of a scene, in the order in which the prompt lists them. */
export async function contactSheet(scene: Scene): Promise<Uint8Array<ArrayBuffer>> {
  const appearance = appearanceKey(scene)
  const tiles: string[] = []
  const named = new Map(scene.objects.map((object) => [object.name, object]))
  const listed = scene.order.flatMap((name) => named.get(name) ?? [])
  const wide = 2 * TILE + GAP
  const tall = TILE + GAP
  for (const [i, object] of listed.entries()) {
    const { model } = displayedObject(object, appearance)
    const left = GAP + (i % COLUMNS) * wide
    const top = GAP + Math.floor(i / COLUMNS) * tall
    const views = await portrait(model, object.oriented)
    const tileImage = (png: string, x: number): string =>
      `<image x="${x}" y="${top}" width="${TILE}" height="${TILE}" href="${png}"/>`
    tiles.push(
      `<rect x="${left}" y="${top}" width="${2 * TILE}" height="${TILE}" fill="rgb(${BACKGROUND.join(',')})"/>`,
      views.length === 2
        ? `${tileImage(views[0]!, left)}${tileImage(views[1]!, left + TILE)}`
        : tileImage(views[0]!, left + TILE / 2),
      `<text x="${left + 6}" y="${top + 24}" font-size="22" font-weight="bold" fill="#d01818">${i + 1}</text>`,
    )
  }
  const width = COLUMNS * wide + GAP
  const height = Math.ceil(listed.length / COLUMNS) * tall + GAP
  return svgToPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${DRAWING_FONT}, sans-serif"><rect width="${width}" height="${height}" fill="#ffffff"/>${tiles.join('')}</svg>`,
  )
}

const portraits = new WeakMap<ObjectModel, Map<boolean, Promise<string[]>>>()

/** Views of an object as data URLs: from the front and with the front to the left, or one view from a corner. */
function portrait(model: ObjectModel, oriented: boolean): Promise<string[]> {
  let known = portraits.get(model)
  if (known === undefined) portraits.set(model, (known = new Map<boolean, Promise<string[]>>()))
  let views = known.get(oriented)
  if (views === undefined) known.set(oriented, (views = drawPortrait(model, oriented)))
  return views
}

function drawPortrait(model: ObjectModel, oriented: boolean): Promise<string[]> {
  const [depth, width, height] = model.size
  const span = Math.sqrt(depth * depth + width * width + height * height)
  const renderer = new Renderer(prepareScene(studioMesh(model)))
  // From +y, +x is on the left.
  const from = oriented
    ? [
        [1, 0],
        [0, 1],
      ]
    : [[DIAGONAL, DIAGONAL]]
  return Promise.all(
    from.map(async ([x, y]) => {
      const away = span * 1.5
      const camera: Camera = {
        pose: lookAt([x! * away, y! * away, height / 2 + away * 0.36], [0, 0, height / 2]),
        lens: fieldOfView(42, TILE, TILE),
      }
      const { color } = renderer.render(camera, {
        width: TILE,
        height: TILE,
        antialias: true,
        background: BACKGROUND,
      })
      const png = await encodePng({ width: TILE, height: TILE, channels: 3, data: color })
      return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    }),
  )
}
