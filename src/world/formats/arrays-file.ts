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

/** What the first bytes of a file of arrays say. */
interface Head {
  meta: unknown
  entries: readonly Entry[]
  /** Where the arrays start. */
  start: number
  /** Bytes of the whole file. */
  total: number
}

/** The arrays are views of `bytes`. Numbers are in the byte order of nearly all machines, little-endian. */
export function unpackArrays(bytes: Uint8Array<ArrayBuffer>, file: string): ArraysFile {
  // Views need aligned memory; a Buffer out of the pool may start anywhere.
  const own = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice()
  const head = readHead(own, file)
  if (head.total !== own.byteLength) throw cutOff(file)
  const arrays: Record<string, NumberArray> = {}
  for (const { name, kind, offset, length } of head.entries) {
    arrays[name] = new KINDS[kind](own.buffer, own.byteOffset + head.start + offset, length)
  }
  return { meta: head.meta, arrays }
}

/** Enough of the beginning of a file for `bytesOf`, when its meta data are small. */
export const HEAD_BYTES = 65_536

/** Where the bytes of one array lie in a file, from its beginning alone and its size. */
export function bytesOf(
  beginning: Uint8Array,
  fileSize: number,
  name: string,
  file: string,
): { meta: unknown; at: number; byteLength: number } {
  const head = readHead(beginning, file)
  const entry = head.entries.find((candidate) => candidate.name === name)
  if (!entry || head.total !== fileSize) throw cutOff(file)
  const byteLength = entry.length * KINDS[entry.kind].BYTES_PER_ELEMENT
  return { meta: head.meta, at: head.start + entry.offset, byteLength }
}

function readHead(bytes: Uint8Array, file: string): Head {
  if (bytes.byteLength < MAGIC.length + 4) throw cutOff(file)
  if (Buffer.from(bytes.subarray(0, MAGIC.length)).toString() !== MAGIC) throw cutOff(file)
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true)
  const end = MAGIC.length + 4 + length
  if (end > bytes.byteLength) throw cutOff(file)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(MAGIC.length + 4, end))) as {
    meta: unknown
    entries: Entry[]
    bytes: number
  }
  return { meta: head.meta, entries: head.entries, start: aligned(end), total: aligned(end) + head.bytes }
}

function cutOff(file: string): Error {
  return brokenFile(file, 'it is not a file of arrays, or it is cut off')
}

function kindOf(array: NumberArray): Kind {
  for (const kind of Object.keys(KINDS) as Kind[]) if (array instanceof KINDS[kind]) return kind
  throw new TypeError('not an array of numbers')
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}
