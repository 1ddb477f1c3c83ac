/**
 * A table of any length. Only the rows in sight are in the page, and they are drawn inside a window that stands still
 * while the scroll bar moves: however fast one scrolls, there are always rows to see, never an empty area.
 *
 * Rows are links. One of them takes part in the order of the Tab key; j/k or arrows move it.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, useLocation } from 'wouter'
import { useKeys } from '../app/keys.ts'
import { formatCount } from './format.ts'
import { Icon } from './icon.tsx'

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

interface VirtualTableProps {
  label: string
  columns: readonly TableColumn[]
  /** What `cell` and `href` are asked for, in the order of the table. */
  rows: ArrayLike<number>
  href: (row: number) => string
  sort?: TableSort | null
  onSort?: (key: string) => void
  /** Anything that changes when rows look different although their numbers are the same. */
  version?: unknown
  /** Another order or another filter starts at the top; coming back to the page, or rows that come in, do not. */
  order?: string
  /** Where the scroll position is kept while one looks at something else. */
  remember?: string
  /** What the rows are, in the help: `episode`. */
  noun: string
}

export const ROW_HEIGHT = 34
const HEADER_HEIGHT = 34
const OVERSCAN = 4
/** A telephone. */
const NARROW = '(width < 40rem)'

export function VirtualTable(props: VirtualTableProps) {
  const { label, columns, rows, href, sort = null, onSort, version, order, remember, noun } = props
  const scroller = useRef<HTMLDivElement>(null)
  const narrow = useMedia(NARROW)
  const kept = useRef(recall(remember))
  const [active, setActive] = useState(kept.current.active)
  const [, goTo] = useLocation()
  const shown = narrow ? narrowed(columns) : columns
  const linked = linkedOf(shown)
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
    initialOffset: kept.current.top,
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
    keep(remember, { top: offset, active })
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
  useKeys(label, [
    { keys: ['j', 'ArrowDown'], title: `Next ${noun}`, run: () => move(active + 1) },
    { keys: ['k', 'ArrowUp'], title: `Previous ${noun}`, run: () => move(active - 1) },
    { keys: ['PageDown'], title: 'A page down', run: () => move(Math.max(0, active) + page) },
    { keys: ['PageUp'], title: 'A page up', run: () => move(active - page) },
    { keys: ['Home'], title: `First ${noun}`, run: () => move(0) },
    { keys: ['End'], title: `Last ${noun}`, run: () => move(rows.length - 1) },
    { keys: ['Enter'], title: `Open the ${noun}`, run: () => active >= 0 && goTo(href(rows[active]!)) },
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

const Row = memo(
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
        {columns.map((column) => (
          <div
            key={column.key}
            role="cell"
            title={titleOf(column, row)}
            className={`min-w-0 truncate px-3 ${column.align === 'right' ? 'text-right tabular-nums' : ''} ${column === linked ? STICKY : ''}`}
          >
            {column === linked ? (
              <Link
                href={href(row)}
                tabIndex={tabbable ? 0 : -1}
                onFocus={() => onFocus(at)}
                className="block truncate font-medium outline-offset-[-2px]"
              >
                {column.cell(row)}
              </Link>
            ) : (
              column.cell(row)
            )}
          </div>
        ))}
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

function narrowed(columns: readonly TableColumn[]): TableColumn[] {
  const order = ({ narrowOrder = Infinity }: TableColumn): number => narrowOrder
  return columns
    .filter(({ wideOnly }) => wideOnly !== true)
    .sort((a, b) => (order(a) < order(b) ? -1 : Number(order(a) > order(b))))
}

function linkedOf(columns: readonly TableColumn[]): TableColumn | undefined {
  return columns.find(({ link }) => link === true) ?? columns[0]
}

/** What may be cut off can be read when the mouse rests on it. */
function titleOf({ cell }: TableColumn, row: number): string | undefined {
  const content = cell(row)
  return typeof content === 'string' ? content : undefined
}

/** A click anywhere in the row is a click on its link, with the keys that open it elsewhere. */
function openRow({ target, currentTarget, ctrlKey, metaKey, shiftKey }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input, label')) return
  const how = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
  currentTarget.querySelector('a')?.dispatchEvent(new window.MouseEvent('click', how))
}

/** Stays in sight when the table is scrolled sideways. */
const STICKY = 'sticky left-0 z-10 bg-inherit'

interface HeaderCellProps {
  column: TableColumn
  sort: TableSort | null
  onSort: ((key: string) => void) | undefined
  sticky: boolean
}

function HeaderCell({ column, sort, onSort, sticky }: HeaderCellProps) {
  const sorted = sort?.key === column.key ? sort : null
  const align = column.align === 'right' ? 'justify-end' : ''
  const place = sticky ? 'sticky left-0 z-10 bg-ground' : ''
  const direction = sorted?.descending ? 'descending' : 'ascending'
  return (
    <div
      role="columnheader"
      aria-sort={sorted ? direction : undefined}
      className={`flex min-w-0 items-center px-3 ${align} ${place}`}
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

export function SortMark({ sorted }: { sorted: TableSort | null }) {
  if (!sorted) return <Icon name="sort" className="size-3 opacity-40" />
  return <Icon name={sorted.descending ? 'chevronDown' : 'chevronUp'} className="size-3" />
}

/** `1,204 of 100,000 episodes` */
export function RowCount({ shown, all, noun }: { shown: number; all: number; noun: string }) {
  const plural = all === 1 ? noun : `${noun}s`
  return (
    <span role="status" className="text-[13px] text-quiet tabular-nums">
      {shown === all ? `${formatCount(all)} ${plural}` : `${formatCount(shown)} of ${formatCount(all)} ${plural}`}
    </span>
  )
}

/** Without scroll bars. */
function useClientHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current!
    const measure = (): void => setHeight(measured.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return height
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = (): void => setMatches(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [query])
  return matches
}

interface Place {
  top: number
  active: number
}

/** For as long as the page is open: a link that was sent starts at the top. */
const places = new Map<string, Place>()

function recall(name: string | undefined): Place {
  return (name === undefined ? undefined : places.get(name)) ?? { top: 0, active: -1 }
}

function keep(name: string, place: Place): void {
  places.set(name, place)
}
