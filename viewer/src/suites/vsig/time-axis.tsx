/** Time axis of a clip: spoken words, ground-truth windows, predicted times and the current frame. */
import type { AnswerEvent, ClipEvent } from '../../../../src/suites/vsig/events.ts'

interface TimeAxisProps {
  clip: ClipEvent
  answer: AnswerEvent | null
  /** Time of the current frame in milliseconds. */
  now: number | null
}

/** On narrow screens, words use three lanes, because a short one may extend past the next two. */
const LANES = ['top-0', 'top-1/3', 'top-2/3']

export function TimeAxis({ clip, answer, now }: TimeAxisProps) {
  const end = Math.max(clip.durationMs, 1)
  const share = (ms: number): string => `${(Math.min(Math.max(ms / end, 0), 1) * 100).toFixed(2)}%`
  const bar = (from: number, to: number) => ({ left: share(from), width: `calc(${share(to)} - ${share(from)})` })
  return (
    <section
      aria-label="Words, ground-truth windows and predicted times"
      className="rounded-lg border border-line bg-paper p-3"
    >
      <div className="relative flex flex-col gap-1.5 text-[12px]">
        <Row title="speech" height="h-12 sm:h-6">
          {clip.words.map(({ text, begin, end: till }, i) => (
            <span
              key={i}
              className={`absolute ${LANES[i % LANES.length]} flex h-1/3 items-center rounded border-x border-ground bg-accent-soft text-[11px] whitespace-nowrap text-ink sm:top-0 sm:h-full sm:justify-center sm:overflow-hidden sm:text-[12px]`}
              style={bar(begin, till)}
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
  children: React.ReactNode
}

function Row({ title, height = 'h-6', children }: RowProps) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-2">
      <span className="truncate text-quiet" title={title}>
        {title}
      </span>
      <div className={`relative ${height} rounded bg-ground px-1`}>{children}</div>
    </div>
  )
}
