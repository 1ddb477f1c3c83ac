/** One transcript entry: a request, a reply, a suite event, or the outcome. */
import { type ReactNode, useState } from 'react'
import { CopyButton, TextButton } from './buttons.tsx'
import { formatDuration, formatSmallUsd, humanize, plural } from '../ui/format.ts'
import { formatTokens } from './format.ts'
import type { Piece } from './folding.ts'
import { JsonText } from './json-text.tsx'
import { LongText } from './long-text.tsx'
import { MARK_COLOR } from './marks.ts'
import { MediaView } from './media-view.tsx'
import { type Entry, type NewMessage, type MessagePart, entryText } from './episode-model.ts'
import { Values } from './values.tsx'

interface EntryProps {
  entry: Entry
  seek: (at: number) => void
  open: (sha256: string) => void
  find: string
}

export function EntryView({ entry, seek, open, find }: EntryProps) {
  switch (entry.kind) {
    case 'ask':
      return <Ask entry={entry} seek={seek} open={open} find={find} />
    case 'reply':
      return <Reply entry={entry} seek={seek} open={open} find={find} />
    case 'note':
      return <Note entry={entry} seek={seek} open={open} find={find} />
    case 'outcome':
      return <Outcome entry={entry} seek={seek} find={find} />
  }
}

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

/** The line above an entry; clicking it jumps to that step. */
function Heading({
  at,
  seek,
  color,
  title,
  children,
}: {
  at: number
  seek: (at: number) => void
  color: string
  title: string
  children?: ReactNode
}) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2.5 text-xs text-quiet">
      <button
        type="button"
        onClick={() => seek(at)}
        title="Go to this step"
        className="flex min-w-0 cursor-pointer items-center gap-1.5 rounded font-medium text-ink hover:text-accent"
      >
        <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: color }} />
        <span className="truncate">{title}</span>
      </button>
      {children}
    </div>
  )
}

function Ask({ entry, seek, open, find }: Omit<EntryProps, 'entry'> & { entry: Of<'ask'> }) {
  return (
    <article className="rounded-lg border border-line bg-paper px-3 pb-2 pt-1">
      <Heading at={entry.at} seek={seek} color={MARK_COLOR.ask} title={`To ${entry.role}`}>
        {entry.purpose !== null && <span className="truncate">{entry.purpose}</span>}
        {entry.fork && (
          <span
            className="rounded bg-ground px-1.5"
            title="This request omits earlier messages: the conversation continues from an earlier point."
          >
            fork
          </span>
        )}
        <span className="-my-1 ml-auto flex items-center gap-1">
          {entry.earlier > 0 && (
            <span className="tabular-nums" title="Earlier messages included in this request">
              after {plural(entry.earlier, 'message')}
            </span>
          )}
          <CopyButton text={() => entryText(entry)} title="Copy request" />
        </span>
      </Heading>
      {entry.messages.length === 0 && <p className="text-xs text-quiet">No new messages.</p>}
      {entry.messages.map((message) => (
        <Message key={message.at} message={message} open={open} find={find} />
      ))}
    </article>
  )
}

function Message({ message, open, find }: { message: NewMessage; open: (sha256: string) => void; find: string }) {
  const [folded, setFolded] = useState(message.role === 'system')
  const hasFind = find !== '' && JSON.stringify(message.parts).toLowerCase().includes(find.toLowerCase())
  if (folded && !hasFind) {
    return (
      <TextButton onClick={() => setFolded(false)} expanded={false}>
        System prompt, {characterCount(message).toLocaleString('en')} characters
      </TextButton>
    )
  }
  return (
    <div className={message.role === 'assistant' ? 'mt-1 border-l-2 border-accent pl-2' : 'mt-0.5'}>
      {message.role !== 'user' && (
        <p className="text-xs text-quiet">{message.role === 'assistant' ? 'sent as model reply' : message.role}</p>
      )}
      {rowsOf(message.parts).map((row, i) => (
        <Parts key={i} row={row} open={open} find={find} />
      ))}
    </div>
  )
}

function characterCount({ parts }: NewMessage): number {
  return parts.reduce(
    (sum, part) => sum + (part.kind === 'text' ? part.pieces.reduce((all, { text }) => all + text.length, 0) : 0),
    0,
  )
}

type Row =
  | Extract<MessagePart, { kind: 'text' | 'repeated' }>
  | { kind: 'images'; of: Extract<MessagePart, { kind: 'media' }>[] }

/** Consecutive images are shown side by side. */
function rowsOf(parts: readonly MessagePart[]): Row[] {
  const rows: Row[] = []
  for (const part of parts) {
    const last = rows.at(-1)
    if (part.kind !== 'media') rows.push(part)
    else if (last?.kind === 'images') last.of.push(part)
    else rows.push({ kind: 'images', of: [part] })
  }
  return rows
}

function Parts({ row, open, find }: { row: Row; open: (sha256: string) => void; find: string }) {
  switch (row.kind) {
    case 'text':
      return row.pieces.map((piece, i) => <PieceView key={i} piece={piece} find={find} />)
    case 'repeated':
      return <p className="my-1 text-xs text-quiet">{plural(row.media.length, 'image')} repeated from earlier</p>
    case 'images':
      return (
        <div className="my-2 grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2 group-data-large/log:grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))]">
          {row.of.map(({ media, label }) => (
            <MediaView key={media.sha256} media={media} label={label} open={open} />
          ))}
        </div>
      )
  }
}

