/** A menu of values to filter by, with counts. */
import { Popover } from 'radix-ui'
import { useMemo, useState } from 'react'
import { formatCount, humanize } from './format.ts'
import { Icon } from './icon.tsx'
import { PopoverPanel } from './popover.tsx'

export interface FilterValue {
  value: string
  count?: number
  /** Default: the value itself. */
  title?: string
}

interface FilterMenuProps {
  label: string
  /** A function is called when the menu opens, for values that are slow to count. */
  values: readonly FilterValue[] | (() => readonly FilterValue[])
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Lists of at least this length get a search field. */
const MIN_SEARCHABLE = 10
const MAX_LISTED = 200

export function FilterMenu({ label, values, chosen, onChange }: FilterMenuProps) {
  return (
    <Popover.Root>
      <Popover.Trigger className={filterButton(chosen.length > 0)}>
        {label}
        {chosen.length > 0 && (
          <span className="max-w-36 truncate font-semibold">
            {chosen.length === 1 ? humanize(titleOf(listOf(values), chosen[0]!)) : formatCount(chosen.length)}
          </span>
        )}
        <Icon name="chevronDown" className="size-3" />
      </Popover.Trigger>
      <PopoverPanel label={label}>
        <Choices label={label} values={values} chosen={chosen} onChange={onChange} />
      </PopoverPanel>
    </Popover.Root>
  )
}

/** Mounted only while the menu is open. */
function Choices({ label, values, chosen, onChange }: FilterMenuProps) {
  const [text, setText] = useState('')
  const list = useMemo(() => listOf(values), [values])
  const wanted = humanize(text.toLowerCase())
  const found = list.filter(({ value, title }) =>
    humanize(title ?? value)
      .toLowerCase()
      .includes(wanted),
  )
  const toggle = (value: string): void =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <>
      {list.length >= MIN_SEARCHABLE && (
        <input
          type="search"
          aria-label={`Search ${label}`}
          placeholder="Search…"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-1 h-8 w-full shrink-0 rounded border border-line bg-paper px-2 text-[13px] placeholder:text-quiet"
        />
      )}
      <ul className="min-h-0 overflow-y-auto">
        {found.slice(0, MAX_LISTED).map(({ value, title, count }) => (
          <li key={value}>
            <label className="flex cursor-pointer items-center gap-2 rounded px-2 py-1 hover:bg-ground">
              <input
                type="checkbox"
                className="size-3.5 shrink-0 accent-accent"
                checked={chosen.includes(value)}
                onChange={() => toggle(value)}
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{humanize(title ?? value)}</span>
              {count !== undefined && <span className="text-xs text-quiet tabular-nums">{formatCount(count)}</span>}
            </label>
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-1 text-quiet">No matches</li>}
        {found.length > MAX_LISTED && (
          <li className="px-2 py-1 text-xs text-quiet">
            {formatCount(found.length - MAX_LISTED)} more; search to narrow down
          </li>
        )}
      </ul>
      {chosen.length > 0 && (
        <button
          type="button"
          className="mt-1 shrink-0 rounded border-t border-line px-2 py-1.5 text-left text-[13px] text-accent hover:underline"
          onClick={() => onChange([])}
        >
          Show all
        </button>
      )}
    </>
  )
}

function listOf(values: FilterMenuProps['values']): readonly FilterValue[] {
  return typeof values === 'function' ? values() : values
}

export function filterButton(active: boolean): string {
  const look = active
    ? 'border-accent/60 bg-accent-soft text-accent'
    : 'border-line bg-paper text-ink hover:border-quiet/50'
  return `inline-flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-[13px] whitespace-nowrap ${look}`
}

function titleOf(values: readonly FilterValue[], value: string): string {
  return values.find((each) => each.value === value)?.title ?? value
}
