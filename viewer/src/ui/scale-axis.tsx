import type { Scale } from './score.tsx'

/** Numbers over a column of plots that share a scale. */
export function ScaleAxis({ scale }: { scale: Scale }) {
  return (
    <span className="relative block h-4 font-normal" aria-hidden="true">
      {linesOf(scale).map((line) => (
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

/** Every quarter of the scale's usual length, as far as it goes. */
export function linesOf({ min, max }: Scale): number[] {
  const lines: number[] = []
  for (let line = Math.ceil(min * 4) / 4; line <= max; line += 0.25) lines.push(line)
  return lines
}

function formatPercent(share: number): string {
  return String(Math.round(share * 100)).replace('-', '−')
}
