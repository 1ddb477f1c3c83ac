import type { Material, TriangleMesh } from '../mesh.ts'
import { brokenFile } from './broken.ts'
import { type PlyElement, type PlyProperty, type PlyType, PLY_TYPE_BYTES, parsePlyHeader } from './ply-header.ts'
import { AsciiPlyValues, BinaryPlyValues, type PlyValues, readScalar } from './ply-values.ts'
import { GrowingIndices } from './growing-indices.ts'
import { checkFinite } from './pieces.ts'

/**
 * Reads a PLY mesh: text or binary of either byte order, properties in any order and of any type, polygons (cut into
 * fans), triangle strips, and elements and lists that it does not know (passed over).
 *
 * @example
 * const mesh = parsePly(await readFile('scene0251_00_vh_clean_2.ply'), 'scene0251_00_vh_clean_2.ply')
 */
export function parsePly(bytes: Uint8Array, file: string): TriangleMesh {
  return readPly(bytes, file).mesh
}

/** The mesh, and the pictures that its texture coordinates are for: as many as it has materials. */
export function readPly(bytes: Uint8Array, file: string): { mesh: TriangleMesh; textureFiles: readonly string[] } {
  const { format, elements, textureFiles, bodyStart } = parsePlyHeader(bytes, file)
  const rows = elements.reduce((sum, { count }) => sum + count, 0)
  const values =
    format === 'ascii'
      ? new AsciiPlyValues(bytes, bodyStart, file, rows)
      : new BinaryPlyValues(bytes, bodyStart, format === 'binary_little_endian', file)

  const vertexElement = elements.find(({ name }) => name === 'vertex')
  if (!vertexElement) throw brokenFile(file, 'the PLY header names no vertex element')
  const faceElement = elements.find(({ name }) => name === 'face' || name === 'tristrips')
  if (!faceElement || faceElement.count === 0) {
    throw brokenFile(
      file,
      `it has ${vertexElement.count} vertices but no faces: it is a point cloud`,
      'Sightline needs a mesh. MeshLab makes one of points: Filters, Remeshing, Screened Poisson.',
    )
  }

  let vertices: Vertices | undefined
  let indices: Uint32Array | undefined
  const wedges = textureFiles.length > 0 ? wedgesOf(faceElement) : undefined
  for (const element of elements) {
    checkRoom(element, values, file)
    if (element === vertexElement) vertices = readVertices(element, values, textureFiles.length > 0, file)
    else if (element === faceElement) indices = readFaces(element, values, vertexElement.count, wedges, file)
    else skipElement(element, values)
    if (vertices && indices) break
  }
  if (!vertices || !indices) throw brokenFile(file, 'vertices or faces are missing')
  if (indices.length === 0) throw brokenFile(file, 'none of its faces has three corners')
  const scan: Material = { name: 'scan', color: [255, 255, 255] }
  const mesh = { ...vertices, indices, materials: [scan] }
  if (!wedges && !vertices.uvs) return { mesh, textureFiles: [] }
  const materials = textureFiles.map((name): Material => ({ ...scan, name }))
  return { mesh: { ...(wedges ? withWedges(mesh, wedges, materials.length) : mesh), materials }, textureFiles }
}

type Vertices = Pick<TriangleMesh, 'positions' | 'colors' | 'normals' | 'uvs'>

/** Texture coordinates that stand at the corners of faces, not at vertices. */
interface Wedges {
  texcoord: PlyProperty
  texnumber: PlyProperty | undefined
  /** u, v of each corner of each triangle. */
  uvs: number[]
  /** The picture of each triangle. */
  pictures: number[]
}

function wedgesOf({ properties }: PlyElement): Wedges | undefined {
  const texcoord = properties.find(({ name, lengthType }) => name === 'texcoord' && lengthType)
  const texnumber = properties.find(({ name, lengthType }) => name === 'texnumber' && !lengthType)
  return texcoord && { texcoord, texnumber, uvs: [], pictures: [] }
}

