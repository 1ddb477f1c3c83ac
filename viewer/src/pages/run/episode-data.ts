/**
 * All episodes of a run, with typed arrays and cached sort orders for filtering and sorting as fast as you type.
 */
import type { DictionaryColumn, EpisodeColumns } from '../../../../src/server/api.ts'
import type { Status } from '../../../../src/store/records.ts'
import type { NumberUnit } from '../../ui/format.ts'

/** `index`, `sample`, `status`, `cluster`, `usd`, `ms`, `label.NAME` or `score.NAME`. */
export type ColumnKey = string

export interface EpisodeSort {
  key: ColumnKey
  descending: boolean
}

export interface EpisodeFilter {
  statuses: readonly string[]
  clusters: readonly string[]
  /** By label name. */
  labels: Readonly<Record<string, readonly string[]>>
  /** Metric for `min` and `max`, both inclusive. */
  metric: string | null
  min: number | null
  max: number | null
  /** Text in the sample id or error message. */
  text: string
  /** Rows found by the server's transcript search. */
  foundRows: readonly number[] | null
}

export class EpisodeData {
  readonly columns: EpisodeColumns
  readonly count: number
  readonly #numbers = new Map<string, Float64Array>()
  readonly #orders = new Map<ColumnKey, Uint32Array>()
  #searched: string[] | null = null

  constructor(columns: EpisodeColumns) {
    this.columns = columns
    this.count = columns.index.length
  }

  key(row: number): { index: number; epoch: number } {
    return { index: this.columns.index[row]!, epoch: this.columns.epoch[row]! }
  }

  status(row: number): Status {
    return this.columns.statuses[this.columns.status[row]!]!
  }

  cluster(row: number): string {
    return valueAt(this.columns.cluster, row)
  }

  label(name: string, row: number): string {
    const column = this.columns.labels[name]
    return column ? valueAt(column, row) : ''
  }

  /** Values of `score.NAME`, `usd` or `ms`; NaN where missing. */
  numbers(key: ColumnKey): Float64Array {
    let numbers = this.#numbers.get(key)
    if (!numbers) {
      numbers = new Float64Array(this.count).fill(Number.NaN)
      const values = this.#values(key)
      for (let row = 0; row < values.length; row++) numbers[row] = values[row] ?? Number.NaN
      this.#numbers.set(key, numbers)
    }
    return numbers
  }

