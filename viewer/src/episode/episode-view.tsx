/**
 * Episode playback: the suite's panel, images and transcript, controlled by one timeline.
 *
 * @example
 * <EpisodeView episode={detail} panel={usePanel(detail)} at={at} seek={setAt} />
 */
import { Tabs } from 'radix-ui'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { EpisodeDetail } from '../../../src/server/api.ts'
import { Loading } from '../ui/states.tsx'
import { ImageStrip } from './image-strip.tsx'
import { usePlayback, usePlaybackKeys } from './playback.ts'
import type { SuitePanel } from './panel.ts'
import { ImageDialog } from './image-dialog.tsx'
import { PlayerBar } from './player-bar.tsx'
import { type EpisodeModel, buildEpisodeModel, type MediaItem } from './episode-model.ts'
import { Transcript } from './transcript.tsx'
import { useWide } from './use-wide.ts'

interface EpisodeViewProps {
  episode: EpisodeDetail
  /** The suite's panel; `undefined` while loading. */
  panel: SuitePanel | undefined
  /** Index of the current step in `episode.events`. */
  at: number
  seek: (at: number) => void
  /** Narrow layout without keyboard shortcuts, for two episodes side by side. */
  compact?: boolean
  /** URL of the current step, for copying. */
  link?: () => string
}

export function EpisodeView({ panel, ...props }: EpisodeViewProps) {
  // The panel adds steps to the timeline, so rendering without it would shift them later.
  return panel === undefined ? <Loading what="episode" /> : <Opened {...props} panel={panel} />
}

function Opened({ episode, panel, at, seek, compact = false, link }: EpisodeViewProps & { panel: SuitePanel }) {
  const model = useMemo(() => buildEpisodeModel(episode.events, panel, episode.metrics), [episode, panel])
  const playback = usePlayback(model.moments, at, seek)
  const [opened, setOpened] = useState<MediaItem | null>(null)
  const wide = useWide() && !compact
  usePlaybackKeys(playback, !compact)

  const openImage = useCallback(
    (sha256: string) => setOpened(model.media.find((item) => item.sha256 === sha256) ?? null),
    [model],
  )
  const transcript = (
    <Transcript entries={model.entries} at={at} seek={seek} open={openImage} largeImages={panel.external === true} />
  )
  const bar = <PlayerBar model={model} playback={playback} seek={seek} hint={!compact} {...(link && { link })} />
  const Layout = wide ? WideLayout : NarrowLayout
  return (
    <>
      <Layout
        model={model}
        at={at}
        seek={seek}
        open={setOpened}
        bar={bar}
        transcript={transcript}
        panel={<panel.Panel episode={episode} at={at} seek={seek} />}
        transcriptFirst={panel.transcriptFirst === true}
        compact={compact}
      />
      <ImageDialog media={model.media} image={opened} open={setOpened} seek={seek} />
    </>
  )
}

interface LayoutProps {
  model: EpisodeModel
  at: number
  seek: (at: number) => void
  open: (item: MediaItem | null) => void
  bar: ReactNode
  transcript: ReactNode
  panel: ReactNode
  /** Give the transcript the most prominent place. */
  transcriptFirst: boolean
  compact: boolean
}

/** Panel and transcript side by side above images and timeline; the page itself does not scroll. */
function WideLayout({ model, at, seek, open, bar, transcript, panel, transcriptFirst }: LayoutProps) {
  const hasImages = model.media.some(({ type }) => type.startsWith('image/'))
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex min-h-0 flex-1 gap-3">
        <section
          aria-label={transcriptFirst ? 'Details' : 'Replay'}
          tabIndex={0}
          className={`flex min-h-0 min-w-0 flex-col overflow-y-auto ${transcriptFirst ? 'order-last flex-1' : 'flex-[1.25]'}`}
        >
          {panel}
        </section>
        <div
          className={`flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-ground ${transcriptFirst ? 'flex-[1.5]' : 'flex-1'}`}
        >
          {transcript}
        </div>
      </div>
      {hasImages && <ImageStrip media={model.media} at={at} seek={seek} open={open} />}
      {bar}
    </div>
  )
}

/** One part at a time; the timeline stays visible. */
function NarrowLayout({ model, at, seek, open, bar, transcript, panel, transcriptFirst, compact }: LayoutProps) {
  const hasImages = model.media.some(({ type }) => type.startsWith('image/'))
  const tabs = [
    ...(transcriptFirst ? [] : [{ name: 'scene', title: 'Replay', part: panel }]),
    {
      name: 'transcript',
      title: 'Transcript',
      part: (
        <div className="flex h-full min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-ground">
          {transcript}
        </div>
      ),
    },
    ...(transcriptFirst ? [{ name: 'details', title: 'Details', part: panel }] : []),
    ...(hasImages
      ? [
          {
            name: 'images',
            title: 'Images',
            part: <ImageStrip media={model.media} at={at} seek={seek} open={open} wrap />,
          },
        ]
      : []),
  ]
  return (
    <Tabs.Root defaultValue={tabs[0]!.name} className="flex min-h-0 flex-1 flex-col gap-2">
      <Tabs.List aria-label="Episode views" className="flex gap-1 border-b border-line">
        {tabs.map(({ name, title }) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-1.5 text-sm text-quiet hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {title}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map(({ name, part }) => (
        <Tabs.Content
          key={name}
          value={name}
          className={`min-h-0 flex-1 overflow-y-auto outline-none ${compact ? 'h-[32rem]' : ''}`}
        >
          {part}
        </Tabs.Content>
      ))}
      {bar}
    </Tabs.Root>
  )
}
