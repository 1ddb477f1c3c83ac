/** Light that reaches each vertex: windows and lamps as shining rectangles, the sun, and what the room throws back. */
import type { Material } from '../mesh.ts'
import { TAU, cosine, sine } from '../trig.ts'
import type { BoxCaster } from './boxes.ts'

export type Rgb = readonly [number, number, number]
type Vec3 = readonly [number, number, number]

export interface FloorRect {
  x: readonly [number, number]
  y: readonly [number, number]
}

/** A rectangle that shines to the side of `normal`: `center` ± `u` ± `v`. */
export interface AreaLight {
  center: Vec3
  u: Vec3
  v: Vec3
  normal: Vec3
  /** Radiance, linear. */
  color: Rgb
  /** Shadow rays along u and v. */
  samples: readonly [number, number]
  /** Nothing farther than this is lit by it. */
  reach: number
  /**
   * The room it shines into, then the rooms next door: there it is only looked for where its middle can be seen, and
   * farther away not at all. Everywhere where absent.
   */
  homes?: readonly FloorRect[]
}

/** An upright opening that the sun may shine through: `center` ± `u` (level) ± `height` / 2. */
export interface SunGate {
  center: Vec3
  u: Vec3
  normal: Vec3
  height: number
}

export interface Sun {
  /** Unit vector toward it. */
  direction: Vec3
  color: Rgb
  /** The only ways in; where absent the sun may come from anywhere. */
  gates?: readonly SunGate[]
}

export interface LightSetup {
  areas: readonly AreaLight[]
  sun?: Sun
  /** What arrives from all around at a place on a surface that faces (nx, ny, nz), before it is shaded by what is near. */
  ambient: (x: number, y: number, z: number, nx: number, ny: number, nz: number) => Rgb
  /** Rays that look for what is near. Default 11. */
  ambientRays?: number
  /** How far away something still darkens the ambient light, meters. */
  ambientReach: number
  /** Vertices nearer to each other than this, facing the same way, share their light. Default 0.055. */
  cell?: number
}

export interface Lit {
  positions: Float32Array
  normals: Float32Array
  indices: Uint32Array
  triangleMaterials: Uint16Array
  materials: readonly Material[]
}

const AMBIENT_RAYS = 11
/** The sun is not a point: its rays spread a little, and shadows have soft edges. */
const SUN_SPREAD = 0.012
const SUN_RAYS = Float64Array.of(0.7, 0.2, -0.2, 0.7, -0.7, -0.2, 0.2, -0.7)
/** Rays start this far off the surface. */
const LIFT = 0.006
const CELL = 0.055
const NORMAL_STEPS = 4
/** What lies deeper than this behind a surface may be in its shade, and does not share its light. */
const LAYER = 0.01
const LAYERS = 64
/** Light below this is not worth a shadow ray. */
const FAINT = 0.0012

/** Linear r, g, b for each vertex. */
export function bakeLight(mesh: Lit, caster: BoxCaster, setup: LightSetup): Float32Array {
  const { positions, normals } = mesh
  const count = positions.length / 3
  const light = new Float32Array(count * 3)
  const shared = new CellTable(count)
  const { cell = CELL } = setup
  const gatherer = new Gatherer(caster, setup)
  for (let i = 0; i < count; i++) {
    const at = i * 3
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    const nx = normals[at]!
    const ny = normals[at + 1]!
    const nz = normals[at + 2]!
    const key = cellKey(cell, x, y, z, nx, ny, nz)
    const known = shared.firstOf(key, at)
    if (known === at) {
      gatherer.at(x, y, z, nx, ny, nz)
      light[at] = gatherer.red
      light[at + 1] = gatherer.green
      light[at + 2] = gatherer.blue
    } else {
      light[at] = light[known]!
      light[at + 1] = light[known + 1]!
      light[at + 2] = light[known + 2]!
    }
  }
  const gloss = glossOf(mesh)
  for (let i = 0; i < count; i++) {
    if (gloss[i]! <= 0) continue
    const sheen = reflection(gloss[i]!, normals[i * 3]!, normals[i * 3 + 1]!, normals[i * 3 + 2]!)
    for (let k = 0; k < 3; k++) light[i * 3 + k] = light[i * 3 + k]! * sheen
  }
  return light
}

