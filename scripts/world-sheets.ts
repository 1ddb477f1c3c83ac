/** `npx tsx scripts/world-sheets.ts`: contact sheets of built-in objects and rooms, into docs/world. */
import { mkdir } from 'node:fs/promises'
import sharp from 'sharp'
import { studioMesh } from '../src/world/light/studio.ts'
import { buildObject, categories } from '../src/world/objects/catalogue.ts'
import { type Camera, Renderer, fieldOfView, lookAt, prepareScene } from '../src/world/render/index.ts'
import { buildScene } from '../src/world/rooms/assemble.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { ROOM_KINDS, type Scene, type SceneKind } from '../src/world/rooms/scene.ts'
import { sidePlane } from '../src/world/rooms/floor-plan.ts'

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
  const away = (span * 1.42) / Math.sqrt(1 + 0.36 + rise * rise)
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

/** From the corner next to the door, at eye height, across the room. */
function eyeCamera(scene: Scene, width: number, height: number): Camera {
  const room = scene.rooms.toSorted((a, b) => area(b) - area(a))[0]!
  const door = scene.doors.find(({ rooms }) => rooms.includes(room.id))!
  const plane = sidePlane(room, door.side)
  const at = door.side === 'west' || door.side === 'east' ? [plane, door.along] : [door.along, plane]
  const corners = [0, 1].flatMap((i) =>
    [0, 1].map((j) => [room.x[i]! + (i ? -0.3 : 0.3), room.y[j]! + (j ? -0.3 : 0.3)] as const),
  )
  const far = ([x, y]: readonly [number, number]): number => (x - at[0]!) ** 2 + (y - at[1]!) ** 2
  const [x, y] = corners.toSorted((a, b) => far(a) - far(b))[0]!
  const [cx, cy] = [(room.x[0] + room.x[1]) / 2, (room.y[0] + room.y[1]) / 2]
  return {
    pose: lookAt([x, y, 1.55], [cx + (cx - x) * 0.3, cy + (cy - y) * 0.3, 0.9]),
    lens: fieldOfView(84, width, height),
  }
}

function area({ x, y }: Scene['rooms'][number]): number {
  return (x[1] - x[0]) * (y[1] - y[0])
}

function roomTile(kind: SceneKind, seed: number, width: number, height: number): Tile {
  const scene = generateScene({ seed, kind })
  const renderer = new Renderer(prepareScene(buildScene(scene).mesh))
  const { color } = renderer.render(eyeCamera(scene, width, height), { width, height, antialias: true })
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
  const parts = tiles.flatMap(({ color, title }, i) => {
    const left = (i % columns) * width
    const top = Math.floor(i / columns) * (height + band)
    const words = `<svg width="${width}" height="${band}"><text x="${width / 2}" y="14" text-anchor="middle" font-family="sans-serif" font-size="13" fill="#222">${title}</text></svg>`
    return [
      { input: color, raw: { width, height, channels: 3 as const }, left, top },
      { input: Buffer.from(words), left, top: top + height },
    ]
  })
  const file = new URL(name, folder)
  await sharp({
    create: { width: columns * width, height: rows * (height + band), channels: 3, background: '#ffffff' },
  })
    .composite(parts)
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(file.pathname)
  console.log(`docs/world/${name}: ${tiles.length} pictures`)
}

/** Three of each kind of room. */
const ROOMS = ROOM_KINDS.flatMap((kind) => [1, 2, 3].map((seed) => [kind, seed] as const))

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
    ROOMS.map(([kind, seed]) => roomTile(kind, seed, 400, 300)),
    4,
    400,
    300,
  )
}
