/** Articulate: ground truth and prediction side by side, with the verdict on each answer. */
import { useCallback, useMemo, useState } from 'react'
import { useSource } from '../../data/hooks.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { eventsOf, latestAt } from '../../episode/read.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import {
  critiqueEvent,
  iterationEvent,
  objectEvent,
  type RobotData,
  stopEvent,
  videoEvent,
} from '../../../../src/suites/articulate/events.ts'
import { JointSliders } from './joint-sliders.tsx'
import { CritiqueCard, Iterations } from './verdicts.tsx'

const { Component: RobotsStage } = lazyComponent(
  async () => (await import('./robots-stage.tsx')).default,
  <div className="h-[22rem] rounded-lg border border-line bg-ground" />,
)

export const articulatePanel: SuitePanel = {
  moments({ type, iteration, text }, at) {
    if (type === 'articulate/iteration') return { at, title: `answer ${Number(iteration) + 1}`, kind: 'verdict' }
    if (type === 'articulate/critique') return { at, title: 'critic graded', kind: 'verdict' }
    if (type === 'articulate/stop') return { at, title: `stopped: ${String(text)}`, kind: 'end' }
    return null
  },
  Panel: ArticulatePanel,
}

function ArticulatePanel({ episode: { events }, at, seek }: PanelProps) {
  const recorded = useMemo(
    () => ({
      object: eventsOf(events, 'articulate/object', objectEvent)[0]?.event,
      iterations: eventsOf(events, 'articulate/iteration', iterationEvent),
      critiques: eventsOf(events, 'articulate/critique', critiqueEvent),
      stop: eventsOf(events, 'articulate/stop', stopEvent)[0],
      videos: eventsOf(events, 'articulate/video', videoEvent),
    }),
    [events],
  )
  const { object, iterations, critiques, stop, videos } = recorded
  const [shares, setShares] = useState<ReadonlyMap<string, number>>(new Map())
  const share = useCallback((part: string) => shares.get(part) ?? 0, [shares])
  const now = latestAt(iterations, at)
  const critique = critiques[0]
  // In the critic benchmark, the faulty object is shown before the verdict.
  const prediction: RobotData | null = now?.event.robot ?? critique?.event.robot ?? null
  return (
    <div className="flex flex-col gap-3">
      {object && (
        <>
          <RobotsStage meshes={object.meshes} truth={object.truth} prediction={prediction} share={share} />
          <JointSliders truth={object.truth} prediction={prediction} shares={shares} onChange={setShares} />
        </>
      )}
      {critique && <CritiqueCard critique={critique.event} isGraded={critique.at <= at} />}
      {iterations.length > 0 && (
        <Iterations
          iterations={iterations}
          current={now?.at ?? null}
          stop={stop && stop.at <= at ? stop.event : null}
          seek={seek}
        />
      )}
      <Videos videos={videos.filter((video) => video.at <= at).map(({ event }) => event)} />
    </div>
  )
}

function Videos({
  videos,
}: {
  videos: readonly { what: string; part?: string | undefined; media: { sha256: string; type: string } }[]
}) {
  const source = useSource()
  if (videos.length === 0) return null
  return (
    <section aria-label="Motions" className="grid grid-cols-2 gap-2">
      {videos.map(({ what, part, media }, i) => (
        <figure key={i} className="overflow-hidden rounded-lg border border-line bg-paper">
          <video
            src={source.mediaUrl(media)}
            controls
            loop
            muted
            preload="metadata"
            aria-label={`${what} of ${part ?? 'all parts'}`}
            className="w-full"
          />
          <figcaption className="px-2 py-1 text-[12px] text-quiet">
            {what}
            {part === undefined ? '' : `: ${part}`}
          </figcaption>
        </figure>
      ))}
    </section>
  )
}
