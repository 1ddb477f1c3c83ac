import { brokenFile } from './broken.ts'

/** Typed arrays and a little JSON in one file, read without copying: how prepared scenes lie on disk. */

export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array

export interface ArraysFile {
  meta: unknown
  arrays: Readonly<Record<string, NumberArray>>
}

const MAGIC = 'SLARRAY1'
/** Wide enough for any element type and for the vector instructions that read them. */
const ALIGNMENT = 64
const KINDS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const
type Kind = keyof typeof KINDS

interface Entry {
  name: string
  kind: Kind
  offset: number
  length: number
}

export function packArrays({ meta, arrays }: ArraysFile): Uint8Array<ArrayBuffer> {
  let offset = 0
  const entries = Object.entries(arrays).map(([name, array]): Entry => {
    const entry = { name, kind: kindOf(array), offset, length: array.length }
    offset = aligned(offset + array.byteLength)
    return entry
  })
  const head = new TextEncoder().encode(JSON.stringify({ meta, entries, bytes: offset }))
  const start = aligned(MAGIC.length + 4 + head.byteLength)
  const file = new Uint8Array(start + offset)
  file.set(new TextEncoder().encode(MAGIC))
  new DataView(file.buffer).setUint32(MAGIC.length, head.byteLength, true)
  file.set(head, MAGIC.length + 4)
  for (const entry of entries) {
    const array = arrays[entry.name]!
    file.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + entry.offset)
  }
  return file
}

/** The arrays are views of `bytes`. Numbers are in the byte order of nearly all machines, little-endian. */
export function unpackArrays(bytes: Uint8Array<ArrayBuffer>, file: string): ArraysFile {
  const fail = () => brokenFile(file, 'it is not a file of arrays, or it is cut off')
  if (bytes.byteLength < MAGIC.length + 4 || Buffer.from(bytes.subarray(0, MAGIC.length)).toString() !== MAGIC)
    throw fail()
  // Views need aligned memory; a Buffer out of the pool may start anywhere.
  const own = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice()
  const headLength = new DataView(own.buffer, own.byteOffset).getUint32(MAGIC.length, true)
  const start = aligned(MAGIC.length + 4 + headLength)
  if (start > own.byteLength) throw fail()
  const head = JSON.parse(new TextDecoder().decode(own.subarray(MAGIC.length + 4, MAGIC.length + 4 + headLength))) as {
    meta: unknown
    entries: Entry[]
    bytes: number
  }
  if (start + head.bytes !== own.byteLength) throw fail()
  const arrays: Record<string, NumberArray> = {}
  for (const { name, kind, offset, length } of head.entries) {
    arrays[name] = new KINDS[kind](own.buffer, own.byteOffset + start + offset, length)
  }
  return { meta: head.meta, arrays }
}

function kindOf(array: NumberArray): Kind {
  for (const kind of Object.keys(KINDS) as Kind[]) if (array instanceof KINDS[kind]) return kind
  throw new TypeError('not an array of numbers')
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}
