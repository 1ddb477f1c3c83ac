/** The type of error that a person assigned to an episode, or a list to choose from. */
import { useState } from 'react'
import type { EpisodeDetail } from '../../../src/server/api.ts'
import { errorText } from '../data/http.ts'
import { useSource } from '../data/hooks.ts'
import { Fact } from '../ui/fact.tsx'
import { Select } from '../ui/select.tsx'

export function ErrorType({ episode: { error, run, line } }: { episode: EpisodeDetail }) {
  const source = useSource()
  const [chosen, setChosen] = useState(error?.chosen ?? null)
  const [problem, setProblem] = useState<string | null>(null)
  if (error === undefined) return null
  if (source.assignError === undefined) {
    if (chosen === null) return null
    return (
      <dl className="text-[13px]">
        <Fact name="error">{error.types[chosen] ?? chosen}</Fact>
      </dl>
    )
  }
  const assign = (value: string): void => {
    const before = chosen
    const type = value === '' ? null : value
    setChosen(type)
    setProblem(null)
    source.assignError?.(run.id, line, type).catch((failure: unknown) => {
      setChosen(before)
      setProblem(errorText(failure).message)
    })
  }
  const options = Object.entries(error.types).map(([value, title]) => ({ value, title }))
  return (
    <div className="flex flex-col">
      <Select
        label="Type of error"
        hideLabel
        className="max-w-40"
        value={chosen ?? ''}
        options={[{ value: '', title: 'Error type…' }, ...options]}
        onChange={assign}
      />
      {problem !== null && (
        <p role="alert" className="text-[13px] text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}
