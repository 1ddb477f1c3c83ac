/** What a table shows of each row. */
import type { ReactNode } from 'react'

export interface TableColumn {
  key: string
  title: string
  /** At least so wide, in rem. */
  width: number
  /** Share of what is left over. Default: none. */
  grow?: number
  align?: 'right'
  /** Its title is read aloud only. */
  headerHidden?: boolean
  sortable?: boolean
  /** Left out on narrow screens. */
  wideOnly?: boolean
  /** Comes forward on narrow screens, where the rest is scrolled to: the smallest first. */
  narrowOrder?: number
  /** Its cell is the link, and stays in sight when the table is scrolled sideways. Default: the first column. */
  link?: boolean
  cell: (row: number) => ReactNode
}

export interface TableSort {
  key: string
  descending: boolean
}

export const ROW_HEIGHT = 34
export const HEADER_HEIGHT = 34

/** The columns of a narrow screen, the important ones first. */
export function narrowed(columns: readonly TableColumn[]): TableColumn[] {
  const order = ({ narrowOrder = Infinity }: TableColumn): number => narrowOrder
  return columns
    .filter(({ wideOnly }) => wideOnly !== true)
    .sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))))
}

export function linkedOf(columns: readonly TableColumn[]): TableColumn | undefined {
  return columns.find(({ link }) => link === true) ?? columns[0]
}
