/** Theory of Space: floor plan with ground truth and predicted map, curves over turns, and questions. */
import { useMemo, useState } from 'react'
import type { Moment, PanelProps, SuitePanel } from '../../episode/panel.ts'
import { card } from '../../ui/button.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Answers, questionText, taskTitle } from './answers.tsx'
import { Curves } from './curves.tsx'
import type { AnswerEvent } from '../../../../src/suites/space/events.ts'
import { readEpisode } from './episode.ts'
import { Facts } from './facts.tsx'
import { Grid, type Layers } from './grid.tsx'
import { momentOf } from './moments.ts'
import { kindOf, stateAt } from './state.ts'

export const spacePanel: SuitePanel = {
  moments: (event, at): Moment | null => momentOf(event, at),
  Panel: SpacePanel,
}

type Part = 'map' | 'curves' | 'questions'

const PARTS: readonly { value: Part; title: string }[] = [
  { value: 'map', title: 'Map' },
  { value: 'curves', title: 'Curves' },
  { value: 'questions', title: 'Questions' },
]

const MAP_KINDS: Readonly<Record<string, string>> = { global: 'Global', local: 'Local', rooms: 'Rooms' }

function SpacePanel({ episode, at, seek }: PanelProps) {
  const space = useMemo(() => readEpisode(episode.events), [episode])
  const [part, setPart] = useState<Part>('map')
  const [layers, setLayers] = useState<Layers>({ fog: true, belief: true, names: true })
  const kinds = useMemo(
    () =>
      [...new Set(space.maps.map(({ event }) => kindOf(event.kind)))].filter((kind) => Object.hasOwn(MAP_KINDS, kind)),
    [space],
  )
  const [kind, setKind] = useState('global')
  const shownKind = kinds.includes(kind) ? kind : (kinds[0] ?? 'global')
  const state = useMemo(() => stateAt(space, at, shownKind), [space, at, shownKind])
  if (!state) {
    return <p className="p-3 text-sm text-quiet">No scene recorded: this episode was played with an older version.</p>
  }
  return (
    <div className={`${card} flex min-h-0 flex-1 flex-col overflow-hidden`}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-3 py-1.5">
        <Segmented label="View" value={part} options={PARTS} onChange={setPart} />
        {part === 'map' && (
          <>
            <Layer name="fog" title="Unexplored area" layers={layers} setLayers={setLayers} />
            <Layer name="names" title="Names" layers={layers} setLayers={setLayers} />
            {kinds.length > 0 && <Layer name="belief" title="Predicted map" layers={layers} setLayers={setLayers} />}
            {kinds.length > 1 && layers.belief && (
              <Segmented
                label="Map"
                value={shownKind}
                options={kinds.map((value) => ({ value, title: MAP_KINDS[value]! }))}
                onChange={setKind}
              />
            )}
          </>
        )}
      </div>
      {part === 'map' && (
        <>
          {state.answer && <Question answer={state.answer.event} />}
          <div
            role="group"
            aria-label="Map and turn"
            tabIndex={0}
            className="flex min-h-0 flex-1 flex-col overflow-y-auto sm:flex-row sm:overflow-hidden"
          >
            <div className="aspect-square min-h-64 min-w-0 p-2 sm:aspect-auto sm:min-h-0 sm:flex-1">
              <Grid state={state} layers={layers} />
            </div>
            <aside
              aria-label="This turn"
              tabIndex={0}
              className="shrink-0 border-line p-3 max-sm:border-t sm:w-52 sm:overflow-y-auto sm:border-l"
            >
              <Facts state={state} />
              <Legend beliefs={state.beliefs.length > 0 && layers.belief} />
            </aside>
          </div>
        </>
      )}
      {part === 'curves' && (
        <div role="group" aria-label="Curves" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
          <Curves episode={space} state={state} seek={seek} />
        </div>
      )}
      {part === 'questions' && (
        <div role="group" aria-label="Questions" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto">
          <Answers episode={space} at={at} seek={seek} />
        </div>
      )}
    </div>
  )
}

function Layer({
  name,
  title,
  layers,
  setLayers,
}: {
  name: keyof Layers
  title: string
  layers: Layers
  setLayers: (layers: Layers) => void
}) {
  return (
    <label className="flex cursor-pointer items-center gap-1.5 text-[13px]">
      <input
        type="checkbox"
        checked={layers[name]}
        onChange={(event) => setLayers({ ...layers, [name]: event.target.checked })}
        className="accent-accent"
      />
      {title}
    </label>
  )
}

/** The last answered question. */
function Question({ answer }: { answer: AnswerEvent }) {
  return (
    <section aria-label="Question" className="border-b border-line bg-ground px-3 py-2 text-[13px]">
      <p className="text-xs text-quiet">{taskTitle(answer.task)}</p>
      <p className="line-clamp-4 whitespace-pre-line">{questionText(answer.text)}</p>
      <p className="mt-1">
        <span className="text-quiet">answer</span>{' '}
        <b className="font-medium">{answer.answer.trim().slice(0, 200) || 'none'}</b>
        <span className="ml-3 text-quiet">ground truth</span>{' '}
        <b className="font-medium text-truth">{answer.expected?.slice(0, 200) ?? '–'}</b>
        <span
          className={`ml-3 tabular-nums ${answer.score >= 1 ? 'text-good' : answer.score <= 0 ? 'text-bad' : 'text-warn'}`}
        >
          {(answer.score * 100).toFixed(0)}%
        </span>
      </p>
    </section>
  )
}

function Legend({ beliefs }: { beliefs: boolean }) {
  return (
    <ul aria-hidden="true" className="mt-4 flex flex-col gap-1 border-t border-line pt-3 text-xs text-quiet">
      <li className="flex items-center gap-2">
        <span className="size-3 rounded-[3px] bg-truth" /> ground truth
      </li>
      {beliefs && (
        <li className="flex items-center gap-2">
          <span className="size-3 rounded-full border-2 border-belief" /> predicted, with error line
        </li>
      )}
      <li className="flex items-center gap-2">
        <span className="size-3 bg-accent/25" /> in view
      </li>
      <li className="flex items-center gap-2">
        <span className="size-3 bg-ink/20" /> unexplored
      </li>
    </ul>
  )
}
