/**
 * Possible positions of every entity given all observations, relative to the start. Arc consistency (AC-3) over position
 * domains that are bitmasks of the square [-g, g]².
 *
 * A value of one entity survives if some value of the other satisfies all relations between the two. The fixpoint does
 * not depend on the order of revisions, so each arc uses whichever of two equivalent algorithms is cheaper.
 */
import { aheadOf, distanceBinOfSquare, egoBinOfCells, rightOf } from '../grid/relations.ts'
import type { Scene, Vec } from '../grid/scene.ts'
import { proximityPairs, START } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import {
  withRowBounds,
  egoMask,
  exactMask,
  maskShape,
  type MaskShape,
  type OffsetMask,
  proximityMask,
} from './offset-masks.ts'
import type { View } from './views.ts'

const UNKNOWN = -1
/** How much a search for a partner saves by stopping early, as measured. Only affects speed. */
const EARLY_EXIT_FACTOR = 4

/** The published g: the longer side of the mask. */
export function gridSizeOf(scene: Scene): number {
  return Math.max(scene.mask.length, scene.mask[0]?.length ?? 0)
}

export class PositionSolver {
  readonly names: readonly string[]
  readonly gridSize: number
  readonly #index: ReadonlyMap<string, number>
  readonly #shape: MaskShape
  /** Cells per side of a domain: 2g + 1. */
  readonly #side: number
  readonly #wordsPerRow: number
  readonly #wordsPerDomain: number
  /** All domains, concatenated; row y + g, bit x + g. */
  readonly #bits: Uint32Array
  /** Points in each domain, or UNKNOWN if the entity has no relation yet. */
  readonly #sizes: Int32Array
  /** First and last non-empty row of each domain. */
  readonly #low: Int32Array
  readonly #high: Int32Array
  /** For the ordered pair (a, b), the offsets a − b that all relations between them allow. */
  readonly #masks: (OffsetMask | undefined)[]
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
    // An arc is queued at most once at a time, so the number of ordered pairs bounds the queue.
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

  /** An independent copy, for trials. */
  clone(): PositionSolver {
    return new PositionSolver(this.names, this.gridSize, this)
  }

  has(name: string): boolean {
    return this.#index.has(name)
  }

  /** Fixes an entity to a cell. */
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

  /** Adds the relations of a view: each entity to the viewer's anchor, and neighbors to each other. */
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

