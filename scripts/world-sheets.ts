/** `npx tsx scripts/world-sheets.ts`: contact sheets of built-in objects and rooms, into docs/world. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions } from 'sharp'
import { studioMesh } from '../src/world/light/studio.ts'
import { buildObject, categories } from '../src/world/objects/catalogue.ts'
import { type Camera, Renderer, fieldOfView, fromYawPitch, lookAt, prepareScene } from '../src/world/render/index.ts'
import { buildScene, sceneObjects } from '../src/world/rooms/assemble.ts'
import { boundsAt } from '../src/world/rooms/boxes.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { ROOM_KINDS, type Scene, type SceneKind } from '../src/world/rooms/scene.ts'
import { solidsOf } from '../src/world/rooms/solids.ts'

interface Tile {
  color: Uint8Array
  title: string
}

const folder = new URL('../docs/world/', import.meta.url)
const BACKGROUND = [222, 223, 225] as const

function objectTile(category: string, size: number): Tile {
  const model = buildObject(category, 0)
  const [d, w, h] = model.size
  const span = Math.sqrt(d * d + w * w + h * h)
  const mesh = studioMesh(model)
  // Ceiling things are seen from below, flat things from above, all others from where a person stands.
  const rise = model.mount === 'ceiling' && h < 0.2 ? -0.6 : h < 0.3 * span && model.mount !== 'wall' ? 0.85 : 0.42
  const away = (span * 1.56) / Math.sqrt(1 + 0.36 + rise * rise)
  const camera: Camera = {
    pose: lookAt([away, away * 0.6, h / 2 + away * rise], [0, 0, h / 2]),
    lens: fieldOfView(42, size, size),
  }
  const { color } = new Renderer(prepareScene(rise < 0 ? withoutGround(mesh) : mesh)).render(camera, {
    width: size,
    height: size,
    antialias: true,
    background: BACKGROUND,
  })
  return { color, title: category }
}

/** The ground is the last material. */
function withoutGround(mesh: ReturnType<typeof studioMesh>): ReturnType<typeof studioMesh> {
  const ground = mesh.materials.length - 1
  const from = mesh.triangleMaterials!.indexOf(ground)
  return {
    ...mesh,
    indices: mesh.indices.slice(0, from * 3),
    triangleMaterials: mesh.triangleMaterials!.slice(0, from),
  }
}

/** Of many places on the free floor of the largest room, and directions: what shows most things, none of them in one's face. */
function eyeCamera(scene: Scene, renderer: Renderer, width: number, height: number): Camera {
  const room = scene.rooms.toSorted((a, b) => area(b) - area(a))[0]!
  const solid = solidsOf(room, scene.height, scene.doors)
  const obstacles = sceneObjects(scene)
    .filter(({ box }) => box.center[2] - box.size[2] / 2 < 1.7)
    .map(({ box }) => boundsAt(box.size, [box.center[0], box.center[1], 0], box.yaw))
  const isFree = ([x, y]: readonly [number, number]): boolean =>
    [...solid, ...obstacles].every(
      (box) => x < box.x[0] - 0.15 || x > box.x[1] + 0.15 || y < box.y[0] - 0.15 || y > box.y[1] + 0.15,
    )
  const along = ([from, to]: readonly [number, number]): number[] =>
    [0.06, 0.2, 0.35, 0.5, 0.65, 0.8, 0.94].map((share) => from + 0.32 + (to - from - 0.64) * share)
  const places = along(room.x).flatMap((x) => along(room.y).map((y) => [x, y] as const))
  let best: Camera | null = null
  let most = -Infinity
  for (const [x, y] of places.filter(isFree)) {
    for (let yaw = 0; yaw < 360; yaw += 30) {
      const pose = fromYawPitch([x, y, 1.5], yaw, -10)
      const { ids, depth } = renderer.render(
        { pose, lens: fieldOfView(80, 80, 60) },
        { width: 80, height: 60, color: false, ids: true, depth: true },
      )
      const counts = new Map<number, number>()
      for (const id of ids) if (id > 0) counts.set(id, (counts.get(id) ?? 0) + 1)
      const near = depth.filter((d) => d < 1.1).length / depth.length
      // A thing counts when it is large enough to be known again; one that fills the picture hides the room.
      const score = [...counts.values()].filter((count) => count >= 14).length - near * 60
      if (score <= most) continue
      most = score
      best = { pose, lens: fieldOfView(80, width, height) }
    }
  }
  const middle = [(room.x[0] + room.x[1]) / 2, (room.y[0] + room.y[1]) / 2, 1.5] as const
  return best ?? { pose: fromYawPitch(middle, 0, -10), lens: fieldOfView(80, width, height) }
}

