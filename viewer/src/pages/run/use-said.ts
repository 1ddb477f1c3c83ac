/** Looks for text in what was said and shown, which only the server has. */
import { useEffect, useState } from 'react'
import { useSource } from '../../data/use.ts'

export type SaidSearch =
  | { state: 'none' }
  | { state: 'searching' }
  | { state: 'found'; rows: readonly number[] }
  | { state: 'failed'; error: unknown }

const NOT_HERE: SaidSearch = {
  state: 'failed',
  error: new Error('What was said cannot be searched in a shared folder.'),
}

/** @param count episodes there are: more may hold the text when there are more */
export function useSaid(run: string, text: string, count: number): SaidSearch {
  const source = useSource()
  const [result, setResult] = useState<{ text: string; search: SaidSearch }>({ text: '', search: { state: 'none' } })
  useEffect(() => {
    if (text === '') return
    const control = new AbortController()
    const tell = (search: SaidSearch): void => setResult({ text, search })
    source.search(run, text, control.signal).then(
      (rows) => tell(rows === null ? NOT_HERE : { state: 'found', rows }),
      (error: unknown) => control.signal.aborted || tell({ state: 'failed', error }),
    )
    return () => control.abort()
  }, [source, run, text, count])
  if (text === '') return { state: 'none' }
  return result.text === text ? result.search : { state: 'searching' }
}
