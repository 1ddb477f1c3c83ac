/** Text of unknown length and origin: only ever text, cut where it is long, the rest on demand. */
import { useMemo, useState } from 'react'
import { TextButton } from './buttons.tsx'

/** Characters that are shown at first, and that each click adds. */
const FIRST = 4000
const MORE = 40_000
/** A find further on than this is not shown by itself. */
const FARTHEST_FIND = 400_000

interface LongTextProps {
  text: string
  /** What is searched for, marked in the text. */
  find?: string
  mono?: boolean
  /** Characters that are shown at first. */
  first?: number
  className?: string
}

export function LongText({ text, find = '', mono = false, first = FIRST, className = '' }: LongTextProps) {
  const [shown, setShown] = useState(first)
  const found = useMemo(
    () => (find === '' ? -1 : text.slice(0, FARTHEST_FIND).toLowerCase().indexOf(find.toLowerCase())),
    [text, find],
  )
  const until = Math.max(shown, found < 0 ? 0 : found + find.length + 500)
  const cut = text.length > until
  return (
    <div className={className}>
      <div
        className={`[overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:isolate] ${mono ? 'font-mono text-xs' : ''}`}
      >
        <Marked text={visible(cut ? text.slice(0, until) : text)} find={found < 0 ? '' : find} />
        {cut && '…'}
      </div>
      {cut && (
        <TextButton onClick={() => setShown(until + MORE)}>
          Show more ({(text.length - until).toLocaleString('en')} characters left)
        </TextButton>
      )}
    </div>
  )
}

/** Control characters, terminal codes among them, become signs that can be seen. */
function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (control) =>
    String.fromCodePoint(0x24_00 + control.charCodeAt(0)),
  )
}

const MAX_MARKS = 200

function Marked({ text, find }: { text: string; find: string }) {
  if (find === '') return text
  const parts: (string | { hit: string })[] = []
  const lower = text.toLowerCase()
  const wanted = find.toLowerCase()
  let from = 0
  for (let marks = 0; marks < MAX_MARKS; marks++) {
    const at = lower.indexOf(wanted, from)
    if (at < 0) break
    parts.push(text.slice(from, at), { hit: text.slice(at, at + find.length) })
    from = at + find.length
  }
  parts.push(text.slice(from))
  return parts.map((part, i) =>
    typeof part === 'string' ? (
      part
    ) : (
      <mark key={i} className="rounded-sm bg-warn/30 text-inherit">
        {part.hit}
      </mark>
    ),
  )
}
