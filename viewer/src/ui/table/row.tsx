import { memo, type MouseEvent } from 'react'
import { Link } from 'wouter'
import { linkColumn, ROW_HEIGHT, type TableColumn } from './column.ts'

interface RowProps {
  at: number
  row: number
  columns: readonly TableColumn[]
  template: string
  href: (row: number) => string
  current: boolean
  tabbable: boolean
  version: unknown
  onFocus: (at: number) => void
}

/** Re-rendered only when the row or its appearance changes. */
export const Row = memo(
  function Row({ at, row, columns, template, href, current, tabbable, onFocus }: RowProps) {
    const linked = linkColumn(columns)
    return (
      <div
        role="row"
        aria-rowindex={at + 2}
        onClick={openRow}
        className={`relative grid cursor-pointer items-center border-b border-line/60 ${current ? 'bg-accent-soft' : 'bg-paper hover:bg-ground'}`}
        style={{ gridTemplateColumns: template, height: ROW_HEIGHT }}
      >
        {columns.map((column) => {
          const content = column.cell(row)
          return (
            <div
              key={column.key}
              role="cell"
              // Truncated text is readable on hover.
              title={typeof content === 'string' ? content : undefined}
              className={`min-w-0 truncate px-3 ${column.align === 'right' ? 'text-right tabular-nums' : ''} ${column === linked ? STICKY : ''}`}
            >
              {column === linked ? (
                <Link
                  href={href(row)}
                  tabIndex={tabbable ? 0 : -1}
                  onFocus={() => onFocus(at)}
                  className="block truncate font-medium outline-offset-[-2px]"
                >
                  {content}
                </Link>
              ) : (
                content
              )}
            </div>
          )
        })}
      </div>
    )
  },
  (before, after) =>
    before.row === after.row &&
    before.at === after.at &&
    before.version === after.version &&
    before.current === after.current &&
    before.tabbable === after.tabbable &&
    before.template === after.template,
)

/** Forwards a click on the row to its link, including modifier keys. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input, label')) return
  const how = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', how))
}

const STICKY = 'sticky left-0 z-10 bg-inherit'
