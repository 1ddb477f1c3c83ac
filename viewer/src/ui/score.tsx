/** A score with its confidence interval and reference levels. */
import { formatInterval, formatValue, type NumberUnit } from './format.ts'

export interface ScoreValue {
  value: number | null
  interval: readonly [number, number] | null
  unit: NumberUnit
  chance?: number | null | undefined
  constant?: number | null | undefined
  ceiling?: number | null | undefined
}

interface ScoreProps extends ScoreValue {
  size?: 'normal' | 'large'
  /** Leave the interval out on narrow screens. */
  wideInterval?: boolean
}

/** `62.1` followed by `58.0–66.3`. */
export function Score({ value, interval, unit, size = 'normal', wideInterval = false }: ScoreProps) {
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap tabular-nums">
      <span className={size === 'large' ? 'text-3xl font-semibold tracking-tight' : 'font-semibold'}>
        {formatValue(value, unit)}
      </span>
      {value !== null && interval !== null && (
        <span className={wideInterval ? 'max-sm:hidden' : ''}>
          <IntervalText interval={interval} unit={unit} />
        </span>
      )}
    </span>
  )
}

export function IntervalText({ interval, unit }: { interval: readonly [number, number]; unit: NumberUnit }) {
  return (
    <span className="text-xs text-quiet tabular-nums" title="95% confidence interval">
      <span className="sr-only">95% confidence interval </span>
      {formatInterval(interval, unit)}
    </span>
  )
}

export interface Scale {
  min: number
  max: number
}

/** Default scale, extended for values outside it (chance-corrected scores can be negative). */
export const SHARE_SCALE: Scale = { min: 0, max: 1 }

/** A scale that covers all scores, at least from 0 to 1. */
export function shareScale(scores: readonly ScoreValue[]): Scale {
  let { min, max } = SHARE_SCALE
  for (const { value, interval } of scores) {
    for (const end of [value, ...(interval ?? [])]) {
      if (end === null) continue
      min = Math.min(min, Math.floor(end * 10) / 10)
      max = Math.max(max, Math.ceil(end * 10) / 10)
    }
  }
  return { min, max }
}

interface PlotProps {
  score: ScoreValue
  scale?: Scale
  /** Values of grid lines behind the plot. */
  grid?: readonly number[]
  /** Text color class; default: accent. */
  className?: string
  height?: number
}

/**
 * The value as a dot, the confidence interval as a line, chance as a dashed tick, the best constant answer as a solid
 * tick, and the range above the ceiling as a gray bar. Decorative: the numbers next to it say the same.
 */
export function ScorePlot({
  score,
  scale = SHARE_SCALE,
  grid = [],
  className = 'text-accent',
  height = 20,
}: PlotProps) {
  const { value, interval, chance, constant, ceiling } = score
  const at = (number: number): string => `${Math.min(100, Math.max(0, position(number, scale)))}%`
  const middle = height / 2
  return (
    <svg aria-hidden="true" className={`block w-full overflow-visible ${className}`} height={height}>
      {grid.map((line) => (
        <line
          key={line}
          x1={at(line)}
          x2={at(line)}
          y1={-60}
          y2={height + 60}
          className="stroke-line"
          strokeWidth="1"
        />
      ))}
      <line x1="0" x2="100%" y1={middle} y2={middle} className="stroke-line" strokeWidth="1" />
      {isNumber(ceiling) && ceiling < scale.max && (
        <rect
          x={at(ceiling)}
          y={middle - 3}
          width={`${100 - position(ceiling, scale)}%`}
          height="6"
          className="fill-line"
        />
      )}
      {isNumber(constant) && (
        <line
          x1={at(constant)}
          x2={at(constant)}
          y1={middle - 5}
          y2={middle + 5}
          className="stroke-warn"
          strokeWidth="1.5"
        />
      )}
      {isNumber(chance) && (
        <line
          x1={at(chance)}
          x2={at(chance)}
          y1={middle - 7}
          y2={middle + 7}
          className="stroke-quiet"
          strokeWidth="1.5"
          strokeDasharray="2.5 2"
        />
      )}
      {value !== null && interval !== null && (
        <line
          x1={at(interval[0])}
          x2={at(interval[1])}
          y1={middle}
          y2={middle}
          stroke="currentColor"
          strokeWidth="3"
          strokeOpacity="0.55"
          strokeLinecap="round"
        />
      )}
      {value !== null && (
        <circle cx={at(value)} cy={middle} r="4" fill="currentColor" className="stroke-paper" strokeWidth="1.5" />
      )}
    </svg>
  )
}

function position(value: number, { min, max }: Scale): number {
  return ((value - min) / (max - min)) * 100
}

export function isNumber(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && Number.isFinite(value)
}
