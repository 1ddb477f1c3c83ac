/**
 * A lossless PNG encoder at half the cost of a general one, for images that are rendered by the thousand and sent once.
 * Rows are stored as differences to the row above, runs of one byte become matches, and the rest is Huffman coded; for
 * rendered rooms this captures most of the redundancy without a match search. The bytes depend on no library version,
 * so an image has the same hash on every machine. In threads that decode what they draw right away, to make JPEGs or smaller
 * pictures, there is a second encoding: rows as they are, which takes more room and hardly any time.
 */
import { crc32, deflateSync } from 'node:zlib'
import { type Call, compileKernel, growTo, kernelCalls, kernelMemory } from '../base/kernel.ts'
import { huffmanLengths, reversedCodes } from './huffman.ts'
import type { Bitmap } from './image.ts'

/** Encoder name for the provenance. The number is incremented when the output bytes change. */
export const QUICK_PNG_NAME = 'sightline quick-png 1 filter=up deflate=runs'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const COLOR_TYPES = { 1: 0, 3: 2, 4: 6 } as const

/** Short blocks let ceiling, furniture and floor have different codes. */
const ROWS_IN_BLOCK = 96
const MAX_CODE_LENGTH = 12
const MIN_RUN_LENGTH = 3
const MAX_RUN_LENGTH = 130
/** A token is a byte, or RUN plus a run length. */
const RUN = 256
const TOKENS = RUN + MAX_RUN_LENGTH + 1
const END_OF_BLOCK = 256
/** Number of deflate symbols for lengths up to `MAX_RUN_LENGTH` (RFC 1951, 3.2.5). */
const SYMBOLS = 281

const { runSymbol, runExtra, runExtraBits } = runLengths()

let zlibStream = deflateRows

/** For threads of `data make` only: from now on, `quickPng` stores rows as they are in this thread. */
export function leaveUncompressed(): void {
  zlibStream = storedRows
}

/** A lossless PNG of an image that is sent once; see `encodePng` for one that is kept. */
export function quickPng({ width, height, channels, data }: Bitmap): Uint8Array<ArrayBuffer> {
  const stride = width * channels
  if (data.length < stride * height)
    throw new RangeError('the bitmap has fewer pixels than its width and height require')
  const header = new Uint8Array(13)
  new DataView(header.buffer).setUint32(0, width)
  new DataView(header.buffer).setUint32(4, height)
  header.set([8, COLOR_TYPES[channels], 0, 0, 0], 8)
  const body = zlibStream(data, stride, height)
  const png = new Uint8Array(SIGNATURE.length + 12 * 3 + header.length + body.length)
  png.set(SIGNATURE)
  let at = SIGNATURE.length
  at = writeChunk(png, at, 'IHDR', header)
  at = writeChunk(png, at, 'IDAT', body)
  writeChunk(png, at, 'IEND', new Uint8Array(0))
  return png
}

function writeChunk(png: Uint8Array, at: number, name: string, content: Uint8Array): number {
  const view = new DataView(png.buffer)
  view.setUint32(at, content.length)
  for (let i = 0; i < 4; i++) png[at + 4 + i] = name.charCodeAt(i)
  png.set(content, at + 8)
  const end = at + 8 + content.length
  view.setUint32(end, crc32(png.subarray(at + 4, end)))
  return end + 4
}

let unfiltered = new Uint8Array(0)

/** A zlib stream of the rows as they are. */
function storedRows(data: Uint8Array, stride: number, height: number): Uint8Array {
  const length = (stride + 1) * height
  // The first byte of a row, its filter, stays 0.
  if (unfiltered.length !== length) unfiltered = new Uint8Array(length)
  const rows = unfiltered
  for (let row = 0; row < height; row++)
    rows.set(data.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1)
  return deflateSync(rows, { level: 0 })
}

/** A zlib stream of the filtered rows. */
function deflateRows(data: Uint8Array, stride: number, height: number): Uint8Array {
  const { kernel, room } = prepared(stride, height)
  const line = stride + 1
  room.bytes.set(data.subarray(0, stride * height), room.data)
  room.bytes.set([0x78, 0x01], room.out)
  const writer: Writer = { bytes: room.bytes, start: room.out, bits: 16 }
  let sum = 1
  for (let first = 0; first < height; first += ROWS_IN_BLOCK) {
    const rows = Math.min(ROWS_IN_BLOCK, height - first)
    const length = rows * line
    kernel.filterUp(room.data, stride, first, rows, room.block)
    sum = kernel.adler(sum, room.block, length)
    const bothCounts = new Uint32Array(room.bytes.buffer, room.counts, SYMBOLS * 2).fill(0)
    const count = kernel.findRuns(room.block, length, room.tokens, room.counts, SYMBOLS * 4, room.runSymbols)
    const symbolCounts = bothCounts.subarray(0, SYMBOLS)
    for (let symbol = 0; symbol < SYMBOLS; symbol++) symbolCounts[symbol]! += bothCounts[SYMBOLS + symbol]!
    symbolCounts[END_OF_BLOCK] = 1
    const lengths = huffmanLengths(symbolCounts, MAX_CODE_LENGTH)
    const symbolCodes = reversedCodes(lengths)
    writeCodeLengths(writer, lengths, first + rows === height)
    writeTokenCodes(room, lengths, symbolCodes)
    const { byte, filled } = place(writer)
    writer.bits += kernel.writeCodes(room.tokens, count, room.codes, room.lengths, byte, filled) - filled
    put(writer, symbolCodes[END_OF_BLOCK]!, lengths[END_OF_BLOCK]!)
  }
  const end = Math.ceil(writer.bits / 8)
  new DataView(room.bytes.buffer).setUint32(room.out + end, sum)
  return room.bytes.subarray(room.out, room.out + end + 4)
}

