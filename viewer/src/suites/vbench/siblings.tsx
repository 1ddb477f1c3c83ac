/** All videos of a prompt, side by side. */
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { EpisodeDetail } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import type { DataSource } from '../../data/source.ts'
import { useSource } from '../../data/hooks.ts'
import type { VideoEvent } from '../../../../src/suites/vbench/events.ts'
import { videoIn } from './video.ts'

/** Maximum number of videos per prompt in the protocol. */
const MAX_SIBLINGS = 25

interface Sibling {
  index: number
  epoch: number
  video: VideoEvent
}

export function Siblings({ episode }: { episode: EpisodeDetail }) {
  const source = useSource()
  const { run, line } = episode
  const [siblings, setSiblings] = useState<readonly Sibling[]>([])
  useEffect(() => {
    let wanted = true
    const show = (found: readonly Sibling[]): void => {
      if (wanted) setSiblings(found)
    }
    find(source, run.id, line.cluster, show).catch(() => show([]))
    return () => {
      wanted = false
    }
  }, [source, run.id, line.cluster])
  if (siblings.length < 2) return null
  return (
    <section aria-label="All videos of this prompt" className="flex flex-col gap-2">
      <h2 className="text-[13px] font-semibold">All videos of this prompt</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
        {siblings.map(({ index, epoch, video }) => {
          const isThis = index === line.index && epoch === line.epoch
          return (
            <li key={`${index} ${epoch}`}>
              <Link
                href={linkTo.episode(run.id, { index, epoch })}
                aria-current={isThis ? 'true' : undefined}
                className={`block overflow-hidden rounded-md border-2 bg-paper ${isThis ? 'border-accent' : 'border-transparent hover:border-line'}`}
              >
                <Preview video={video} />
                <span className="flex justify-between px-2 py-1 text-[12px] text-quiet tabular-nums">
                  <span>{video.index}</span>
                  <span>{video.seed === null ? '' : `seed ${video.seed}`}</span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/**
 * A still image until hovered, because a browser opens few connections per server and each video takes one. The still is
 * the left end of the frame strip. Neither takes the mouse: a button pressed on one that is being replaced would click nothing.
 */
function Preview({ video: { index, media, frames, clip } }: { video: VideoEvent }) {
  const source = useSource()
  const [plays, setPlays] = useState(false)
  const shape = { aspectRatio: clip ? `${clip.width} / ${clip.height}` : '16 / 9' }
  const still = frames && !plays
  return (
    <span
      className="block overflow-hidden bg-ground"
      style={shape}
      onMouseEnter={() => setPlays(true)}
      onMouseLeave={() => setPlays(false)}
    >
      {still ? (
        <img
          src={source.mediaUrl(frames)}
          alt={`Video ${index}`}
          loading="lazy"
          className="pointer-events-none block h-full max-w-none object-left"
        />
      ) : (
        <video
          src={source.mediaUrl(media!)}
          muted
          loop
          playsInline
          autoPlay={plays}
          preload={plays ? 'auto' : 'none'}
          aria-label={`Video ${index}`}
          className="pointer-events-none size-full"
        />
      )}
    </span>
  )
}

/** Calls back once with all videos, in order. */
async function find(
  source: DataSource,
  run: string,
  prompt: string,
  found: (siblings: readonly Sibling[]) => void,
): Promise<void> {
  const { index, epoch, cluster } = await source.episodes(run)
  const code = cluster.values.indexOf(prompt)
  const rows = cluster.codes.flatMap((each, row) => (each === code ? [row] : [])).slice(0, MAX_SIBLINGS)
  const all = await Promise.all(
    rows.map(async (row): Promise<Sibling | null> => {
      const address = { index: index[row]!, epoch: epoch[row]! }
      // An exported folder may not contain all episodes.
      const detail = await source.episode(run, address.index, address.epoch).catch(() => null)
      const video = detail && videoIn(detail.events)
      return video?.media ? { ...address, video } : null
    }),
  )
  found(all.filter((sibling) => sibling !== null).sort((a, b) => a.video.index - b.video.index))
}
