/**
 * Soft shadows where things touch what they stand on. Baked light is as fine as the vertices, which is too coarse for the
 * foot of a lamp: here each foot gets a dark patch that fades out around it. Patches are transparent, so that depth and ids
 * are those of what they lie on.
 */
import type { Material } from '../mesh.ts'
import { buildInstance } from '../objects/instance.ts'
import { buildObject } from '../objects/catalogue.ts'
import type { ObjectModel } from '../objects/model.ts'
import type { ObjectMesh } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import type { PlacedObject, Scene } from './scene.ts'

/** What is this close to the ground touches it, meters. */
const TOUCHES = 0.02
/** Feet that are nearer to each other than this are one, meters. */
const APART = 0.03
/** Flatter things, such as paper and rugs, have none. */
const FLATTEST = 0.015
/** Patches lie this far above the ground, meters. */
const ABOVE = 0.0015
/** How far a shadow reaches around a foot: a share of the foot's narrow side, within limits, meters. */
const FADE = 0.6
const SHORTEST_FADE = 0.012
const LONGEST_FADE = 0.07
/** What is tried in turn where the ground ends: no shadow hangs over the edge of a table or behind a wall. */
const SHARES = [1, 0.5, 0.25, 0]
/** Share of the light that is gone right at the foot, and under the middle of what stands on feet. */
const AT_FOOT = 0.42
const UNDERNEATH = 0.3
/** A body on feet darkens the ground if it hangs this low, and this far around it, meters. */
const LOW_BODY = 0.3
const BODY_FADE = 0.12
const TEXELS = 32

type Rect = readonly [west: number, south: number, east: number, north: number]
type Point = readonly [number, number]

/** All patches of a scene as one mesh. */
export function contactShadows(scene: Scene): ObjectMesh {
  const mesh = new Patches()
  const byInstance = new Map(scene.objects.map((placed) => [placed.instance, placed]))
  for (const placed of scene.objects) {
    if (placed.support === 'wall' || placed.support === 'ceiling') continue
    const { size } = buildInstance(placed)
    if (size[2] < FLATTEST) continue
    const below = typeof placed.support === 'number' ? byInstance.get(placed.support) : undefined
    const isGround = below ? onTopOf(below, placed.position[2]) : inRoom(scene, placed.room)
    const model = buildObject(placed.category, placed.variant)
    const [sx, sy, sz] = [size[0] / model.size[0], size[1] / model.size[1], size[2] / model.size[2]]
    const { feet, body } = shadowsOf(model)
    const sized = ([west, south, east, north]: Rect): Rect => [west * sx, south * sy, east * sx, north * sy]
    for (const foot of feet) mesh.add(placed, sized(foot), fadeOf(sized(foot)), isGround)
    if (body && body.z * sz < LOW_BODY) mesh.add(placed, sized(body.rect), BODY_FADE, isGround, UNDER_BODY)
  }
  return mesh.joined()
}

/** What of an object darkens the ground, in its own frame. */
interface Shadows {
  feet: readonly Rect[]
  /** What rests on the feet, and how high above the ground. */
  body: { rect: Rect; z: number } | null
}

const known = new Map<string, Shadows>()

function shadowsOf(model: ObjectModel): Shadows {
  const key = `${model.category}/${model.variant}`
  let shadows = known.get(key)
  if (!shadows) {
    const feet = merged(lowEdges(model.mesh))
    shadows = { feet, body: feet.length > 1 ? bodyOf(model) : null }
    known.set(key, shadows)
  }
  return shadows
}

/** The lowest part that covers most of the object's floor. */
function bodyOf({ size, occluders }: ObjectModel): Shadows['body'] {
  const parts = occluders.map(({ frame, half }) => {
    const reach = (row: number): number =>
      Math.abs(frame[row]! * half[0]) + Math.abs(frame[row + 1]! * half[1]) + Math.abs(frame[row + 2]! * half[2])
    const [x, y, z] = [frame[3]!, frame[7]!, frame[11]!]
    const rect: Rect = [x - reach(0), y - reach(4), x + reach(0), y + reach(4)]
    return { rect, z: z - reach(8) }
  })
  const covers = ([west, south, east, north]: Rect): boolean =>
    (east - west) * (north - south) > 0.4 * size[0] * size[1] && west > -size[0] && east < size[0]
  return parts.filter(({ rect }) => covers(rect)).toSorted((a, b) => a.z - b.z)[0] ?? null
}

const fadeOf = ([west, south, east, north]: Rect): number =>
  Math.min(LONGEST_FADE, Math.max(SHORTEST_FADE, FADE * Math.min(east - west, north - south)))

/** The extent of what each triangle has near the ground. */
function lowEdges({ positions, indices }: ObjectMesh): Rect[] {
  const rects: Rect[] = []
  for (let t = 0; t < indices.length; t += 3) {
    const low = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3].filter((at) => positions[at + 2]! < TOUCHES)
    if (low.length < 2) continue
    const xs = low.map((at) => positions[at]!)
    const ys = low.map((at) => positions[at + 1]!)
    rects.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)])
  }
  return rects
}

