/**
 * Soft shadows where things touch what they stand on. Baked light is as fine as the vertices, which is too coarse for the
 * foot of a lamp: here each foot gets a dark patch of its outline that fades out around it. Patches are transparent, so that depth and ids
 * are those of what they lie on.
 */
import type { Material } from '../mesh.ts'
import type { ObjectModel } from '../objects/model.ts'
import type { ObjectMesh } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import type { Vec3 } from '../vector.ts'

/** What is this close to the ground touches it, meters. */
const TOUCHES = 0.02
/** Feet that are nearer to each other than this are one, meters. */
const APART = 0.008
/** Flatter things, such as paper and rugs, have none. */
const FLATTEST = 0.015
/** Patches lie this far above the ground, meters. */
const ABOVE = 0.0015
/** Those that overlap lie this far above each other: in one plane, neither is in front, and their pixels mix. */
const STEP = 0.00015
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

/** Corners this flat are none, square meters: outlines have few points. */
const STRAIGHT = 2e-6
const MOST_POINTS = 64

export type Point = readonly [number, number]
/** Convex, counterclockwise. */
type Outline = readonly Point[]

/** A thing that stands on the ground. */
export interface Grounded {
  model: Pick<ObjectModel, 'mesh' | 'size' | 'occluders'>
  /** What the model's sides are multiplied with. */
  scale?: Vec3
  /** The middle of its base. */
  position: Vec3
  /** Degrees counterclockwise from above. */
  yaw: number
  /** Whether there is ground at a point. */
  isGround: (point: Point) => boolean
}

/** The patches of all things as one mesh. */
export function contactPatches(things: readonly Grounded[]): ObjectMesh {
  const patches = new Patches()
  for (const thing of things) {
    const [sx, sy, sz] = thing.scale ?? [1, 1, 1]
    if (thing.model.size[2] * sz < FLATTEST) continue
    const { feet, body } = shadowsOf(thing.model)
    const sized = (outline: Outline): Outline => outline.map(([x, y]) => [x * sx, y * sy])
    for (const foot of feet) patches.add(thing, sized(foot), fadeOf(sized(foot)))
    if (body && body.z * sz > TOUCHES && body.z * sz < LOW_BODY)
      patches.add(thing, sized(body.outline), BODY_FADE, UNDER_BODY)
  }
  return patches.joined()
}

/** What of an object darkens the ground, in its own frame. */
interface Shadows {
  feet: readonly Outline[]
  /** What rests on the feet, and how high above the ground. */
  body: { outline: Outline; z: number } | null
}

const known = new WeakMap<Grounded['model'], Shadows>()

function shadowsOf(model: Grounded['model']): Shadows {
  let shadows = known.get(model)
  if (!shadows) {
    const feet = feetOf(model.mesh)
    shadows = { feet, body: feet.length > 1 ? bodyOf(model) : null }
    known.set(model, shadows)
  }
  return shadows
}

/** The lowest part that covers most of the object's floor. */
function bodyOf({ size, occluders }: Grounded['model']): Shadows['body'] {
  const parts = occluders.map(({ frame, half }) => {
    const reach = (row: number): number =>
      Math.abs(frame[row]! * half[0]) + Math.abs(frame[row + 1]! * half[1]) + Math.abs(frame[row + 2]! * half[2])
    return { x: frame[3]!, y: frame[7]!, dx: reach(0), dy: reach(4), z: frame[11]! - reach(8) }
  })
  const wide = parts.filter(({ dx, dy }) => 4 * dx * dy > 0.4 * size[0] * size[1])
  const lowest = wide.toSorted((a, b) => a.z - b.z)[0]
  if (!lowest) return null
  const { x, y, dx, dy, z } = lowest
  const outline: Outline = [
    [x - dx, y - dy],
    [x + dx, y - dy],
    [x + dx, y + dy],
    [x - dx, y + dy],
  ]
  return { outline, z }
}

/** Small feet have small shadows. */
function fadeOf(outline: Outline): number {
  const { west, south, east, north } = extentOf(outline)
  return Math.min(LONGEST_FADE, Math.max(SHORTEST_FADE, FADE * Math.min(east - west, north - south)))
}

interface Foot {
  west: number
  south: number
  east: number
  north: number
  points: Point[]
}

function extentOf(points: Outline): Omit<Foot, 'points'> {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return { west: Math.min(...xs), south: Math.min(...ys), east: Math.max(...xs), north: Math.max(...ys) }
}

