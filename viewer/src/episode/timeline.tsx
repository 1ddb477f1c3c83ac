/** The timeline: one slider that controls the whole page. */
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSource } from '../data/hooks.ts'
import type { Playback } from './playback.ts'
import { MARK_COLOR, MARK_NAME } from './marks.ts'
import type { Moment } from './panel.ts'
import type { MediaItem } from './episode-model.ts'

interface TimelineProps {
  moments: readonly Moment[]
  media: readonly MediaItem[]
  playback: Playback
  seek: (at: number) => void
}

/** Lanes from top to bottom: images and moves, requests and replies, predictions and verdicts. */
const LANES: Readonly<Record<Moment['kind'], readonly [top: number, bottom: number]>> = {
  picture: [2, 11],
  move: [2, 11],
  ask: [15, 20],
  reply: [13, 22],
  belief: [24, 33],
  verdict: [24, 33],
  note: [24, 33],
  end: [2, 33],
}
const HEIGHT = 35

export function Timeline({ moments, media, playback, seek }: TimelineProps) {
  const track = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<{ index: number; x: number } | null>(null)
  const last = Math.max(0, moments.length - 1)
  const current = moments[Math.max(0, playback.index)]

  const indexAtPointer = (event: PointerEvent): { index: number; x: number } => {
    const { left, width } = track.current!.getBoundingClientRect()
    const x = Math.min(width, Math.max(0, event.clientX - left))
    return { index: Math.round((x / Math.max(1, width)) * last), x }
  }
  const point = (event: PointerEvent): void => {
    const at = indexAtPointer(event)
    setHover(at)
    if (event.buttons === 1 && track.current?.hasPointerCapture(event.pointerId)) go(at.index)
  }
  const go = (index: number): void => {
    const moment = moments[index]
    if (moment) seek(moment.at)
  }
  const press = (event: KeyboardEvent): void => {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? playback.image(-1) : playback.step(-1)),
      ArrowDown: () => playback.step(-1),
      ArrowRight: () => (event.shiftKey ? playback.image(1) : playback.step(1)),
      ArrowUp: () => playback.step(1),
      PageDown: () => playback.step(-10),
      PageUp: () => playback.step(10),
      Home: playback.first,
      End: playback.last,
    }
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <div className="relative min-w-0 flex-1">
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={1}
        aria-valuemax={moments.length}
        aria-valuenow={Math.max(0, playback.index) + 1}
        aria-valuetext={
          current ? `${playback.index + 1} of ${moments.length}, ${current.title}` : 'before the first step'
        }
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(indexAtPointer(event).index)
        }}
        onPointerMove={point}
        onPointerLeave={() => setHover(null)}
        className="relative cursor-pointer touch-none rounded-md bg-ground"
        style={{ height: HEIGHT }}
      >
        <Marks moments={moments} last={last} />
        <div
          className="pointer-events-none absolute inset-y-0 left-0 rounded-l-md bg-accent/10"
          style={{ width: share(playback.index, last) }}
        />
        <div
          className="pointer-events-none absolute -inset-y-1 w-0.5 -translate-x-1/2 rounded bg-accent"
          style={{ left: share(playback.index, last) }}
        />
      </div>
      {hover && moments[hover.index] && (
        <Preview moment={moments[hover.index]!} media={media} x={hover.x} width={track.current?.clientWidth ?? 0} />
      )}
    </div>
  )
}

function share(index: number, last: number): string {
  return `${last === 0 ? 0 : (Math.max(0, index) / last) * 100}%`
}

/** One path per kind, so thousands of steps need only a few elements. */
const Marks = memo(function Marks({ moments, last }: { moments: readonly Moment[]; last: number }) {
  const paths = useMemo(() => {
    const byKind = new Map<Moment['kind'], string>()
    moments.forEach(({ kind }, i) => {
      const [top, bottom] = LANES[kind]
      const x = last === 0 ? 0 : ((i / last) * 1000).toFixed(1)
      byKind.set(kind, `${byKind.get(kind) ?? ''}M${x},${top}V${bottom}`)
    })
    return [...byKind]
  }, [moments, last])
  const svg = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(2)
  useEffect(() => {
    if (!svg.current) return
    const element = svg.current
    // Keeps marks from touching at any width.
    const fit = (): void => setWidth(Math.min(3, Math.max(0.7, element.clientWidth / Math.max(1, moments.length) / 2)))
    const resize = new ResizeObserver(fit)
    resize.observe(element)
    return () => resize.disconnect()
  }, [moments.length])
  return (
    <svg
      ref={svg}
      aria-hidden="true"
      viewBox={`0 0 1000 ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      {paths.map(([kind, path]) => (
        <path
          key={kind}
          d={path}
          stroke={MARK_COLOR[kind]}
          strokeWidth={width}
          strokeLinecap={width > 1.5 ? 'round' : 'butt'}
          vectorEffect="non-scaling-stroke"
          fill="none"
        />
      ))}
    </svg>
  )
})

const PREVIEW_WIDTH = 168

function Preview({
  moment,
  media,
  x,
  width,
}: {
  moment: Moment
  media: readonly MediaItem[]
  x: number
  width: number
}) {
  const source = useSource()
  // A move comes right after its image.
  const image = media.findLast(({ at, type }) => at <= moment.at && at >= moment.at - 1 && type.startsWith('image/'))
  const left = Math.min(Math.max(x, PREVIEW_WIDTH / 2), Math.max(PREVIEW_WIDTH / 2, width - PREVIEW_WIDTH / 2))
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute bottom-full z-20 mb-2 -translate-x-1/2 overflow-hidden rounded-md border border-line bg-paper text-xs shadow-lg"
      style={{ left, width: PREVIEW_WIDTH }}
    >
      {image && (
        <img
          src={source.mediaUrl(image)}
          alt=""
          className="block w-full bg-ground object-contain"
          style={{ aspectRatio: `${image.width ?? 4} / ${image.height ?? 3}` }}
        />
      )}
      <div className="truncate px-2 py-1">
        <span className="mr-1.5 inline-block size-2 rounded-full" style={{ background: MARK_COLOR[moment.kind] }} />
        <span className="text-quiet">{MARK_NAME[moment.kind]}</span> {moment.title}
      </div>
    </div>
  )
}
