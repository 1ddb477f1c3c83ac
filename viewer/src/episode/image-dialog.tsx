/** An enlarged image with zoom, navigation and provenance. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'
import { useSource } from '../data/hooks.ts'
import { IconButton } from './buttons.tsx'
import { formatBytes, formatNumber } from './format.ts'
import type { MediaItem } from './episode-model.ts'

interface ImageDialogProps {
  media: readonly MediaItem[]
  /** The open image, if any. */
  image: MediaItem | null
  open: (image: MediaItem | null) => void
  seek: (at: number) => void
}

export function ImageDialog({ media, image, open, seek }: ImageDialogProps) {
  const images = media.filter(({ type }) => type.startsWith('image/'))
  const index = image ? images.indexOf(image) : -1
  const go = (by: number): void => {
    const next = images[index + by]
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
    if (image && !dialog.current?.open) dialog.current?.showModal()
    if (!image) dialog.current?.close()
  }, [image])
  return (
    <dialog
      ref={dialog}
      role="dialog"
      aria-labelledby="image-title"
      onKeyDown={press}
      onClose={() => open(null)}
      // The dialog itself is the target only for clicks on the backdrop.
      onClick={(event) => event.target === dialog.current && open(null)}
      className="fixed inset-2 m-0 size-auto max-h-none max-w-none overflow-hidden rounded-xl border border-line bg-paper text-ink shadow-2xl outline-none backdrop:bg-black/70 sm:inset-6"
    >
      {image && (
        <div className="flex size-full flex-col">
          <header className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-4">
            <h2 id="image-title" className="min-w-0 flex-1 truncate text-sm font-medium">
              {image.label}
            </h2>
            <span className="text-xs text-quiet tabular-nums">
              {index + 1} of {images.length}
            </span>
            <IconButton icon="chevronLeft" title="Previous image (←)" onClick={() => go(-1)} disabled={index <= 0} />
            <IconButton
              icon="chevronRight"
              title="Next image (→)"
              onClick={() => go(1)}
              disabled={index >= images.length - 1}
            />
            <IconButton icon="cross" title="Close (Esc)" onClick={() => open(null)} />
          </header>
          <div className="flex min-h-0 flex-1 flex-col md:flex-row">
            <ZoomableImage key={image.at} image={image} />
            <Provenance image={image} />
          </div>
        </div>
      )}
    </dialog>
  )
}

const MAX_ZOOM = 12

/** Zooms with the wheel or a double click, pans by dragging. */
function ZoomableImage({ image }: { image: MediaItem }) {
  const source = useSource()
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 })
  const box = useRef<HTMLDivElement>(null)
  const zoom = (factor: number, clientX: number, clientY: number): void => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    const [px, py] = [clientX - left - width / 2, clientY - top - height / 2]
    setView(({ scale, x, y }) => {
      const next = Math.min(MAX_ZOOM, Math.max(1, scale * factor))
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
    // React's wheel listener is passive and cannot keep the page behind from scrolling.
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
        src={source.mediaUrl(image)}
        alt={image.label}
        draggable={false}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
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

/** How the image was made. */
function Provenance({ image }: { image: MediaItem }) {
  const rows: [string, string][] = [
    ['size', image.width === null ? '' : `${image.width} × ${image.height ?? '?'} px`],
    ['file', `${image.type}${image.bytes === null ? '' : `, ${formatBytes(image.bytes)}`}`],
    ...Object.entries(image.provenance).map(([key, value]): [string, string] => [key, formatProvenance(value)]),
    ['SHA-256', image.sha256],
  ]
  return (
    <section
      aria-label="Provenance"
      tabIndex={0}
      className="max-h-40 shrink-0 overflow-y-auto border-t border-line p-3 md:max-h-none md:w-72 md:border-l md:border-t-0"
    >
      <h3 className="mb-2 text-xs font-medium text-quiet">Provenance</h3>
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

function formatProvenance(value: unknown): string {
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'number' ? formatNumber(each, 3) : String(each))).join(', ')
  return typeof value === 'string' ? value.slice(0, 500) : (JSON.stringify(value) ?? '').slice(0, 500)
}