function PieceView({ piece, find }: { piece: Piece; find: string }) {
  const [folded, setFolded] = useState(piece.repeated)
  if (piece.text.trim() === '') return null
  const hasFind = find !== '' && piece.text.toLowerCase().includes(find.toLowerCase())
  if (folded && !hasFind) {
    return (
      <TextButton onClick={() => setFolded(false)} expanded={false}>
        {piece.lines} repeated lines
      </TextButton>
    )
  }
  return (
    <LongText
      // Drops blank lines and the single space next to an image.
      text={piece.text.replace(/^\n+|\n+$|^ (?=\S)/g, '')}
      find={find}
      className={`text-[13px] ${piece.repeated ? 'border-l-2 border-line pl-2 text-quiet' : ''}`}
    />
  )
}

function Reply({ entry, seek, open, find }: Omit<EntryProps, 'entry'> & { entry: Of<'reply'> }) {
  const { inputTokens, outputTokens, ms, usd, cached, finish } = entry
  return (
    <article className="rounded-lg border border-accent/25 bg-accent-soft px-3 pb-2 pt-1">
      <Heading at={entry.at} seek={seek} color={MARK_COLOR.reply} title={capitalize(entry.role)}>
        <span className="flex flex-wrap gap-x-2.5 tabular-nums">
          {(inputTokens ?? 0) + (outputTokens ?? 0) > 0 && (
            <span title="Input → output tokens">
              {formatTokens(inputTokens ?? 0)} → {formatTokens(outputTokens ?? 0)}
            </span>
          )}
          {ms !== null && ms > 0 && <span>{formatDuration(ms)}</span>}
          {usd !== null && usd > 0 && <span>{formatSmallUsd(usd)}</span>}
          {cached && <span title="From the response cache; no request was sent">cached</span>}
          {finish !== null && finish !== 'stop' && <span className="text-warn">finish reason: {finish}</span>}
        </span>
        <span className="-my-1 ml-auto">
          <CopyButton text={() => entry.text} title="Copy reply" />
        </span>
      </Heading>
      {entry.reasoning !== null && entry.reasoning !== '' && <Reasoning text={entry.reasoning} find={find} />}
      {entry.text.trim() === '' ? (
        <p className="text-xs text-quiet">{entry.media.length > 0 ? 'No text.' : 'Empty reply.'}</p>
      ) : (
        <LongText text={entry.text} find={find} className="text-[13px]" />
      )}
      {entry.media.length > 0 && (
        <div className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2 group-data-large/log:grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))]">
          {entry.media.map((media) => (
            <MediaView key={media.sha256} media={media} label="generated by the model" open={open} />
          ))}
        </div>
      )}
    </article>
  )
}

function capitalize(role: string): string {
  return role === '' ? 'Reply' : `${role[0]!.toUpperCase()}${role.slice(1)}`
}

function Reasoning({ text, find }: { text: string; find: string }) {
  const [folded, setFolded] = useState(true)
  const hasFind = find !== '' && text.toLowerCase().includes(find.toLowerCase())
  const open = !folded || hasFind
  return (
    <div className="mb-1.5">
      <TextButton onClick={() => setFolded(!folded)} expanded={open}>
        {open ? 'Hide reasoning' : `Reasoning, ${text.length.toLocaleString('en')} characters`}
      </TextButton>
      {open && <LongText text={text} find={find} className="mt-1 border-l-2 border-line pl-2 text-[13px] text-quiet" />}
    </div>
  )
}

function Note({ entry, seek, open: openImage, find }: Omit<EntryProps, 'entry'> & { entry: Of<'note'> }) {
  const [open, setOpen] = useState(entry.open)
  const hasFind = find !== '' && entryText(entry).toLowerCase().includes(find.toLowerCase())
  const { type: _, ...details } = entry.event
  const { problem, repairs } = details
  return (
    <div className="px-3">
      <Heading
        at={entry.at}
        seek={seek}
        color={entry.mark === null ? 'var(--color-line)' : MARK_COLOR[entry.mark]}
        title={entry.title}
      >
        {typeof problem === 'string' && problem !== '' && (
          <span className="min-w-0 text-warn">{problem.slice(0, 300)}</span>
        )}
        {Array.isArray(repairs) && repairs.length > 0 && (
          <span className="min-w-0 text-warn">repaired: {repairs.map(String).join(', ').slice(0, 300)}</span>
        )}
        <span className="ml-auto">
          <TextButton onClick={() => setOpen(!open)} expanded={open || hasFind}>
            {open ? 'Hide data' : 'Data'}
          </TextButton>
        </span>
      </Heading>
      {(open || hasFind) &&
        (entry.open ? (
          <div className="mb-1 border-l-2 border-line pl-3">
            <Values value={details} open={openImage} find={find} />
          </div>
        ) : (
          <JsonText value={entry.event} find={find} />
        ))}
    </div>
  )
}

function Outcome({ entry, seek, find }: Omit<EntryProps, 'entry' | 'open'> & { entry: Of<'outcome'> }) {
  const [open, setOpen] = useState(false)
  const answered = entry.status === 'answered'
  return (
    <article className="rounded-lg border border-line bg-paper px-3 pb-2 pt-1">
      <Heading at={entry.at} seek={seek} color={MARK_COLOR.end} title="End of episode">
        <span className={`font-medium ${answered ? 'text-good' : 'text-bad'}`}>{humanize(entry.status)}</span>
        <span className="ml-auto">
          <TextButton onClick={() => setOpen(!open)} expanded={open}>
            {open ? 'Hide data' : 'Data'}
          </TextButton>
        </span>
      </Heading>
      {entry.problem !== null && <LongText text={entry.problem} find={find} className="text-[13px] text-warn" />}
      {open && <JsonText value={entry.outcome} find={find} />}
    </article>
  )
}
