/** Answers of several moves, `move_right:0.3,rotate_left:20`: one number per axis, where opposite moves cancel out. */
import { numbersIn, pythonFloat } from '../../suite.ts'

export type Axes = readonly (readonly [string, string])[]

/** A text that is nothing but moves, read as `dict(item.split(':') for item in text.split(','))` reads it. */
export function strictMoves(text: string, axes: Axes): number[] | null {
  const found = new Map<string, number>()
  for (const item of text.split(',')) {
    const [name, value, ...rest] = item.split(':')
    const amount = value === undefined || rest.length > 0 ? null : pythonFloat(value)
    if (amount === null) return null
    found.set(name!, amount)
  }
  return sums(found, axes)
}

/** The moves that a text names, each with the number that follows; null if it names none. */
export function movesIn(text: string, axes: Axes): number[] | null {
  const found = new Map<string, number>()
  for (const name of axes.flat()) {
    const at = text.toLowerCase().lastIndexOf(name.toLowerCase())
    const [first] = at < 0 ? [] : numbersIn(text.slice(at + name.length, at + name.length + MAX_DISTANCE))
    if (first !== undefined) found.set(name, first.value)
  }
  return found.size === 0 ? null : sums(found, axes)
}

/** Characters between a move and its number: `"move_right": 0.3`, `move_right by about 0.3`. */
const MAX_DISTANCE = 30

export function writeMoves(amounts: readonly number[], axes: Axes): string {
  const moves = axes.flatMap(([up, down], i) => {
    const amount = amounts[i] ?? 0
    return amount === 0 ? [] : [`${amount > 0 ? up : down}:${Math.abs(amount)}`]
  })
  return moves.length === 0 ? `${axes[0]?.[0]}:0` : moves.join(',')
}

function sums(found: ReadonlyMap<string, number>, axes: Axes): number[] {
  return axes.map(([up, down]) => (found.get(up) ?? 0) - (found.get(down) ?? 0))
}
