/** The transcript: only new messages of each request, with the current step in view. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from './buttons.tsx'
import { EntryView } from './entry-view.tsx'
import { type Entry, entryText } from './episode-model.ts'

interface TranscriptProps {
  entries: readonly Entry[]
  at: number
  seek: (at: number) => void
  /** Enlarges an image. */
  open: (sha256: string) => void
  /** Show images large, for suites that ask about them. */
  largeImages: boolean
}

const ESTIMATED_HEIGHT: Readonly<Record<Entry['kind'], number>> = { ask: 170, reply: 150, note: 38, outcome: 90 }

export function Transcript({ entries, at, seek, open, largeImages }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const current = useMemo(() => entries.findLastIndex((entry) => entry.at <= at), [entries, at])
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => ESTIMATED_HEIGHT[entries[i]!.kind],
    getItemKey: (i) => entries[i]!.at,
    // Starts near the step in the URL to avoid a jump.
    initialOffset: () =>
      entries.slice(0, Math.max(0, current)).reduce((sum, { kind }) => sum + ESTIMATED_HEIGHT[kind], 0),
    overscan: 4,
    paddingStart: 8,
    paddingEnd: 24,
    // Keeps the surrounding entries visible.
    scrollPaddingStart: 90,
    scrollPaddingEnd: 150,
  })
  const search = useSearch(entries)
  const goTo = useRef((index: number, align: 'auto' | 'start' | 'center') => {
    if (index >= 0) list.scrollToIndex(index, { align })
  })
  goTo.current = (index, align) => {
    if (index >= 0) list.scrollToIndex(index, { align })
  }
  useEffect(() => {
    goTo.current(current, 'auto')
  }, [current])
  useEffect(() => {
    if (search.hit === null) return
    goTo.current(search.hit, 'start')
    return showMatch(scroller.current!, search.hit)
  }, [search.hit, search.query])

  return (
    <section aria-label="Transcript" className="flex min-h-0 flex-1 flex-col">
      <SearchBar search={search} />
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Messages"
        tabIndex={0}
        data-large={largeImages || undefined}
        className="group/log min-h-0 flex-1 overflow-y-auto overscroll-contain px-3"
      >
        <div className="relative w-full" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              data-index={index}
              ref={list.measureElement}
              className="absolute left-0 top-0 w-full pb-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row
                entry={entries[index]!}
                now={index === current}
                later={index > current}
                seek={seek}
                open={open}
                find={search.query}
              />
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}

/** Entries are laid out and measured over some frames. */
const LAYOUT_FRAMES = 12

/** Scrolls to the first match within an entry, which may be longer than the window. Returns a function that stops it. */
function showMatch(scroller: HTMLElement, entry: number): () => void {
  let frames = LAYOUT_FRAMES
  const show = (): void => {
    const match = scroller.querySelector(`[data-index="${entry}"] mark`)
    if (match) {
      const offset = match.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      if (offset < 0 || offset > scroller.clientHeight * 0.8) scroller.scrollTop += offset - scroller.clientHeight / 3
    }
    if (--frames > 0) request = requestAnimationFrame(show)
  }
  let request = requestAnimationFrame(show)
  return () => cancelAnimationFrame(request)
}

interface RowProps {
  entry: Entry
  now: boolean
  later: boolean
  seek: (at: number) => void
  open: (sha256: string) => void
  find: string
}

const Row = memo(function Row({ entry, now, later, seek, open, find }: RowProps) {
  return (
    <div
      aria-current={now ? 'step' : undefined}
      className={`rounded-lg transition-opacity ${now ? 'ring-2 ring-accent/70' : ''} ${later ? 'opacity-55' : ''}`}
    >
      <EntryView entry={entry} seek={seek} open={open} find={find} />
    </div>
  )
})

interface Search {
  text: string
  query: string
  setText: (text: string) => void
  /** Index of the current hit, and number of hits. */
  index: number
  count: number
  /** Entry of the current hit. */
  hit: number | null
  move: (by: number) => void
}

const MIN_QUERY_LENGTH = 2

function useSearch(entries: readonly Entry[]): Search {
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const wanted = useDeferredValue(text.trim())
  const query = wanted.length < MIN_QUERY_LENGTH ? '' : wanted
  const hits = useMemo(() => {
    if (query === '') return []
    const lower = query.toLowerCase()
    return entries.flatMap((entry, i) => (entryText(entry).toLowerCase().includes(lower) ? [i] : []))
  }, [entries, query])
  const safe = hits.length === 0 ? 0 : ((index % hits.length) + hits.length) % hits.length
  return {
    text,
    query,
    setText: (next) => {
      setText(next)
      setIndex(0)
    },
    index: safe,
    count: hits.length,
    hit: hits[safe] ?? null,
    move: (by) => setIndex(safe + by),
  }
}

function SearchBar({ search }: { search: Search }) {
  return (
    <search className="flex h-10 shrink-0 items-center gap-1 border-b border-line px-3 text-quiet">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search transcript"
        placeholder="Search transcript"
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1)
        }}
        className="h-8 min-w-0 flex-1 bg-transparent px-1 text-sm text-ink outline-none placeholder:text-quiet"
      />
      {search.query !== '' && (
        <>
          <span role="status" className="text-xs tabular-nums">
            {search.count === 0 ? 'no matches' : `${search.index + 1} of ${search.count}`}
          </span>
          <IconButton
            icon="chevronUp"
            title="Previous match"
            onClick={() => search.move(-1)}
            disabled={search.count === 0}
            className="size-7"
          />
          <IconButton
            icon="chevronDown"
            title="Next match"
            onClick={() => search.move(1)}
            disabled={search.count === 0}
            className="size-7"
          />
        </>
      )}
    </search>
  )
}