/** The bits of each token: its code, and for a run also the extra length bits and a 0 for the distance. */
function writeTokenCodes(room: KernelMemory, lengths: Uint8Array, symbolCodes: Uint16Array): void {
  const codes = new Uint32Array(room.bytes.buffer, room.codes, TOKENS)
  const bits = room.bytes.subarray(room.lengths, room.lengths + TOKENS)
  for (let byte = 0; byte < 256; byte++) {
    codes[byte] = symbolCodes[byte]!
    bits[byte] = lengths[byte]!
  }
  for (let run = MIN_RUN_LENGTH; run <= MAX_RUN_LENGTH; run++) {
    const symbol = runSymbol[run]!
    const length = lengths[symbol]!
    codes[RUN + run] = symbolCodes[symbol]! | (runExtra[run]! << length)
    bits[RUN + run] = length + runExtraBits[run]! + 1
  }
}

/** Writes bits into bytes, lowest first. */
interface Writer {
  bytes: Uint8Array
  start: number
  bits: number
}

function place({ start, bits }: Writer): { byte: number; filled: number } {
  return { byte: start + (bits >>> 3), filled: bits & 7 }
}

/** Writes at most 16 bits. */
function put(writer: Writer, value: number, length: number): void {
  const { byte, filled } = place(writer)
  const { bytes } = writer
  const held = (bytes[byte]! & ((1 << filled) - 1)) | (value << filled)
  bytes[byte] = held & 0xff
  bytes[byte + 1] = (held >>> 8) & 0xff
  bytes[byte + 2] = held >>> 16
  writer.bits += length
}

/** The order of code-length code lengths in deflate (RFC 1951, 3.2.7). */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function writeCodeLengths(writer: Writer, lengths: Uint8Array, last: boolean): void {
  put(writer, last ? 1 : 0, 1)
  put(writer, 2, 2)
  put(writer, SYMBOLS - 257, 5)
  put(writer, 0, 5)
  put(writer, LENGTH_ORDER.length - 4, 4)
  // Each length 0–15 is its own four-bit code; runs of lengths are too rare to be worth codes.
  for (const symbol of LENGTH_ORDER) put(writer, symbol < 16 ? 4 : 0, 3)
  for (const length of lengths) put(writer, reversed4(length), 4)
  // The only distance, 1, has a code of one bit.
  put(writer, reversed4(1), 4)
}

function reversed4(value: number): number {
  return ((value & 1) << 3) | ((value & 2) << 1) | ((value & 4) >> 1) | ((value & 8) >> 3)
}

/** The deflate symbol and extra bits for each run length. */
function runLengths(): { runSymbol: Uint16Array; runExtra: Uint8Array; runExtraBits: Uint8Array } {
  const runSymbol = new Uint16Array(MAX_RUN_LENGTH + 1)
  const runExtra = new Uint8Array(MAX_RUN_LENGTH + 1)
  const runExtraBits = new Uint8Array(MAX_RUN_LENGTH + 1)
  let base = MIN_RUN_LENGTH
  for (let symbol = 257; symbol < SYMBOLS; symbol++) {
    // Eight lengths have their own symbol; after that, every four symbols add one extra bit.
    const extra = symbol < 265 ? 0 : (symbol - 261) >> 2
    for (let k = 0; k < 1 << extra; k++) {
      runSymbol[base + k] = symbol
      runExtra[base + k] = k
      runExtraBits[base + k] = extra
    }
    base += 1 << extra
  }
  return { runSymbol, runExtra, runExtraBits }
}

const NAMES = ['filterUp', 'adler', 'findRuns', 'writeCodes'] as const
type Kernel = Readonly<Record<(typeof NAMES)[number], Call>>

/** Addresses in the kernel's memory. */
interface KernelMemory {
  bytes: Uint8Array
  counts: number
  runSymbols: number
  codes: number
  lengths: number
  data: number
  block: number
  tokens: number
  out: number
}

/** The kernel reads and writes 16 bytes at a time. */
const SPARE = 64

let loaded: { kernel: Kernel; memory: WebAssembly.Memory } | undefined

/** The kernel and enough memory for this size; both are reused between images. */
function prepared(stride: number, height: number): { kernel: Kernel; room: KernelMemory } {
  loaded ??= load()
  const { kernel, memory } = loaded
  const line = stride + 1
  let end = 0
  const reserve = (size: number): number => {
    const start = end
    end += Math.ceil((size + SPARE) / 16) * 16
    return start
  }
  const addresses = {
    counts: reserve(SYMBOLS * 4 * 2),
    runSymbols: reserve(runSymbol.byteLength),
    codes: reserve(TOKENS * 4),
    lengths: reserve(TOKENS),
    data: reserve(stride * height),
    block: reserve(line * ROWS_IN_BLOCK),
    tokens: reserve(line * ROWS_IN_BLOCK * 2),
    // Codes have at most 12 bits, and a block starts with fewer than 256 bytes of code lengths.
    out: reserve(2 + Math.ceil(line * height * 1.5) + 256 * Math.ceil(height / ROWS_IN_BLOCK)),
  }
  growTo(memory, end)
  const bytes = new Uint8Array(memory.buffer)
  new Uint16Array(memory.buffer, addresses.runSymbols, runSymbol.length).set(runSymbol)
  return { kernel, room: { bytes, ...addresses } }
}

function load(): { kernel: Kernel; memory: WebAssembly.Memory } {
  const memory = kernelMemory()
  return { kernel: kernelCalls(compileKernel(new URL('png-kernel.wasm', import.meta.url)), memory, NAMES), memory }
}
