import { expect, test } from 'vitest'
import { mapFigure } from './maps.ts'
import { type SweptRun, sweepFigure } from './sweep.ts'
import type { Report } from '../report.ts'

test('maps have a number per name, the same in all panels, with y up', () => {
  const truth = {
    sofa: [[0, 0]],
    chair: [
      [9, 9],
      [2, 3],
    ],
  } as const
  const drawn = [{ run: 'm', places: { sofa: [[0, 0]], chair: [[0.5, 0.2]], ghost: [[5, 5]] } as const }]
  const figure = mapFigure([{ scene: 'room', cells: 10, truth, drawn }])!
  expect(figure.marks).toEqual([
    { mark: '1', name: 'chair' },
    { mark: '2', name: 'sofa' },
  ])
  const [model, known] = figure.panels
  expect(known!.cells[0]![9]!.text).toBe('1')
  expect(known!.cells[9]![0]!.text).toBe('2')
  expect(model!.cells[9]![0]!.text).toBe('2 1')
  expect(model!.cells.flat().filter((cell) => cell!.text !== '')).toHaveLength(1)
  expect(mapFigure([])).toBeNull()
})

const run = (id: string, x: number, setting: string, value: number) =>
  ({
    x,
    setting,
    report: {
      run: id,
      suite: 'space/text',
      models: { player: 'm' },
      headline: 'accuracy',
      rows: [{ key: 'accuracy', value, interval: null }],
    } as unknown as Report,
  }) satisfies SweptRun

test('a sweep has a line per setting and their paired difference', () => {
  const runs = [
    run('a', 4, 'active', 0.4),
    run('b', 2, 'active', 0.6),
    run('c', 2, 'passive', 0.9),
    run('d', 8, 'passive', 0.5),
  ]
  const difference = (first: Report, second: Report) => ({
    value: second.rows[0]!.value! - first.rows[0]!.value!,
    interval: [0.1, 0.4] as const,
  })
  const { series, panels } = sweepFigure(runs, { over: 'rooms', difference })!
  expect(series).toEqual(['active', 'passive', 'gap: passive − active'])
  expect(panels[0]!.lines.map((line) => line.map(({ x }) => x))).toEqual([[2, 4], [2, 8], [2]])
  expect(panels[0]!.lines[2]![0]).toMatchObject({ value: expect.closeTo(0.3), interval: [0.1, 0.4] })
})
