import { brokenFile } from './broken.ts'
import { type GltfDocument, viewBytes } from './gltf-document.ts'
import type { GltfAccessor } from './gltf-schema.ts'

const WIDTHS: Readonly<Record<GltfAccessor['type'], number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
}
const COMPONENTS = {
  5120: { array: Int8Array, largest: 127 },
  5121: { array: Uint8Array, largest: 255 },
  5122: { array: Int16Array, largest: 32_767 },
  5123: { array: Uint16Array, largest: 65_535 },
  5125: { array: Uint32Array, largest: 4_294_967_295 },
  5126: { array: Float32Array, largest: 1 },
} as const
/** Zeros that need no data in the file: a small document must not ask for all the memory there is. */
const EMPTY_LIMIT = 20_000_000

export interface Values {
  values: Float32Array
  /** How many values make an item. */
  width: number
  count: number
}

/** The values of an accessor, whole-number types spread to 0…1 (or −1…1) where the document says so. */
export function readAccessor(document: GltfDocument, at: number): Values {
  const { accessor, width, numbers } = readNumbers(document, at)
  const { largest } = COMPONENTS[accessor.componentType]
  const scale = accessor.normalized ? 1 / largest : 1
  const values =
    numbers instanceof Float32Array ? numbers : Float32Array.from(numbers, scale === 1 ? undefined : (n) => n * scale)
  return { values, width, count: accessor.count }
}

/** Vertex numbers. */
export function readIndices(document: GltfDocument, at: number): Uint32Array {
  const { numbers } = readNumbers(document, at)
  return numbers instanceof Uint32Array ? numbers : Uint32Array.from(numbers)
}

type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array

function readNumbers(document: GltfDocument, at: number): { accessor: GltfAccessor; width: number; numbers: Numbers } {
  const { gltf, file } = document
  const accessor = gltf.accessors[at]
  if (!accessor) throw brokenFile(file, `accessor ${at} is named but not there`)
  const { count, bufferView, byteOffset, componentType, sparse } = accessor
  const width = WIDTHS[accessor.type]
  const what = `accessor ${at}`
  if (bufferView === undefined && count * width > EMPTY_LIMIT)
    throw brokenFile(file, `${what} has ${count} items but no data`)
  const numbers =
    bufferView === undefined
      ? new COMPONENTS[componentType].array(count * width)
      : packed(document, bufferView, { byteOffset, componentType, count, width, what })
  if (sparse) {
    const places = packed(document, sparse.indices.bufferView, {
      ...sparse.indices,
      count: sparse.count,
      width: 1,
      what: `the places of ${what}`,
    })
    const replaced = packed(document, sparse.values.bufferView, {
      ...sparse.values,
      componentType,
      count: sparse.count,
      width,
      what: `the values of ${what}`,
    })
    places.forEach((place, i) => {
      if (!(place < count)) throw brokenFile(file, `${what} replaces item ${place}, but there are ${count}`)
      for (let k = 0; k < width; k++) numbers[place * width + k] = replaced[i * width + k]!
    })
  }
  return { accessor, width, numbers }
}

interface Layout {
  byteOffset: number
  componentType: GltfAccessor['componentType']
  count: number
  width: number
  /** For errors. */
  what: string
}

/** The numbers of a buffer view, one item after the other, in memory of their own. */
function packed(
  document: GltfDocument,
  bufferView: number,
  { byteOffset, componentType, count, width, what }: Layout,
): Numbers {
  const view = viewBytes(document, bufferView)
  const { array } = COMPONENTS[componentType]
  const itemBytes = array.BYTES_PER_ELEMENT * width
  const stride = document.gltf.bufferViews[bufferView]?.byteStride ?? itemBytes
  const end = count === 0 ? byteOffset : byteOffset + stride * (count - 1) + itemBytes
  if (stride < itemBytes || !(end <= view.byteLength)) {
    throw brokenFile(document.file, `${what} reaches beyond its buffer (${count} items); the file is cut off or broken`)
  }
  // Of a Node buffer `slice` would be a view of the same memory, and not aligned.
  if (stride === itemBytes) return new array(Uint8Array.from(view.subarray(byteOffset, end)).buffer)
  const bytes = new Uint8Array(itemBytes * count)
  for (let item = 0, from = byteOffset, to = 0; item < count; item++, from += stride) {
    for (let k = 0; k < itemBytes; k++) bytes[to++] = view[from + k]!
  }
  return new array(bytes.buffer)
}
