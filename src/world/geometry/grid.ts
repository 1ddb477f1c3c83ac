import { UserError } from '../../base/errors.ts'

/** A field of square cells over the floor. Cell (column, row) has its center at `x0 + (column + ½) · cell`, … */
export interface Grid {
  columns: number
  rows: number
  /** Side of a cell in meters. */
  cell: number
  /** The corner of the first cell. */
  x0: number
  y0: number
}

/** No scene is as long, in meters; a mesh in another unit is. */
const LONGEST = 100_000

/** A grid of cells of the given side, or of a larger one where there would be more than `cellLimit`. */
export function gridOver(
  min: readonly number[],
  max: readonly number[],
  cell: number,
  margin = 0,
  cellLimit = Infinity,
): Grid {
  const x0 = min[0]! - margin
  const y0 = min[1]! - margin
  const wide = max[0]! + margin - x0
  const deep = max[1]! + margin - y0
  if (!(wide <= LONGEST && deep <= LONGEST)) throw tooLarge(wide, deep)
  const count = (side: number, of: number) => Math.max(1, Math.ceil(of / side))
  let side = cell
  // Twice at most but for scenes that are a line: rounding up to whole cells needs a little more than the area says.
  while (count(side, wide) * count(side, deep) > cellLimit)
    side = Math.max(side * 1.01, Math.sqrt((wide * deep) / cellLimit))
  return { columns: count(side, wide), rows: count(side, deep), cell: side, x0, y0 }
}

/** For scenes of a size that no building has. */
export function tooLarge(...meters: readonly number[]): UserError {
  const told = meters.map((side) => (side < 1e6 ? Math.round(side).toLocaleString('en') : side.toExponential(1)))
  return new UserError(`The scene measures ${told.join(' × ')} m; is it in metres?`, {
    hint: 'For a mesh in another unit say so: `--meters-per-unit 0.001` of `sightline scene show` for millimetres.',
  })
}

/** The number of the cell that holds a point; −1 outside of the grid. */
export function cellAt({ columns, rows, cell, x0, y0 }: Grid, x: number, y: number): number {
  const column = Math.floor((x - x0) / cell)
  const row = Math.floor((y - y0) / cell)
  return column >= 0 && row >= 0 && column < columns && row < rows ? row * columns + column : -1
}

export function cellCenter({ columns, cell, x0, y0 }: Grid, index: number): readonly [number, number] {
  const row = Math.floor(index / columns)
  return [x0 + (index - row * columns + 0.5) * cell, y0 + (row + 0.5) * cell]
}

const FAR = 1e20

/**
 * Meters from each cell's center to the center of the nearest marked cell, exact (Felzenszwalb & Huttenlocher, lower
 * envelope of parabolas); infinity where none is marked.
 */
export function distanceField(grid: Grid, marked: Uint8Array): Float32Array {
  const { columns, rows, cell } = grid
  const squares = new Float64Array(columns * rows)
  for (let i = 0; i < squares.length; i++) squares[i] = marked[i] === 0 ? FAR : 0
  const longest = Math.max(columns, rows)
  const line = new Float64Array(longest)
  const places = new Int32Array(longest)
  const borders = new Float64Array(longest + 1)
  for (let column = 0; column < columns; column++) envelope(squares, column, columns, rows, line, places, borders)
  for (let row = 0; row < rows; row++) envelope(squares, row * columns, 1, columns, line, places, borders)
  const field = new Float32Array(squares.length)
  for (let i = 0; i < field.length; i++) field[i] = squares[i]! >= FAR / 2 ? Infinity : Math.sqrt(squares[i]!) * cell
  return field
}

function envelope(
  squares: Float64Array,
  start: number,
  stride: number,
  length: number,
  line: Float64Array,
  places: Int32Array,
  borders: Float64Array,
): void {
  for (let i = 0; i < length; i++) line[i] = squares[start + i * stride]!
  let last = 0
  places[0] = 0
  borders[0] = -Infinity
  borders[1] = Infinity
  for (let i = 1; i < length; i++) {
    let border = crossing(line, places[last]!, i)
    while (border <= borders[last]!) border = crossing(line, places[--last]!, i)
    last++
    places[last] = i
    borders[last] = border
    borders[last + 1] = Infinity
  }
  let at = 0
  for (let i = 0; i < length; i++) {
    while (borders[at + 1]! < i) at++
    const away = i - places[at]!
    squares[start + i * stride] = away * away + line[places[at]!]!
  }
}

/** Where the parabolas over p and q meet. */
function crossing(line: Float64Array, p: number, q: number): number {
  return (line[q]! + q * q - (line[p]! + p * p)) / (2 * (q - p))
}
