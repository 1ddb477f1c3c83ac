/** `sightline scene new` and `sightline scene show` */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { type Bitmap, encodePng } from '../../media/image.ts'
import { checkVideoSize } from '../../media/video-rules.ts'
import { defaultView } from '../../world/film/default-view.ts'
import { dollhouse } from '../../world/film/dollhouse.ts'
import { film } from '../../world/film/film.ts'
import { planTour } from '../../world/film/tour.ts'
import { PreparedCache, type UpAxis, writeGlb } from '../../world/formats/index.ts'
import { type OpenedScene, openScene } from '../../world/scene/open-scene.ts'
import {
  type Camera,
  checkSides,
  fieldOfView,
  fromYawPitch,
  type Picture,
  Renderer,
  RenderPool,
  topDown,
} from '../../world/render/index.ts'
import { generateScene } from '../../world/rooms/generate.ts'
import { type SceneKind, sceneHash } from '../../world/rooms/scene.ts'
import { sceneStats } from '../../world/scene/stats.ts'
import { plural } from '../../base/plural.ts'
import { columns, print, say } from '../terminal/output.ts'
import { progress } from '../terminal/progress.ts'
import { checkExtension, checkWritable, writeOutput } from '../results/output-file.ts'

interface NewOptions {
  seed: number
  kind: SceneKind
  rooms?: number
  output?: string
}

export async function newScene({ seed, kind, rooms, output }: NewOptions): Promise<void> {
  if (rooms !== undefined && kind !== 'flat') throw new UserError('--rooms only works with --kind flat.')
  const scene = generateScene({ seed, kind, ...(rooms === undefined ? {} : { rooms }) })
  const text = `${JSON.stringify(scene, null, 2)}\n`
  if (output === undefined) {
    print(text)
    return
  }
  checkExtension('--output', output, '.json')
  await checkWritable(output)
  await writeOutput(output, text)
  const parts = [plural(scene.rooms.length, 'room'), plural(scene.objects.length, 'object')]
  say(`${parts.join(', ')}, hash ${sceneHash(scene).slice(0, 12)}.`)
}

export interface Size {
  width: number
  height: number
}

interface ShowOptions {
  pose?: number[]
  size: Size
  fov: number
  map?: boolean
  dollhouse?: boolean
  up?: UpAxis
  metersPerUnit?: number
  video?: string
  export?: string
  stats?: boolean
  antialias: boolean
  output?: string
  json?: boolean
}

/** Maps and dollhouses are cut open at this height: ceilings would hide everything below. */
const CUT_METERS = 1.8

/** Cache of prepared meshes; safe to delete. */
const PREPARED_FOLDER = join('.sightline', 'scenes')

export async function showScene(path: string, options: ShowOptions, cacheFolder = PREPARED_FOLDER): Promise<void> {
  checkOptions(options)
  await checkOutputs(options)
  const { up, metersPerUnit } = options
  const scene = await openScene(path, {
    cache: new PreparedCache(cacheFolder),
    ...(up === undefined ? {} : { up }),
    ...(metersPerUnit === undefined ? {} : { metersPerUnit }),
  })
  if (scene.description && (up !== undefined || metersPerUnit !== undefined)) {
    throw new UserError(`--up and --meters-per-unit only apply to meshes; ${path} is a scene, in meters with z up.`)
  }
  for (const note of scene.notes) say(note)
  if (options.output !== undefined) await renderImage(scene, options, options.output)
  if (options.video !== undefined) await renderTour(scene, options, options.video)
  if (options.export !== undefined) await exportGlb(scene, options.export)
  if (options.stats || !(options.output || options.video || options.export))
    await printStats(scene, options.json === true)
}

/** Rejects combinations of options that would otherwise be ignored silently. */
function checkOptions({ pose, map, dollhouse: house, size, video, output }: ShowOptions): void {
  const views = [pose && '--pose', map && '--map', house && '--dollhouse'].filter((view) => typeof view === 'string')
  if (views.length > 1) throw new UserError(`${views.join(' and ')} cannot be combined.`)
  if (views.length === 1 && output === undefined) {
    throw new UserError(`${views[0]} needs an output file.`, { hint: 'Add -o view.png.' })
  }
  checkSides(size)
  if (video !== undefined) checkVideoSize(size)
}

/** Runs before anything is loaded and rendered. */
async function checkOutputs({ output, video, export: mesh }: ShowOptions): Promise<void> {
  const files = [
    ['--output', output, '.png'],
    ['--video', video, '.mp4'],
    ['--export', mesh, '.glb'],
  ] as const
  for (const [option, path, extension] of files) {
    if (path === undefined) continue
    checkExtension(option, path, extension)
    await checkWritable(path)
  }
}

