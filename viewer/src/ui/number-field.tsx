/** A labeled field for a whole number. */
interface NumberProps {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
  disabled?: boolean
}

export function NumberField({ label, value, min, max, onChange, disabled = false }: NumberProps) {
  return (
    <label className="flex flex-col gap-1 text-[13px]">
      {label}
      <input
        type="number"
        value={value}
        min={min}
        max={max}
        disabled={disabled}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-8 w-28 rounded-md border border-line bg-paper px-2 disabled:opacity-50"
      />
    </label>
  )
}
