/** A search field. Input is reported after a delay, or immediately with Enter. */
import { type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

interface SearchFieldProps {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  /** Delay before `onChange`. Default: 0. */
  delayMs?: number
  className?: string
  ref?: Ref<HTMLInputElement>
}

export function SearchField({
  label,
  placeholder,
  value,
  onChange,
  delayMs: wait = 0,
  className = '',
  ref,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)
  useEffect(() => {
    // Changed from outside, for example by navigation or by clearing the filters.
    if (value !== reported.current) setTyped(value)
    reported.current = value
  }, [value])
  const report = (text: string): void => {
    if (text === reported.current) return
    reported.current = text
    onChange(text)
  }
  useEffect(() => {
    if (typed === reported.current) return
    if (wait === 0) return report(typed)
    const timer = setTimeout(() => report(typed), wait)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <label className={`relative inline-flex items-center ${className}`}>
      <span className="sr-only">{label}</span>
      <Icon name="search" className="pointer-events-none absolute left-2.5 size-3.5 text-quiet" />
      <input
        ref={ref}
        type="search"
        value={typed}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') report(typed)
          if (event.key === 'Escape') {
            setTyped('')
            report('')
            event.currentTarget.blur()
          }
        }}
        className="h-8 w-full min-w-0 rounded-md border border-line bg-paper pr-2 pl-8 text-[13px] placeholder:text-quiet"
      />
    </label>
  )
}
