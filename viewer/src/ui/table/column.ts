/** Table column definitions. */
import type { ReactNode } from 'react'

export interface TableColumn {
  key: string
  title: string
  /** Minimum width in rem. */
  width: number
  /** Share of the remaining width. Default: none. */
  grow?: number
  align?: 'right'
  /** Show the title to screen readers only. */
  headerHidden?: boolean
  sortable?: boolean
  /** Hidden on narrow screens. */
  wideOnly?: boolean
  /** Width on narrow screens, if smaller. */
  narrowWidth?: number
  /** Order on narrow screens, smallest first; columns without it come last. */
  narrowOrder?: number
  /** Contains the row's link and stays visible when scrolling sideways. Default: the first column. */
  link?: boolean
  cell: (row: number) => ReactNode
}

export interface TableSort {
  key: string
  descending: boolean
}

export const ROW_HEIGHT = 34
export const HEADER_HEIGHT = 34

/** Columns for narrow screens, most important first. */
export function narrowColumns(columns: readonly TableColumn[]): TableColumn[] {
  const order = ({ narrowOrder = Infinity }: TableColumn): number => narrowOrder
  return columns
    .filter(({ wideOnly }) => wideOnly !== true)
    .map((column) => ({ ...column, width: column.narrowWidth ?? column.width }))
    .sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))))
}

export function linkColumn(columns: readonly TableColumn[]): TableColumn | undefined {
  return columns.find(({ link }) => link === true) ?? columns[0]
}
