/** Models that predict a number from words: ridge regression and boosted trees. */
import { countFeatures } from './features.ts'
import type { Problem } from './problem.ts'

type Predict = (i: number) => number

/** Answers on a scale where equal ratios are equally far apart, also for values of 0 and below. */
export function scaledAnswers({ tasks }: Problem): Float64Array {
  const answers = tasks.map(({ target }) => (target.kind === 'number' ? target.answer : 0))
  const sizes = answers.map(Math.abs).filter((size) => size > 0)
  sizes.sort((a, b) => a - b)
  const small = sizes[Math.floor(sizes.length / 10)] ?? 1
  return Float64Array.from(answers, (answer) => Math.asinh(answer / small))
}

const ITERATIONS = 40

/** Least squares on word features with a penalty on large weights, by conjugate gradients. */
export function ridge(problem: Problem, answers: Float64Array, train: readonly number[], penalty: number): Predict {
  const columns = new Map<number, number>()
  for (const i of train) for (const word of problem.words[i]!) if (!columns.has(word)) columns.set(word, columns.size)
  const rowsOf = (i: number): number[] => [...problem.words[i]!].flatMap((word) => columns.get(word) ?? [])
  const rows = train.map(rowsOf)
  const middle = train.reduce((sum, i) => sum + answers[i]!, 0) / Math.max(1, train.length)
  const dot = (row: readonly number[], weights: Float64Array): number =>
    row.reduce((sum, at) => sum + weights[at]!, 0) / Math.sqrt(row.length || 1)
  const transposed = (residual: Float64Array): Float64Array => {
    const out = new Float64Array(columns.size)
    for (const [r, row] of rows.entries()) for (const at of row) out[at]! += residual[r]! / Math.sqrt(row.length || 1)
    return out
  }
  const inner = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

  const weights = new Float64Array(columns.size)
  const residual = transposed(Float64Array.from(train, (i) => answers[i]! - middle))
  const direction = residual.slice()
  let norm = inner(residual, residual)
  for (let k = 0; k < ITERATIONS && norm > 1e-12; k++) {
    const image = transposed(Float64Array.from(rows, (row) => dot(row, direction)))
    for (let j = 0; j < image.length; j++) image[j]! += penalty * direction[j]!
    const step = norm / inner(direction, image)
    for (let j = 0; j < weights.length; j++) {
      weights[j]! += step * direction[j]!
      residual[j]! -= step * image[j]!
    }
    const next = inner(residual, residual)
    for (let j = 0; j < direction.length; j++) direction[j] = residual[j]! + (next / norm) * direction[j]!
    norm = next
  }
  return (i) => middle + dot(rowsOf(i), weights)
}

const TREES = 60
const DEPTH = 3
const SHRINKAGE = 0.15
const MIN_LEAF = 4
const BINS = 16
const MAX_WORD_COLUMNS = 120
/** Words in fewer tasks than this are left to the other models. */
const MIN_HOLDERS = 6

/** Binned columns: the counts and numbers of the words, and whether each of the most frequent words occurs. */
export function treeColumns({ tasks, words }: Problem): readonly Uint8Array[] {
  const counts = tasks.map((task) => countFeatures(task.words))
  const columns = (counts[0] ?? []).map((_, c) => binned(counts.map((row) => row[c]!)))
  const holders = new Map<number, number>()
  for (const own of words) for (const word of own) holders.set(word, (holders.get(word) ?? 0) + 1)
  const frequent = [...holders]
    .filter(([, count]) => count >= MIN_HOLDERS && count <= tasks.length - MIN_HOLDERS)
    .sort(([a, some], [b, more]) => more - some || a - b)
    .slice(0, MAX_WORD_COLUMNS)
  const present = words.map((own) => new Set(own))
  const all = [...columns, ...frequent.map(([word]) => Uint8Array.from(present, (own) => Number(own.has(word))))]
  return all.filter((column) => column.some((bin) => bin !== column[0]))
}

/** Bin 0 is for missing values, the others hold about as many values each. */
function binned(values: readonly number[]): Uint8Array {
  const known = [...new Set(values.filter((value) => !Number.isNaN(value)))].sort((a, b) => a - b)
  const edges = Array.from({ length: BINS - 1 }, (_, i) => known[Math.floor((i * known.length) / (BINS - 1))]!)
  return Uint8Array.from(values, (value) =>
    Number.isNaN(value) ? 0 : edges.reduce((bin, edge, i) => (value >= edge ? i + 1 : bin), 1),
  )
}

type Tree = { leaf: number } | { column: Uint8Array; above: number; low: Tree; high: Tree }

/** Gradient boosting of small regression trees. */
export function boostedTrees(columns: readonly Uint8Array[], answers: Float64Array, train: readonly number[]): Predict {
  const middle = train.reduce((sum, i) => sum + answers[i]!, 0) / Math.max(1, train.length)
  const residuals = new Float64Array(answers.length)
  for (const i of train) residuals[i] = answers[i]! - middle
  const trees: Tree[] = []
  for (let t = 0; t < TREES; t++) {
    const tree = grow(columns, residuals, train, DEPTH)
    trees.push(tree)
    for (const i of train) residuals[i]! -= SHRINKAGE * leafOf(tree, i)
  }
  return (i) => trees.reduce((sum, tree) => sum + SHRINKAGE * leafOf(tree, i), middle)
}

function leafOf(tree: Tree, i: number): number {
  let at = tree
  while (!('leaf' in at)) at = at.column[i]! > at.above ? at.high : at.low
  return at.leaf
}

function grow(columns: readonly Uint8Array[], residuals: Float64Array, rows: readonly number[], depth: number): Tree {
  const total = rows.reduce((sum, i) => sum + residuals[i]!, 0)
  const leaf = { leaf: total / Math.max(1, rows.length) }
  if (depth === 0 || rows.length < 2 * MIN_LEAF) return leaf
  const sums = new Float64Array(BINS + 1)
  const counts = new Uint32Array(BINS + 1)
  let best: { column: Uint8Array; above: number } | null = null
  let most = (total * total) / rows.length + 1e-9
  for (const column of columns) {
    sums.fill(0)
    counts.fill(0)
    for (const i of rows) {
      sums[column[i]!]! += residuals[i]!
      counts[column[i]!]! += 1
    }
    let sum = 0
    let count = 0
    for (let bin = 0; bin < BINS; bin++) {
      sum += sums[bin]!
      count += counts[bin]!
      const rest = rows.length - count
      if (count < MIN_LEAF || rest < MIN_LEAF) continue
      const gain = (sum * sum) / count + (total - sum) ** 2 / rest
      if (gain > most) [most, best] = [gain, { column, above: bin }]
    }
  }
  if (best === null) return leaf
  const { column, above } = best
  const low = rows.filter((i) => column[i]! <= above)
  const high = rows.filter((i) => column[i]! > above)
  return {
    column,
    above,
    low: grow(columns, residuals, low, depth - 1),
    high: grow(columns, residuals, high, depth - 1),
  }
}
