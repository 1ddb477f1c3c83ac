/**
 * Draws a map: choose an object, then click its cell, or move there with the arrow keys and press Enter. The origin is
 * the start position; north is up.
 */
import { type KeyboardEvent, useState } from 'react'
import { button, primaryButton } from '../../ui/button.ts'
import { plural } from '../../ui/format.ts'

interface Placed {
  position: readonly [number, number]
  facing: Facing | null
}

const FACINGS = ['north', 'east', 'south', 'west'] as const
type Facing = (typeof FACINGS)[number]
const ARROWS: Readonly<Record<Facing, string>> = { north: '↑', east: '→', south: '↓', west: '←' }

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/** Cells on each side of the start; fits three rooms of six cells. */
const REACH = 14
const CELL = 20
const SIDE = (2 * REACH + 1) * CELL

export function MapEditor({ objects, onSend }: { objects: readonly string[]; onSend: (json: string) => void }) {
  const names = ['agent', ...objects]
  const [placed, setPlaced] = useState<ReadonlyMap<string, Placed>>(new Map())
  const [chosen, setChosen] = useState(names[0]!)
  const [facing, setFacing] = useState<Facing | null>(null)
  const place = (x: number, y: number): void => {
    setPlaced(new Map(placed).set(chosen, { position: [x, y], facing }))
    // Select the next unplaced object.
    const next = names.find((name) => name !== chosen && !placed.has(name))
    if (next !== undefined) setChosen(next)
  }
  const [cursor, setCursor] = useState<readonly [number, number] | null>(null)
  const press = (event: KeyboardEvent): void => {
    const [x, y] = cursor ?? [0, 0]
    const step = STEPS[event.key]
    if (step) setCursor([clamp(x + step[0]), clamp(y + step[1])])
    else if (event.key === 'Enter' || event.key === ' ') place(x, y)
    else return
    event.preventDefault()
  }
  const toCell = (event: React.MouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = Math.floor(((event.clientX - box.left) / box.width) * (2 * REACH + 1)) - REACH
    const y = REACH - Math.floor(((event.clientY - box.top) / box.height) * (2 * REACH + 1))
    place(x, y)
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-1.5">
        {names.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen}
            onClick={() => setChosen(name)}
            className={`${button} h-7 px-2 ${name === chosen ? 'border-accent text-accent' : ''} ${placed.has(name) ? 'opacity-60' : ''}`}
          >
            {name}
          </button>
        ))}
      </div>
      <label className="flex items-center gap-2 text-[13px]">
        Facing
        <select
          value={facing ?? ''}
          onChange={(event) => setFacing(FACINGS.find((known) => known === event.target.value) ?? null)}
          className="h-7 rounded-md border border-line bg-paper px-1"
        >
          <option value="">none</option>
          {FACINGS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <svg
        viewBox={`0 0 ${SIDE} ${SIDE}`}
        className="w-full cursor-crosshair rounded-md border border-line bg-ground"
        role="application"
        tabIndex={0}
        aria-label={`Map with ${plural(placed.size, 'object')} placed: click a cell for ${chosen}, or move with the arrow keys and press Enter`}
        onClick={toCell}
        onKeyDown={press}
        onBlur={() => setCursor(null)}
      >
        <path d={gridPath()} className="stroke-line" strokeWidth="0.5" />
        <circle cx={SIDE / 2} cy={SIDE / 2} r="4" className="fill-none stroke-accent" />
        {cursor && (
          <rect
            x={(cursor[0] + REACH) * CELL}
            y={(REACH - cursor[1]) * CELL}
            width={CELL}
            height={CELL}
            className="fill-accent-soft stroke-accent"
          />
        )}
        {[...placed].map(
          ([
            name,
            {
              position: [x, y],
              facing: towards,
            },
          ]) => (
            <g key={name} transform={`translate(${(x + REACH + 0.5) * CELL} ${(REACH - y + 0.5) * CELL})`}>
              <circle r="5" className="fill-belief" />
              <text y="-7" textAnchor="middle" fontSize="11" className="fill-ink">
                {name} {towards ? ARROWS[towards] : ''}
              </text>
            </g>
          ),
        )}
      </svg>
      <div className="flex gap-2">
        <button
          type="button"
          className={primaryButton}
          disabled={placed.size === 0}
          onClick={() => onSend(asJson(placed))}
        >
          Send map
        </button>
        <button type="button" className={button} onClick={() => setPlaced(new Map())}>
          Clear
        </button>
      </div>
    </div>
  )
}

function clamp(at: number): number {
  return Math.max(-REACH, Math.min(REACH, at))
}

function gridPath(): string {
  const lines: string[] = []
  for (let i = 0; i <= 2 * REACH + 1; i++) lines.push(`M${i * CELL} 0V${SIDE}M0 ${i * CELL}H${SIDE}`)
  return lines.join('')
}

function asJson(placed: ReadonlyMap<string, Placed>): string {
  return JSON.stringify(
    Object.fromEntries(
      [...placed].map(([name, { position, facing }]) => [name, { position, ...(facing ? { facing } : {}) }]),
    ),
    null,
    2,
  )
}
