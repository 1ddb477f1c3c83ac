/** Which portals a short way goes through. */
import { CellHeap } from './paths.ts'

type Point = readonly [number, number]

/** Wide portals are tried at points at most this far apart; where the way crosses exactly is found afterwards. */
const SPACING = 0.1

/**
 * The points of all portals, each twice: once for either polygon that is entered there. Within a polygon every way is
 * straight, and all corners that a shortest way bends at are ends of portals.
 */
export class PortalGraph {
  readonly #x: number[] = []
  readonly #y: number[] = []
  readonly #portal: number[] = []
  /** The polygon that is entered. */
  readonly #into: number[] = []
  /** By polygon: the points by which it is left. */
  readonly #exits: number[][]

  constructor(
    polygons: readonly unknown[],
    portals: readonly { polygons: readonly [number, number]; left: Point; right: Point }[],
  ) {
    this.#exits = polygons.map(() => [])
    for (const [
      number,
      {
        polygons: [a, b],
        left,
        right,
      },
    ] of portals.entries()) {
      const steps = Math.max(1, Math.ceil(Math.hypot(right[0] - left[0], right[1] - left[1]) / SPACING))
      for (let step = 0; step <= steps; step++) {
        const x = left[0] + ((right[0] - left[0]) * step) / steps
        const y = left[1] + ((right[1] - left[1]) * step) / steps
        for (const [out, into] of [
          [a, b],
          [b, a],
        ] as const) {
          this.#exits[out]!.push(this.#x.length)
          this.#x.push(x)
          this.#y.push(y)
          this.#portal.push(number)
          this.#into.push(into)
        }
      }
    }
  }

  /** Numbers of the portals from one place to another, in order; undefined when there is no way. */
  channel(start: Point, first: number, goal: Point, last: number): number[] | undefined {
    if (first === last) return []
    const count = this.#x.length
    const cost = new Float64Array(count + 1).fill(Infinity)
    const previous = new Int32Array(count + 1).fill(-1)
    const done = new Uint8Array(count + 1)
    const heap = new CellHeap()
    const offer = (node: number, from: number, total: number): void => {
      if (total >= cost[node]! - 1e-9) return
      cost[node] = total
      previous[node] = from
      const left = node === count ? 0 : Math.hypot(goal[0] - this.#x[node]!, goal[1] - this.#y[node]!)
      heap.push(node, total + left)
    }
    const leave = (x: number, y: number, polygon: number, from: number, so: number): void => {
      if (polygon === last) offer(count, from, so + Math.hypot(goal[0] - x, goal[1] - y))
      for (const node of this.#exits[polygon]!) {
        if (done[node] === 1 || (from !== -1 && this.#portal[node] === this.#portal[from])) continue
        offer(node, from, so + Math.hypot(this.#x[node]! - x, this.#y[node]! - y))
      }
    }
    leave(start[0], start[1], first, -1, 0)
    for (let node = heap.pop(); node !== -1; node = heap.pop()) {
      if (node === count) return this.#crossed(first, previous)
      if (done[node] === 1) continue
      done[node] = 1
      leave(this.#x[node]!, this.#y[node]!, this.#into[node]!, node, cost[node]!)
    }
    return undefined
  }

  /** Ways of equal length may pass a polygon twice where several meet in a point: the loop is left out. */
  #crossed(first: number, previous: Int32Array): number[] {
    const nodes: number[] = []
    for (let node = previous.at(-1)!; node !== -1; node = previous[node]!) nodes.push(node)
    const portals: number[] = []
    const entered = [first]
    for (const node of nodes.reverse()) {
      const known = entered.indexOf(this.#into[node]!)
      if (known === -1) {
        portals.push(this.#portal[node]!)
        entered.push(this.#into[node]!)
      } else {
        portals.length = known
        entered.length = known + 1
      }
    }
    return portals
  }
}
