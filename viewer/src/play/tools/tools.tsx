/** Paper and pencil for people who play with tools: notes, a sketch on squared paper, and a calculator. */
import { type PointerEvent, useRef, useState } from 'react'
import { button } from '../../ui/button.ts'
import { Section } from '../controls/parts.tsx'
import { calculate } from './calculate.ts'

/** Ends the names of people who play with tools, so that they have a row of their own in reports. */
const TOOLS_SUFFIX = '.tools'

export function withTools(name: string): string {
  return name.endsWith(TOOLS_SUFFIX) ? name : name + TOOLS_SUFFIX
}

export function hasTools(name: string): boolean {
  return name.endsWith(TOOLS_SUFFIX)
}

/** They stay while a sample is played: give it a key. */
export function Tools() {
  return (
    <Section title="Tools">
      <textarea
        aria-label="Notes"
        placeholder="Notes"
        rows={4}
        className="w-full rounded-md border border-line bg-paper p-2 text-[13px]"
      />
      <Calculator />
      <Sketch />
    </Section>
  )
}

function Calculator() {
  const [text, setText] = useState('')
  const value = calculate(text)
  return (
    <label className="flex items-center gap-2 text-[13px]">
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label="Calculator"
        placeholder="sqrt(3^2 + 4^2)"
        autoComplete="off"
        className="h-8 min-w-0 flex-1 rounded-md border border-line bg-paper px-2 font-mono"
      />
      <output className="min-w-12 text-right font-mono">
        {value === null ? '' : `= ${Number(value.toPrecision(8))}`}
      </output>
    </label>
  )
}

type Point = readonly [x: number, y: number]
/** Side of the paper and of its squares, in drawing units. */
const PAPER = 320
const SQUARE = 16

function Sketch() {
  const [strokes, setStrokes] = useState<readonly (readonly Point[])[]>([])
  const isDrawing = useRef(false)
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): Point => {
    const box = currentTarget.getBoundingClientRect()
    return [((clientX - box.left) / box.width) * PAPER, ((clientY - box.top) / box.height) * PAPER]
  }
  const lines = Array.from({ length: PAPER / SQUARE - 1 }, (_, i) => (i + 1) * SQUARE)
  return (
    <div className="flex flex-col gap-2">
      <svg
        viewBox={`0 0 ${PAPER} ${PAPER}`}
        role="img"
        aria-label="Sketch"
        className="w-full touch-none rounded-md border border-line bg-paper"
        onPointerDown={(event) => {
          isDrawing.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
          setStrokes([...strokes, [pointOf(event)]])
        }}
        onPointerMove={(event) => {
          if (!isDrawing.current) return
          const point = pointOf(event)
          setStrokes((before) => [...before.slice(0, -1), [...(before.at(-1) ?? []), point]])
        }}
        onPointerUp={() => (isDrawing.current = false)}
      >
        {lines.map((at) => (
          <path key={at} d={`M${at} 0V${PAPER}M0 ${at}H${PAPER}`} className="stroke-line" strokeWidth={0.6} />
        ))}
        {strokes.map((points, i) => (
          <polyline
            key={i}
            points={points.map((point) => point.join()).join(' ')}
            fill="none"
            className="stroke-ink"
            strokeWidth={2}
            strokeLinecap="round"
          />
        ))}
      </svg>
      <div className="flex gap-2">
        <button
          type="button"
          className={button}
          disabled={strokes.length === 0}
          onClick={() => setStrokes(strokes.slice(0, -1))}
        >
          Undo stroke
        </button>
        <button type="button" className={button} disabled={strokes.length === 0} onClick={() => setStrokes([])}>
          Clear sketch
        </button>
      </div>
    </div>
  )
}
