/** Play, step, speed, the timeline, and a link to this moment. */
import { CopyButton, IconButton } from './buttons.tsx'
import { type Film, SPEEDS } from './film.ts'
import { MARK_COLOR } from './marks.ts'
import type { Moment } from './panel.ts'
import type { Script } from './script.ts'
import { Timeline } from './timeline.tsx'

interface PlayerBarProps {
  script: Script
  film: Film
  seek: (at: number) => void
  /** The address of this moment; absent where there is none. */
  link?: () => string
  /** Tells which keys work; not where keys move two episodes. */
  hint?: boolean
}

export function PlayerBar({ script, film, seek, link, hint = true }: PlayerBarProps) {
  const { moments, shots } = script
  const current = moments[Math.max(0, film.place)]
  return (
    <section aria-label="Timeline" className="rounded-lg border border-line bg-paper px-2 pb-1.5 pt-2">
      <div className="flex items-center gap-1">
        <IconButton icon="first" title="Step back (←)" onClick={() => film.step(-1)} disabled={film.place <= 0} />
        <IconButton
          icon={film.playing ? 'pause' : 'play'}
          title={film.playing ? 'Pause (space)' : 'Play (space)'}
          onClick={film.toggle}
          className="bg-accent-soft text-accent"
        />
        <IconButton
          icon="last"
          title="Step forward (→)"
          onClick={() => film.step(1)}
          disabled={film.place >= moments.length - 1}
        />
        <div className="mx-1.5 flex min-w-0 flex-1">
          <Timeline moments={moments} shots={shots} film={film} seek={seek} />
        </div>
        <label className="hidden shrink-0 sm:block">
          <span className="sr-only">Speed</span>
          <select
            value={film.speed}
            onChange={(event) => film.setSpeed(Number(event.target.value))}
            className="h-8 cursor-pointer rounded-md border-0 bg-transparent px-1 text-xs tabular-nums text-quiet hover:bg-accent-soft"
          >
            {SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {speed} ×
              </option>
            ))}
          </select>
        </label>
        {link && <CopyButton icon="link" title="Copy a link to this moment" text={link} />}
      </div>
      <Caption current={current} place={film.place} count={moments.length} hint={hint} />
    </section>
  )
}

interface CaptionProps {
  current: Moment | undefined
  place: number
  count: number
  hint: boolean
}

function Caption({ current, place, count, hint }: CaptionProps) {
  return (
    <p className="mt-1 flex min-w-0 items-baseline gap-2 px-1 text-xs text-quiet">
      <span className="shrink-0 tabular-nums">
        {Math.max(0, place) + 1} / {count}
      </span>
      {current && (
        <span className="min-w-0 truncate text-ink">
          <span
            aria-hidden="true"
            className="mr-1.5 inline-block size-2 rounded-full"
            style={{ background: MARK_COLOR[current.kind] }}
          />
          {current.title}
        </span>
      )}
      {hint && (
        <span className="ml-auto hidden shrink-0 lg:inline">
          space plays · ← → steps · shift ← → pictures · j k episodes
        </span>
      )}
    </p>
  )
}
