/**
 * Coverage of a scene by views. Nodes are all objects and doors; edges are the pairs within a room (doors included) and
 * the pairs of the start with everything in its room. A view covers its nodes, and their edges to the viewer's anchor.
 */
import type { Scene } from '../grid/scene.ts'
import { entitiesOf, roomIds, roomsOf, START } from '../grid/view.ts'
import type { View } from './views.ts'

export class Coverage {
  readonly nodes: readonly string[]
  readonly #index: ReadonlyMap<string, number>
  readonly #seen: Uint8Array
  /** Symmetric matrix: 0 not a target, 1 a target, 2 a known target. */
  readonly #edges: Uint8Array
  #seenCount = 0
  #targetCount = 0
  #knownCount = 0

  constructor(scene: Scene) {
    const entities = entitiesOf(scene)
    this.nodes = entities.map(({ name }) => name)
    this.#index = new Map([...this.nodes, START].map((name, i) => [name, i]))
    const count = this.#index.size
    this.#seen = new Uint8Array(count)
    this.#edges = new Uint8Array(count * count)
    for (const room of roomIds(scene)) {
      const inside: number[] = []
      for (const [i, entity] of entities.entries()) if (roomsOf(entity).includes(room)) inside.push(i)
      if (room === scene.start.room) inside.push(count - 1)
      for (const a of inside) for (const b of inside) if (a < b) this.#target(a, b)
    }
  }

  #target(a: number, b: number): void {
    const count = this.#index.size
    if (this.#edges[a * count + b] !== 0) return
    this.#edges[a * count + b] = 1
    this.#edges[b * count + a] = 1
    this.#targetCount += 1
  }

  observe(view: View): void {
    const count = this.#index.size
    const anchor = this.#index.get(view.anchor)
    for (const { name } of view.visible) {
      const node = this.#index.get(name)
      if (node === undefined) continue
      if (this.#seen[node] === 0) {
        this.#seen[node] = 1
        this.#seenCount += 1
      }
      if (anchor === undefined || this.#edges[anchor * count + node] !== 1) continue
      this.#edges[anchor * count + node] = 2
      this.#edges[node * count + anchor] = 2
      this.#knownCount += 1
    }
  }

  /** Fraction of objects and doors that have been in view. */
  get nodeCoverage(): number {
    return this.nodes.length === 0 ? 1 : this.#seenCount / this.nodes.length
  }

  /** Fraction of target edges that have been in view. */
  get edgeCoverage(): number {
    return this.#targetCount === 0 ? 1 : this.#knownCount / this.#targetCount
  }

  /** All target pairs. */
  targetEdges(): [string, string][] {
    const names = [...this.#index.keys()]
    const pairs: [string, string][] = []
    for (let a = 0; a < names.length; a++) {
      for (let b = a + 1; b < names.length; b++) {
        if (this.#edges[a * names.length + b] !== 0) pairs.push([names[a]!, names[b]!])
      }
    }
    return pairs
  }
}
