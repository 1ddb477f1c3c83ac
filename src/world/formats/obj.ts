import type { Material, TriangleMesh } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { GrowingIndices } from './growing-indices.ts'
import { parseMtl } from './mtl.ts'
import { textLines } from './text-lines.ts'

/** Reads a Wavefront OBJ mesh: polygons, negative indices, vertex colors, materials and their color textures. */
export async function parseObj(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<TriangleMesh> {
  const raw = readObj(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'), file)
  const known = new Map<string, Material>()
  for (const library of raw.libraries) {
    const text = await beside.read(library)
    if (!text) continue
    for (const material of await parseMtl(Buffer.from(text).toString('utf8'), beside))
      known.set(material.name, material)
  }
  const materials = raw.materialNames.map((name): Material => known.get(name) ?? { name, color: [200, 200, 200] })
  return { ...raw.mesh, materials }
}

interface RawObj {
  mesh: Omit<TriangleMesh, 'materials'>
  materialNames: string[]
  libraries: string[]
}

/** A corner is a triple of numbers; equal triples share a vertex. */
class Corners {
  readonly places: number[] = []
  readonly uvs: number[] = []
  readonly normals: number[] = []
  /** The vertices made from each place, as a chain: the newest, then for each vertex the one before it. */
  readonly #newest: Int32Array
  readonly #before: number[] = []

  constructor(placeCount: number) {
    this.#newest = new Int32Array(placeCount).fill(-1)
  }

  vertex(place: number, uv: number, normal: number): number {
    for (let at = this.#newest[place]!; at !== -1; at = this.#before[at]!) {
      if (this.uvs[at] === uv && this.normals[at] === normal) return at
    }
    const vertex = this.places.length
    this.places.push(place)
    this.uvs.push(uv)
    this.normals.push(normal)
    this.#before.push(this.#newest[place]!)
    this.#newest[place] = vertex
    return vertex
  }
}

const NONE = -1

/** Faces as the file lists them, flat: place, texture coordinate and normal of each corner. */
class Faces {
  readonly corners: number[] = []
  readonly ends: number[] = []
  readonly lines: number[] = []
  readonly materials: number[] = []
}

function readObj(text: string, file: string): RawObj {
  const positions: number[] = []
  const colors: number[] = []
  const uvs: number[] = []
  const normals: number[] = []
  const libraries: string[] = []
  const materialNames: string[] = []
  const faces = new Faces()
  let material = NONE

  for (const { line, number } of textLines(text)) {
    const words = line.trim().split(/\s+/)
    switch (words[0] ?? '') {
      case 'v': {
        const values = numbers(words, 3, number, file)
        positions.push(values[0]!, values[1]!, values[2]!)
        // The widespread extension: x y z r g b. A single further value is a weight.
        if (values.length >= 6) colors.push(values[3]!, values[4]!, values[5]!)
        break
      }
      case 'vt': {
        const values = numbers(words, 1, number, file)
        uvs.push(values[0]!, values[1] ?? 0)
        break
      }
      case 'vn':
        normals.push(...numbers(words, 3, number, file).slice(0, 3))
        break
      case 'f': {
        if (words.length < 4) break
        for (let i = 1; i < words.length; i++) {
          const [place, uv, normal] = words[i]!.split('/')
          faces.corners.push(
            index(place, positions.length / 3, number, file),
            uv === undefined || uv === '' ? NONE : index(uv, uvs.length / 2, number, file),
            normal === undefined || normal === '' ? NONE : index(normal, normals.length / 3, number, file),
          )
        }
        faces.ends.push(faces.corners.length)
        faces.lines.push(number)
        faces.materials.push(material)
        break
      }
      case 'usemtl': {
        const name = line.trim().slice('usemtl'.length).trim()
        material = materialNames.indexOf(name)
        if (material === NONE) material = materialNames.push(name) - 1
        break
      }
      case 'mtllib':
        libraries.push(line.trim().slice('mtllib'.length).trim())
        break
      default: // comments, groups, smoothing, lines, points, curves
    }
  }
  if (faces.ends.length === 0) throw brokenFile(file, 'it has no faces')
  if (faces.materials.includes(NONE)) {
    materialNames.unshift('default')
    faces.materials.forEach((of, face) => (faces.materials[face] = of + 1))
  }
  checkRanges(faces, [positions.length / 3, uvs.length / 2, normals.length / 3], file)

  const corners = new Corners(positions.length / 3)
  const indices = new GrowingIndices(faces.ends.length * 3)
  const triangleMaterials: number[] = []
  let start = 0
  faces.ends.forEach((end, face) => {
    const corner = (at: number) => corners.vertex(faces.corners[at]!, faces.corners[at + 1]!, faces.corners[at + 2]!)
    const first = corner(start)
    let previous = corner(start + 3)
    for (let at = start + 6; at < end; at += 3) {
      const next = corner(at)
      indices.push(first, previous, next)
      triangleMaterials.push(faces.materials[face]!)
      previous = next
    }
    start = end
  })

  const hasUvs = corners.uvs.some((uv) => uv !== NONE)
  const hasNormals = corners.normals.every((normal) => normal !== NONE)
  const hasColors = colors.length === positions.length
  const scale = hasColors && colors.some((value) => value > 1) ? 1 : 255
  return {
    libraries,
    materialNames,
    mesh: {
      positions: gather(positions, corners.places, 3),
      indices: indices.finish(),
      ...(hasUvs && { uvs: gatherUvs(uvs, corners.uvs) }),
      ...(hasNormals && { normals: gather(normals, corners.normals, 3) }),
      ...(hasColors && {
        colors: new Uint8Array(
          Uint8ClampedArray.from(gather(colors, corners.places, 3), (value) => value * scale).buffer,
        ),
      }),
      ...(materialNames.length > 1 && { triangleMaterials: Uint16Array.from(triangleMaterials) }),
    },
  }
}

const CORNER_PARTS = ['vertex', 'texture coordinate', 'normal'] as const

/** After the whole file is read: a face may name what stands further down. */
function checkRanges(faces: Faces, counts: readonly [number, number, number], file: string): void {
  for (let i = 0; i < faces.corners.length; i++) {
    const value = faces.corners[i]!
    if (value < counts[i % 3]!) continue
    const face = faces.ends.findIndex((end) => i < end)
    const what = CORNER_PARTS[i % 3]
    throw brokenFile(
      file,
      `line ${faces.lines[face]}: the face names ${what} ${value + 1}, but there are ${counts[i % 3]}`,
    )
  }
}

function numbers(words: readonly string[], atLeast: number, line: number, file: string): number[] {
  const values = words.slice(1).map(Number)
  if (values.length < atLeast || values.some((value) => !Number.isFinite(value))) {
    throw brokenFile(file, `line ${line}: "${words.join(' ').slice(0, 60)}" needs ${atLeast} finite numbers`)
  }
  return values
}

/** Indices count from 1; negative ones count back from the newest. */
function index(word: string | undefined, soFar: number, line: number, file: string): number {
  const value = Number(word)
  const at = value < 0 ? soFar + value : value - 1
  if (word === undefined || !Number.isInteger(value) || at < 0) {
    throw brokenFile(file, `line ${line}: "${word ?? ''}" is not the number of anything above it`)
  }
  return at
}

function gather(from: readonly number[], places: readonly number[], width: number): Float32Array {
  const values = new Float32Array(places.length * width)
  places.forEach((place, i) => {
    for (let k = 0; k < width; k++) values[i * width + k] = from[place * width + k]!
  })
  return values
}

/** OBJ counts v from the lower edge of the picture, the mesh from the upper. */
function gatherUvs(from: readonly number[], places: readonly number[]): Float32Array {
  const values = new Float32Array(places.length * 2)
  places.forEach((place, i) => {
    if (place === -1) return
    values[i * 2] = from[place * 2]!
    values[i * 2 + 1] = 1 - from[place * 2 + 1]!
  })
  return values
}
