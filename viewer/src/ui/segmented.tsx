/** A segmented control. Arrow keys move the selection, as in any radio group. */
import { type KeyboardEvent, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface SegmentedOption<T extends string> {
  value: T
  title: string
  icon?: IconName
}

interface SegmentedProps<T extends string> {
  /** Label for screen readers. */
  label: string
  value: T
  options: readonly SegmentedOption<T>[]
  onChange: (value: T) => void
  iconsOnly?: boolean
}

export function Segmented<T extends string>({ label, value, options, onChange, iconsOnly = false }: SegmentedProps<T>) {
  const group = useRef<HTMLDivElement>(null)
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = options.findIndex((option) => option.value === value)
    const next = (at + step + options.length) % options.length
    onChange(options[next]!.value)
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={onKey}
      className="inline-flex rounded-md border border-line bg-ground p-0.5"
    >
      {options.map((option) => {
        const chosen = option.value === value
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={chosen}
            aria-label={iconsOnly ? option.title : undefined}
            title={iconsOnly ? option.title : undefined}
            tabIndex={chosen ? 0 : -1}
            onClick={() => onChange(option.value)}
            className={`inline-flex h-6 items-center justify-center gap-1.5 rounded text-[13px] whitespace-nowrap ${iconsOnly ? 'w-7' : 'px-2.5'} ${chosen ? 'bg-paper font-medium text-ink shadow-sm' : 'text-quiet hover:text-ink'}`}
          >
            {option.icon && <Icon name={option.icon} className="size-3.5" />}
            {!iconsOnly && option.title}
          </button>
        )
      })}
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
