/** A native select, which works with every keyboard, screen reader and phone. */
import { Icon } from './icon.tsx'

interface SelectProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; title: string }[]
  onChange: (value: T) => void
  /** Show the label to screen readers only. */
  hideLabel?: boolean
  className?: string
}

export function Select<T extends string>({
  label,
  value,
  options,
  onChange,
  hideLabel,
  className = '',
}: SelectProps<T>) {
  return (
    <label className={`inline-flex min-w-0 items-center gap-2 text-[13px] ${className}`}>
      <span className={hideLabel ? 'sr-only' : 'shrink-0 text-quiet'}>{label}</span>
      <span className="relative inline-flex min-w-0">
        <select
          value={value}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value)
            if (chosen) onChange(chosen.value)
          }}
          className="h-8 max-w-full min-w-0 appearance-none truncate rounded-md border border-line bg-paper pr-7 pl-2.5 text-[13px] hover:border-quiet/50"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" className="pointer-events-none absolute top-2.5 right-2 size-3 text-quiet" />
      </span>
    </label>
  )
}
