/** Arbitrary data as names and values, with media rendered inline. */
import { humanize } from '../ui/format.ts'
import { JsonText } from './json-text.tsx'
import { LongText } from './long-text.tsx'
import { MediaView } from './media-view.tsx'
import { readMedia } from './read.ts'

/** Deeper or larger values are shown as JSON. */
const MAX_DEPTH = 3
const MAX_ENTRIES = 40
/** Lists of plain values up to this length stay on one line. */
const MAX_LINE_LENGTH = 200
const INITIAL_LENGTH = 500

interface ValuesProps {
  value: unknown
  /** Enlarges an image. */
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
      <LongText text={value} find={find} first={INITIAL_LENGTH} />
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
    return line.length <= MAX_LINE_LENGTH ? (
      <LongText text={line} find={find} />
    ) : (
      <JsonText value={value} find={find} />
    )
  }
  if (depth >= MAX_DEPTH || entries.length > MAX_ENTRIES) return <JsonText value={value} find={find} />
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
          <dt className="text-quiet [overflow-wrap:anywhere]">{humanize(name)}</dt>
          <dd className="min-w-0">
            <Values value={each} open={open} find={find} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
