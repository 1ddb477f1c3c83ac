import type { Scale } from './score.tsx'

/** Axis labels above a column of plots with a shared scale. */
export function ScaleAxis({ scale }: { scale: Scale }) {
  return (
    <span className="relative block h-4 font-normal" aria-hidden="true">
      {gridLines(scale).map((line) => (
        <span
          key={line}
          className="absolute -translate-x-1/2 tabular-nums"
          style={{ left: `${((line - scale.min) / (scale.max - scale.min)) * 100}%` }}
        >
          {formatPercent(line)}
        </span>
      ))}
    </span>
  )
}

/** Grid lines every 0.25 within the scale. */
export function gridLines({ min, max }: Scale): number[] {
  const lines: number[] = []
  for (let line = Math.ceil(min * 4) / 4; line <= max; line += 0.25) lines.push(line)
  return lines
}

function formatPercent(share: number): string {
  return String(Math.round(share * 100)).replace('-', '−')
}
