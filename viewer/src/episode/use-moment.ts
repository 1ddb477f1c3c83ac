import { useCallback, useEffect, useRef, useState } from 'react'
import { useQuery } from '../navigation/query.ts'

/** Browsers refuse to change an address hundreds of times in a few seconds: who drags along the timeline would. */
const SETTLED_MS = 150

/**
 * The moment that is looked at, kept in the address as `?at=` without a step for the back button. Without one in the
 * address it is the end: there one sees how it went.
 *
 * @param name another name in the address, where a page has two episodes
 */
export function useMoment(length: number, name = 'at'): [at: number, seek: (at: number) => void] {
  const query = useQuery()
  const { set } = query
  const told = query.get(name)
  const [at, setAt] = useState(() => momentFrom(told, length))
  const written = useRef(told)
  useEffect(() => {
    // Somebody followed a link to another moment.
    if (told === written.current) return
    written.current = told
    setAt(momentFrom(told, length))
  }, [told, length])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const seek = useCallback(
    (to: number) => {
      setAt(to)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        written.current = String(to)
        set({ [name]: written.current })
      }, SETTLED_MS)
    },
    [set, name],
  )
  return [at, seek]
}

function momentFrom(text: string | null, length: number): number {
  const at = text === null || !/^\d+$/.test(text) ? length - 1 : Number(text)
  return Math.max(0, Math.min(length - 1, at))
}
