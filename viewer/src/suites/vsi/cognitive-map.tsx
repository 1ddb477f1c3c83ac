/** The player's 10 × 10 map over the true one. */
import type { Cells } from '../../../../src/suites/vsi/events.ts'

const CELLS = 10
const SIZE = 36

interface CognitiveMapProps {
  map: Cells | null
  truth: Cells | null
  agreement: number | null
}

export function CognitiveMap({ map, truth, agreement }: CognitiveMapProps) {
  const names = [...new Set([...Object.keys(truth ?? {}), ...Object.keys(map ?? {})])]
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-3 sm:flex-row">
      <svg
        viewBox={`-1 -1 ${CELLS * SIZE + 2} ${CELLS * SIZE + 2}`}
        role="img"
        aria-label={describe(names, map, truth)}
        className="aspect-square min-h-0 max-w-full sm:h-full"
        fontSize={10}
      >
        <path d={lines()} className="stroke-line" strokeWidth={1} fill="none" />
        {names.map((name) => (
          <Marks key={name} name={name} believed={map?.[name] ?? []} truths={truth?.[name] ?? []} />
        ))}
      </svg>
      <div className="text-[13px]">
        <h3 className="font-medium">Predicted map</h3>
        {map === null && <p className="text-warn">The reply contains no readable map.</p>}
        {truth === null && <p className="text-quiet">Ground truth not available.</p>}
        {agreement !== null && (
          <p>
            <b className="font-medium tabular-nums">{Math.round(agreement * 100)}%</b>{' '}
            <span className="text-quiet">of distances agree within one cell</span>
          </p>
        )}
        <ul className="mt-2 flex flex-col gap-1 text-xs text-quiet" aria-hidden="true">
          <li className="flex items-center gap-2">
            <span className="size-3 rounded-[3px] bg-truth" /> ground truth
          </li>
          <li className="flex items-center gap-2">
            <span className="size-3 rounded-full border-2 border-belief" /> predicted
          </li>
        </ul>
      </div>
    </div>
  )
}

function lines(): string {
  return Array.from({ length: CELLS + 1 }, (_, i) => {
    const at = i * SIZE
    return `M${at},0V${CELLS * SIZE}M0,${at}H${CELLS * SIZE}`
  }).join('')
}

type Cell = readonly [number, number]

/** The y axis points up. */
function toPixels([x, y]: Cell): Cell {
  return [(Math.min(x, CELLS - 1) + 0.5) * SIZE, (CELLS - Math.min(y, CELLS - 1) - 0.5) * SIZE]
}

function Marks({ name, believed, truths }: { name: string; believed: readonly Cell[]; truths: readonly Cell[] }) {
  return (
    <g>
      {truths.map((cell, i) => {
        const [x, y] = toPixels(cell)
        return (
          <g key={i}>
            <rect x={x - 7} y={y - 7} width={14} height={14} rx={3} className="fill-truth" />
            <Name x={x} y={y + 16} name={name} />
          </g>
        )
      })}
      {believed.map((cell, i) => {
        const [x, y] = toPixels(cell)
        const near = nearest(cell, truths)
        const [tx, ty] = near ? toPixels(near) : [x, y]
        return (
          <g key={i} className="stroke-belief" fill="none">
            <line x1={x} y1={y} x2={tx} y2={ty} strokeWidth={1.5} strokeDasharray="4 3" />
            <circle cx={x} cy={y} r={11} strokeWidth={2.2} />
            {truths.length === 0 && <Name x={x} y={y + 21} name={name} />}
            <title>{`${name}: predicted at ${cell.join(', ')}`}</title>
          </g>
        )
      })}
    </g>
  )
}

function Name({ x, y, name }: { x: number; y: number; name: string }) {
  return (
    <text x={x} y={y} textAnchor="middle" className="fill-ink stroke-paper" strokeWidth={3} paintOrder="stroke">
      {name}
    </text>
  )
}

function nearest([x, y]: Cell, cells: readonly Cell[]): Cell | undefined {
  const far = (cell: Cell): number => Math.hypot(cell[0] - x, cell[1] - y)
  return cells.toSorted((a, b) => far(a) - far(b))[0]
}

function describe(names: readonly string[], map: Cells | null, truth: Cells | null): string {
  return `10 by 10 map. ${names
    .map((name) => {
      const predicted = (map?.[name] ?? []).map((cell) => cell.join(', ')).join(' and ') || 'nowhere'
      const actual = (truth?.[name] ?? []).map((cell) => cell.join(', ')).join(' and ') || 'unknown'
      return `${name}: predicted at ${predicted}, ground truth at ${actual}.`
    })
    .join(' ')}`
}
