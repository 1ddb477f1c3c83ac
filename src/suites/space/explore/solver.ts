/**
 * What the observations so far allow: for every entity the set of cells where it may be, in the frame whose origin is the
 * start. Arc consistency (AC-3) over position domains that are bit pictures of the square [-g, g]².
 *
 * A value of one entity survives when some value of the other satisfies all relations between the two. The fixpoint does
 * not depend on the order of work, so ours is chosen for speed: the smaller domain of an arc is the one that is walked.
 */
import { aheadOf, distanceBinOfSquare, egoBinOfCells, rightOf } from '../grid/relations.ts'
import type { Scene, Vec } from '../grid/scene.ts'
import { proximityPairs, START } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { egoMask, exactMask, maskShape, type MaskShape, proximityMask } from './offset-masks.ts'
import type { View } from './views.ts'

const UNKNOWN = -1

/** The published g: the longer side of the mask. */
export function gridSizeOf(scene: Scene): number {
  return Math.max(scene.mask.length, scene.mask[0]?.length ?? 0)
}

export class PositionSolver {
  readonly names: readonly string[]
  readonly gridSize: number
  readonly #index: ReadonlyMap<string, number>
  readonly #shape: MaskShape
  /** Cells on a side of a domain: 2g + 1. */
  readonly #side: number
  readonly #wordsPerRow: number
  readonly #wordsPerDomain: number
  /** All domains, one after the other; row y + g, bit x + g. */
  readonly #bits: Uint32Array
  /** Points in each domain, or UNKNOWN while nothing is known about it. */
  readonly #sizes: Int32Array
  /** First and last row of each domain that has a point. */
  readonly #low: Int32Array
  readonly #high: Int32Array
  /** For the ordered pair (a, b), the offsets a − b that all relations between them allow. */
  readonly #masks: (Uint32Array | undefined)[]
  readonly #queue: Int32Array
  readonly #queued: Uint8Array
  readonly #support: Uint32Array

  constructor(names: readonly string[], gridSize: number, from?: PositionSolver) {
    const count = names.length
    this.names = names
    this.gridSize = gridSize
    this.#shape = from ? from.#shape : maskShape(gridSize)
    this.#side = 2 * gridSize + 1
    this.#wordsPerRow = (this.#side + 31) >>> 5
    this.#wordsPerDomain = this.#side * this.#wordsPerRow
    this.#index = from ? from.#index : new Map(names.map((name, i) => [name, i]))
    this.#bits = from ? from.#bits.slice() : new Uint32Array(count * this.#wordsPerDomain)
    this.#sizes = from ? from.#sizes.slice() : new Int32Array(count).fill(UNKNOWN)
    this.#low = from ? from.#low.slice() : new Int32Array(count)
    this.#high = from ? from.#high.slice() : new Int32Array(count).fill(this.#side - 1)
    this.#masks = from ? from.#masks.slice() : Array.from({ length: count * count }, () => undefined)
    // An arc is queued at most once at a time, so its ordered pairs bound the queue.
    this.#queue = new Int32Array(count * count)
    this.#queued = new Uint8Array(count * count)
    this.#support = new Uint32Array(this.#wordsPerDomain)
  }

  /** A solver for all objects and doors of a scene, with the start at the origin. */
  static forScene(scene: Scene): PositionSolver {
    const solver = new PositionSolver([...scene.order, START], gridSizeOf(scene))
    solver.fix(START, [0, 0])
    return solver
  }

  /** An independent copy, to try something out. */
  clone(): PositionSolver {
    return new PositionSolver(this.names, this.gridSize, this)
  }

  has(name: string): boolean {
    return this.#index.has(name)
  }

  /** Puts an entity on a known cell. */
  fix(name: string, pos: Vec): void {
    const at = this.#index.get(name)
    if (at === undefined) return
    const row = pos[1] + this.gridSize
    const column = pos[0] + this.gridSize
    const base = at * this.#wordsPerDomain
    this.#bits.fill(0, base, base + this.#wordsPerDomain)
    this.#bits[base + row * this.#wordsPerRow + (column >>> 5)]! |= 1 << (column & 31)
    this.#sizes[at] = 1
    this.#low[at] = row
    this.#high[at] = row
  }

