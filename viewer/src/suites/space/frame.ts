/** Maps grid cells to SVG coordinates. North is up. */
import type { Pair, TrueScene } from '../../../../src/suites/space/events.ts'
import type { Believed } from './state.ts'

export const CELL = 40
/** Predictions further outside the grid are drawn at the edge. */
const MAX_OUTSIDE = 3

export class Frame {
  readonly #height: number
  readonly #min: Pair
  readonly #max: Pair

  constructor({ mask }: TrueScene, beliefs: readonly Believed[]) {
    this.#height = mask[0]?.length ?? 1
    const reach = (axis: 0 | 1, last: number): [number, number] => {
      const positions = beliefs.map(({ at }) => at[axis])
      return [
        Math.max(-MAX_OUTSIDE, Math.min(0, ...positions)),
        Math.min(last + MAX_OUTSIDE, Math.max(last, ...positions)),
      ]
    }
    const [left, right] = reach(0, mask.length - 1)
    const [bottom, top] = reach(1, this.#height - 1)
    this.#min = [left, bottom]
    this.#max = [right, top]
  }

  get viewBox(): string {
    const [x0, x1] = [this.x(this.#min[0]) - CELL / 2, this.x(this.#max[0]) + CELL / 2]
    const [y0, y1] = [this.y(this.#max[1]) - CELL / 2, this.y(this.#min[1]) + CELL / 2]
    return `${x0} ${y0} ${x1 - x0} ${y1 - y0}`
  }

  x(cell: number): number {
    return Math.min(this.#max[0], Math.max(this.#min[0], cell)) * CELL
  }

  y(cell: number): number {
    return (this.#height - 1 - Math.min(this.#max[1], Math.max(this.#min[1], cell))) * CELL
  }

  at([x, y]: Pair): Pair {
    return [this.x(x), this.y(y)]
  }
}
