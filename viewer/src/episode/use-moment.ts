import { useCallback, useEffect, useRef, useState } from 'react'
import { useQuery } from '../navigation/query.ts'

/** Browsers limit URL changes, and dragging along the timeline would exceed the limit. */
const URL_DELAY_MS = 150

/**
 * The current step, stored in the URL as `?at=` without adding history entries. Default: the last step, which shows the
 * result.
 *
 * @param name URL parameter, for pages with two episodes
 */
export function useMoment(length: number, name = 'at'): [at: number, seek: (at: number) => void] {
  const query = useQuery()
  const { set } = query
  const param = query.get(name)
  const [at, setAt] = useState(() => momentFrom(param, length))
  const written = useRef(param)
  useEffect(() => {
    // A link to another step was opened.
    if (param === written.current) return
    written.current = param
    setAt(momentFrom(param, length))
  }, [param, length])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const seek = useCallback(
    (to: number) => {
      setAt(to)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        written.current = String(to)
        set({ [name]: written.current })
      }, URL_DELAY_MS)
    },
    [set, name],
  )
  return [at, seek]
}

function momentFrom(text: string | null, length: number): number {
  const at = text === null || !/^\d+$/.test(text) ? length - 1 : Number(text)
  return Math.max(0, Math.min(length - 1, at))
}
