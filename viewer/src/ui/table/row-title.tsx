import type { ReactNode } from 'react'

interface RowTitleProps {
  title: string
  better: 'higher' | 'lower'
  /** The headline row. */
  main: boolean
  children?: ReactNode
}

/** Keeps the first column in view while a table scrolls sideways on a narrow screen. */
export const stickyColumn = 'max-sm:sticky max-sm:left-0 max-sm:z-10 max-sm:max-w-44 max-sm:bg-paper'

/** Header cell of a score row, with a mark if lower is better. */
export function RowTitle({ title, better, main, children }: RowTitleProps) {
  return (
    <th
      scope="row"
      className={`min-w-36 px-4 py-1.5 text-left ${stickyColumn} ${main ? 'font-semibold' : 'font-normal'}`}
    >
      <span className="[overflow-wrap:anywhere]">{title}</span>
      {better === 'lower' && (
        <span className="ml-1 text-quiet" title="Lower is better">
          ↓<span className="sr-only"> lower is better</span>
        </span>
      )}
      {children}
    </th>
  )
}