/** The first vertex of each cell. A `Map` would make an object of every key. */
class CellTable {
  /** One more than a cell's key; 0 where there is none. */
  readonly #keys: Float64Array
  readonly #first: Uint32Array
  readonly #mask: number

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, most * 2)))
    this.#keys = new Float64Array(size)
    this.#first = new Uint32Array(size)
    this.#mask = size - 1
  }

  /** What was given when the key was first asked for: now, if it is new. */
  firstOf(key: number, at: number): number {
    const low = key % 4294967296
    let place = Math.imul(low ^ Math.imul((key - low) / 4294967296, 0x9e3779b1), 0x85ebca6b)
    place = (place ^ (place >>> 15)) & this.#mask
    for (; this.#keys[place] !== 0; place = (place + 1) & this.#mask) {
      if (this.#keys[place] === key + 1) return this.#first[place]!
    }
    this.#keys[place] = key + 1
    this.#first[place] = at
    return at
  }
}

/** Adds up the light at one place. Its results are fields, so that nothing is allocated per vertex. */
class Gatherer {
  red = 0
  green = 0
  blue = 0
  readonly #caster: BoxCaster
  readonly #setup: LightSetup
  /** Directions about +z, evenly spread over the cosine-weighted hemisphere: x, y, z of each. */
  readonly #hemisphere: Float64Array

  constructor(caster: BoxCaster, setup: LightSetup) {
    this.#caster = caster
    this.#setup = setup
    this.#hemisphere = hemisphere(setup.ambientRays ?? AMBIENT_RAYS)
  }

  at(x: number, y: number, z: number, nx: number, ny: number, nz: number): void {
    const setup = this.#setup
    const ox = x + nx * LIFT
    const oy = y + ny * LIFT
    const oz = z + nz * LIFT
    const ambient = setup.ambient(x, y, z, nx, ny, nz)
    // Ceilings are lit by the whole bright floor, undersides of tables by a shaded one.
    const open =
      this.#caster.openness(this.#hemisphere, ox, oy, oz, nx, ny, nz, setup.ambientReach) * (nz < -0.5 ? 1.12 : 1)
    this.red = ambient[0] * open
    this.green = ambient[1] * open
    this.blue = ambient[2] * open
    const { areas, sun } = setup
    for (let i = 0; i < areas.length; i++) this.#addArea(areas[i]!, ox, oy, oz, nx, ny, nz)
    if (sun) this.#addSun(sun, ox, oy, oz, nx, ny, nz)
  }

