/** An image that takes points by mouse, touch or keyboard. */
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import type { MediaRef } from '../../../../src/media/ref.ts'
import { useSource } from '../../data/hooks.ts'

/** From the top left, in thousandths of the image. */
export type Point = readonly [number, number]

export interface Pointing {
  points: readonly Point[]
  add: (point: Point) => void
}

const UNITS = 1000
const CENTER: Point = [UNITS / 2, UNITS / 2]
/** Of an arrow key, in thousandths; with Shift, the small one. */
const STEP = 25
const SMALL_STEP = 5
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface PointableImageProps extends Pointing {
  media: MediaRef
  label: string
  /** Limits the height to a part of the window. */
  fits?: boolean
}

export function PointableImage({ media, label, points, add, fits = false }: PointableImageProps) {
  const source = useSource()
  const [cursor, setCursor] = useState<Point | null>(null)
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // Enter and Space click, too, but nowhere in particular.
    if (event.detail === 0) return add(cursor ?? CENTER)
    // The box of the image, not of the button: fractions of it hold at every size and pixel density.
    const box = event.currentTarget.querySelector('img')!.getBoundingClientRect()
    add([thousandths((event.clientX - box.left) / box.width), thousandths((event.clientY - box.top) / box.height)])
  }
  const press = (event: KeyboardEvent): void => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const step = event.shiftKey ? SMALL_STEP : STEP
    const [x, y] = cursor ?? CENTER
    setCursor([inside(x + arrow[0] * step), inside(y + arrow[1] * step)])
  }
  const { width = 4, height = 3 } = media
  return (
    <button
      type="button"
      onClick={click}
      onKeyDown={press}
      onBlur={() => setCursor(null)}
      aria-label={`${label}: click the targets, or move the crosshair with the arrow keys and press Enter`}
      aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter"
      className="relative mx-auto block w-full cursor-crosshair touch-manipulation overflow-hidden rounded-md"
      style={fits ? { maxWidth: `calc(70vh * ${width / height})` } : undefined}
    >
      <img
        src={source.mediaUrl(media)}
        width={width}
        height={height}
        alt={label}
        draggable={false}
        className="block h-auto w-full"
        style={{ aspectRatio: `${width} / ${height}` }}
      />
      {points.map((point, i) => (
        <span
          key={i}
          aria-hidden="true"
          className="absolute flex size-5 -translate-x-1/2 -translate-y-1/2 items-center justify-center rounded-full border-2 border-white bg-[#1c63b7] text-[11px] font-semibold text-white"
          style={at(point)}
        >
          {i + 1}
        </span>
      ))}
      {cursor && (
        <span
          aria-hidden="true"
          className="absolute size-6 -translate-x-1/2 -translate-y-1/2 rounded-full border-2 border-white shadow-[0_0_0_2px_#000]"
          style={at(cursor)}
        />
      )}
    </button>
  )
}

function at([x, y]: Point): { left: string; top: string } {
  return { left: `${(100 * x) / UNITS}%`, top: `${(100 * y) / UNITS}%` }
}

function thousandths(share: number): number {
  return inside(Math.round(share * UNITS))
}

function inside(value: number): number {
  return Math.min(UNITS, Math.max(0, value))
}