/** A vertex for each corner, since the same place lies at several places of a picture. */
function withWedges(mesh: TriangleMesh, { uvs, pictures }: Wedges, materials: number): TriangleMesh {
  const { positions, indices, normals } = mesh
  const unshared = (from: Float32Array) => {
    const to = new Float32Array(indices.length * 3)
    indices.forEach((vertex, corner) => to.set(from.subarray(vertex * 3, vertex * 3 + 3), corner * 3))
    return to
  }
  const { colors } = mesh
  return {
    ...mesh,
    positions: unshared(positions),
    ...(normals && { normals: unshared(normals) }),
    ...(colors && {
      colors: Uint8Array.from({ length: indices.length * 3 }, (_, i) => colors[indices[(i / 3) | 0]! * 3 + (i % 3)]!),
    }),
    uvs: Float32Array.from(uvs),
    indices: indices.map((_, corner) => corner),
    triangleMaterials: Uint16Array.from(pictures, (picture) => (picture >= 0 && picture < materials ? picture : 0)),
  }
}

/** Nothing is allocated for an element whose count the rest of the file cannot hold. */
function checkRoom(element: PlyElement, values: PlyValues, file: string): void {
  const room = element.properties.every(({ type, lengthType }) => values.has(element.count, lengthType ?? type))
  const bytesEach = element.properties.reduce(
    (sum, { type, lengthType }) => sum + PLY_TYPE_BYTES[lengthType ?? type],
    0,
  )
  const roomForAll =
    values instanceof BinaryPlyValues
      ? values.has(element.count * bytesEach, 'u8')
      : values.has(element.count * element.properties.length, 'u8')
  if (room && roomForAll) return
  throw brokenFile(
    file,
    `the header promises ${element.count} of ${element.name}, but the file is too short for that; it is cut off or its header is wrong`,
    'Copy or download it again.',
  )
}

function readVertices(element: PlyElement, values: PlyValues, textured: boolean, file: string): Vertices {
  const { count, properties } = element
  const columns = (names: readonly string[][]) =>
    names.map((choices) => properties.findIndex(({ name, lengthType }) => !lengthType && choices.includes(name)))
  const place = columns([['x'], ['y'], ['z']])
  if (place.includes(-1)) throw brokenFile(file, 'its vertices lack x, y or z')
  const color = columns([
    ['red', 'r', 'diffuse_red'],
    ['green', 'g', 'diffuse_green'],
    ['blue', 'b', 'diffuse_blue'],
  ])
  const normal = columns([['nx'], ['ny'], ['nz']])
  const uv = columns([
    ['s', 'u', 'texture_u', 'texture_s'],
    ['t', 'v', 'texture_v', 'texture_t'],
  ])

  const positions = new Float32Array(count * 3)
  const colorValues = color.includes(-1) ? undefined : new Float32Array(count * 3)
  const normals = normal.includes(-1) ? undefined : new Float32Array(count * 3)
  // Three to a vertex, as the others; the last is left out at the end.
  const uvValues = textured && !uv.includes(-1) ? new Float32Array(count * 3) : undefined
  const targets = properties.map((_, column): Target | undefined => {
    for (const [to, from] of [
      [positions, place],
      [colorValues, color],
      [normals, normal],
      [uvValues, uv],
    ] as const) {
      const offset = from.indexOf(column)
      if (to && offset !== -1) return { to, offset }
    }
    return undefined
  })

  if (values instanceof BinaryPlyValues && properties.every(({ lengthType }) => !lengthType)) {
    readTable(element, values, targets)
  } else readRows(element, values, targets)

  checkFinite(positions, file)
  const colorTypes = color.map((column) => properties[column]?.type)
  return {
    positions,
    ...(colorValues && { colors: toBytes(colorValues, colorTypes[0] ?? 'u8') }),
    ...(normals && allFinite(normals) && { normals }),
    // PLY counts v from the lower edge of the picture, the mesh from the upper.
    ...(uvValues && {
      uvs: Float32Array.from({ length: count * 2 }, (_, i) => {
        const value = uvValues[(i >> 1) * 3 + (i & 1)]!
        return i % 2 === 0 ? value : 1 - value
      }),
    }),
  }
}

/** Where a column's values go: every third place of an array. */
interface Target {
  to: Float32Array
  offset: number
}

