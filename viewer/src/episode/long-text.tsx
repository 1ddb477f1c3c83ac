/** Untrusted text of any length: rendered as plain text, truncated, with the rest on demand. */
import { useMemo, useState } from 'react'
import { TextButton } from './buttons.tsx'

/** Characters shown initially, and added per click. */
const INITIAL_LENGTH = 4000
const EXTRA_LENGTH = 40_000
/** Matches beyond this offset are not revealed automatically. */
const MAX_FIND_OFFSET = 400_000

interface LongTextProps {
  text: string
  /** Search text to highlight. */
  find?: string
  mono?: boolean
  /** Characters shown initially. */
  first?: number
  className?: string
}

export function LongText({ text, find = '', mono = false, first = INITIAL_LENGTH, className = '' }: LongTextProps) {
  const [shown, setShown] = useState(first)
  const found = useMemo(
    () => (find === '' ? -1 : text.slice(0, MAX_FIND_OFFSET).toLowerCase().indexOf(find.toLowerCase())),
    [text, find],
  )
  const until = Math.max(shown, found < 0 ? 0 : found + find.length + 500)
  const cut = text.length > until
  return (
    <div className={className}>
      <div
        className={`[overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:isolate] ${mono ? 'font-mono text-xs' : ''}`}
      >
        <Highlighted text={visibleControls(cut ? text.slice(0, until) : text)} find={found < 0 ? '' : find} />
        {cut && '…'}
      </div>
      {cut && (
        <TextButton onClick={() => setShown(until + EXTRA_LENGTH)}>
          Show more ({(text.length - until).toLocaleString('en')} characters left)
        </TextButton>
      )}
    </div>
  )
}

/** Replaces control characters, including terminal escapes, with visible symbols. */
function visibleControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (control) =>
    String.fromCodePoint(0x24_00 + control.charCodeAt(0)),
  )
}

const MAX_MARKS = 200

function Highlighted({ text, find }: { text: string; find: string }) {
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
