/** The WebAssembly flow kernel and its memory. Nothing is allocated per frame. */
import { type Call, compileKernel, growTo, kernelCalls } from '../../base/kernel.ts'

/** As in kernels/flow/layout.ts. */
const PAD = 12
const PATCH = 8
const STEP = 4
const PATCH_FLOATS = 8

const PAGE = 65_536
const MAX_PAGES = 16_384
/** A smaller pyramid level would hold only a patch or two. */
const SMALLEST_LEVEL = 2 * PATCH

/** Size of the level on which a global shift is searched, and the search range in its pixels. */
const SHIFT_SIDE = 64
const MAX_SHIFT = 16

const NAMES = [
  'absoluteDifference',
  'densify',
  'gradients',
  'searchPatches',
  'midpointError',
  'grey',
  'halve',
  'padEdges',
  'shrinkRows',
  'shrinkColumns',
  'magnitudes',
  'globalShift',
  'fillFlow',
] as const
type Exports = Readonly<Record<(typeof NAMES)[number], Call>>

let compiled: WebAssembly.Module | null = null

function instantiate(memory: WebAssembly.Memory): Exports {
  compiled ??= compileKernel(new URL('kernel.wasm', import.meta.url))
  return kernelCalls(compiled, memory, NAMES)
}

export interface Level {
  width: number
  height: number
  /** Byte offset from the start of the image's slot. */
  offset: number
}

/** An image pyramid in the kernel's memory. */
export type Slot = number

export interface FlowField {
  width: number
  height: number
  x: Float32Array
  y: Float32Array
}

/**
 * Optical flow between images of one size.
 *
 * @example
 * const flow = new FlowKernel({ width: 256, height: 256 }, 2)
 * flow.load(0, rgbOfOneFrame, 256, 256)
 * flow.load(1, rgbOfTheNext, 256, 256)
 * flow.flow(0, 1).x[128 * 256 + 128] // horizontal motion at the center, in pixels
 */
export class FlowKernel {
  readonly width: number
  readonly height: number
  readonly slots: number
  readonly #memory: WebAssembly.Memory
  readonly #call: Exports
  readonly #levels: Level[]
  readonly #slotBytes: number
  readonly #slotStart: number
  readonly #gx: number
  readonly #gy: number
  readonly #patches: number
  readonly #weights: number
  readonly #flows: readonly { x: number; y: number }[]
  readonly #speeds: number
  readonly #inputStart: number
  #inputBytes = 0

