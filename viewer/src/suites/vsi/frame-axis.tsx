/** Frames on the time axis of their video. */
import { useState } from 'react'
import { useSource } from '../../data/hooks.ts'
import type { VsiEpisode } from './episode.ts'

interface FrameAxisProps {
  episode: VsiEpisode
  at: number
  seek: (at: number) => void
}

export function FrameAxis({ episode, at, seek }: FrameAxisProps) {
  const source = useSource()
  const [hover, setHover] = useState<number | null>(null)
  const { frames, videoInfo, video } = episode
  const current = frames.findLastIndex((each) => each.at <= at)
  const shown = frames[hover ?? current]
  const length = Math.max(1, (videoInfo?.frames ?? (frames.at(-1)?.event.frame ?? 0) + 1) - 1)
  const time = (frame: number): string =>
    videoInfo?.fps ? `${(frame / videoInfo.fps).toFixed(1)} s` : `frame ${frame}`
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-3">
      {video && (
        <video
          src={source.mediaUrl({ sha256: video.sha256, type: video.mediaType })}
          controls
          preload="metadata"
          aria-label="The player’s video"
          className="min-h-0 w-full flex-1 rounded bg-black object-contain"
        />
      )}
      {shown && (
        <figure className="flex min-h-0 flex-1 flex-col">
          <img
            src={source.mediaUrl({ sha256: shown.event.picture, type: 'image/png' })}
            alt={`Frame ${shown.event.frame} of the walkthrough`}
            className="min-h-40 w-full flex-1 rounded bg-ground object-contain"
          />
          <figcaption className="pt-1 text-xs text-quiet tabular-nums">
            frame {shown.event.frame}
            {videoInfo && ` of ${videoInfo.frames}`}
            {videoInfo?.fps && ` · ${time(shown.event.frame)} of ${time(length)}`} · image {shown.event.index + 1} of{' '}
            {frames.length}
          </figcaption>
        </figure>
      )}
      {frames.length > 0 && (
        <div className="px-2 pb-1">
          <ol aria-label="Frames on the time axis" className="relative h-9" onMouseLeave={() => setHover(null)}>
            <li aria-hidden="true" className="absolute inset-x-0 top-3 h-1 rounded bg-line" />
            {frames.map(({ at: when, event }, i) => (
              <li
                key={when}
                className="absolute top-0 -translate-x-1/2"
                style={{ left: `${(event.frame / length) * 100}%` }}
              >
                <button
                  type="button"
                  onClick={() => seek(when)}
                  onMouseEnter={() => setHover(i)}
                  onFocus={() => setHover(i)}
                  onBlur={() => setHover(null)}
                  aria-label={`Frame ${event.frame}, ${time(event.frame)}`}
                  aria-current={i === current ? 'step' : undefined}
                  className="flex h-7 w-3 items-center justify-center"
                >
                  <span
                    className={`block w-1 rounded ${i === current ? 'h-7 bg-accent' : when <= at ? 'h-4 bg-accent/70' : 'h-4 bg-quiet/50'}`}
                  />
                </button>
              </li>
            ))}
          </ol>
          <p className="flex justify-between text-xs text-quiet tabular-nums" aria-hidden="true">
            <span>{time(0)}</span>
            <span>{time(length)}</span>
          </p>
        </div>
      )}
    </div>
  )
}
