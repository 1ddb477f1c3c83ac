/** Columns inside columns: `input.image.file` is a field of an object in the column `input`, `refs.0` the first of a list. */
import { isObject, parseForeignJson, type Row, type Table } from '../../suite.ts'

/** The column of the table that a name refers to: itself, or the one that it is inside. */
export function baseColumn(columns: readonly string[], name: string): string {
  for (let at = name.length; at > 0; at = name.lastIndexOf('.', at - 1)) {
    const base = name.slice(0, at)
    if (columns.includes(base)) return base
  }
  return name
}

export function baseColumns(table: Pick<Table, 'columns'>, names: readonly string[]): string[] {
  return [...new Set(names.map((name) => baseColumn(table.columns, name)))]
}

/** Rows with these columns, and those inside columns under their whole names. */
export async function readRows(table: Table, from: number, to: number, names: readonly string[]): Promise<Row[]> {
  const rows = await table.rows(from, to, baseColumns(table, names))
  const inside = names.flatMap((name) => {
    const base = baseColumn(table.columns, name)
    return base === name ? [] : [{ name, base, way: name.slice(base.length + 1).split('.') }]
  })
  if (inside.length === 0) return rows
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(inside.map(({ name, base, way }) => [name, way.reduce(fieldOf, row[base])])),
  }))
}

function fieldOf(cell: unknown, name: string): unknown {
  const value = typeof cell === 'string' && /^\s*[[{]/.test(cell) ? parsed(cell) : cell
  if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? (value as unknown[])[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return text
  }
}
