/** Data of a suite that the viewer knows nothing about, as people read them: names and values, pictures as pictures. */
import { words } from '../ui/format.ts'
import { JsonText } from './json-text.tsx'
import { LongText } from './long-text.tsx'
import { MediaView } from './media-view.tsx'
import { readMedia } from './read.ts'

/** What is nested deeper, or has more entries, stands as JSON. */
const DEEPEST = 3
const MOST = 40
/** A list of plain values stays on one line up to this many characters. */
const LINE = 200
const FIRST_LETTERS = 500

interface ValuesProps {
  value: unknown
  /** Opens a picture large. */
  open?: ((sha256: string) => void) | undefined
  find?: string
  depth?: number
}

export function Values({ value, open, find = '', depth = 0 }: ValuesProps) {
  if (value === null || value === undefined) return <span className="text-quiet">none</span>
  if (typeof value === 'string') {
    return value === '' ? (
      <span className="text-quiet">empty</span>
    ) : (
      <LongText text={value} find={find} first={FIRST_LETTERS} />
    )
  }
  if (typeof value !== 'object') return <span className="tabular-nums">{JSON.stringify(value)}</span>
  const media = readMedia(value)
  if (media) {
    return (
      <div className="max-w-80">
        <MediaView media={media} label="" open={open} />
      </div>
    )
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return <span className="text-quiet">none</span>
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)) {
    const line = value.map(String).join(', ')
    return line.length <= LINE ? <LongText text={line} find={find} /> : <JsonText value={value} find={find} />
  }
  if (depth >= DEEPEST || entries.length > MOST) return <JsonText value={value} find={find} />
  if (Array.isArray(value)) {
    return (
      <ol className="flex flex-col gap-2">
        {value.map((each: unknown, i) => (
          <li key={i} className="border-l-2 border-line pl-2">
            <Values value={each} open={open} find={find} depth={depth + 1} />
          </li>
        ))}
      </ol>
    )
  }
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
      {entries.map(([name, each]) => (
        <div key={name} className="contents">
          <dt className="text-quiet [overflow-wrap:anywhere]">{words(name)}</dt>
          <dd className="min-w-0">
            <Values value={each} open={open} find={find} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
