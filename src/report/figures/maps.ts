/** Maps that players drew of the same scenes, beside the true ones. */
import type { MatrixCell, MatrixFigure, MatrixPanel } from './figure.ts'

type Places = Readonly<Record<string, readonly (readonly [number, number])[]>>

export interface SceneMaps {
  scene: string
  cells: number
  truth: Places
  /** What each run drew; absent if it has no map of the scene. */
  drawn: readonly { run: string; places: Places }[]
}

/** Names are numbers in the cells, the same in all panels. Null without maps. */
export function mapFigure(scenes: readonly SceneMaps[]): MatrixFigure | null {
  if (scenes.length === 0) return null
  const names = [...new Set(scenes.flatMap(({ truth }) => Object.keys(truth)))].sort()
  const marks = names.map((name, i) => ({ mark: String(i + 1), name }))
  const markOf = new Map(marks.map(({ mark, name }) => [name, mark]))
  const panels = scenes.flatMap(({ scene, cells, truth, drawn }) => [
    ...drawn.map(({ run, places }) => panelOf(`${scene}, ${run}`, cells, places, markOf)),
    panelOf(`${scene}, truth`, cells, truth, markOf),
  ])
  const description = scenes
    .map(({ scene, truth, drawn }) => {
      const known = Object.keys(truth)
      const counts = drawn.map(
        ({ run, places }) =>
          `${run} placed ${known.filter((name) => places[name]).length} of ${known.length} categories`,
      )
      return `${scene}: ${counts.join(', ')}.`
    })
    .join(' ')
  return { kind: 'matrix', title: 'Maps', description, panels, marks }
}

/** How dark a cell with something in it is: enough to find it, not too dark for text. */
const SHADE = 0.25

/** More than this do not fit into a cell. */
const MAX_MARKS = 4

function textOf(marks: readonly string[]): string {
  return marks.length <= MAX_MARKS ? marks.join(' ') : `${marks.length} things`
}

function panelOf(title: string, cells: number, places: Places, markOf: ReadonlyMap<string, string>): MatrixPanel {
  const found = new Map<string, string[]>()
  for (const [name, all] of Object.entries(places)) {
    const mark = markOf.get(name)
    if (mark === undefined) continue
    for (const [x, y] of all) {
      const key = [x, y].map((value) => Math.min(cells - 1, Math.max(0, Math.floor(value)))).join()
      if (!found.get(key)?.includes(mark)) found.set(key, [...(found.get(key) ?? []), mark])
    }
  }
  const steps = Array.from({ length: cells }, (_, i) => i)
  return {
    title,
    isMap: true,
    rowTitle: '',
    columnTitle: '',
    // y runs up, rows run down.
    rows: steps.toReversed().map(String),
    columns: steps.map(String),
    cells: steps.toReversed().map((y) =>
      steps.map((x): MatrixCell => {
        const marks = found.get(`${x},${y}`)
        return { shade: marks ? SHADE : 0, text: textOf(marks ?? []) }
      }),
    ),
  }
}
