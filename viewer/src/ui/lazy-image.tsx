/**
 * An image that loads when it is about to be visible. The browser's `loading="lazy"` starts more than a screen ahead,
 * which covers most of a strip of sixty images, and the visible ones would wait for the others.
 */
import { type ComponentProps, useEffect, useRef, useState } from 'react'

/** How far outside the visible area to start loading. */
const LOAD_MARGIN = '160px'

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | null = null

/** `scrollMargin` (not yet in the types) applies to nested scroll containers. */
function imageObserver(): IntersectionObserver {
  const ahead: IntersectionObserverInit & { scrollMargin: string } = {
    rootMargin: LOAD_MARGIN,
    scrollMargin: LOAD_MARGIN,
  }
  observer ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.()
  }, ahead)
  return observer
}

interface LazyImageProps extends ComponentProps<'img'> {
  /** Known to be visible: load immediately. */
  eager?: boolean
}

export function LazyImage({ src, alt, eager = false, ...others }: LazyImageProps) {
  const [near, setNear] = useState(eager)
  const image = useRef<HTMLImageElement>(null)
  const loads = near || eager
  useEffect(() => {
    const element = image.current
    if (loads || !element) return
    waiting.set(element, () => setNear(true))
    imageObserver().observe(element)
    return () => imageObserver().unobserve(element)
  }, [loads])
  return <img {...others} ref={image} src={loads ? src : undefined} alt={alt} decoding="async" />
}
