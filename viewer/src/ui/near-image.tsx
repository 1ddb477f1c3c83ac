/**
 * A picture that is loaded when it is about to be seen. Browsers' own `loading="lazy"` begins more than a screen ahead: of
 * sixty pictures in a strip that is most, and those in sight have to wait for the others.
 */
import { type ComponentProps, useEffect, useRef, useState } from 'react'

/** How far ahead of what is in sight. */
const AHEAD = '160px'

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | null = null

/** `scrollMargin` is newer than what the types know: it is for what scrolls inside of the page. */
function watcher(): IntersectionObserver {
  const ahead: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: AHEAD, scrollMargin: AHEAD }
  observer ??= new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.()
  }, ahead)
  return observer
}

interface NearImageProps extends ComponentProps<'img'> {
  /** It is known to be in sight: nothing has to be waited for. */
  eager?: boolean
}

export function NearImage({ src, alt, eager = false, ...others }: NearImageProps) {
  const [near, setNear] = useState(eager)
  const image = useRef<HTMLImageElement>(null)
  const loads = near || eager
  useEffect(() => {
    const element = image.current
    if (loads || !element) return
    waiting.set(element, () => setNear(true))
    watcher().observe(element)
    return () => watcher().unobserve(element)
  }, [loads])
  return <img {...others} ref={image} src={loads ? src : undefined} alt={alt} decoding="async" />
}