function area({ x, y }: Scene['rooms'][number]): number {
  return (x[1] - x[0]) * (y[1] - y[0])
}

const ROOM_SIZE = { width: 288, height: 216 }

function roomTile(kind: SceneKind, seed: number): Tile {
  const { width, height } = ROOM_SIZE
  const scene = generateScene({ seed, kind })
  const renderer = new Renderer(prepareScene(buildScene(scene, { look: 'rich' }).mesh))
  const { color } = renderer.render(eyeCamera(scene, renderer, width, height), { ...ROOM_SIZE, antialias: true })
  return { color, title: `${kind}, seed ${seed}` }
}

/** In processes, one per core: each room takes seconds. */
async function roomTiles(rooms: readonly (readonly [SceneKind, number])[]): Promise<Tile[]> {
  const tiles: Tile[] = []
  const waiting = [...rooms.entries()]
  const work = async (): Promise<void> => {
    const child = fork(fileURLToPath(import.meta.url), ['one by one'], { serialization: 'advanced' })
    const ended = once(child, 'exit')
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, room] = next
      child.send(room)
      const [tile] = (await Promise.race([once(child, 'message'), ended])) as [Tile | number | null]
      if (tile === null || typeof tile === 'number') throw new Error(`Drawing ${room.join(' ')} failed.`)
      tiles[i] = tile
    }
    child.disconnect()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return tiles
}

async function sheet(
  name: string,
  tiles: readonly Tile[],
  columns: number,
  width: number,
  height: number,
): Promise<void> {
  const band = 20
  const rows = Math.ceil(tiles.length / columns)
  const parts = tiles.flatMap(({ color, title }, i): OverlayOptions[] => {
    const left = (i % columns) * width
    const top = Math.floor(i / columns) * (height + band)
    const words = `<svg width="${width}" height="${band}"><text x="${width / 2}" y="14" text-anchor="middle" font-family="sans-serif" font-size="13" fill="#222">${title}</text></svg>`
    return [
      { input: Buffer.from(color), raw: { width, height, channels: 3 as const }, left, top },
      { input: Buffer.from(words), left, top: top + height },
    ]
  })
  const file = new URL(name, folder)
  await sharp({
    create: { width: columns * width, height: rows * (height + band), channels: 3, background: '#ffffff' },
  })
    .composite(parts)
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(fileURLToPath(file))
  console.log(`docs/world/${name}: ${tiles.length} pictures`)
}

/** Seven of each kind of room, and four flats. */
const ROOMS = [
  ...ROOM_KINDS.flatMap((kind) => [1, 2, 3, 4, 5, 6, 7].map((seed) => [kind, seed] as const)),
  ...[1, 2, 3, 4].map((seed) => ['flat', seed] as const),
]

await mkdir(folder, { recursive: true })
const wanted = process.argv.slice(2)
if (wanted.length === 0 || wanted.includes('objects')) {
  await sheet(
    'objects.jpg',
    categories.map((category) => objectTile(category, 168)),
    10,
    168,
    168,
  )
}
if (wanted.length === 0 || wanted.includes('rooms'))
  await sheet('rooms.jpg', await roomTiles(ROOMS), 6, ROOM_SIZE.width, ROOM_SIZE.height)
if (process.send)
  process.on('message', ([kind, seed]: readonly [SceneKind, number]) => process.send!(roomTile(kind, seed)))