/** The outlines of what an object has near the ground. What touches or nearly does is one foot. */
function feetOf({ positions, indices }: ObjectMesh): Outline[] {
  const feet: Foot[] = []
  for (let t = 0; t < indices.length; t += 3) {
    const low = [indices[t]! * 3, indices[t + 1]! * 3, indices[t + 2]! * 3].filter((at) => positions[at + 2]! < TOUCHES)
    if (low.length < 2) continue
    const points = low.map((at): Point => [positions[at]!, positions[at + 1]!])
    let grown: Foot = { ...extentOf(points), points }
    for (let i = 0; i < feet.length; i++) {
      const foot = feet[i]!
      if (!isNear(foot, grown)) continue
      grown = together(foot, grown)
      feet.splice(i, 1)
      // A larger one may be near to what was too far away before.
      i = -1
    }
    feet.push(grown)
  }
  return feet.map(({ points }) => hullOf(points)).filter(({ length }) => length > 2)
}

const isNear = (a: Foot, b: Foot): boolean =>
  a.west < b.east + APART && b.west < a.east + APART && a.south < b.north + APART && b.south < a.north + APART

const overlap = (a: Placed['extent'], b: Placed['extent']): boolean =>
  a.west < b.east && b.west < a.east && a.south < b.north && b.south < a.north

const together = (a: Foot, b: Foot): Foot => ({
  west: Math.min(a.west, b.west),
  south: Math.min(a.south, b.south),
  east: Math.max(a.east, b.east),
  north: Math.max(a.north, b.north),
  // Points in the middle of the larger one do not matter for its outline.
  points:
    a.points.length + b.points.length > MOST_POINTS ? hullOf([...a.points, ...b.points]) : [...a.points, ...b.points],
})

/** The convex outline of points, counterclockwise. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (from: readonly Point[]): Point[] => {
    const line: Point[] = []
    for (const point of from) {
      while (line.length > 1 && !turnsLeft(line.at(-2)!, line.at(-1)!, point)) line.pop()
      line.push(point)
    }
    return line.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

const turnsLeft = (a: Point, b: Point, c: Point): boolean =>
  (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > STRAIGHT

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

interface Placed {
  extent: Omit<Foot, 'points'>
  ground: number
  material: number
  level: number
}

class Patches {
  readonly #placed: Placed[] = []
  readonly #positions: number[] = []
  readonly #uvs: number[] = []
  readonly #indices: number[] = []
  readonly #triangleMaterials: number[] = []

  /** The foot, and a ring around it in which its shadow fades. */
  add({ position, yaw, isGround }: Grounded, outline: Outline, fade: number, material = 0): void {
    const [c, s] = turnOf(yaw)
    const ground = position[2]
    const first = this.#positions.length / 3
    const count = outline.length
    const placed = outline.map(([x, y]): Point => [position[0] + c * x - s * y, position[1] + s * x + c * y])
    const rim = placed.map((corner, i): Point => {
      const out = outwards(placed[(i + count - 1) % count]!, corner, placed[(i + 1) % count]!)
      const at = (share: number): Point => [corner[0] + out[0] * fade * share, corner[1] + out[1] * fade * share]
      return at(SHARES.find((share) => isGround(at(share))) ?? 0)
    })
    const z = ground + ABOVE * (1 + material) + STEP * this.#levelOf(extentOf([...placed, ...rim]), ground, material)
    const vertex = ([x, y]: Point, u: number): void => {
      this.#positions.push(x, y, z)
      this.#uvs.push(u, 0.5)
    }
    placed.forEach((corner, i) => {
      vertex(corner, 0.5)
      vertex(rim[i]!, 0)
    })
    for (let i = 0; i < count; i++) {
      const [inner, next] = [first + 2 * i, first + 2 * ((i + 1) % count)]
      if (i > 1) this.#triangle(first, inner - 2, inner, material)
      this.#triangle(inner, inner + 1, next + 1, material)
      this.#triangle(inner, next + 1, next, material)
    }
  }

  /** The lowest level that no other patch in this place has. */
  #levelOf(extent: Placed['extent'], ground: number, material: number): number {
    const others = this.#placed.filter(
      (other) => other.ground === ground && other.material === material && overlap(other.extent, extent),
    )
    let level = 0
    while (others.some((other) => other.level === level)) level++
    this.#placed.push({ extent, ground, material, level })
    return level
  }

  #triangle(a: number, b: number, c: number, material: number): void {
    this.#indices.push(a, b, c)
    this.#triangleMaterials.push(material)
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

/** The direction that points away from both edges of a corner, longer at sharp ones so that the ring is as wide along the edges. */
function outwards(before: Point, corner: Point, after: Point): Point {
  const normal = (a: Point, b: Point): Point => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
    const length = Math.sqrt(dx * dx + dy * dy)
    return [dy / length, -dx / length]
  }
  const [a, b] = [normal(before, corner), normal(corner, after)]
  const [x, y] = [a[0] + b[0], a[1] + b[1]]
  const length = Math.max(0.5, x * x + y * y)
  return [(2 * x) / length, (2 * y) / length]
}
