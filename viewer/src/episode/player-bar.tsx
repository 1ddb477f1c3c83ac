/** Playback controls, timeline, and a link to the current step. */
import { CopyButton, IconButton } from './buttons.tsx'
import { type Playback, SPEEDS } from './playback.ts'
import { MARK_COLOR } from './marks.ts'
import type { Moment } from './panel.ts'
import type { EpisodeModel } from './episode-model.ts'
import { Timeline } from './timeline.tsx'

interface PlayerBarProps {
  model: EpisodeModel
  playback: Playback
  seek: (at: number) => void
  /** URL of the current step, if it has one. */
  link?: () => string
  /** Show the keyboard hint. */
  hint?: boolean
}

export function PlayerBar({ model, playback, seek, link, hint = true }: PlayerBarProps) {
  const { moments, media } = model
  const current = moments[Math.max(0, playback.index)]
  return (
    <section aria-label="Timeline" className="rounded-lg border border-line bg-paper px-2 pb-1.5 pt-2">
      <div className="flex items-center gap-1">
        <IconButton
          icon="first"
          title="Step back (←)"
          onClick={() => playback.step(-1)}
          disabled={playback.index <= 0}
        />
        <IconButton
          icon={playback.playing ? 'pause' : 'play'}
          title={playback.playing ? 'Pause (Space)' : 'Play (Space)'}
          onClick={playback.toggle}
          className="bg-accent-soft text-accent"
        />
        <IconButton
          icon="last"
          title="Step forward (→)"
          onClick={() => playback.step(1)}
          disabled={playback.index >= moments.length - 1}
        />
        <div className="mx-1.5 flex min-w-0 flex-1">
          <Timeline moments={moments} media={media} playback={playback} seek={seek} />
        </div>
        <label className="hidden shrink-0 sm:block">
          <span className="sr-only">Speed</span>
          <select
            value={playback.speed}
            onChange={(event) => playback.setSpeed(Number(event.target.value))}
            className="h-8 cursor-pointer rounded-md border-0 bg-transparent px-1 text-xs tabular-nums text-quiet hover:bg-accent-soft"
          >
            {SPEEDS.map((speed) => (
              <option key={speed} value={speed}>
                {speed} ×
              </option>
            ))}
          </select>
        </label>
        {link && <CopyButton icon="link" title="Copy link to this step" text={link} />}
      </div>
      <Caption current={current} index={playback.index} count={moments.length} hint={hint} />
    </section>
  )
}

interface CaptionProps {
  current: Moment | undefined
  index: number
  count: number
  hint: boolean
}

function Caption({ current, index, count, hint }: CaptionProps) {
  return (
    <p className="mt-1 flex min-w-0 items-baseline gap-2 px-1 text-xs text-quiet">
      <span className="shrink-0 tabular-nums">
        {Math.max(0, index) + 1} / {count}
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
        <span className="ml-auto hidden shrink-0 lg:inline">Space play · ← → step · Shift ← → image · j k episode</span>
      )}
    </p>
  )
}