  #values(key: ColumnKey): readonly (number | null)[] {
    const { columns } = this
    if (key === 'usd') return columns.usd
    if (key === 'ms') return columns.ms
    if (key === 'index') return columns.index
    return columns.scores[key.slice('score.'.length)] ?? []
  }

  /** The suite's unit, or percent if all values are between 0 and 1. */
  unit(metric: string): NumberUnit {
    const known = this.columns.metrics[metric]
    if (known) return known.unit
    return this.numbers(`score.${metric}`).every((value) => Number.isNaN(value) || (value >= 0 && value <= 1))
      ? 'percent'
      : 'number'
  }

  title(metric: string): string {
    return this.columns.metrics[metric]?.title ?? metric
  }

  /** Matching rows, in order. */
  rows(filter: EpisodeFilter, sort: EpisodeSort): Uint32Array {
    const passes = this.#passing(filter)
    const order = this.#order(sort.key)
    const found = new Uint32Array(this.count)
    // Missing values come last in both directions.
    const numbers = isNumeric(sort.key) ? this.numbers(sort.key) : null
    const without = (row: number): boolean => numbers !== null && Number.isNaN(numbers[row]!)
    let count = 0
    if (sort.descending) {
      for (let i = this.count - 1; i >= 0; i--) if (passes[order[i]!] && !without(order[i]!)) found[count++] = order[i]!
    } else {
      for (let i = 0; i < this.count; i++) if (passes[order[i]!] && !without(order[i]!)) found[count++] = order[i]!
    }
    if (numbers) for (let row = 0; row < this.count; row++) if (passes[row] && without(row)) found[count++] = row
    return found.subarray(0, count)
  }

  #passing(filter: EpisodeFilter): Uint8Array {
    const { columns, count } = this
    const passes = new Uint8Array(count).fill(1)
    if (filter.foundRows !== null) {
      passes.fill(0)
      for (const row of filter.foundRows) passes[row] = 1
    }
    keepValues(passes, columns.status, columns.statuses, filter.statuses)
    keepValues(passes, columns.cluster.codes, columns.cluster.values, filter.clusters)
    for (const [name, wanted] of Object.entries(filter.labels)) {
      const column = columns.labels[name]
      if (column) keepValues(passes, column.codes, column.values, wanted)
    }
    if (filter.metric !== null && (filter.min !== null || filter.max !== null)) {
      const numbers = this.numbers(`score.${filter.metric}`)
      const min = filter.min ?? -Infinity
      const max = filter.max ?? Infinity
      // Episodes without a value are outside every range.
      for (let row = 0; row < count; row++) if (!(numbers[row]! >= min && numbers[row]! <= max)) passes[row] = 0
    }
    const text = filter.text.trim().toLowerCase()
    if (text !== '') {
      const searched = (this.#searched ??= searchedTexts(columns))
      for (let row = 0; row < count; row++) if (passes[row] && !searched[row]!.includes(text)) passes[row] = 0
    }
    return passes
  }

  /** Rows sorted ascending by a column; ties in run order. */
  #order(key: ColumnKey): Uint32Array {
    let order = this.#orders.get(key)
    if (!order) this.#orders.set(key, (order = this.#sorted(key)))
    return order
  }

  #sorted(key: ColumnKey): Uint32Array {
    const { columns } = this
    const order = Uint32Array.from({ length: this.count }, (_, row) => row)
    if (key === 'index') return order
    if (key === 'sample') {
      const ids = columns.sample
      return order.sort((a, b) => (ids[a]! < ids[b]! ? -1 : ids[a]! > ids[b]! ? 1 : a - b))
    }
    // NaN would break the comparison.
    const ranks = isNumeric(key)
      ? this.numbers(key).map((value) => (Number.isNaN(value) ? Infinity : value))
      : this.#ranks(key)
    return order.sort((a, b) => ranks[a]! - ranks[b]! || a - b)
  }

  /** Alphabetical rank of each row's value. */
  #ranks(key: ColumnKey): Float64Array {
    const { columns } = this
    const column =
      key === 'status'
        ? { codes: columns.status, values: columns.statuses }
        : key === 'cluster'
          ? columns.cluster
          : columns.labels[key.slice('label.'.length)]
    const ranks = new Float64Array(this.count)
    if (!column) return ranks
    const valueRanks = rankOf(column.values)
    for (let row = 0; row < this.count; row++) ranks[row] = valueRanks[column.codes[row]!] ?? -1
    return ranks
  }
}

function isNumeric(key: ColumnKey): boolean {
  return key === 'usd' || key === 'ms' || key.startsWith('score.')
}

function valueAt({ values, codes }: DictionaryColumn, row: number): string {
  return values[codes[row]!] ?? ''
}

function keepValues(
  passes: Uint8Array,
  codes: readonly number[],
  values: readonly string[],
  wanted: readonly string[],
): void {
  if (wanted.length === 0) return
  const chosen = values.map((value) => wanted.includes(value))
  for (let row = 0; row < passes.length; row++) if (chosen[codes[row]!] !== true) passes[row] = 0
}

const collator = new Intl.Collator('en', { numeric: true })

function rankOf(values: readonly string[]): number[] {
  const ranks = Array.from(values, () => 0)
  const sorted = values.map((_, code) => code).sort((a, b) => collator.compare(values[a]!, values[b]!))
  for (const [rank, code] of sorted.entries()) ranks[code] = rank
  return ranks
}

function searchedTexts({ sample: ids, errors }: EpisodeColumns): string[] {
  return ids.map((id, row) => (errors[row] === undefined ? id : `${id}\n${errors[row]}`).toLowerCase())
}

/** Number of rows per value. */
export function valueCounts({ values, codes }: DictionaryColumn): { value: string; count: number }[] {
  const counts = new Uint32Array(values.length)
  for (const code of codes) if (code >= 0) counts[code]! += 1
  return values
    .map((value, code) => ({ value, count: counts[code]! }))
    .sort((a, b) => collator.compare(a.value, b.value))
}
