/** Time axis of a clip: spoken words, ground-truth windows, predicted times and the current frame. */
import type { AnswerEvent, ClipEvent } from '../../../../src/suites/vsig/events.ts'

type LaneStyle = Readonly<Record<`--${string}`, number>>

interface TimeAxisProps {
  clip: ClipEvent
  answer: AnswerEvent | null
  /** Time of the current frame in milliseconds. */
  now: number | null
}

/** Pixels of the narrowest axis, on phones and on larger screens, and of a character at most. */
const NARROW_AXIS = 200
const WIDE_AXIS = 480
const LETTER = 7.5
const WIDE_LETTER = 12

/** The lane of each word, which may extend past the next ones: the first that is free on an axis of so many pixels. */
function lanesOf({ words, durationMs }: ClipEvent, axis: number): number[] {
  const ends: number[] = []
  return words.map(({ text, begin }) => {
    const left = (begin / Math.max(durationMs, 1)) * axis
    const width = Array.from(text).reduce((sum, letter) => sum + (letter > '\u02ff' ? WIDE_LETTER : LETTER), 4)
    const free = ends.findIndex((end) => end <= left)
    const lane = free < 0 ? ends.length : free
    ends[lane] = left + width
    return lane
  })
}

const rowsOf = (lanes: readonly number[]): number => Math.max(1.5, ...lanes.map((lane) => lane + 1))

export function TimeAxis({ clip, answer, now }: TimeAxisProps) {
  const end = Math.max(clip.durationMs, 1)
  const share = (ms: number): string => `${(Math.min(Math.max(ms / end, 0), 1) * 100).toFixed(2)}%`
  const narrow = lanesOf(clip, NARROW_AXIS)
  const wide = lanesOf(clip, WIDE_AXIS)
  const inLane = (i: number): LaneStyle => ({ '--lane': narrow[i]!, '--wide-lane': wide[i]! })
  const bar = (from: number, to: number) => ({ left: share(from), width: `calc(${share(to)} - ${share(from)})` })
  return (
    <section
      aria-label="Words, ground-truth windows and predicted times"
      className="rounded-lg border border-line bg-paper p-3"
    >
      <div className="relative flex flex-col gap-1.5 text-[12px]">
        <Row
          title="speech"
          height="h-[calc(var(--lanes)*1rem)] sm:h-[calc(var(--wide-lanes)*1rem)]"
          style={{ '--lanes': rowsOf(narrow), '--wide-lanes': rowsOf(wide) }}
        >
          {clip.words.map(({ text, begin, end: till }, i) => (
            <span
              key={i}
              className="absolute top-[calc(var(--lane)*1rem)] flex h-4 items-center rounded border-x border-ground bg-accent-soft text-[11px] whitespace-nowrap text-ink sm:top-[calc(var(--wide-lane)*1rem)]"
              style={{ ...bar(begin, till), ...inLane(i) }}
              title={`${text}: ${begin} to ${till} ms`}
            >
              {text}
            </span>
          ))}
          {clip.words.length === 0 && (
            <span className="text-quiet">
              {clip.slots[0]?.unmeasured === 'no transcript' ? 'no transcript' : 'no speech'}
            </span>
          )}
        </Row>
        {clip.slots.map(({ name, window, unmeasured }, i) => {
          const time = answer?.points[i]?.time ?? null
          const right = answer?.slots[i]?.temporal ?? null
          return (
            <Row key={i} title={`${i + 1} ${name}`}>
              {window && (
                <span
                  className="absolute inset-y-0.5 rounded border border-truth bg-truth/20"
                  style={bar(...window)}
                  title={`ground truth: ${window[0]} to ${window[1]} ms`}
                />
              )}
              {!window && time === null && <span className="text-quiet">{unmeasured ?? 'no window'}</span>}
              {time !== null && (
                <span
                  className={`absolute inset-y-1.5 min-w-1 rounded-sm ${right === false ? 'bg-bad' : right ? 'bg-good' : 'bg-quiet'}`}
                  style={typeof time === 'number' ? { left: share(time) } : bar(...time)}
                  title={`predicted: ${typeof time === 'number' ? time : time.join(' to ')} ms`}
                />
              )}
            </Row>
          )
        })}
        {now !== null && (
          <div className="pointer-events-none absolute inset-y-0 right-0 left-28" aria-hidden="true">
            <div className="absolute inset-y-0 w-px bg-accent" style={{ left: share(now) }} />
          </div>
        )}
        <div className="ml-28 flex justify-between text-quiet tabular-nums">
          <span>0 s</span>
          <span>{(end / 1000).toFixed(1)} s</span>
        </div>
      </div>
    </section>
  )
}

interface RowProps {
  title: string
  height?: string
  style?: LaneStyle
  children: React.ReactNode
}

function Row({ title, height = 'h-6', style, children }: RowProps) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-2">
      <span className="truncate text-quiet" title={title}>
        {title}
      </span>
      <div className={`relative ${height} rounded bg-ground px-1`} style={style}>
        {children}
      </div>
    </div>
  )
}
