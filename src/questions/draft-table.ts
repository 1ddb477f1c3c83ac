/** The columns of a table as a draft sees them: those inside objects too, by their whole names. */
import { isObject, type Row, type Table } from '../suite.ts'
import { readRows } from './samples/nested.ts'

const MAX_LEVELS = 4
const MAX_COLUMNS = 500

export interface Looked {
  columns: readonly string[]
  rows: readonly Row[]
}

export async function lookedAt(table: Table, count: number): Promise<Looked> {
  const rows = await table.rows(0, count, table.columns)
  const columns = table.columns.flatMap((column) => inside(column, rows.map((row) => row[column]), 1)).slice(0, MAX_COLUMNS) // prettier-ignore
  return { columns, rows: await readRows(table, 0, count, columns) }
}

function inside(column: string, cells: readonly unknown[], level: number): string[] {
  const filled = cells.filter((cell) => cell !== null && cell !== undefined)
  if (level === MAX_LEVELS || filled.length === 0 || !filled.every(isRecord)) return [column]
  const names = [...new Set(filled.flatMap((cell) => Object.keys(cell)))]
  return names.flatMap((name) => inside(`${column}.${name}`, filled.map((cell) => cell[name]), level + 1)) // prettier-ignore
}

/** An object with fields of its own: neither options by letter, nor an image as Hugging Face stores it. */
function isRecord(cell: unknown): cell is Record<string, unknown> {
  if (!isObject(cell) || cell instanceof Uint8Array) return false
  const names = Object.keys(cell)
  return names.length > 0 && !names.every((name) => /^(?:[A-Za-z]|\d+|bytes|path)$/.test(name))
}