/** Rows of one length: column after column, with the type settled outside the loop. */
function readTable(element: PlyElement, values: BinaryPlyValues, targets: readonly (Target | undefined)[]): void {
  const { view, little } = values
  const stride = element.properties.reduce((sum, { type }) => sum + PLY_TYPE_BYTES[type], 0)
  let offset = values.at
  element.properties.forEach(({ type }, column) => {
    const target = targets[column]
    if (target) {
      const { to, offset: first } = target
      let at = offset
      if (type === 'f32') {
        for (let i = first; i < to.length; i += 3, at += stride) to[i] = view.getFloat32(at, little)
      } else if (type === 'u8') {
        for (let i = first; i < to.length; i += 3, at += stride) to[i] = view.getUint8(at)
      } else {
        for (let i = first; i < to.length; i += 3, at += stride) to[i] = readScalar(view, at, type, little)
      }
    }
    offset += PLY_TYPE_BYTES[type]
  })
  values.at += stride * element.count
}

function readRows(element: PlyElement, values: PlyValues, targets: readonly (Target | undefined)[]): void {
  values.place = { element: element.name, index: 0 }
  for (let row = 0; row < element.count; row++) {
    values.place.index = row
    element.properties.forEach((property, column) => {
      if (property.lengthType) return skipList(property, property.lengthType, values)
      const value = values.next(property.type)
      const target = targets[column]
      if (target) target.to[row * 3 + target.offset] = value
    })
    values.endRow()
  }
}

function readFaces(
  element: PlyElement,
  values: PlyValues,
  vertexCount: number,
  wedges: Wedges | undefined,
  file: string,
): Uint32Array {
  const corners = element.properties.find(
    ({ name, lengthType }) => lengthType && (name === 'vertex_indices' || name === 'vertex_index'),
  )
  if (!corners) throw brokenFile(file, 'its faces have no vertex_indices list')
  if (corners.type === 'f32' || corners.type === 'f64')
    throw brokenFile(file, 'its vertex_indices are not whole numbers')
  const strips = element.name === 'tristrips'
  if (values instanceof BinaryPlyValues && !strips && element.properties.length === 1) {
    const fast = readPlainTriangles(element, values, vertexCount, file)
    if (fast) return fast
  }
  const indices = new GrowingIndices(Math.min(element.count * 3, FIRST_ALLOCATION))
  values.place = { element: element.name, index: 0 }
  for (let row = 0; row < element.count; row++) {
    values.place.index = row
    const before = indices.length / 3
    let texcoords: number[] = []
    let picture = 0
    for (const property of element.properties) {
      if (wedges && property === wedges.texcoord) texcoords = readList(property, values, file)
      else if (wedges && property === wedges.texnumber) picture = values.next(property.type)
      else if (property === corners) readCorners(property, values, vertexCount, strips, indices, file)
      else if (property.lengthType) skipList(property, property.lengthType, values)
      else values.next(property.type)
    }
    values.endRow()
    // A face is a fan: its triangles share the first corner.
    const fans = wedges ? indices.length / 3 - before : 0
    for (let fan = 0; fan < fans; fan++) {
      for (const corner of [0, fan + 1, fan + 2])
        wedges?.uvs.push(texcoords[corner * 2] ?? 0, 1 - (texcoords[corner * 2 + 1] ?? 0))
      wedges?.pictures.push(picture)
    }
  }
  return indices.finish()
}

const TRIANGLE_ROW_BYTES = 13
/** Faces may be empty lists, so their count alone does not justify a large allocation. */
const FIRST_ALLOCATION = 3 << 20