  constructor({ width, height }: { width: number; height: number }, slots: number) {
    this.width = width
    this.height = height
    this.slots = slots
    this.#levels = levelsOf(width, height)
    let at = PAGE
    const reserve = (bytes: number): number => {
      const start = at
      at += Math.ceil((bytes + 64) / 64) * 64
      return start
    }
    const padded = paddedBytes(width, height)
    const plane = width * height * 4
    this.#slotBytes = this.#levels.reduce((sum, level) => sum + aligned(paddedBytes(level.width, level.height)), 0)
    this.#slotStart = reserve(this.#slotBytes * slots)
    this.#gx = reserve(padded)
    this.#gy = reserve(padded)
    const patches = (Math.floor((width - PATCH) / STEP) + 1) * (Math.floor((height - PATCH) / STEP) + 1)
    this.#patches = reserve(patches * PATCH_FLOATS * 4)
    this.#weights = reserve(plane)
    // Two scratch fields for alternating levels, and two results: forward and backward.
    this.#flows = [0, 1, 2, 3].map(() => ({ x: reserve(plane), y: reserve(plane) }))
    this.#speeds = reserve(plane)
    this.#inputStart = at
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(at / PAGE) + 1, maximum: MAX_PAGES, shared: true })
    this.#call = instantiate(this.#memory)
  }

  /** Converts an RGB frame to grayscale at this size and builds its pyramid. */
  load(slot: Slot, rgb: Uint8Array, width: number, height: number): void {
    const input = this.#input(width * height * 7 + this.width * height * 4 + 256)
    const packed = aligned(width * height * 3)
    const grey = input + packed
    const rows = grey + aligned(width * height * 4)
    new Uint8Array(this.#memory.buffer, input, rgb.length).set(rgb)
    this.#call.grey(input, grey, width * height)
    this.#call.shrinkRows(grey, width, height, rows, this.width)
    this.#finish(slot, rows, height)
  }

  /** Like `load`, from grayscale values of this size. */
  loadGrey(slot: Slot, grey: Float32Array): void {
    const input = this.#input(grey.length * 4)
    new Float32Array(this.#memory.buffer, input, grey.length).set(grey)
    this.#finish(slot, input, this.height)
  }

  #finish(slot: Slot, rows: number, height: number): void {
    const base = this.#slot(slot)
    this.#call.shrinkColumns(rows, this.width, height, base, this.height)
    for (const [i, level] of this.#levels.entries()) {
      if (i > 0) {
        const above = this.#levels[i - 1]!
        this.#call.halve(base + above.offset, above.width, above.height, base + level.offset)
      }
      this.#call.padEdges(base + level.offset, level.width, level.height)
    }
  }

  /** The motion of each pixel from one image to the other. `into` selects which of two result buffers is overwritten. */
  flow(from: Slot, to: Slot, into: 0 | 1 = 0): FlowField {
    const [a, b] = [this.#slot(from), this.#slot(to)]
    const start = this.#startFromShift(a, b)
    let coarse = start === null ? { x: 0, y: 0 } : start.flow
    for (let i = start === null ? this.#levels.length - 1 : start.level; i >= 0; i--) {
      const { width, height, offset } = this.#levels[i]!
      const out = i === 0 ? this.#flows[2 + into]! : this.#flows[i % 2]!
      this.#call.gradients(a + offset, width, height, this.#gx, this.#gy)
      this.#call.searchPatches(
        a + offset,
        b + offset,
        this.#gx,
        this.#gy,
        width,
        height,
        coarse.x,
        coarse.y,
        this.#patches,
      )
      this.#call.densify(a + offset, b + offset, width, height, this.#patches, out.x, out.y, this.#weights)
      coarse = out
    }
    return this.#field(into)
  }

  /** If the whole image shifts, the search starts from that shift, one level below where it was found. */
  #startFromShift(a: number, b: number): { level: number; flow: { x: number; y: number } } | null {
    const found = this.#levels.findLastIndex(({ width, height }) => Math.min(width, height) >= SHIFT_SIDE)
    if (found < 1) return null
    const { width, height, offset } = this.#levels[found]!
    const range = Math.min(MAX_SHIFT, Math.floor(Math.min(width, height) / 3))
    const code = this.#call.globalShift(a + offset, b + offset, width, height, range)
    if (code < 0) return null
    const flow = this.#flows[found % 2]!
    this.#call.fillFlow(flow.x, flow.y, width * height, (code >> 8) - 128, (code & 255) - 128)
    return { level: found - 1, flow }
  }

  #field(into: 0 | 1): FlowField {
    const { x, y } = this.#flows[2 + into]!
    const length = this.width * this.height
    const { buffer } = this.#memory
    return {
      width: this.width,
      height: this.height,
      x: new Float32Array(buffer, x, length),
      y: new Float32Array(buffer, y, length),
    }
  }

  /** Flow magnitudes per pixel, in unspecified order. Overwritten by the next call. */
  speeds(into: 0 | 1 = 0): Float32Array {
    const { x, y } = this.#flows[2 + into]!
    const length = this.width * this.height
    this.#call.magnitudes(x, y, this.#speeds, length)
    return new Float32Array(this.#memory.buffer, this.#speeds, length)
  }

  /** Mean difference (0–255) between an image and its prediction from the motion between its neighbors. */
  midpointError(before: Slot, middle: Slot, after: Slot): number {
    this.flow(before, after, 0)
    this.flow(after, before, 1)
    const [forward, backward] = [this.#flows[2]!, this.#flows[3]!]
    const sum = this.#call.midpointError(
      this.#slot(before),
      this.#slot(after),
      this.#slot(middle),
      this.width,
      this.height,
      forward.x,
      forward.y,
      backward.x,
      backward.y,
    )
    return sum / (this.width * this.height)
  }

  #slot(slot: Slot): number {
    if (slot < 0 || slot >= this.slots) throw new RangeError(`slot ${slot} is out of range`)
    return this.#slotStart + slot * this.#slotBytes
  }

  #input(bytes: number): number {
    if (bytes > this.#inputBytes) {
      growTo(this.#memory, this.#inputStart + bytes + PAGE)
      this.#inputBytes = bytes
    }
    return this.#inputStart
  }
}

/** Mean absolute difference between consecutive frames of one size. */
export class DifferenceKernel {
  readonly #memory = new WebAssembly.Memory({ initial: 2, maximum: MAX_PAGES, shared: true })
  readonly #call = instantiate(this.#memory)
  #length = 0
  #turn = 0
  #frames = 0

  /** Difference to the previous frame; null for the first frame of a clip. */
  next(frame: Uint8Array): number | null {
    if (frame.length !== this.#length) this.#fit(frame.length)
    const here = this.#place(this.#turn)
    new Uint8Array(this.#memory.buffer, here, frame.length).set(frame)
    this.#turn = 1 - this.#turn
    if (this.#frames++ === 0) return null
    return this.#call.absoluteDifference(here, this.#place(this.#turn), frame.length) / frame.length
  }

  reset(): void {
    this.#frames = 0
  }

  #fit(length: number): void {
    this.#length = length
    this.#frames = 0
    growTo(this.#memory, PAGE + aligned(length) * 2 + 64)
  }

  #place(turn: number): number {
    return PAGE + turn * aligned(this.#length)
  }
}

function aligned(bytes: number): number {
  return Math.ceil((bytes + 32) / 64) * 64
}

function paddedBytes(width: number, height: number): number {
  return (width + 2 * PAD) * (height + 2 * PAD) * 4
}

function levelsOf(width: number, height: number): Level[] {
  const levels: Level[] = []
  let offset = 0
  let [w, h] = [width, height]
  while (levels.length === 0 || Math.min(w, h) >= SMALLEST_LEVEL) {
    levels.push({ width: w, height: h, offset })
    offset += aligned(paddedBytes(w, h))
    w = (w + 1) >> 1
    h = (h + 1) >> 1
  }
  return levels
}

/** The size at which motion is measured: shorter side 256, where the published thresholds are 6 and 3 pixels. */
export function flowSize(width: number, height: number, side = 256): { width: number; height: number } {
  const scale = side / Math.min(width, height)
  return {
    width: Math.max(PATCH, Math.round(width * scale)),
    height: Math.max(PATCH, Math.round(height * scale)),
  }
}
