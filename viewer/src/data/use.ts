/** Data in components: loads, says so, and says what went wrong. */
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
  | { state: 'failed'; error: unknown; again: () => void }

/**
 * Loads when the page appears and whenever `key` changes. What was loaded stays on the screen while the same key is
 * loaded again.
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
  const again = (): void => setRound((before) => before + 1)
  useEffect(() => {
    let wanted = true
    load(source).then(
      (value) => wanted && setResult({ key, loaded: { state: 'ready', value } }),
      (error: unknown) => wanted && setResult({ key, loaded: { state: 'failed', error, again } }),
    )
    return () => {
      wanted = false
    }
    // `load` is a new function in every render; `key` says when it means something else.
  }, [source, key, round])
  const loaded: Loaded<T> = result?.key === key ? result.loaded : { state: 'loading' }
  return { ...loaded, reload: again }
}
