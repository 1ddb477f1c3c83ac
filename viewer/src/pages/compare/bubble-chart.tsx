/** Score of A against score of B for every pair: A is better below the diagonal, B above it. */
import type { CompareDetail } from '../../../../src/server/api.ts'
import { formatCount, formatValue } from '../../ui/format.ts'
import type { BubbleChart as Chart } from './pairs.ts'

const SIZE = 240
const LEFT = 34
const BOTTOM = 30
const EDGE = 14
const LARGEST = 13
const SMALLEST = 2

export function BubbleChart({ chart, detail }: { chart: Chart; detail: CompareDetail }) {
  const { min, max, bubbles, most } = chart
  const at = (value: number): number => ((value - min) / (max - min)) * SIZE
  const x = (value: number): number => LEFT + EDGE + at(value)
  const y = (value: number): number => EDGE + SIZE - at(value)
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => min + share * (max - min))
  const text = (value: number): string =>
    detail.unit === 'percent' ? String(Math.round(value * 100)) : String(Number(value.toPrecision(2)))
  const bottom = EDGE * 2 + SIZE
  return (
    <svg
      viewBox={`0 0 ${LEFT + EDGE * 2 + SIZE} ${bottom + BOTTOM}`}
      className="mx-auto block w-full max-w-80 text-[10px]"
      role="img"
      aria-label={`Scores of A vs. B, ${formatCount(bubbles.reduce((sum, { count }) => sum + count, 0))} pairs`}
    >
      {ticks.map((tick) => (
        <g key={tick} className="fill-quiet">
          <line x1={x(tick)} x2={x(tick)} y1={EDGE} y2={EDGE + SIZE} className="stroke-line" />
          <line x1={LEFT + EDGE} x2={LEFT + EDGE + SIZE} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={x(tick)} y={bottom + 2} textAnchor="middle">
            {text(tick)}
          </text>
          <text x={LEFT - 2} y={y(tick) + 3.5} textAnchor="end">
            {text(tick)}
          </text>
        </g>
      ))}
      <line x1={x(min)} y1={y(min)} x2={x(max)} y2={y(max)} className="stroke-quiet" strokeDasharray="4 3" />
      {bubbles.map(({ a, b, count }) => (
        <circle
          key={`${a} ${b}`}
          cx={x(a)}
          cy={y(b)}
          r={Math.max(SMALLEST, LARGEST * Math.sqrt(count / most))}
          fillOpacity="0.55"
          className={bubbleColor(a, b, detail.better)}
        >
          <title>{`A ${formatValue(a, detail.unit)}, B ${formatValue(b, detail.unit)}: ${formatCount(count)}`}</title>
        </circle>
      ))}
      <text x={LEFT + EDGE + SIZE / 2} y={bottom + 20} textAnchor="middle" className="fill-first font-medium">
        A
      </text>
      <text x={8} y={EDGE + SIZE / 2} textAnchor="middle" className="fill-second font-medium">
        B
      </text>
    </svg>
  )
}

function bubbleColor(a: number, b: number, better: CompareDetail['better']): string {
  if (a === b) return 'fill-quiet'
  return b > a === (better === 'higher') ? 'fill-second' : 'fill-first'
}
