/** The two images of the first message: a calibration view with known distances, and the objects of the scene. */
import { DRAWING_FONT, encodePng, memoized, quickPng, svgToPng } from '../../../../suite.ts'
import {
  bakeLight,
  BoxCaster,
  type Camera,
  fieldOfView,
  finish,
  lacquer,
  lookAt,
  prepareScene,
  Renderer,
  Sculpture,
  studioMesh,
} from '../../../../world.ts'
import { NORTH, type Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'
import { cameraAt, IMAGE_SIZE } from '../../domain/vision/camera.ts'
import { appearanceKey, type DisplayedObject, displayedObject } from '../../domain/vision/displayed-object.ts'
import { SKY, TILE_TONES, tileTone, WALL_HEIGHT } from '../../domain/vision/shell.ts'

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
/** Thin enough that the yellow one is whole at 95°, and low enough that all of the red one is visible behind the blue one. */
const CYLINDER = { radius: 0.07, height: 0.34 }
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
  const wall = finish('calibration wall', [232, 230, 224], { roughness: 0.9 })
  for (const [k, tone] of TILE_TONES.entries()) {
    const gray = 196 * tone
    room.patch(
      finish('calibration floor', [gray, gray, gray], { roughness: 0.8 }),
      steps,
      steps,
      (x, y) => [x, y, 0],
      [0, 0, 1],
      (x, y) => [x, y],
      (x, y) => tileTone(x, y) !== k,
    )
  }
  const heights = [0, WALL_HEIGHT / 3, (WALL_HEIGHT * 2) / 3, WALL_HEIGHT]
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
  const square = { width: IMAGE_SIZE[profile], height: IMAGE_SIZE[profile] }
  const camera = { ...cameraAt({ pos: [0, 0], heading: NORTH }, profile), near: 0.05 }
  const { color } = new Renderer(prepareScene({ ...mesh, light })).render(camera, {
    ...square,
    antialias: true,
    background: SKY,
  })
  return quickPng({ ...square, channels: 3, data: color })
}

const COLUMNS = 4
/** Side of one view in pixels; an object with a front has two views side by side. */
const TILE = 150
const GAP = 6
const BACKGROUND = [214, 216, 219] as const
/** Degrees across a portrait, and the height of its camera over its distance: steep enough that no horizon shows. */
const PORTRAIT_FIELD = 42
const LOOK_DOWN = 0.47

/**
 * The numbered objects of a scene, in the order in which the prompt lists them.
 *
 * @param rendered called with the number of finished portraits
 */
export async function contactSheet(
  scene: Scene,
  rendered: (done: number, total: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const appearance = appearanceKey(scene)
  const tiles: string[] = []
  const named = new Map(scene.objects.map((object) => [object.name, object]))
  const listed = scene.order.flatMap((name) => named.get(name) ?? [])
  const wide = 2 * TILE + GAP
  const tall = TILE + GAP
  for (const [i, object] of listed.entries()) {
    rendered(i, listed.length)
    const left = GAP + (i % COLUMNS) * wide
    const top = GAP + Math.floor(i / COLUMNS) * tall
    for (const [k, { png, width }] of (await portrait(displayedObject(object, appearance))).entries()) {
      tiles.push(`<image x="${left + k * TILE}" y="${top}" width="${width}" height="${TILE}" href="${png}"/>`)
    }
    tiles.push(`<text x="${left + 6}" y="${top + 24}" font-size="22" font-weight="bold" fill="#d01818">${i + 1}</text>`)
  }
  const width = COLUMNS * wide + GAP
  const height = Math.ceil(listed.length / COLUMNS) * tall + GAP
  return svgToPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${DRAWING_FONT}, sans-serif"><rect width="${width}" height="${height}" fill="#ffffff"/>${tiles.join('')}</svg>`,
  )
}

interface Portrait {
  /** A data URL. */
  png: string
  width: number
}

/** An object with a front has two views, from the front and with the front to the left; others have one from a corner. */
const portrait = memoized(({ model, oriented }: DisplayedObject): Promise<Portrait[]> => {
  const [depth, width, height] = model.size
  const away = 1.5 * Math.sqrt(depth * depth + width * width + height * height)
  const renderer = new Renderer(prepareScene(studioMesh(model)))
  // From +y, +x is on the left.
  const views = oriented
    ? [
        { x: 1, y: 0, pixels: TILE },
        { x: 0, y: 1, pixels: TILE },
      ]
    : [{ x: DIAGONAL, y: DIAGONAL, pixels: 2 * TILE }]
  return Promise.all(
    views.map(async ({ x, y, pixels }) => {
      const camera: Camera = {
        pose: lookAt([x * away, y * away, height / 2 + away * LOOK_DOWN], [0, 0, height / 2]),
        lens: { ...fieldOfView(PORTRAIT_FIELD, TILE, TILE), cx: pixels / 2 },
      }
      const size = { width: pixels, height: TILE }
      const { color } = renderer.render(camera, { ...size, antialias: true, background: BACKGROUND })
      const png = await encodePng({ ...size, channels: 3, data: color })
      return { png: `data:image/png;base64,${Buffer.from(png).toString('base64')}`, width: pixels }
    }),
  )
})
