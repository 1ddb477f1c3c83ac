/** What a page keeps in its address, so that a link shows the same and "back" comes back to it. */
import { useCallback, useMemo } from 'react'
import { currentAddress, navigate, useAddressSearch } from './location.ts'

export type QueryChange = Readonly<Record<string, string | readonly string[] | null>>

export interface Query {
  get: (name: string) => string | null
  all: (name: string) => readonly string[]
  /** Changes some names and leaves the others; `null` and empty lists take a name away. No step for the back button. */
  set: (change: QueryChange) => void
  /** The whole, as it stands in the address. */
  text: string
}

export function useQuery(): Query {
  const text = useAddressSearch()
  const parameters = useMemo(() => new URLSearchParams(text), [text])
  const set = useCallback((change: QueryChange) => {
    const { path, search } = currentAddress()
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
