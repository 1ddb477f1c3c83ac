/** A robot as a mesh: its links where its joints stand at zero, with the meshes that they name. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, normalize, sep } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { compose, type Frame } from '../frames.ts'
import type { Material } from '../mesh.ts'
import { linkFrames, poseFrame } from '../urdf/kinematics.ts'
import type { Geometry, Shape } from '../urdf/model.ts'
import { readUrdf } from '../urdf/read.ts'
import { brokenFile } from './broken.ts'
import { type Matrix, multiply, placeNormals, placePoints } from './matrix.ts'
import type { MeshPart, ParsedMesh } from './parsed-mesh.ts'
import { joinPieces, type Piece } from './pieces.ts'
import type { Shading } from './shade.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { boxShape, turnedShape } from './solids.ts'

/** Reads a mesh in meters, in the axes in which robots use it. */
type Load = (path: string, notes: string[]) => Promise<ParsedMesh>

/** Folders above the URDF in which its package is looked for: `package/urdf/arm/arm.urdf` is common. */
const PACKAGE_LEVELS = 4
const CORNER_LIMIT = 100_000_000
const GRAY: Material = { name: 'plain', color: [200, 200, 200] }

export async function parseUrdfMesh(
  bytes: Uint8Array,
  path: string,
  beside: SiblingFiles,
  load: Load,
): Promise<ParsedMesh> {
  const file = basename(path)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  if (/<xacro:/.test(text.replaceAll(/<!--[^]*?-->/g, '')))
    throw brokenFile(file, 'it is a xacro template, not a robot', 'Expand it first: xacro robot.xacro > robot.urdf')
  const { robot, warnings } = readUrdf(text, file)
  beside.notes.push(...warnings)
  const frames = linkFrames(robot)
  const meshes = new MeshFiles(path, beside, load)
  const pieces: Piece[] = []
  const parts: MeshPart[] = []
  const materials: Material[] = []
  const shading: Shading[] = []
  let corners = 0
  // Robots made for simulation alone have nothing but collision shapes.
  const hasVisuals = robot.links.some(({ visuals }) => visuals.length > 0)
  for (const { name, visuals, collisions } of robot.links) {
    const instance = parts.length + 1
    let shown = false
    for (const shape of hasVisuals ? visuals : collisions) {
      const solid = await solidOf(shape, meshes)
      if (!solid) continue
      corners += solid.indices.length
      if (corners > CORNER_LIMIT) throw brokenFile(file, `it has more than ${Math.floor(CORNER_LIMIT / 3)} triangles`)
      const matrix = multiply(matrixOf(compose(frames.get(name)!, poseFrame(shape.origin))), scaleOf(shape.geometry))
      const placed = {
        positions: placePoints(matrix, solid.positions),
        normals: solid.normals && placeNormals(matrix, solid.normals),
      }
      for (const { indices, material, level } of solid.surfaces) {
        pieces.push({ ...solid, ...placed, indices, instance, material: materials.push(material) - 1 })
        shading.push(level)
      }
      shown = true
    }
    if (shown) parts.push({ instance, name })
  }
  if (pieces.length === 0)
    throw brokenFile(file, 'none of its links has a shape that can be shown', beside.notes.at(-1) ?? 'It is empty.')
  return { mesh: joinPieces(pieces, materials, file), parts, shading, up: 'z' }
}

/** A shape in its own axes. */
interface Solid extends Pick<Piece, 'positions' | 'indices' | 'normals' | 'uvs' | 'colors'> {
  surfaces: { indices: Uint32Array; material: Material; level: Shading }[]
}

async function solidOf({ geometry, material }: Shape, meshes: MeshFiles): Promise<Solid | undefined> {
  const painted = material?.rgba && paintOf(material.name, material.rgba)
  if (geometry.kind === 'mesh') {
    const solid = await meshes.read(geometry.filename)
    // A mesh brings its own colors; the robot's are for those that have none.
    if (!solid || !painted || solid.colors || solid.surfaces.length !== 1 || solid.surfaces[0]!.material.texture)
      return solid
    return { ...solid, surfaces: [{ ...solid.surfaces[0]!, material: painted }] }
  }
  const { positions, indices } = shapeOf(geometry)
  const surfaces = [{ indices, material: painted ?? GRAY, level: 'full' as const }]
  return { positions, indices, normals: undefined, uvs: undefined, colors: undefined, surfaces }
}

