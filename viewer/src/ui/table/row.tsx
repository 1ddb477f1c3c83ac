import { memo, type MouseEvent } from 'react'
import { Link } from 'wouter'
import { linkedOf, ROW_HEIGHT, type TableColumn } from './column.ts'

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

/** Drawn again only when it is another row, or looks different. */
export const Row = memo(
  function Row({ at, row, columns, template, href, current, tabbable, onFocus }: RowProps) {
    const linked = linkedOf(columns)
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
              // What is cut off can be read when the mouse rests on it.
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

/** A click anywhere in the row is a click on its link, with the keys that open it elsewhere. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input, label')) return
  const how = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', how))
}

/** Stays in sight when the table is scrolled sideways. */
const STICKY = 'sticky left-0 z-10 bg-inherit'