  /** Takes in a view: where everything is from the viewer's cell, and what is close to what. */
  observe(view: View): void {
    const { heading, pos } = view.pose
    const anchor = this.#index.get(view.anchor)
    let length = 0
    if (anchor !== undefined) {
      for (const entity of view.visible) {
        const subject = this.#index.get(entity.name)
        if (subject === undefined) continue
        const dx = entity.pos[0] - pos[0]
        const dy = entity.pos[1] - pos[1]
        const ego = egoBinOfCells(rightOf(heading, dx, dy), aheadOf(heading, dx, dy))
        const distance = distanceBinOfSquare(dx * dx + dy * dy)
        const shape = this.#shape
        length = this.#relate(
          subject,
          anchor,
          egoMask(shape, heading, ego, distance, false),
          egoMask(shape, heading, ego, distance, true),
          length,
        )
      }
    }
    for (const { subject, anchor: near, cardinal } of proximityPairs(view.visible, heading)) {
      const a = this.#index.get(subject.name)
      const b = this.#index.get(near.name)
      if (a === undefined || b === undefined) continue
      const dx = subject.pos[0] - near.pos[0]
      const dy = subject.pos[1] - near.pos[1]
      const distance = distanceBinOfSquare(dx * dx + dy * dy)
      const shape = this.#shape
      length = this.#relate(
        a,
        b,
        proximityMask(shape, heading, cardinal, distance, false),
        proximityMask(shape, heading, cardinal, distance, true),
        length,
      )
    }
    this.#propagate(length)
  }

  /** Takes in a Query: `name` is exactly at `offset` from the start. */
  locate(name: string, offset: Vec): void {
    const subject = this.#index.get(name)
    const start = this.#index.get(START)
    if (subject === undefined || start === undefined || subject === start) return
    const forward = exactMask(this.#shape, offset)
    const backward = exactMask(this.#shape, [-offset[0], -offset[1]])
    this.#propagate(this.#relate(subject, start, forward, backward, 0))
  }

  /** Number of cells where an entity may be; undefined while nothing is known about it. */
  size(name: string): number | undefined {
    const size = this.#sizes[this.#index.get(name) ?? -1]
    return size === undefined || size === UNKNOWN ? undefined : size
  }

  /** Cells where an entity may be, by y and then by x; all of the square while nothing is known about it. */
  points(name: string): Vec[] {
    const at = this.#index.get(name)
    if (at === undefined) return []
    const unknown = this.#sizes[at] === UNKNOWN
    const points: Vec[] = []
    for (let row = 0; row < this.#side; row++) {
      for (let column = 0; column < this.#side; column++) {
        const word = this.#bits[at * this.#wordsPerDomain + row * this.#wordsPerRow + (column >>> 5)]!
        if (unknown || ((word >>> (column & 31)) & 1) === 1) points.push([column - this.gridSize, row - this.gridSize])
      }
    }
    return points
  }

  /** Cells in the whole square. */
  get squareSize(): number {
    return this.#side * this.#side
  }

  /** Sum of all domain sizes, unknown ones counted as the whole square. */
  totalSize(): number {
    let total = 0
    for (const size of this.#sizes) total += size === UNKNOWN ? this.squareSize : size
    return total
  }

  /**
   * How much is known, 0 … 1: the mean over all entities of log(M / cells left) / log M. The published M is g² although a
   * domain has up to (2g + 1)² cells, so its level can be negative; `fixed` takes M = (2g + 1)².
   */
  level(profile: Profile): number {
    const most = profile === 'upstream' ? this.gridSize * this.gridSize : this.squareSize
    let sum = 0
    let entities = 0
    for (let i = 0; i < this.names.length; i++) {
      if (this.names[i] === START) continue
      entities += 1
      const size = this.#sizes[i] === UNKNOWN ? most : Math.max(1, this.#sizes[i]!)
      sum += Math.log2(most / size) / Math.log2(most)
    }
    return entities === 0 ? 0 : sum / entities
  }

  /** Adds a relation between two entities and queues its arcs when it says something new. Returns the queue's length. */
  #relate(a: number, b: number, forward: Uint32Array, backward: Uint32Array, length: number): number {
    this.#know(a)
    this.#know(b)
    const count = this.names.length
    const merged = narrowed(this.#masks[a * count + b], forward)
    if (merged === undefined) return length
    this.#masks[a * count + b] = merged
    this.#masks[b * count + a] = narrowed(this.#masks[b * count + a], backward) ?? backward
    return this.#push(b * count + a, this.#push(a * count + b, length))
  }

  #push(arc: number, length: number): number {
    if (this.#queued[arc] === 1) return length
    this.#queued[arc] = 1
    this.#queue[length] = arc
    return length + 1
  }

  #know(at: number): void {
    if (this.#sizes[at] !== UNKNOWN) return
    const base = at * this.#wordsPerDomain
    const whole = this.#wordsPerRow - 1
    const rest = this.#side & 31
    const last = rest === 0 ? 0xffffffff : (1 << rest) - 1
    for (let row = 0; row < this.#side; row++) {
      const start = base + row * this.#wordsPerRow
      this.#bits.fill(0xffffffff, start, start + whole)
      this.#bits[start + whole] = last
    }
    this.#sizes[at] = this.squareSize
    this.#low[at] = 0
    this.#high[at] = this.#side - 1
  }

  /** Works off the queue. When a domain runs empty the observations contradict each other, and work stops. */
  #propagate(length: number): void {
    const count = this.names.length
    const queue = this.#queue
    const queued = this.#queued
    while (length > 0) {
      const arc = queue[--length]!
      queued[arc] = 0
      const a = (arc / count) | 0
      const b = arc - a * count
      if (!this.#revise(a, b, this.#masks[arc]!)) continue
      if (this.#sizes[a] === 0) break
      for (let c = 0; c < count; c++) {
        if (c !== b && this.#masks[c * count + a] !== undefined) length = this.#push(c * count + a, length)
      }
    }
    while (length > 0) queued[queue[--length]!] = 0
  }

  /** Removes from a what has no partner in b. True when something went. */
  #revise(a: number, b: number, mask: Uint32Array): boolean {
    return this.#sizes[b]! <= this.#sizes[a]! ? this.#keepReached(a, b, mask) : this.#keepSupported(a, b, mask)
  }

  /** Few partners: the union of the mask laid at each of them is what may stay. */
  #keepReached(a: number, b: number, mask: Uint32Array): boolean {
    const words = this.#wordsPerRow
    const stride = this.#shape.wordsPerRow
    const bits = this.#bits
    const support = this.#support
    const reach = 2 * this.gridSize
    const low = this.#low[a]!
    const high = this.#high[a]!
    const from = b * this.#wordsPerDomain
    support.fill(0, low * words, (high + 1) * words)
    for (let row = this.#low[b]!; row <= this.#high[b]!; row++) {
      for (let w = 0; w < words; w++) {
        let rest = bits[from + row * words + w]!
        while (rest !== 0) {
          const bit = 31 - Math.clz32(rest & -rest)
          rest &= rest - 1
          const start = reach - (w * 32 + bit)
          const word = start >>> 5
          const shift = start & 31
          let at = (low - row + reach) * stride + word
          for (let target = low * words; target <= high * words; target += words, at += stride) {
            for (let k = 0; k < words; k++) {
              const piece =
                shift === 0 ? mask[at + k]! : (mask[at + k]! >>> shift) | (mask[at + k + 1]! << (32 - shift))
              support[target + k]! |= piece
            }
          }
        }
      }
    }
    let size = 0
    let first = -1
    let last = -1
    const base = a * this.#wordsPerDomain
    for (let row = low; row <= high; row++) {
      for (let k = 0; k < words; k++) {
        const at = base + row * words + k
        const left = bits[at]! & support[row * words + k]!
        bits[at] = left
        if (left === 0) continue
        size += bitCount(left)
        if (first < 0) first = row
        last = row
      }
    }
    return this.#resized(a, size, first, last)
  }

  /** Many partners: look for one partner of each value, and stop at the first. */
  #keepSupported(a: number, b: number, mask: Uint32Array): boolean {
    const words = this.#wordsPerRow
    const stride = this.#shape.wordsPerRow
    const bits = this.#bits
    const reach = 2 * this.gridSize
    const base = a * this.#wordsPerDomain
    const partners = b * this.#wordsPerDomain
    const lowB = this.#low[b]!
    const highB = this.#high[b]!
    const flipped = this.#masks[b * this.names.length + a] ?? mask
    let size = 0
    let first = -1
    let last = -1
    for (let row = this.#low[a]!; row <= this.#high[a]!; row++) {
      for (let w = 0; w < words; w++) {
        const at = base + row * words + w
        let rest = bits[at]!
        let left = rest
        while (rest !== 0) {
          const lowest = rest & -rest
          const bit = 31 - Math.clz32(lowest)
          rest &= rest - 1
          // The partners of this value are b − a ∈ flipped mask: lay it at the value and see whether b's domain meets it.
          const start = reach - (w * 32 + bit)
          const word = start >>> 5
          const shift = start & 31
          let from = (lowB - row + reach) * stride + word
          let met = false
          for (let partner = lowB; partner <= highB && !met; partner++, from += stride) {
            for (let k = 0; k < words; k++) {
              const piece =
                shift === 0
                  ? flipped[from + k]!
                  : (flipped[from + k]! >>> shift) | (flipped[from + k + 1]! << (32 - shift))
              if ((piece & bits[partners + partner * words + k]!) !== 0) {
                met = true
                break
              }
            }
          }
          if (!met) left &= ~lowest
        }
        bits[at] = left
        if (left === 0) continue
        size += bitCount(left)
        if (first < 0) first = row
        last = row
      }
    }
    return this.#resized(a, size, first, last)
  }

  #resized(a: number, size: number, first: number, last: number): boolean {
    if (size === this.#sizes[a]) return false
    this.#sizes[a] = size
    this.#low[a] = Math.max(0, first)
    this.#high[a] = Math.max(0, last)
    return true
  }
}

/** `old` and `added` together; undefined when `added` forbids nothing that `old` allows. */
function narrowed(old: Uint32Array | undefined, added: Uint32Array): Uint32Array | undefined {
  if (old === undefined || old === added) return old === added ? undefined : added
  let same = true
  for (let i = 0; i < old.length && same; i++) same = (old[i]! & ~added[i]!) === 0
  if (same) return undefined
  const merged = old.slice()
  for (let i = 0; i < merged.length; i++) merged[i]! &= added[i]!
  return merged
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
