/**
 * A page that is gone to opens at its top; a page that is come back to, where it was left. The browser cannot do that
 * alone: when it wants to scroll, what was there is still being loaded.
 */
import { useLayoutEffect } from 'react'

/** How long is waited for a page to become as long as it was. */
const PATIENCE_MS = 1500

const places = new Map<string, number>()
let cameBack = false
/** A page that was just opened is at its top, and asking where it is would lay it out before its time. */
let justOpened = true

addEventListener('popstate', () => {
  cameBack = true
})
history.scrollRestoration = 'manual'

export function useScrollPlace(path: string): void {
  useLayoutEffect(() => {
    const to = cameBack ? (places.get(path) ?? 0) : 0
    cameBack = false
    const until = performance.now() + PATIENCE_MS
    let frame = 0
    const settle = (): void => {
      scrollTo(0, to)
      if (Math.abs(scrollY - to) > 1 && performance.now() < until) frame = requestAnimationFrame(settle)
    }
    if (!justOpened) settle()
    justOpened = false
    const keep = (): void => void places.set(path, scrollY)
    // Whoever scrolls meanwhile knows better.
    const stop = (): void => cancelAnimationFrame(frame)
    addEventListener('scroll', keep, { passive: true })
    addEventListener('wheel', stop, { passive: true })
    addEventListener('touchstart', stop, { passive: true })
    return () => {
      stop()
      removeEventListener('scroll', keep)
      removeEventListener('wheel', stop)
      removeEventListener('touchstart', stop)
    }
  }, [path])
}
