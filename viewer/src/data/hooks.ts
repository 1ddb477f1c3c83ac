/** Hooks for loading data in components. */
import { createContext, use, useEffect, useState } from 'react'
import { httpSource } from './http.ts'
import type { DataSource } from './source.ts'

export const SourceContext = createContext<DataSource>(httpSource)

export function useSource(): DataSource {
  return use(SourceContext)
}

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; error: unknown; retry: () => void }

/**
 * Loads on mount and whenever `key` changes. Reloading the same key keeps the old value until the new one arrives.
 *
 * @example
 * const run = useLoaded(`run/${id}`, (source) => source.run(id))
 */
export function useLoaded<T>(
  key: string,
  load: (source: DataSource) => Promise<T>,
): Loaded<T> & { reload: () => void } {
  const source = useSource()
  const [round, setRound] = useState(0)
  const [result, setResult] = useState<{ key: string; loaded: Loaded<T> } | null>(null)
  const reload = (): void => setRound((before) => before + 1)
  useEffect(() => {
    let wanted = true
    load(source).then(
      (value) => wanted && setResult({ key, loaded: { state: 'ready', value } }),
      (error: unknown) => wanted && setResult({ key, loaded: { state: 'failed', error, retry: reload } }),
    )
    return () => {
      wanted = false
    }
    // `load` is a new function on every render; `key` identifies it.
  }, [source, key, round])
  const loaded: Loaded<T> = result?.key === key ? result.loaded : { state: 'loading' }
  return { ...loaded, reload }
}
