/** Exploration over turns: information, coverage, cost and map quality. */
import { useMemo } from 'react'
import { LineChart } from '../../episode/line-chart.tsx'
import type { SpaceEpisode } from './episode.ts'
import { kindOf, type SpaceState } from './state.ts'

interface CurvesProps {
  episode: SpaceEpisode
  state: SpaceState
  seek: (at: number) => void
}

export function Curves({ episode, state, seek }: CurvesProps) {
  const { phase } = state
  const turns = useMemo(() => episode.turns.filter(({ event }) => event.phase === phase), [episode, phase])
  const xs = useMemo(() => turns.map(({ event }) => event.turn), [turns])
  const now = turns.findLastIndex(({ at }) => at <= (state.turn?.at ?? -1))
  const found = useMemo(
    () => [
      { title: 'information', values: turns.map(({ event }) => event.information) },
      { title: 'objects seen', values: turns.map(({ event }) => event.coverage) },
    ],
    [turns],
  )
  const paid = useMemo(() => [{ title: 'cost', values: turns.map(({ event }) => event.cost) }], [turns])
  const maps = useMemo(() => mapLines(episode, phase, xs), [episode, phase, xs])
  const pick = (index: number): void => {
    const turn = turns[index]
    if (turn) seek(turn.at)
  }
  if (turns.length === 0) return <p className="p-3 text-sm text-quiet">No exploration yet.</p>
  return (
    <div className="grid gap-4 p-3 sm:grid-cols-2">
      <LineChart title="Information gain" xs={xs} lines={found} now={now} onPick={pick} share />
      <LineChart title="Cost" xs={xs} lines={paid} now={now} onPick={pick} />
      {maps.map(({ title, lines }) => (
        <LineChart key={title} title={title} xs={xs} lines={lines} now={now} onPick={pick} share />
      ))}
      {maps.length === 0 && (
        <p className="text-xs text-quiet">
          This run did not request maps. Use <code className="font-mono">-T maps=every</code> to request one after each
          turn.
        </p>
      )}
    </div>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  global: 'Global map',
  local: 'Local map',
  rooms: 'Room maps',
}

function mapLines(episode: SpaceEpisode, phase: string, xs: readonly number[]) {
  return Object.entries(TITLES).flatMap(([kind, title]) => {
    const maps = episode.maps.filter(({ event }) => event.phase === phase && kindOf(event.kind) === kind)
    if (maps.length === 0) return []
    const byTurn = new Map(maps.map(({ event }) => [event.turn, event.scores]))
    const of = (name: 'position' | 'facing' | 'direction') => xs.map((turn) => byTurn.get(turn)?.[name] ?? null)
    return [
      {
        title,
        lines: [
          { title: 'position', values: of('position') },
          { title: 'facing', values: of('facing') },
          { title: 'direction', values: of('direction') },
        ],
      },
    ]
  })
}
