import { Icon } from '../icon.tsx'
import type { TableColumn, TableSort } from './column.ts'

interface HeaderCellProps {
  column: TableColumn
  sort: TableSort | null
  onSort: ((key: string) => void) | undefined
  sticky: boolean
}

export function HeaderCell({ column, sort, onSort, sticky }: HeaderCellProps) {
  const sorted = sort?.key === column.key ? sort : null
  const align = column.align === 'right' ? 'justify-end' : ''
  const stickyClass = sticky ? 'sticky left-0 z-10 bg-ground' : ''
  const direction = sorted?.descending ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      aria-sort={sorted ? direction : undefined}
      className={`flex min-w-0 items-center px-3 ${align} ${stickyClass}`}
    >
      {column.sortable === false || !onSort ? (
        <span className={column.headerHidden ? 'sr-only' : 'truncate'}>{column.title}</span>
      ) : (
        <button
          type="button"
          onClick={() => onSort(column.key)}
          className={`-mx-1 inline-flex min-w-0 items-center gap-1 rounded px-1 hover:text-ink ${sorted ? 'text-ink' : ''}`}
        >
          <span className="truncate">{column.title}</span>
          <SortMark sorted={sorted} />
        </button>
      )}
    </div>
  )
}

function SortMark({ sorted }: { sorted: TableSort | null }) {
  if (!sorted) return <Icon name="sort" className="size-3 opacity-40" />
  return <Icon name={sorted.descending ? 'chevronDown' : 'chevronUp'} className="size-3" />
}
