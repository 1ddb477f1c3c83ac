/** A progress bar. */
interface ProgressProps {
  value: number
  of: number
  label: string
  /** Animates the bar. */
  active?: boolean
}

export function Progress({ value, of, label, active: moving = false }: ProgressProps) {
  const share = of === 0 ? 0 : Math.min(1, value / of)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={value}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full origin-left rounded-full bg-accent transition-transform duration-500 ${moving ? 'glide' : ''}`}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  )
}
