/** The pictures in order. The one of the present moment is marked and kept in view. */
import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { useSource } from '../data/use.ts'
import { NearImage } from '../ui/near-image.tsx'
import type { Shot } from './script.ts'

interface FilmStripProps {
  shots: readonly Shot[]
  at: number
  seek: (at: number) => void
  open: (shot: Shot) => void
  /** A grid instead of a strip. */
  wrap?: boolean
}

/** So many frames before and after the present one are in sight on most screens. */
const CLOSE = 6

export function FilmStrip({ shots, at, seek, open, wrap = false }: FilmStripProps) {
  const pictures = useMemo(() => shots.filter(({ type }) => type.startsWith('image/')), [shots])
  const place = pictures.findLastIndex((shot) => shot.at <= at)
  const current = pictures[place]
  const list = useRef<HTMLOListElement>(null)
  const placed = useRef(false)
  useLayoutEffect(() => {
    const strip = list.current
    const frame = strip?.querySelector<HTMLElement>('[aria-current]')
    if (!strip || !frame || wrap) return
    // It opens where it is looked at: gliding there would load every picture on the way.
    const still = !placed.current || matchMedia('(prefers-reduced-motion: reduce)').matches
    placed.current = true
    strip.scrollTo({
      left: frame.offsetLeft - strip.clientWidth / 2 + frame.clientWidth / 2,
      behavior: still ? 'instant' : 'smooth',
    })
  }, [current, wrap])
  if (pictures.length === 0) return null
  return (
    <ol
      ref={list}
      aria-label="Pictures in order"
      className={
        wrap
          ? 'grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2 overflow-y-auto p-3'
          : 'relative flex gap-1.5 overflow-x-auto overscroll-x-contain px-0.5 pb-1.5 pt-1 [scrollbar-width:thin]'
      }
    >
      {pictures.map((shot, i) => (
        <Frame
          key={shot.at}
          shot={shot}
          now={shot === current}
          later={shot.at > at}
          seek={seek}
          open={open}
          wrap={wrap}
          close={!wrap && Math.abs(i - place) <= CLOSE}
        />
      ))}
    </ol>
  )
}

interface FrameProps {
  shot: Shot
  now: boolean
  later: boolean
  seek: (at: number) => void
  open: (shot: Shot) => void
  wrap: boolean
  /** To the present one: it is in sight. */
  close: boolean
}

const Frame = memo(function Frame({ shot, now, later, seek, open, wrap, close }: FrameProps) {
  const source = useSource()
  return (
    <li className={`shrink-0 ${wrap ? '' : 'w-24'}`} aria-current={now ? 'step' : undefined}>
      <button
        type="button"
        onClick={() => (now ? open(shot) : seek(shot.at))}
        onDoubleClick={() => open(shot)}
        title={now ? `${shot.label}: look at it large` : shot.label}
        className={`block w-full cursor-pointer overflow-hidden rounded border-2 bg-ground ${
          now ? 'border-accent' : 'border-transparent hover:border-line'
        } ${later ? 'opacity-50' : ''}`}
      >
        <NearImage
          src={source.mediaUrl(shot)}
          alt={shot.label}
          eager={close}
          width={shot.width ?? undefined}
          height={shot.height ?? undefined}
          className="block h-auto w-full object-contain"
          style={{ aspectRatio: `${shot.width ?? 4} / ${shot.height ?? 3}` }}
        />
      </button>
      <p className={`truncate px-0.5 text-[11px] leading-4 ${now ? 'text-ink' : 'text-quiet'}`}>{shot.label}</p>
    </li>
  )
})
