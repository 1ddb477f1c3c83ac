/** Hooks for element and screen sizes. */
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/** Excludes scroll bars. */
export function useClientHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current!
    const measure = (): void => setHeight(measured.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return height
}

export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = (): void => setMatches(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [query])
  return matches
}
