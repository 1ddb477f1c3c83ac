/**
 * New pages open at the top; going back restores the scroll position. The browser cannot do this itself because the
 * content is still loading when it tries to scroll.
 */
import { useLayoutEffect } from 'react'

/** How long to wait for the content to load. */
const RESTORE_TIMEOUT_MS = 1500

const positions = new Map<string, number>()
let isBackNavigation = false
/** The first page is at the top anyway, and reading its position would force an early layout. */
let isFirstPage = true

addEventListener('popstate', () => {
  isBackNavigation = true
})
history.scrollRestoration = 'manual'

export function useScrollRestoration(path: string): void {
  useLayoutEffect(() => {
    const to = isBackNavigation ? (positions.get(path) ?? 0) : 0
    isBackNavigation = false
    const until = performance.now() + RESTORE_TIMEOUT_MS
    let frame = 0
    const settle = (): void => {
      scrollTo(0, to)
      if (Math.abs(scrollY - to) > 1 && performance.now() < until) frame = requestAnimationFrame(settle)
    }
    if (!isFirstPage) settle()
    isFirstPage = false
    const save = (): void => void positions.set(path, scrollY)
    // Stop restoring as soon as the user scrolls.
    const stop = (): void => cancelAnimationFrame(frame)
    addEventListener('scroll', save, { passive: true })
    addEventListener('wheel', stop, { passive: true })
    addEventListener('touchstart', stop, { passive: true })
    return () => {
      stop()
      removeEventListener('scroll', save)
      removeEventListener('wheel', stop)
      removeEventListener('touchstart', stop)
    }
  }, [path])
}
