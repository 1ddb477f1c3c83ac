/** VSI: the question, with the exploration or video it is answered from. */
import { useMemo, useState } from 'react'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { card } from '../../ui/button.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Segmented, type SegmentedOption } from '../../ui/segmented.tsx'
import { Loading } from '../../ui/states.tsx'
import { CognitiveMap } from './cognitive-map.tsx'
import { readEpisode, type VsiEpisode } from './episode.ts'
import { FrameAxis } from './frame-axis.tsx'
import { FloorMap } from './floor-map.tsx'
import { momentOf, titleOf } from './moments.ts'
import { MoveLine } from './move-line.tsx'
import { QuestionCard } from './question-card.tsx'

const { Component: SceneView } = lazyComponent(
  async () => (await import('./scene-view.tsx')).SceneView,
  <Loading what="scene" />,
)

export const vsiPanel: SuitePanel = {
  moments: momentOf,
  title: titleOf,
  Panel: VsiPanel,
}

type Part = 'scene' | 'map' | 'video' | 'cells'

function VsiPanel({ episode, at, seek }: PanelProps) {
  const vsi = useMemo(() => readEpisode(episode.events), [episode])
  const parts = partsOf(vsi, episode.hasScene)
  const [chosen, choose] = useState<Part | null>(null)
  const part = parts.find(({ value }) => value === chosen)?.value ?? parts[0]?.value ?? null
  const current = vsi.poses.findLastIndex((pose) => pose.at <= at)
  const ended = at >= vsi.answeredAt
  const address = { run: episode.run.id, index: episode.line.index, epoch: episode.line.epoch }
  const choice = parts.length > 1 && <Segmented label="View" value={part ?? 'map'} options={parts} onChange={choose} />
  const map = (
    <div className="min-h-72 flex-1 p-2">
      <FloorMap episode={vsi} current={current} seek={seek} />
    </div>
  )
  return (
    <div className={`${card} flex min-h-0 flex-1 flex-col overflow-hidden`}>
      {vsi.question ? (
        <QuestionCard question={vsi.question} answer={ended ? vsi.answer : null} ended={ended}>
          {choice}
        </QuestionCard>
      ) : (
        choice && <div className="border-b border-line px-3 py-1.5">{choice}</div>
      )}
      {part === 'scene' && (
        <SceneView
          key={`${address.run}/${address.index}/${address.epoch}`}
          address={address}
          episode={vsi}
          current={current}
          fallback={map}
        />
      )}
      {part === 'map' && map}
      {part === 'video' && <FrameAxis episode={vsi} at={at} seek={seek} />}
      {part === 'cells' && vsi.cognitive && (
        <CognitiveMap
          map={vsi.cognitive.map}
          truth={vsi.cognitive.truth}
          agreement={vsi.cognitive.locality?.agreement ?? null}
        />
      )}
      {part === null && (
        <p className="px-3 py-6 text-center text-[13px] text-quiet">
          No images: the question is answered from text alone.
        </p>
      )}
      {vsi.views.length > 0 && (
        <div aria-live="polite" className="border-t border-line px-3 py-2">
          <MoveLine
            view={vsi.views.findLast((each) => each.at <= at)?.event ?? null}
            of={Math.max(0, vsi.views.length - 1)}
          />
        </div>
      )}
    </div>
  )
}

function partsOf(vsi: VsiEpisode, hasScene: boolean): SegmentedOption<Part>[] {
  const parts: SegmentedOption<Part>[] = []
  if (vsi.frames.length > 0 || vsi.video) parts.push({ value: 'video', title: 'Video' })
  if (hasScene && vsi.poses.length > 0) parts.push({ value: 'scene', title: '3D scene' })
  if (vsi.poses.length > 0) parts.push({ value: 'map', title: 'Map' })
  if (vsi.cognitive) parts.push({ value: 'cells', title: 'Predicted map' })
  return parts
}