  #addArea(area: AreaLight, ox: number, oy: number, oz: number, nx: number, ny: number, nz: number): void {
    const { center, u, v, normal, samples, color, reach, homes } = area
    const cx = center[0] - ox
    const cy = center[1] - oy
    const cz = center[2] - oz
    const far2 = cx * cx + cy * cy + cz * cz
    if (far2 > reach * reach) return
    const columns = samples[0]
    const rows = samples[1]
    const size =
      4 * Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    const place = placeIn(homes, ox, oy)
    if (place < 0) return
    if (place > 0) {
      const far = Math.sqrt(far2)
      if (this.#caster.blocked(ox, oy, oz, cx / far, cy / far, cz / far, far - 0.03)) return
    }
    const share = size / (columns * rows * (TAU / 2))
    // Near a sampled rectangle the inverse square would make spots.
    const soft = size / (columns * rows)
    let total = 0
    for (let i = 0; i < columns; i++) {
      const s = (2 * i + 1) / columns - 1
      for (let j = 0; j < rows; j++) {
        const t = (2 * j + 1) / rows - 1
        const dx = cx + u[0] * s + v[0] * t
        const dy = cy + u[1] * s + v[1] * t
        const dz = cz + u[2] * s + v[2] * t
        const here = nx * dx + ny * dy + nz * dz
        const there = -(normal[0] * dx + normal[1] * dy + normal[2] * dz)
        if (here <= 0 || there <= 0) continue
        const d2 = dx * dx + dy * dy + dz * dz
        const part = (here * there * share) / (d2 * (d2 + soft))
        if (part * color[1] < FAINT) continue
        const d = Math.sqrt(d2)
        if (!this.#caster.blocked(ox, oy, oz, dx / d, dy / d, dz / d, d - 0.03)) total += part
      }
    }
    this.red += color[0] * total
    this.green += color[1] * total
    this.blue += color[2] * total
  }

  #addSun(
    { direction, color, gates }: Sun,
    ox: number,
    oy: number,
    oz: number,
    nx: number,
    ny: number,
    nz: number,
  ): void {
    const facing = nx * direction[0] + ny * direction[1] + nz * direction[2]
    if (facing <= 0 || (gates && !gates.some((gate) => throughGate(gate, direction, ox, oy, oz)))) return
    let seen = 0
    for (let i = 0; i < SUN_RAYS.length; i += 2) {
      const dx = direction[0] + SUN_RAYS[i]! * SUN_SPREAD
      const dy = direction[1] + SUN_RAYS[i + 1]! * SUN_SPREAD
      if (!this.#caster.blocked(ox, oy, oz, dx, dy, direction[2], 40)) seen += 0.25
    }
    this.red += color[0] * facing * seen
    this.green += color[1] * facing * seen
    this.blue += color[2] * facing * seen
  }
}

/** Whether the way to the sun goes through the opening, with a hand's breadth to spare for soft edges. */
function throughGate(
  { center, u, normal, height }: SunGate,
  direction: Vec3,
  ox: number,
  oy: number,
  oz: number,
): boolean {
  const towards = normal[0] * direction[0] + normal[1] * direction[1]
  if (towards >= -1e-6) return false
  const t = (normal[0] * (center[0] - ox) + normal[1] * (center[1] - oy)) / towards
  if (t <= 0) return false
  const dz = oz + direction[2] * t - center[2]
  if (dz > height / 2 + 0.1 || dz < -height / 2 - 0.1) return false
  const dx = ox + direction[0] * t - center[0]
  const dy = oy + direction[1] * t - center[1]
  const half = Math.sqrt(u[0] * u[0] + u[1] * u[1])
  const side = (dx * u[0] + dy * u[1]) / half
  return side < half + 0.1 && side > -half - 0.1
}

/** Which of the rectangles a place is in; the first where there are none, −1 where it is in none of them. */
function placeIn(homes: readonly FloorRect[] | undefined, x: number, y: number): number {
  if (!homes) return 0
  for (let i = 0; i < homes.length; i++) {
    const { x: along, y: across } = homes[i]!
    if (x >= along[0] && x <= along[1] && y >= across[0] && y <= across[1]) return i
  }
  return -1
}

/** How mirror-like each vertex is: 0 matt … 1 polished metal. */
function glossOf({ positions, indices, triangleMaterials, materials }: Lit): Float32Array {
  const gloss = new Float32Array(positions.length / 3)
  const own = materials.map(({ roughness = 1, metallic = 0 }) =>
    metallic > 0 ? (1 - roughness) * metallic : roughness < 0.35 ? (0.35 - roughness) * 1.1 : 0,
  )
  for (let t = 0; t < triangleMaterials.length; t++) {
    const value = own[triangleMaterials[t]!]!
    if (value <= 0) continue
    for (let k = 0; k < 3; k++) gloss[indices[t * 3 + k]!] = value
  }
  return gloss
}

/**
 * Polished things mirror the room: bright from above, a dark band at the horizon, a bright floor below. As the light is
 * baked, the mirrored room turns with the surface and not with the eye; it still reads as metal and glaze.
 */
function reflection(gloss: number, nx: number, ny: number, nz: number): number {
  const band = nz > 0 ? 0.55 + 1.25 * nz * (1.6 - nz * 0.6) : 0.55 + 0.5 * nz * nz
  const side = nx * 0.6 + ny * 0.8
  const glint = side * side * side * side * 0.9
  const mirrored = band + glint
  return 1 + (mirrored - 1) * gloss
}

function cellKey(cell: number, x: number, y: number, z: number, nx: number, ny: number, nz: number): number {
  const qx = Math.round(x / cell) + 4096
  const qy = Math.round(y / cell) + 4096
  const qz = Math.round(z / cell) + 64
  const normals = 2 * NORMAL_STEPS + 1
  const qn =
    (Math.round(nx * NORMAL_STEPS) + NORMAL_STEPS) * normals * normals +
    (Math.round(ny * NORMAL_STEPS) + NORMAL_STEPS) * normals +
    Math.round(nz * NORMAL_STEPS) +
    NORMAL_STEPS
  const depth = Math.round((x * nx + y * ny + z * nz) / LAYER)
  const layer = ((depth % LAYERS) + LAYERS) % LAYERS
  return (((qx * 8192 + qy) * 512 + qz) * 1024 + qn) * LAYERS + layer
}

function hemisphere(count: number): Float64Array {
  const directions = new Float64Array(count * 3)
  for (let i = 0; i < count; i++) {
    const part = (i + 0.5) / count
    const r = Math.sqrt(part)
    const turn = i * 0.6180339887498949 * TAU
    directions[i * 3] = r * cosine(turn)
    directions[i * 3 + 1] = r * sine(turn)
    directions[i * 3 + 2] = Math.sqrt(1 - part)
  }
  return directions
}
