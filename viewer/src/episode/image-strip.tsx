/** The images in order. The current one is highlighted and kept in view. */
import { memo, useLayoutEffect, useMemo, useRef } from 'react'
import { useSource } from '../data/hooks.ts'
import { LazyImage } from '../ui/lazy-image.tsx'
import type { MediaItem } from './episode-model.ts'

interface ImageStripProps {
  media: readonly MediaItem[]
  at: number
  seek: (at: number) => void
  open: (item: MediaItem) => void
  /** A grid instead of a strip. */
  wrap?: boolean
}

/** Images before and after the current one that are visible on most screens. */
const VISIBLE_RADIUS = 6

export function ImageStrip({ media, at, seek, open, wrap = false }: ImageStripProps) {
  const images = useMemo(() => media.filter(({ type }) => type.startsWith('image/')), [media])
  const index = images.findLastIndex((item) => item.at <= at)
  const current = images[index]
  const list = useRef<HTMLOListElement>(null)
  const positioned = useRef(false)
  useLayoutEffect(() => {
    const strip = list.current
    const frame = strip?.querySelector<HTMLElement>('[aria-current]')
    if (!strip || !frame || wrap) return
    // Smooth scrolling to the initial position would load every image on the way.
    const still = !positioned.current || matchMedia('(prefers-reduced-motion: reduce)').matches
    positioned.current = true
    strip.scrollTo({
      left: frame.offsetLeft - strip.clientWidth / 2 + frame.clientWidth / 2,
      behavior: still ? 'instant' : 'smooth',
    })
  }, [current, wrap])
  if (images.length === 0) return null
  return (
    <ol
      ref={list}
      aria-label="Images in order"
      className={
        wrap
          ? 'grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2 overflow-y-auto p-3'
          : 'relative flex gap-1.5 overflow-x-auto overscroll-x-contain px-0.5 pb-1.5 pt-1 [scrollbar-width:thin]'
      }
    >
      {images.map((item, i) => (
        <Frame
          key={item.at}
          item={item}
          current={item === current}
          later={item.at > at}
          seek={seek}
          open={open}
          wrap={wrap}
          visible={!wrap && Math.abs(i - index) <= VISIBLE_RADIUS}
        />
      ))}
    </ol>
  )
}

interface FrameProps {
  item: MediaItem
  current: boolean
  later: boolean
  seek: (at: number) => void
  open: (item: MediaItem) => void
  wrap: boolean
  /** Close enough to the current image to be visible. */
  visible: boolean
}

const Frame = memo(function Frame({ item, current, later, seek, open, wrap, visible }: FrameProps) {
  const source = useSource()
  return (
    <li className={`shrink-0 ${wrap ? '' : 'w-24'}`} aria-current={current ? 'step' : undefined}>
      <button
        type="button"
        onClick={() => (current ? open(item) : seek(item.at))}
        onDoubleClick={() => open(item)}
        title={current ? `${item.label}: enlarge` : item.label}
        className={`block w-full cursor-pointer overflow-hidden rounded border-2 bg-ground ${
          current ? 'border-accent' : 'border-transparent hover:border-line'
        } ${later ? 'opacity-50' : ''}`}
      >
        <LazyImage
          src={source.mediaUrl(item)}
          alt={item.label}
          eager={visible}
          width={item.width ?? undefined}
          height={item.height ?? undefined}
          className="block h-auto w-full object-contain"
          style={{ aspectRatio: `${item.width ?? 4} / ${item.height ?? 3}` }}
        />
      </button>
      <p className={`truncate px-0.5 text-[11px] leading-4 ${current ? 'text-ink' : 'text-quiet'}`}>{item.label}</p>
    </li>
  )
})
