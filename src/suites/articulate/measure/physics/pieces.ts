/**
 * A part's body: boards as boxes; what is not made of boards, such as bars, plates and knobs, as convex pieces of its mesh.
 */
import {
  cross,
  dot,
  IDENTITY,
  lengthOf,
  type Occluder,
  scaled,
  subtract,
  type TriangleMesh,
  type Vec3,
} from '../../../../world.ts'
import { boxAround, centerOf, sizeOf } from '../../domain/assembly/box.ts'
import { hullPoints, type ModelPart } from '../../domain/objects/model.ts'

/** Points whose hull it is, x, y, z one after the other. */
export type Piece = readonly number[]

/** More pieces take more time than they are worth. */
const MOST_PIECES = 16
const MOST_COMPONENTS = 64
/** Meters that a surface may lie below the hull of its piece. */
const DENT = 0.003
/** Corners nearer than this are one, meters. */
const SAME = 1e-5
/** Thinner pieces are made this thick, meters: a sheet has no volume. */
const THINNEST = 1e-3

type Mesh = Pick<TriangleMesh, 'positions' | 'indices'>

/** Some triangles of a mesh, by number. */
interface Body {
  triangles: readonly number[]
  hull: Piece
  /** Meters: how far a surface lies below the hull. */
  dent: number
  /** Across its thinnest side. */
  thin: { normal: Vec3; thickness: number }
}

/** What is known of a part's body, in its own frame. */
export interface Solid {
  name: string
  boxes: readonly Occluder[]
  pieces: readonly Piece[]
}

/** Lighting knows boards as boxes; round and bent bodies it knows as one box, or not at all. */
export function solidOf({ name, mesh, occluders }: Pick<ModelPart, 'name' | 'mesh' | 'occluders'>): Solid {
  return occluders.length > 1 ? { name, boxes: occluders, pieces: [] } : { name, boxes: [], pieces: piecesOf(mesh) }
}

/** What hangs together, cut in halves where it is hollow or bent. */
function piecesOf(mesh: Mesh): Piece[] {
  const done: Body[] = []
  const components = componentsOf(mesh)
  // Scans and objects from elsewhere can have thousands: those are cut as a whole.
  const groups = components.length > MOST_COMPONENTS ? [components.flat()] : components
  const open = groups.map((triangles) => bodyOf(mesh, triangles))
  while (open.length > 0) {
    open.sort((a, b) => a.dent - b.dent)
    const body = open.pop()!
    const isRoom = done.length + open.length + 2 <= MOST_PIECES
    const halves = body.dent > DENT && isRoom ? halvesOf(mesh, body) : null
    if (halves) open.push(...halves.map((triangles) => bodyOf(mesh, triangles)))
    else done.push(body)
  }
  // Triangles without an area do not make a body.
  return done.filter(({ thin }) => thin.thickness < Infinity).map(thickened)
}

/** The triangles that hang together by their corners. */
function componentsOf({ positions, indices }: Mesh): number[][] {
  const corners = new Map<string, number>()
  const above: number[] = []
  const top = (at: number): number => {
    let root = at
    while (above[root] !== root) root = above[root] = above[above[root]!]!
    return root
  }
  const cornerOf = (vertex: number): number => {
    const key = [0, 1, 2].map((k) => Math.round(positions[vertex * 3 + k]! / SAME)).join(' ')
    const known = corners.get(key) ?? above.push(above.length) - 1
    corners.set(key, known)
    return known
  }
  const first = Array.from({ length: indices.length / 3 }, (_, triangle) => {
    const [a, b, c] = [0, 1, 2].map((k) => cornerOf(indices[triangle * 3 + k]!)) as [number, number, number]
    above[top(b)] = top(a)
    above[top(c)] = top(a)
    return a
  })
  const groups = new Map<number, number[]>()
  for (const [triangle, corner] of first.entries()) {
    const root = top(corner)
    const group = groups.get(root)
    if (group) group.push(triangle)
    else groups.set(root, [triangle])
  }
  return [...groups.values()]
}

function bodyOf(mesh: Mesh, triangles: readonly number[]): Body {
  const points = new Float32Array(triangles.flatMap((triangle) => cornersOf(mesh, triangle).flat()))
  const hull = hullPoints(points)
  let dent = 0
  let thin: Body['thin'] = { normal: [0, 0, 1], thickness: Infinity }
  for (const triangle of triangles) {
    const [a, b, c] = cornersOf(mesh, triangle)
    const across = cross(subtract(b, a), subtract(c, a))
    const length = lengthOf(across)
    if (length === 0) continue
    const normal = scaled(across, 1 / length)
    const at = dot(normal, a)
    let [low, high] = [at, at]
    for (let i = 0; i < hull.length; i += 3) {
      const along = normal[0] * hull[i]! + normal[1] * hull[i + 1]! + normal[2] * hull[i + 2]!
      if (along < low) low = along
      if (along > high) high = along
    }
    // Which side of a triangle is outside is not known.
    dent = Math.max(dent, Math.min(at - low, high - at))
    if (high - low < thin.thickness) thin = { normal, thickness: high - low }
  }
  return { triangles, hull, dent, thin }
}

/** Null where no cut divides it. */
function halvesOf(mesh: Mesh, { triangles, hull }: Body): [number[], number[]] | null {
  const box = boxAround(hull, IDENTITY)!
  const [middle, size] = [centerOf(box), sizeOf(box)]
  for (const k of [0, 1, 2].toSorted((a, b) => size[b]! - size[a]!)) {
    const halves: [number[], number[]] = [[], []]
    for (const triangle of triangles) {
      const [a, b, c] = cornersOf(mesh, triangle)
      halves[a[k]! + b[k]! + c[k]! < 3 * middle[k]! ? 0 : 1].push(triangle)
    }
    if (halves[0].length > 0 && halves[1].length > 0) return halves
  }
  return null
}

function cornersOf({ positions, indices }: Mesh, triangle: number): [Vec3, Vec3, Vec3] {
  const corner = (k: number): Vec3 => {
    const at = indices[triangle * 3 + k]! * 3
    return [positions[at]!, positions[at + 1]!, positions[at + 2]!]
  }
  return [corner(0), corner(1), corner(2)]
}

function thickened({ hull, thin: { normal, thickness } }: Body): Piece {
  if (thickness >= THINNEST && hull.length >= 12) return hull
  const by = THINNEST / 2
  return [-by, by].flatMap((side) => hull.map((value, i) => value + side * normal[i % 3]!))
}