/** The layout of nearly every scan: a byte 3 and three 32-bit numbers. Gives up at the first face that differs. */
function readPlainTriangles(
  element: PlyElement,
  values: BinaryPlyValues,
  vertexCount: number,
  file: string,
): Uint32Array | undefined {
  const { lengthType, type } = element.properties[0]!
  const oneByteLength = lengthType === 'u8' || lengthType === 'i8'
  if (!oneByteLength || (type !== 'i32' && type !== 'u32')) return undefined
  if (!values.has(element.count * TRIANGLE_ROW_BYTES, 'u8')) return undefined
  const { view, little } = values
  const indices = new Uint32Array(element.count * 3)
  let at = values.at
  let largest = 0
  for (let i = 0; i < indices.length; i += 3, at += TRIANGLE_ROW_BYTES) {
    if (view.getUint8(at) !== 3) return undefined
    // Read as unsigned, a negative number is out of range as well.
    const a = view.getUint32(at + 1, little)
    const b = view.getUint32(at + 5, little)
    const c = view.getUint32(at + 9, little)
    indices[i] = a
    indices[i + 1] = b
    indices[i + 2] = c
    if (a > largest) largest = a
    if (b > largest) largest = b
    if (c > largest) largest = c
  }
  if (largest >= vertexCount) {
    const face = Math.floor(indices.findIndex((index) => index >= vertexCount) / 3)
    const bad = indices.subarray(face * 3, face * 3 + 3).find((index) => index >= vertexCount)!
    throw outOfRange(file, 'face', face, type === 'i32' ? bad | 0 : bad, vertexCount)
  }
  values.at = at
  return indices
}

function readCorners(
  { type, lengthType }: PlyProperty,
  values: PlyValues,
  vertexCount: number,
  strips: boolean,
  indices: GrowingIndices,
  file: string,
): void {
  const { element, index: row } = values.place
  const length = listLength(lengthType ?? type, values)
  if (!values.has(length, type)) {
    throw brokenFile(
      file,
      `${element} ${row} says that it has ${length} corners, but the file ends before; it is cut off or broken`,
    )
  }
  let first = 0
  let previous = 0
  let seen = 0
  for (let i = 0; i < length; i++) {
    const index = values.next(type)
    if (strips && index === -1) {
      seen = 0
      continue
    }
    if (!(index >= 0 && index < vertexCount && Number.isInteger(index))) {
      throw outOfRange(file, element, row, index, vertexCount)
    }
    if (seen >= 2) indices.push(first, previous, index)
    if (seen === 0) first = index
    else if (strips && seen >= 2) first = previous
    previous = index
    seen++
  }
}

function readList({ type, lengthType }: PlyProperty, values: PlyValues, file: string): number[] {
  const length = listLength(lengthType ?? type, values)
  const { element, index } = values.place
  if (!values.has(length, type))
    throw brokenFile(file, `${element} ${index} ends after the file; it is cut off or broken`)
  return Array.from({ length }, () => values.next(type))
}

function outOfRange(file: string, element: string, row: number, index: number, vertexCount: number): Error {
  return brokenFile(file, `${element} ${row} names vertex ${index}, but there are ${vertexCount} vertices`)
}

function listLength(type: PlyType, values: PlyValues): number {
  const length = values.next(type)
  return length >= 0 && Number.isInteger(length) ? length : Number.POSITIVE_INFINITY
}

function skipElement(element: PlyElement, values: PlyValues): void {
  if (element.properties.length > 0) readRows(element, values, [])
}

function skipList({ type }: PlyProperty, lengthType: PlyType, values: PlyValues): void {
  const length = listLength(lengthType, values)
  if (values instanceof BinaryPlyValues && values.has(length, type)) {
    values.at += length * PLY_TYPE_BYTES[type]
    return
  }
  for (let i = 0; i < length; i++) values.next(type)
}

function allFinite(values: Float32Array): boolean {
  // A difference of equal finite values is 0; NaN and infinity give NaN, which no sum gets rid of.
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    sum += value - value
  }
  return sum === 0
}

/** Colors as bytes: 16-bit ones lose their low byte, real ones run from 0 to 1 unless one is larger. */
function toBytes(values: Float32Array, type: PlyType): Uint8Array {
  const bytes = new Uint8ClampedArray(values.length)
  let scale = 1
  if (type === 'u16' || type === 'i16') scale = 255 / 65_535
  else if (type === 'f32' || type === 'f64') scale = values.some((value) => value > 1) ? 1 : 255
  for (let i = 0; i < values.length; i++) bytes[i] = values[i]! * scale
  return new Uint8Array(bytes.buffer)
}
