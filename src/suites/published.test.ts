import { expect, it } from 'vitest'
import { judgedRows } from '../report/published.ts'
import { builtinSuite } from './index.ts'
import { catalogNames, catalogSuite } from '../questions/catalog.ts'

const boards = catalogNames().flatMap((name) => {
  const published = catalogSuite(name).published?.()
  return published === undefined ? [] : [{ name, published }]
})

it('has a source and the right number of scores for every row', () => {
  expect(boards.length).toBeGreaterThan(10)
  for (const { name, published } of boards) {
    for (const { model, source, scores } of published.rows) {
      expect(published.sources[source], `${name}: ${model}`).toBeDefined()
      expect(scores, `${name}: ${model}`).toHaveLength(published.metrics.length)
    }
  }
})

it('recomputes totals from their parts; five of SPAR-Bench do not add up', () => {
  const off = boards.flatMap(({ published }) =>
    judgedRows(published, []).filter(({ recomputed }) => recomputed !== null),
  )
  // The entry says so.
  expect(off.every(({ note }) => note?.includes('levels give'))).toBe(true)
  expect(off.map(({ model, scores, recomputed }) => `${model}: ${scores[0]}, ${recomputed?.toFixed(2)}`)).toEqual([
    'InternVL2.5-8B + SPAR-mix: 63.25, 62.75',
    'SpaceR: 37.55, 37.67',
    'LLaVA-OV-7B: 31.2, 30.70',
    'LLaVA-v1.5-7B: 23.65, 23.81',
    'GPT-4o: 36.39, 35.74',
  ])
})

it('has the eight benchmarks of EASI for the same models', async () => {
  const easi = [...boards.map(({ published }) => published), (await builtinSuite('vsi/video')).published!()]
    .map(({ rows }) => rows.filter(({ source }) => source === 'easi8'))
    .filter(({ length }) => length > 0)
  expect(easi).toHaveLength(8)
  const models = easi.map((rows) => rows.map(({ model }) => model).toSorted())
  expect(models[0]).toHaveLength(18)
  for (const each of models) expect(each).toEqual(models[0])
})