/** Rectangles that touch or nearly do, as one. */
function merged(rects: readonly Rect[]): Rect[] {
  const feet: Rect[] = []
  for (const rect of rects) {
    let grown = rect
    for (let i = 0; i < feet.length; i++) {
      if (!isNear(feet[i]!, grown)) continue
      grown = around(feet[i]!, grown)
      feet.splice(i, 1)
      // A larger one may be near to what was too far away before.
      i = -1
    }
    feet.push(grown)
  }
  return feet
}

const isNear = (a: Rect, b: Rect): boolean =>
  a[0] < b[2] + APART && b[0] < a[2] + APART && a[1] < b[3] + APART && b[1] < a[3] + APART

const around = (a: Rect, b: Rect): Rect => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]

function inRoom({ rooms }: Scene, id: number): (point: Point) => boolean {
  const { x, y, blocks = [] } = rooms.find((room) => room.id === id)!
  return ([px, py]) =>
    px > x[0] &&
    px < x[1] &&
    py > y[0] &&
    py < y[1] &&
    !blocks.some((block) => px > block.x[0] && px < block.x[1] && py > block.y[0] && py < block.y[1])
}

function onTopOf(below: PlacedObject, z: number): (point: Point) => boolean {
  const { surfaces } = buildInstance(below)
  const [c, s] = turnOf(below.yaw)
  const [x, y, base] = below.position
  const level = surfaces.filter((surface) => Math.abs(base + surface.z - z) < 0.01)
  return ([px, py]) => {
    const [dx, dy] = [px - x, py - y]
    const [along, across] = [c * dx + s * dy, -s * dx + c * dy]
    return level.some((top) => along > top.x[0] && along < top.x[1] && across > top.y[0] && across < top.y[1])
  }
}

/** Full in the middle, fading to nothing towards each edge. */
function fadingPatch(name: string, darkest: number): Material {
  const rgba = new Uint8Array(TEXELS * TEXELS * 4)
  const fade = (i: number): number => {
    const t = Math.min(1, Math.max(0, 1 - Math.abs((2 * (i + 0.5)) / TEXELS - 1) * 1.08))
    return t * t * (3 - 2 * t)
  }
  for (let row = 0; row < TEXELS; row++)
    for (let column = 0; column < TEXELS; column++)
      rgba[(row * TEXELS + column) * 4 + 3] = Math.round(255 * darkest * fade(row) * fade(column))
  return {
    name,
    color: [0, 0, 0],
    texture: { width: TEXELS, height: TEXELS, rgba },
    roughness: 1,
    opacity: 0.99,
  }
}

const MATERIALS = [fadingPatch('shadow of a foot', AT_FOOT), fadingPatch('shadow of a body', UNDERNEATH)]
const UNDER_BODY = 1

class Patches {
  readonly #positions: number[] = []
  readonly #uvs: number[] = []
  readonly #indices: number[] = []
  readonly #triangleMaterials: number[] = []

  /** Three by three fields: the foot in the middle, the shadow fading around it. */
  add(
    { position, yaw }: PlacedObject,
    [west, south, east, north]: Rect,
    fade: number,
    isGround: (point: Point) => boolean,
    material = 0,
  ): void {
    const [c, s] = turnOf(yaw)
    const at = (x: number, y: number): Point => [position[0] + c * x - s * y, position[1] + s * x + c * y]
    const reach = (corners: (by: number) => readonly [Point, Point]): number =>
      fade * (SHARES.find((share) => corners(share * fade).every(isGround)) ?? 0)
    const xs = [
      west - reach((by) => [at(west - by, south), at(west - by, north)]),
      west,
      east,
      east + reach((by) => [at(east + by, south), at(east + by, north)]),
    ]
    const ys = [
      south - reach((by) => [at(west, south - by), at(east, south - by)]),
      south,
      north,
      north + reach((by) => [at(west, north + by), at(east, north + by)]),
    ]
    const first = this.#positions.length / 3
    const along = [0, 0.5, 0.5, 1]
    ys.forEach((y, j) =>
      xs.forEach((x, i) => {
        const [px, py] = at(x, y)
        this.#positions.push(px, py, position[2] + ABOVE * (1 + material))
        this.#uvs.push(along[i]!, along[j]!)
      }),
    )
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) {
        const a = first + j * 4 + i
        this.#indices.push(a, a + 1, a + 5, a, a + 5, a + 4)
        this.#triangleMaterials.push(material, material)
      }
  }

  joined(): ObjectMesh {
    const normals = new Float32Array(this.#positions.length)
    for (let i = 2; i < normals.length; i += 3) normals[i] = 1
    return {
      positions: new Float32Array(this.#positions),
      normals,
      uvs: new Float32Array(this.#uvs),
      indices: new Uint32Array(this.#indices),
      triangleMaterials: new Uint16Array(this.#triangleMaterials),
      materials: MATERIALS,
    }
  }
}
