/** Page state in the URL query, for sharing links and going back. */
import { useCallback, useMemo } from 'react'
import { currentRoute, navigate, useHashSearch } from './location.ts'

export type QueryChange = Readonly<Record<string, string | readonly string[] | null>>

export interface Query {
  get: (name: string) => string | null
  all: (name: string) => readonly string[]
  /** Changes the given parameters; `null` and empty lists remove one. Adds no history entry. */
  set: (change: QueryChange) => void
  /** The whole query string. */
  text: string
}

export function useQuery(): Query {
  const text = useHashSearch()
  const parameters = useMemo(() => new URLSearchParams(text), [text])
  const set = useCallback((change: QueryChange) => {
    const { path, search } = currentRoute()
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      next.delete(name)
      if (typeof value === 'string') next.set(name, value)
      else for (const each of value ?? []) next.append(name, each)
    }
    const after = next.toString()
    if (after !== search) navigate(after === '' ? path : `${path}?${after}`, { replace: true })
  }, [])
  return { get: (name) => parameters.get(name), all: (name) => parameters.getAll(name), set, text }
}
