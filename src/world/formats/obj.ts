import type { Material, TriangleMesh } from '../mesh.ts'
import type { ParsedMesh } from './parsed-mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { GrowingIndices } from './growing-indices.ts'
import { parseMtl } from './mtl.ts'
import { shadingOf } from './shade.ts'
import { textLines } from './text-lines.ts'

/** Reads a Wavefront OBJ mesh: polygons, negative indices, vertex colors, materials and their color textures. */
export async function parseObj(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<ParsedMesh> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const raw = readObj(text.replace(/^\uFEFF/, ''), file, beside.notes)
  const known = new Map<string, Material>()
  for (const line of raw.libraries) {
    for (const library of await readLibraries(line, beside)) {
      for (const material of await parseMtl(Buffer.from(library).toString('utf8'), beside))
        known.set(material.name, material)
    }
  }
  const materials = raw.materialNames.map((name): Material => known.get(name) ?? { name, color: GRAY })
  // Captured colors hold their light; a material's color does not. A picture is taken to hold it, as those of scans do.
  const plain = shadingOf(raw.mesh.colors)
  const shading = materials.map(({ texture }) => (texture ? 'none' : plain))
  return { mesh: { ...raw.mesh, materials }, shading }
}

/** A surface whose material is not known. */
const GRAY = [200, 200, 200] as const

