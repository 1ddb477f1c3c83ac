/** A picture large: zoom, the ones before and after it, and where it comes from. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'
import { useSource } from '../data/use.ts'
import { IconButton } from './buttons.tsx'
import { bytes, figure } from './figures.ts'
import type { Shot } from './script.ts'

interface PictureDialogProps {
  shots: readonly Shot[]
  /** The picture that is open; null when none is. */
  shot: Shot | null
  open: (shot: Shot | null) => void
  seek: (at: number) => void
}

export function PictureDialog({ shots, shot, open, seek }: PictureDialogProps) {
  const pictures = shots.filter(({ type }) => type.startsWith('image/'))
  const place = shot ? pictures.indexOf(shot) : -1
  const go = (by: number): void => {
    const next = pictures[place + by]
    if (!next) return
    open(next)
    seek(next.at)
  }
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    go(by)
  }
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (shot && !dialog.current?.open) dialog.current?.showModal()
    if (!shot) dialog.current?.close()
  }, [shot])
  return (
    <dialog
      ref={dialog}
      role="dialog"
      aria-labelledby="picture-title"
      onKeyDown={press}
      onClose={() => open(null)}
      // A click beside it closes it: only then is the dialog itself what was clicked.
      onClick={(event) => event.target === dialog.current && open(null)}
      className="fixed inset-2 m-0 size-auto max-h-none max-w-none overflow-hidden rounded-xl border border-line bg-paper text-ink shadow-2xl outline-none backdrop:bg-black/70 sm:inset-6"
    >
      {shot && (
        <div className="flex size-full flex-col">
          <header className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
            <h2 id="picture-title" className="min-w-0 flex-1 truncate text-sm font-medium">
              {shot.label}
            </h2>
            <span className="text-xs text-quiet tabular-nums">
              {place + 1} of {pictures.length}
            </span>
            <IconButton icon="chevronLeft" title="Previous picture (←)" onClick={() => go(-1)} disabled={place <= 0} />
            <IconButton
              icon="chevronRight"
              title="Next picture (→)"
              onClick={() => go(1)}
              disabled={place >= pictures.length - 1}
            />
            <IconButton icon="cross" title="Close (Esc)" onClick={() => open(null)} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <Zoomed key={shot.at} shot={shot} />
            <Provenance shot={shot} />
          </div>
        </div>
      )}
    </dialog>
  )
}

const NEAREST = 12

/** Wheel or double click zooms, dragging moves. */
function Zoomed({ shot }: { shot: Shot }) {
  const source = useSource()
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 })
  const box = useRef<HTMLDivElement>(null)
  const zoom = (factor: number, clientX: number, clientY: number): void => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    const [px, py] = [clientX - left - width / 2, clientY - top - height / 2]
    setView(({ scale, x, y }) => {
      const next = Math.min(NEAREST, Math.max(1, scale * factor))
      if (next === 1) return { scale: 1, x: 0, y: 0 }
      return { scale: next, x: px - ((px - x) * next) / scale, y: py - ((py - y) * next) / scale }
    })
  }
  const wheel = (event: WheelEvent): void => zoom(Math.exp(-event.deltaY * 0.002), event.clientX, event.clientY)
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return
    setView(({ scale, x, y }) =>
      scale === 1 ? { scale, x, y } : { scale, x: x + event.movementX, y: y + event.movementY },
    )
  }
  useEffect(() => {
    // The page behind must not scroll while one zooms; React's own listener cannot say so.
    const stop = (event: Event): void => event.preventDefault()
    const element = box.current
    element?.addEventListener('wheel', stop, { passive: false })
    return () => element?.removeEventListener('wheel', stop)
  }, [])
  return (
    <div
      ref={box}
      onWheel={wheel}
      onPointerMove={drag}
      onDoubleClick={(event) => zoom(view.scale > 1 ? 0 : 3, event.clientX, event.clientY)}
      className={`flex min-h-0 min-w-0 flex-1 touch-none items-center justify-center overflow-hidden bg-ground ${view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in'}`}
    >
      <img
        src={source.mediaUrl(shot)}
        alt={shot.label}
        draggable={false}
        width={shot.width ?? undefined}
        height={shot.height ?? undefined}
        className="max-h-full w-full max-w-full object-contain select-none"
        style={{
          transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
          imageRendering: view.scale > 3 ? 'pixelated' : 'auto',
          height: '100%',
        }}
      />
    </div>
  )
}

/** What made it, so that it can be made again. */
function Provenance({ shot }: { shot: Shot }) {
  const rows: [string, string][] = [
    ['size', shot.width === null ? '' : `${shot.width} × ${shot.height ?? '?'} pixels`],
    ['file', `${shot.type}${shot.bytes === null ? '' : `, ${bytes(shot.bytes)}`}`],
    ...Object.entries(shot.provenance).map(([key, value]): [string, string] => [key, wordsOf(value)]),
    ['SHA-256', shot.sha256],
  ]
  return (
    <section
      aria-label="Where it comes from"
      className="max-h-40 shrink-0 overflow-y-auto border-t border-line p-3 md:max-h-none md:w-72 md:border-l md:border-t-0"
    >
      <h3 className="mb-2 text-xs font-medium text-quiet">Where it comes from</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
        {rows
          .filter(([, value]) => value !== '')
          .map(([key, value]) => (
            <div key={key} className="contents">
              <dt className="text-quiet">{key}</dt>
              <dd className="font-mono [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'number' ? figure(each, 3) : String(each))).join(', ')
  return typeof value === 'string' ? value.slice(0, 500) : (JSON.stringify(value) ?? '').slice(0, 500)
}