function shapeOf(geometry: Exclude<Geometry, { kind: 'mesh' }>): Pick<Piece, 'positions' | 'indices'> {
  if (geometry.kind === 'box') return boxShape(geometry.size)
  const { radius } = geometry
  if (geometry.kind === 'sphere') return turnedShape(radius, 0, true)
  return turnedShape(radius, geometry.length, geometry.kind === 'capsule')
}

function paintOf(name: string, [r, g, b, a]: readonly [number, number, number, number]): Material {
  const byte = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255)
  // A surface that nobody could see is one whose writer forgot that alpha is opacity.
  return { name, color: [byte(r), byte(g), byte(b)], ...(a > 0 && a < 1 && { opacity: a }) }
}

function matrixOf(f: Frame): Matrix {
  return [f[0]!, f[4]!, f[8]!, 0, f[1]!, f[5]!, f[9]!, 0, f[2]!, f[6]!, f[10]!, 0, f[3]!, f[7]!, f[11]!, 1]
}

function scaleOf(geometry: Geometry): Matrix {
  const [x, y, z] = geometry.kind === 'mesh' ? geometry.scale : [1, 1, 1]
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]
}

/** The mesh files that a robot names, each read once. */
class MeshFiles {
  readonly #path: string
  readonly #beside: SiblingFiles
  readonly #load: Load
  readonly #known = new Map<string, Promise<Solid | undefined>>()

  constructor(path: string, beside: SiblingFiles, load: Load) {
    this.#path = path
    this.#beside = beside
    this.#load = load
  }

  read(name: string): Promise<Solid | undefined> {
    let solid = this.#known.get(name)
    if (!solid) this.#known.set(name, (solid = this.#read(name)))
    return solid
  }

  async #read(name: string): Promise<Solid | undefined> {
    this.#beside.count++
    const path = (await packagedFile(name, dirname(this.#path))) ?? (await this.#beside.find(nameOf(name)))
    if (path === undefined) return undefined
    try {
      const { mesh, shading = [] } = await this.#load(path, this.#beside.notes)
      const { positions, indices, normals, uvs, colors, triangleMaterials } = mesh
      const surfaces = mesh.materials.flatMap((material, at) => {
        const chosen = triangleMaterials
          ? indices.filter((_, corner) => triangleMaterials[Math.floor(corner / 3)] === at)
          : indices
        return chosen.length === 0 ? [] : [{ indices: chosen, material, level: shading[at] ?? 'none' }]
      })
      return { positions, indices, normals, uvs, colors, surfaces }
    } catch (error) {
      this.#beside.notes.push(`"${name.slice(0, 80)}" is left out: ${messageOf(error)}`)
      return undefined
    }
  }
}

/** A name as a path: without its scheme, and without the package that it lies in. */
function nameOf(name: string): string {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(name)
  if (!scheme) return name
  const rest = name.slice(scheme[0].length)
  return /^(package|model)$/i.test(scheme[1]!) ? rest.replace(/^[^/]*\//, '') : rest
}

/**
 * Where `package://name/meshes/a.stl` is: below a folder that is called `name` or is a package, above the robot's own
 * folder or next to one above it; or below the robot's folder or its parent.
 */
async function packagedFile(name: string, folder: string): Promise<string | undefined> {
  const parts = /^(?:package|model):\/\/([^/]+)\/(.+)$/i.exec(name.replaceAll('\\', '/'))
  const inside = normalize(parts?.[2] ?? '..')
  if (!parts || inside.startsWith('..') || inside.startsWith(sep) || inside.includes('\0') || /^\.+$/.test(parts[1]!))
    return undefined
  let above = folder
  for (let level = 0; level <= PACKAGE_LEVELS && dirname(above) !== above; level++, above = dirname(above)) {
    const beside = await readdir(above).catch((): string[] => [])
    const packages = [
      ...(basename(above) === parts[1] ? [above] : []),
      ...(beside.includes(parts[1]!) ? [join(above, parts[1]!)] : []),
      // Packages are called otherwise in a checkout, and robots are often taken out of theirs with its folders.
      ...(level <= 1 || beside.includes('package.xml') ? [above] : []),
    ]
    for (const root of packages) {
      const path = join(root, inside)
      if (
        await stat(path).then(
          (found) => found.isFile(),
          () => false,
        )
      )
        return path
    }
  }
  return undefined
}
