/**
 * A virtualized table of any length. Visible rows render inside a sticky viewport, so even fast scrolling never shows an
 * empty area.
 *
 * Rows are links. One row is in the tab order; j/k or the arrow keys move it.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from '../keys.ts'
import { useClientHeight, useMediaQuery } from '../measure.ts'
import { HEADER_HEIGHT, linkColumn, narrowColumns, ROW_HEIGHT, type TableColumn, type TableSort } from './column.ts'
import { HeaderCell } from './header.tsx'
import { savePosition, restorePosition } from './position.ts'
import { Row } from './row.tsx'

interface VirtualTableProps {
  label: string
  columns: readonly TableColumn[]
  /** Row numbers passed to `cell` and `href`, in display order. */
  rows: ArrayLike<number>
  href: (row: number) => string
  sort?: TableSort | null
  onSort?: (key: string) => void
  /** Changes when rows look different although their numbers are the same. */
  version?: unknown
  /** A change scrolls to the top. */
  order?: string
  /** Key under which to remember the scroll position. */
  remember?: string
  /** Name of a row in the keyboard help: `episode`. */
  noun: string
  /** Arrow keys work anywhere on the page, not only when a row has focus. */
  ownsKeys?: boolean
}

const OVERSCAN = 4
const NARROW = '(width < 40rem)'

export function VirtualTable(props: VirtualTableProps) {
  const { label, columns, rows, href, sort = null, onSort, version, order, remember, noun, ownsKeys = false } = props
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery(NARROW)
  const position = useRef(restorePosition(remember))
  const [active, setActive] = useState(position.current.active)
  const [, goTo] = useLocation()
  const shown = narrow ? narrowColumns(columns) : columns
  const linked = linkColumn(shown)
  const template = shown
    .map(({ width, grow }) => (grow === undefined ? `${width}rem` : `minmax(${width}rem, ${grow}fr)`))
    .join(' ')
  const minWidth = `${shown.reduce((sum, { width }) => sum + width, 0)}rem`
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: HEADER_HEIGHT,
    scrollPaddingStart: HEADER_HEIGHT,
    initialOffset: position.current.top,
  })
  const viewHeight = useClientHeight(scroller) - HEADER_HEIGHT
  const items = virtual.getVirtualItems()
  const offset = virtual.scrollOffset ?? 0

  const orderBefore = useRef(order)
  useLayoutEffect(() => {
    if (orderBefore.current === order) return
    orderBefore.current = order
    setActive(-1)
    virtual.scrollToOffset(0)
  }, [order, virtual])
  useEffect(() => {
    if (remember === undefined) return
    savePosition(remember, { top: offset, active })
  }, [remember, offset, active])

  const wantsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    const link = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"] a`)
    if (!link) return
    wantsFocus.current = false
    link.focus({ preventScroll: true })
  })
  const move = (to: number): void => {
    if (rows.length === 0) return
    const next = Math.max(0, Math.min(rows.length - 1, to))
    wantsFocus.current = true
    setActive(next)
    virtual.scrollToIndex(next, { align: 'auto' })
  }
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / ROW_HEIGHT) - 2)
  const when = ({ target }: KeyboardEvent): boolean =>
    ownsKeys || (target instanceof Node && scroller.current?.contains(target) === true)
  useKeys(label, [
    { keys: ['j'], title: `Next ${noun}`, run: () => move(active + 1) },
    { keys: ['k'], title: `Previous ${noun}`, run: () => move(active - 1) },
    { keys: ['ArrowDown'], title: `Next ${noun}`, run: () => move(active + 1), when },
    { keys: ['ArrowUp'], title: `Previous ${noun}`, run: () => move(active - 1), when },
    { keys: ['PageDown'], title: 'Page down', run: () => move(Math.max(0, active) + page), when },
    { keys: ['PageUp'], title: 'Page up', run: () => move(active - page), when },
    { keys: ['Home'], title: `First ${noun}`, run: () => move(0), when },
    { keys: ['End'], title: `Last ${noun}`, run: () => move(rows.length - 1), when },
    { keys: ['Enter'], title: `Open ${noun}`, run: () => active >= 0 && goTo(href(rows[active]!)) },
  ])

  const first = items[0]
  const height = rows.length * ROW_HEIGHT
  return (
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length}
      className="relative overflow-auto [contain:content] rounded-lg border border-line bg-paper text-[13px]"
      style={{ height: `min(${height + HEADER_HEIGHT + 2}px, var(--table-height, 70dvh))` }}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="sticky top-0 z-20 grid border-b border-line bg-ground text-xs font-medium text-quiet"
        style={{ gridTemplateColumns: template, height: HEADER_HEIGHT, minWidth }}
      >
        {shown.map((column) => (
          <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} sticky={column === linked} />
        ))}
      </div>
      <div role="rowgroup" className="relative" style={{ height, minWidth }}>
        <div
          role="presentation"
          className="sticky overflow-clip"
          style={{ top: HEADER_HEIGHT, height: Math.min(height, viewHeight) }}
        >
          <div
            role="presentation"
            style={{ transform: `translateY(${first ? first.start - HEADER_HEIGHT - offset : 0}px)` }}
          >
            {items.map((item) => (
              <Row
                key={item.key}
                at={item.index}
                row={rows[item.index]!}
                columns={shown}
                template={template}
                href={href}
                current={item.index === active}
                tabbable={item.index === Math.max(0, active)}
                version={version}
                onFocus={setActive}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}
