/**
 * An episode as a film: the suite's panel, the pictures, the transcript, and one line of moments for all of them.
 *
 * @example
 * <EpisodeView episode={detail} panel={usePanel(detail)} at={at} seek={setAt} />
 */
import { Tabs } from 'radix-ui'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { EpisodeDetail } from '../../../src/server/api.ts'
import { Loading } from '../ui/states.tsx'
import { FilmStrip } from './film-strip.tsx'
import { useFilm, useFilmKeys } from './film.ts'
import type { SuitePanel } from './panel.ts'
import { PictureDialog } from './picture-dialog.tsx'
import { PlayerBar } from './player-bar.tsx'
import { type Script, scriptOf, type Shot } from './script.ts'
import { Transcript } from './transcript.tsx'
import { useWide } from './use-wide.ts'

interface EpisodeViewProps {
  episode: EpisodeDetail
  /** Its suite's; `undefined` until it is loaded. */
  panel: SuitePanel | undefined
  /** Position in `episode.events` of the moment that is looked at. */
  at: number
  seek: (at: number) => void
  /** Narrow, one part at a time, and without keys of its own: for two side by side. */
  compact?: boolean
  /** The address of the present moment, to be copied. */
  link?: () => string
}

export function EpisodeView({ panel, ...props }: EpisodeViewProps) {
  // The suite's moments belong on the timeline: without them it would change under the hand.
  return panel === undefined ? <Loading what="the episode" /> : <Opened {...props} panel={panel} />
}

function Opened({ episode, panel, at, seek, compact = false, link }: EpisodeViewProps & { panel: SuitePanel }) {
  const script = useMemo(() => scriptOf(episode.events, panel), [episode.events, panel])
  const film = useFilm(script.moments, at, seek)
  const [opened, setOpened] = useState<Shot | null>(null)
  const wide = useWide() && !compact
  useFilmKeys(film, !compact)

  const openPicture = useCallback(
    (sha256: string) => setOpened(script.shots.find((shot) => shot.sha256 === sha256) ?? null),
    [script],
  )
  const transcript = (
    <Transcript
      entries={script.entries}
      shots={script.shots}
      at={at}
      seek={seek}
      open={openPicture}
      largePictures={panel.guest === true}
    />
  )
  const bar = <PlayerBar script={script} film={film} seek={seek} hint={!compact} {...(link && { link })} />
  const Layout = wide ? WideLayout : NarrowLayout
  return (
    <>
      <Layout
        script={script}
        at={at}
        seek={seek}
        open={setOpened}
        bar={bar}
        transcript={transcript}
        panel={<panel.Panel episode={episode} at={at} seek={seek} />}
        general={panel.general === true}
        compact={compact}
      />
      <PictureDialog shots={script.shots} shot={opened} open={setOpened} seek={seek} />
    </>
  )
}

interface LayoutProps {
  script: Script
  at: number
  seek: (at: number) => void
  open: (shot: Shot | null) => void
  bar: ReactNode
  transcript: ReactNode
  panel: ReactNode
  /** The transcript is what one looks at first. */
  general: boolean
  compact: boolean
}

/** Panel and transcript side by side over pictures and timeline; the page itself does not scroll. */
function WideLayout({ script, at, seek, open, bar, transcript, panel, general }: LayoutProps) {
  const pictures = script.shots.some(({ type }) => type.startsWith('image/'))
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <div className="flex min-h-0 flex-1 gap-3">
        <section
          aria-label={general ? 'Details' : 'What happened'}
          className={`flex min-h-0 min-w-0 flex-col overflow-y-auto ${general ? 'order-last flex-1' : 'flex-[1.25]'}`}
        >
          {panel}
        </section>
        <div
          className={`flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-ground ${general ? 'flex-[1.5]' : 'flex-1'}`}
        >
          {transcript}
        </div>
      </div>
      {pictures && <FilmStrip shots={script.shots} at={at} seek={seek} open={open} />}
      {bar}
    </div>
  )
}

/** One part at a time; the timeline stays at hand. */
function NarrowLayout({ script, at, seek, open, bar, transcript, panel, general, compact }: LayoutProps) {
  const pictures = script.shots.some(({ type }) => type.startsWith('image/'))
  const tabs = [
    ...(general ? [] : [{ name: 'scene', title: 'What happened', part: panel }]),
    {
      name: 'transcript',
      title: 'Transcript',
      part: (
        <div className="flex h-full min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-ground">
          {transcript}
        </div>
      ),
    },
    ...(general ? [{ name: 'details', title: 'Details', part: panel }] : []),
    ...(pictures
      ? [
          {
            name: 'pictures',
            title: 'Pictures',
            part: <FilmStrip shots={script.shots} at={at} seek={seek} open={open} wrap />,
          },
        ]
      : []),
  ]
  return (
    <Tabs.Root defaultValue={tabs[0]!.name} className="flex min-h-0 flex-1 flex-col gap-2">
      <Tabs.List aria-label="Parts of the episode" className="flex gap-1 border-b border-line">
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
