/** Searches transcripts on the server. */
import { useEffect, useState } from 'react'
import { useSource } from '../../data/hooks.ts'

export type TranscriptSearch =
  | { state: 'none' }
  | { state: 'searching' }
  | { state: 'found'; rows: readonly number[] }
  | { state: 'failed'; error: unknown }

const UNAVAILABLE: TranscriptSearch = {
  state: 'failed',
  error: new Error('Transcript search is not available in an exported folder.'),
}

/** @param count number of episodes; a change repeats the search */
export function useTranscriptSearch(run: string, text: string, count: number): TranscriptSearch {
  const source = useSource()
  const [result, setResult] = useState<{ text: string; search: TranscriptSearch }>({
    text: '',
    search: { state: 'none' },
  })
  useEffect(() => {
    if (text === '') return
    const control = new AbortController()
    const report = (search: TranscriptSearch): void => setResult({ text, search })
    source.search(run, text, control.signal).then(
      (rows) => report(rows === null ? UNAVAILABLE : { state: 'found', rows }),
      (error: unknown) => control.signal.aborted || report({ state: 'failed', error }),
    )
    return () => control.abort()
  }, [source, run, text, count])
  if (text === '') return { state: 'none' }
  return result.text === text ? result.search : { state: 'searching' }
}