async function renderImage(scene: OpenedScene, options: ShowOptions, output: string): Promise<void> {
  const { size, antialias } = options
  const renderer = new Renderer(scene.prepared)
  const { min, max } = scene.bounds
  const cutAbove = min[2] + CUT_METERS
  const cutOpen = { ...size, antialias, cutAbove }
  const cutBounds = { min, max: [max[0], max[1], Math.min(max[2], cutAbove)] as const }
  // A dollhouse hides the near walls: they show their back faces. Scans have no reliable back faces.
  const shot: Picture = options.map
    ? renderer.render(topDown(scene.bounds, size), cutOpen)
    : options.dollhouse
      ? renderer.render(dollhouse(cutBounds, size), { ...cutOpen, hideBackFaces: scene.description !== null })
      : await renderView(scene, renderer, options)
  await writeOutput(output, await encodePng({ ...size, channels: 3, data: shot.color }))
}

/** From the given pose, or the view that shows what it is. */
async function renderView(scene: OpenedScene, renderer: Renderer, options: ShowOptions): Promise<Picture> {
  const { pose, fov, size, antialias } = options
  if (pose === undefined) {
    const { camera, background } = defaultView(scene.prepared, await scene.mesh(), size, fov)
    return renderer.render(camera, { ...size, antialias, background })
  }
  const [x = 0, y = 0, z = 0, yaw = 0, pitch = 0] = pose
  const lens = fieldOfView(fov, size.width, size.height)
  return renderer.render({ pose: fromYawPitch([x, y, z], yaw, pitch), lens }, { ...size, antialias })
}

async function renderTour(scene: OpenedScene, { size, fov, antialias }: ShowOptions, output: string): Promise<void> {
  const lens = fieldOfView(fov, size.width, size.height)
  const plan = planTour(await scene.mesh())
  if (plan.stops.length === 0) say('No walkable floor found: the camera turns in place in the middle of the scene.')
  say(`Rendering ${plural(plan.frames.length, 'frame')}.`)
  const threads = availableParallelism()
  const pool = new RenderPool({ threads })
  const draw = async (pose: Camera['pose']): Promise<Bitmap> => {
    const { color } = await pool.render(scene.prepared, { pose, lens }, { ...size, antialias })
    return { ...size, channels: 3, data: color }
  }
  try {
    const onFrame = progress('frames')
    const { bytes, encoder, frames } = await film(plan, draw, { ...size, atOnce: threads, onFrame })
    await writeOutput(output, bytes)
    say(`${plural(frames.length, 'frame')}, ${(frames.length / plan.fps).toFixed(1)} s, ${encoder}.`)
  } finally {
    // Open threads would keep the process alive.
    await pool.close()
  }
}

async function exportGlb({ mesh, objects }: OpenedScene, output: string): Promise<void> {
  const names = new Map((objects ?? []).map(({ instance, category }) => [instance, category]))
  await writeOutput(output, await writeGlb(await mesh(), { names }))
}

async function printStats(scene: OpenedScene, json: boolean): Promise<void> {
  const found = await sceneStats(scene)
  if (json) {
    print(JSON.stringify(found, null, 2))
    return
  }
  const meters = (values: readonly number[]): string => values.map((value) => value.toFixed(2)).join(' × ')
  print(
    columns([
      ['triangles', found.triangles.toLocaleString('en')],
      ['vertices', found.vertices.toLocaleString('en')],
      ['size', `${meters(found.sizeMeters)} m`],
      ['floor', `${found.floorSquareMeters.toFixed(1)} m² total, ${found.freeSquareMeters.toFixed(1)} m² walkable`],
      ['navigation', `${plural(found.navPolygons, 'convex polygon')}, ${plural(found.navPortals, 'portal')}`],
      ['memory', `${(found.preparedBytes / 2 ** 20).toFixed(1)} MiB when loaded`],
      ...found.objects.map(({ category, count }, i) => [i === 0 ? 'objects' : '', `${count} ${category}`]),
    ]),
  )
}

export function parseSize(text: string): Size {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(text)
  const [width, height] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || width < 1 || height < 1)
    throw new UserError(`Invalid --size "${text}". Use WIDTHxHEIGHT, such as 640x480.`)
  return { width, height }
}

export function parsePose(text: string): number[] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (numbers.length < 3 || numbers.length > 5 || numbers.some((number) => !Number.isFinite(number))) {
    throw new UserError(`Invalid --pose "${text}". Use x,y,z[,yaw[,pitch]] in meters and degrees.`)
  }
  return numbers
}
