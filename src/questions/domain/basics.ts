/** Parts that all sections of a suite's file are made of. */
import { z } from 'zod'

export const MAX_TEXT = 20_000
export const MAX_LIST = 1000

export const columnName = z.string().min(1).max(200)
export const template = z.string().max(MAX_TEXT)
export const pattern = z.string().min(1).max(1000)

const cellValue = z.union([z.string().max(MAX_TEXT), z.number(), z.boolean()])

/** Rows whose columns have these values. */
export const when = z
  .record(columnName, z.union([cellValue, z.array(cellValue).max(MAX_LIST)]))
  .describe('rows whose columns have these values; a list allows any of them')
export type When = z.output<typeof when>

export function matches(wanted: When, cells: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([column, values]) =>
    [values].flat().some((value) => String(value) === (Object.hasOwn(cells, column) ? cells[column] : undefined)),
  )
}
