/** Text to look for. What is typed is told after a moment of rest, and at once with Enter. */
import { type Ref, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'

interface SearchFieldProps {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
  /** Milliseconds of rest before `onChange`. Default: at once. */
  wait?: number
  className?: string
  ref?: Ref<HTMLInputElement>
}

export function SearchField({ label, placeholder, value, onChange, wait = 0, className = '', ref }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    // Somebody else changed it: another address was opened, filters were cleared.
    if (value !== told.current) setTyped(value)
    told.current = value
  }, [value])
  const tell = (text: string): void => {
    if (text === told.current) return
    told.current = text
    onChange(text)
  }
  useEffect(() => {
    if (typed === told.current) return
    if (wait === 0) return tell(typed)
    const timer = setTimeout(() => tell(typed), wait)
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
          if (event.key === 'Enter') tell(typed)
          if (event.key === 'Escape') {
            setTyped('')
            tell('')
            event.currentTarget.blur()
          }
        }}
        className="h-8 w-full min-w-0 rounded-md border border-line bg-paper pr-2 pl-8 text-[13px] placeholder:text-quiet"
      />
    </label>
  )
}