/** The libraries of a `mtllib` line: one whose name may have blanks, or several. */
async function readLibraries(line: string, beside: SiblingFiles): Promise<Uint8Array[]> {
  const before = beside.notes.length
  const whole = await beside.read(line)
  const names = line.split(/\s+/)
  if (whole || names.length === 1) return whole ? [whole] : []
  const each = await Promise.all(names.map((name) => beside.read(name)))
  const found = each.filter((library) => library !== undefined)
  if (found.length > 0) beside.notes.splice(before, 1)
  return found
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
  /** Vertices by the hash of their triple; −1 is free. */
  #table = new Int32Array(1024).fill(-1)

  vertex(place: number, uv: number, normal: number): number {
    if (this.places.length * 2 > this.#table.length) this.#grow()
    const slot = this.#slot(place, uv, normal)
    const held = this.#table[slot]!
    if (held !== -1) return held
    const vertex = this.places.length
    this.places.push(place)
    this.uvs.push(uv)
    this.normals.push(normal)
    this.#table[slot] = vertex
    return vertex
  }

  /** Where the triple is in the table, or would be. */
  #slot(place: number, uv: number, normal: number): number {
    const mask = this.#table.length - 1
    const mixed = Math.imul(place, 0x9e3779b1) ^ Math.imul(uv, 0x85ebca6b) ^ Math.imul(normal, 0xc2b2ae35)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    for (let at = this.#table[slot]!; at !== -1; at = this.#table[slot]!) {
      if (this.places[at] === place && this.uvs[at] === uv && this.normals[at] === normal) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    this.#table = new Int32Array(this.#table.length * 4).fill(-1)
    for (let vertex = 0; vertex < this.places.length; vertex++)
      this.#table[this.#slot(this.places[vertex]!, this.uvs[vertex]!, this.normals[vertex]!)] = vertex
  }
}

const NONE = -1
/** Materials are kept as 16-bit numbers. */
const MATERIAL_LIMIT = 65_535

/** Faces as the file lists them, flat: place, texture coordinate and normal of each corner. */
class Faces {
  readonly corners: number[] = []
  readonly ends: number[] = []
  readonly lines: number[] = []
  readonly materials: number[] = []
}

function readObj(text: string, file: string, notes: string[]): RawObj {
  const positions: number[] = []
  const colors: number[] = []
  const uvs: number[] = []
  const normals: number[] = []
  const libraries: string[] = []
  const materialNumbers = new Map<string, number>()
  const faces = new Faces()
  let material = NONE

  for (const { line, number } of textLines(text)) {
    const words = line.trim().split(/\s+/)
    switch (words[0] ?? '') {
      case 'v': {
        const values = numbers(words, 3, number, file)
        // The widespread extension: x y z r g b. A single further value is a weight.
        if (values.length >= 6) {
          // What stands before the first color is white.
          while (colors.length < positions.length) colors.push(1)
          colors.push(values[3]! || 0, values[4]! || 0, values[5]! || 0)
        }
        positions.push(values[0]!, values[1]!, values[2]!)
        break
      }
      case 'vt': {
        uvs.push(Number(words[1]) || 0, Number(words[2]) || 0)
        break
      }
      case 'vn':
        normals.push(Number(words[1]) || 0, Number(words[2]) || 0, Number(words[3]) || 0)
        break
      case 'f': {
        if (words.length < 4) break
        for (let i = 1; i < words.length; i++) {
          const [place, uv, normal] = words[i]!.split('/')
          faces.corners.push(
            index(place, positions.length / 3, number, file),
            optionalIndex(uv, uvs.length / 2),
            optionalIndex(normal, normals.length / 3),
          )
        }
        faces.ends.push(faces.corners.length)
        faces.lines.push(number)
        faces.materials.push(material)
        break
      }
      case 'usemtl': {
        const name = line.trim().slice('usemtl'.length).trim()
        material = materialNumbers.get(name) ?? materialNumbers.size
        materialNumbers.set(name, material)
        break
      }
      case 'mtllib':
        libraries.push(line.trim().slice('mtllib'.length).trim())
        break
      default: // comments, groups, smoothing, lines, points, curves
    }
  }
  if (faces.ends.length === 0) throw brokenFile(file, 'it has no faces')
  if (materialNumbers.size > MATERIAL_LIMIT) throw brokenFile(file, `it has more than ${MATERIAL_LIMIT} materials`)
  const materialNames = [...materialNumbers.keys()]
  if (faces.materials.includes(NONE)) {
    materialNames.unshift('default')
    faces.materials.forEach((of, face) => (faces.materials[face] = of + 1))
  }
  checkRanges(faces, [positions.length / 3, uvs.length / 2, normals.length / 3], file, notes)
  while (colors.length > 0 && colors.length < positions.length) colors.push(1)

  const corners = new Corners()
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
  const hasNormals = corners.normals.some((normal) => normal !== NONE)
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

/** After the whole file is read: a face may name what stands further down. Only a missing vertex is fatal. */
function checkRanges(faces: Faces, counts: readonly [number, number, number], file: string, notes: string[]): void {
  const missing = [0, 0, 0]
  for (let i = 0; i < faces.corners.length; i++) {
    const value = faces.corners[i]!
    const part = i % 3
    if (value < counts[part]!) continue
    if (part === 0) {
      const face = faces.ends.findIndex((end) => i < end)
      throw brokenFile(
        file,
        `line ${faces.lines[face]}: the face names vertex ${value + 1}, but there are ${counts[0]}`,
      )
    }
    faces.corners[i] = NONE
    missing[part]! += 1
  }
  missing.forEach((count, part) => {
    if (count > 0) notes.push(`${count} corners name a ${CORNER_PARTS[part]} that is not in the file; drawn without it`)
  })
}

function numbers(words: readonly string[], atLeast: number, line: number, file: string): number[] {
  const values = words.slice(1).map(Number)
  if (values.length < atLeast || !values.slice(0, atLeast).every(Number.isFinite)) {
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

/** The number of a texture coordinate or a normal: a face can be drawn without them. */
function optionalIndex(word: string | undefined, soFar: number): number {
  const value = word === undefined || word === '' ? 0 : Number(word)
  const at = value < 0 ? soFar + value : value - 1
  return Number.isInteger(at) && at >= 0 ? at : NONE
}

function gather(from: readonly number[], places: readonly number[], width: number): Float32Array {
  const values = new Float32Array(places.length * width)
  places.forEach((place, i) => {
    if (place !== NONE) for (let k = 0; k < width; k++) values[i * width + k] = from[place * width + k]!
  })
  return values
}

/** OBJ counts v from the lower edge of the picture, the mesh from the upper. */
function gatherUvs(from: readonly number[], places: readonly number[]): Float32Array {
  const values = new Float32Array(places.length * 2)
  places.forEach((place, i) => {
    if (place === NONE) return
    values[i * 2] = from[place * 2]!
    values[i * 2 + 1] = 1 - from[place * 2 + 1]!
  })
  return values
}