  /** Adds the result of a Query: `name` is exactly at `offset` from the start. */
  locate(name: string, offset: Vec): void {
    const subject = this.#index.get(name)
    const start = this.#index.get(START)
    if (subject === undefined || start === undefined || subject === start) return
    const forward = exactMask(this.#shape, offset)
    const backward = exactMask(this.#shape, [-offset[0], -offset[1]])
    this.#propagate(this.#relate(subject, start, forward, backward, 0))
  }

  /** Number of possible cells of an entity; undefined if nothing is known about it. */
  size(name: string): number | undefined {
    const size = this.#sizes[this.#index.get(name) ?? -1]
    return size === undefined || size === UNKNOWN ? undefined : size
  }

  /** Possible cells of an entity, by y and then by x; the whole square if nothing is known about it. */
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

  get squareSize(): number {
    return this.#side * this.#side
  }

  /** Sum of all domain sizes; unknown domains count as the whole square. */
  totalSize(): number {
    let total = 0
    for (const size of this.#sizes) total += size === UNKNOWN ? this.squareSize : size
    return total
  }

  /**
   * Information level, 0 to 1: the mean over all entities of log(M / cells left) / log M. The published M is g² although a
   * domain has up to (2g + 1)² cells, so its level can be negative; `fixed` uses M = (2g + 1)².
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

  /** Adds a relation between two entities and queues its arcs if it adds information. Returns the queue's length. */
  #relate(a: number, b: number, forward: OffsetMask, backward: OffsetMask, length: number): number {
    this.#initDomain(a)
    this.#initDomain(b)
    const count = this.names.length
    const words = this.#shape.wordsPerRow
    const merged = narrowed(this.#masks[a * count + b], forward, words)
    if (merged === undefined) return length
    this.#masks[a * count + b] = merged
    this.#masks[b * count + a] = narrowed(this.#masks[b * count + a], backward, words) ?? backward
    return this.#push(b * count + a, this.#push(a * count + b, length))
  }

  #push(arc: number, length: number): number {
    if (this.#queued[arc] === 1) return length
    this.#queued[arc] = 1
    this.#queue[length] = arc
    return length + 1
  }

  #initDomain(at: number): void {
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

  /** Processes the queue. An empty domain means contradictory observations and stops propagation. */
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

  /** Removes values of a without a partner in b. Returns whether any were removed. */
  #revise(a: number, b: number, mask: OffsetMask): boolean {
    // Both algorithms give the same result; compare their costs.
    const reach = Math.min(this.#high[a]! - this.#low[a]!, mask.high - mask.low) + 1
    const looks = Math.min(this.#high[b]! - this.#low[b]!, mask.high - mask.low) + 1
    return this.#sizes[b]! * reach * EARLY_EXIT_FACTOR <= this.#sizes[a]! * looks
      ? this.#keepReached(a, b, mask)
      : this.#keepSupported(a, b)
  }

  /** For few partners: keeps the union of the mask placed at each partner. */
  #keepReached(a: number, b: number, mask: OffsetMask): boolean {
    const words = this.#wordsPerRow
    const stride = this.#shape.wordsPerRow
    const bits = this.#bits
    const allowed = mask.bits
    const support = this.#support
    const reach = 2 * this.gridSize
    const low = this.#low[a]!
    const high = this.#high[a]!
    const from = b * this.#wordsPerDomain
    support.fill(0, low * words, (high + 1) * words)
    for (let row = this.#low[b]!; row <= this.#high[b]!; row++) {
      const first = Math.max(low, row + mask.low - reach)
      const last = Math.min(high, row + mask.high - reach) * words
      for (let w = 0; w < words; w++) {
        let rest = bits[from + row * words + w]!
        while (rest !== 0) {
          const bit = 31 - Math.clz32(rest & -rest)
          rest &= rest - 1
          const start = reach - (w * 32 + bit)
          const shift = start & 31
          let at = (first - row + reach) * stride + (start >>> 5)
          if (shift === 0) {
            for (let target = first * words; target <= last; target += words, at += stride) {
              for (let k = 0; k < words; k++) support[target + k]! |= allowed[at + k]!
            }
          } else {
            for (let target = first * words; target <= last; target += words, at += stride) {
              for (let k = 0; k < words; k++)
                support[target + k]! |= (allowed[at + k]! >>> shift) | (allowed[at + k + 1]! << (32 - shift))
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
    return this.#setSize(a, size, first, last)
  }

  /** For many partners: searches a partner for each value and stops at the first. */
  #keepSupported(a: number, b: number): boolean {
    const words = this.#wordsPerRow
    const bits = this.#bits
    const base = a * this.#wordsPerDomain
    // Partners of a value are at offsets b − a: that mask, placed at the value, must intersect b's domain.
    const mask = this.#masks[b * this.names.length + a]!
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
          rest &= rest - 1
          if (!this.#hasPartner(b, mask, row, w * 32 + 31 - Math.clz32(lowest))) left &= ~lowest
        }
        bits[at] = left
        if (left === 0) continue
        size += bitCount(left)
        if (first < 0) first = row
        last = row
      }
    }
    return this.#setSize(a, size, first, last)
  }

  /** Does b's domain intersect the mask placed at this cell? */
  #hasPartner(b: number, mask: OffsetMask, row: number, column: number): boolean {
    const words = this.#wordsPerRow
    const stride = this.#shape.wordsPerRow
    const reach = 2 * this.gridSize
    const bits = this.#bits
    const allowed = mask.bits
    const start = reach - column
    const shift = start & 31
    const first = Math.max(this.#low[b]!, row + mask.low - reach)
    const last = Math.min(this.#high[b]!, row + mask.high - reach)
    let at = (first - row + reach) * stride + (start >>> 5)
    let partner = b * this.#wordsPerDomain + first * words
    for (let y = first; y <= last; y++, at += stride, partner += words) {
      for (let k = 0; k < words; k++) {
        const piece =
          shift === 0 ? allowed[at + k]! : (allowed[at + k]! >>> shift) | (allowed[at + k + 1]! << (32 - shift))
        if ((piece & bits[partner + k]!) !== 0) return true
      }
    }
    return false
  }

  #setSize(a: number, size: number, first: number, last: number): boolean {
    if (size === this.#sizes[a]) return false
    this.#sizes[a] = size
    this.#low[a] = Math.max(0, first)
    this.#high[a] = Math.max(0, last)
    return true
  }
}

/** The intersection of both masks; undefined if `added` does not narrow `old`. */
function narrowed(old: OffsetMask | undefined, added: OffsetMask, wordsPerRow: number): OffsetMask | undefined {
  if (old === undefined || old === added) return old === added ? undefined : added
  let same = true
  for (let i = 0; i < old.bits.length && same; i++) same = (old.bits[i]! & ~added.bits[i]!) === 0
  if (same) return undefined
  const merged = old.bits.slice()
  for (let i = 0; i < merged.length; i++) merged[i]! &= added.bits[i]!
  return withRowBounds(merged, wordsPerRow)
}

function bitCount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
