/** `npx tsx scripts/world-sheets.ts`: contact sheets of built-in objects and rooms, into docs/world. */
import { fileURLToPath } from 'node:url'
import { mkdir } from 'node:fs/promises'
import sharp, { type OverlayOptions } from 'sharp'
import { studioMesh } from '../src/world/light/studio.ts'
import { buildObject, categories } from '../src/world/objects/catalogue.ts'
import { type Camera, Renderer, fieldOfView, lookAt, prepareScene } from '../src/world/render/index.ts'
import { buildScene, sceneObjects } from '../src/world/rooms/assemble.ts'
import { boundsAt } from '../src/world/rooms/boxes.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { ROOM_KINDS, type Scene, type SceneKind } from '../src/world/rooms/scene.ts'

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

/** Of many places on the free floor of the largest room: the one that shows most things, none of them in one's face. */
function eyeCamera(scene: Scene, renderer: Renderer, width: number, height: number): Camera {
  const room = scene.rooms.toSorted((a, b) => area(b) - area(a))[0]!
  const [cx, cy] = [(room.x[0] + room.x[1]) / 2, (room.y[0] + room.y[1]) / 2]
  const obstacles = sceneObjects(scene).filter(({ box }) => box.center[2] - box.size[2] / 2 < 1.7)
  const free = ([x, y]: readonly [number, number]): boolean =>
    obstacles.every(({ box }) => {
      const around = boundsAt(box.size, [box.center[0], box.center[1], 0], box.yaw)
      return x < around.x[0] - 0.15 || x > around.x[1] + 0.15 || y < around.y[0] - 0.15 || y > around.y[1] + 0.15
    })
  const places = [0.32, 0.7, 1.2].flatMap((inset) =>
    [0, 1].flatMap((i) =>
      [0, 0.25, 0.5, 0.75, 1].flatMap((f) => {
        const x = room.x[i]! + (i ? -inset : inset)
        const y = room.y[0] + inset + (room.y[1] - room.y[0] - 2 * inset) * f
        return [[x, y] as const]
      }),
    ),
  )
  let best: Camera | null = null
  let most = -1
  for (const [x, y] of places.filter(free)) {
    const pose = lookAt([x, y, 1.5], [cx + (cx - x) * 0.3, cy + (cy - y) * 0.3, 0.95])
    const { ids, depth } = renderer.render(
      { pose, lens: fieldOfView(80, 80, 60) },
      { width: 80, height: 60, color: false, ids: true, depth: true },
    )
    const counts = new Map<number, number>()
    for (const id of ids) if (id > 0) counts.set(id, (counts.get(id) ?? 0) + 1)
    const near = depth.filter((d) => d < 1.1).length / depth.length
    // A thing counts when it is large enough to be known again; one that fills the picture hides the room.
    const shown = [...counts.values()].filter((count) => count >= 14).length
    const score = shown - near * 60
    if (score > most) {
      most = score
      best = { pose, lens: fieldOfView(80, width, height) }
    }
  }
  return best ?? { pose: lookAt([cx, cy, 1.5], [room.x[1], cy, 1]), lens: fieldOfView(80, width, height) }
}

function area({ x, y }: Scene['rooms'][number]): number {
  return (x[1] - x[0]) * (y[1] - y[0])
}

function roomTile(kind: SceneKind, seed: number, width: number, height: number): Tile {
  const scene = generateScene({ seed, kind })
  const renderer = new Renderer(prepareScene(buildScene(scene, { look: 'rich' }).mesh))
  const { color } = renderer.render(eyeCamera(scene, renderer, width, height), { width, height, antialias: true })
  return { color, title: `${kind}, seed ${seed}` }
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
if (wanted.length === 0 || wanted.includes('rooms')) {
  await sheet(
    'rooms.jpg',
    ROOMS.map(([kind, seed]) => roomTile(kind, seed, 288, 216)),
    6,
    288,
    216,
  )
}
