import { describe, expect, it } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { drawSamples, type Outline } from './draw.ts'
import { limitNote } from './limit-note.ts'
import { planRun, requestFromHeader, type RunRequest } from './plan.ts'
import { selectedSamples } from './source.ts'
import type { OpenedSource, SampleBase } from './suite.ts'

/** Thirty scenes with sixteen questions each, scene by scene; half of the questions are of one type, one in 16 is rare. */
const TYPES = ['size', 'size', 'size', 'size', 'count', 'count', 'route', 'order']
const outlines: Outline[] = Array.from({ length: 480 }, (_, i) => ({
  cluster: `scene-${Math.floor(i / 16)}`,
  labels: { type: i % 16 === 15 ? 'rare' : TYPES[i % 8]!, dataset: i < 160 ? 'a' : 'b', id: `${i}` },
}))
const counted = (drawn: readonly number[], of: (outline: Outline) => string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const at of drawn) counts[of(outlines[at]!)] = (counts[of(outlines[at]!)] ?? 0) + 1
  return counts
}

describe('a draw', () => {
  it('has every type in proportion, and every scene before any scene twice', async () => {
    const drawn = await drawSamples(outlines, 32, 0)
    expect(new Set(drawn)).toHaveLength(32)
    const byType = counted(drawn, ({ labels }) => labels['type']!)
    expect(byType).toMatchObject({ size: 16, count: 8, route: 4, rare: 2, order: 2 })
    const byDataset = counted(drawn, ({ labels }) => labels['dataset']!)
    expect(Math.abs(byDataset['a']! - 32 / 3)).toBeLessThan(2)
    const byScene = Object.values(counted(drawn, ({ cluster }) => cluster))
    expect(byScene.length).toBeGreaterThanOrEqual(28)
    expect(Math.max(...byScene)).toBeLessThanOrEqual(2)
  })

  it('has all types even if it is small', async () => {
    const drawn = await drawSamples(outlines, 5, 3)
    expect(Object.keys(counted(drawn, ({ labels }) => labels['type']!))).toHaveLength(5)
    expect(Object.keys(counted(drawn, ({ cluster }) => cluster))).toHaveLength(5)
  })

  it('depends on the seed alone, and a smaller one is part of a larger one', async () => {
    const larger = await drawSamples(outlines, 100, 7)
    expect(await drawSamples(outlines, 100, 7)).toEqual(larger)
    expect(await drawSamples(outlines, 100, 8)).not.toEqual(larger)
    expect(larger).toEqual(expect.arrayContaining(await drawSamples(outlines, 20, 7)))
    expect(await drawSamples(outlines, 10_000, 7)).toEqual([...outlines.keys()])
  })

  it('copes with samples without labels, and with as many labels as samples', async () => {
    expect(await drawSamples([], 3, 0)).toEqual([])
    const plain = Array.from({ length: 3000 }, (_, i) => ({ cluster: `${i}`, labels: {} }))
    expect(new Set(await drawSamples(plain, 1000, 0))).toHaveLength(1000)
    const mixed = plain.map((each, i) => ({ ...each, labels: { a: `${i % 40}`, b: `${i % 47}`, c: `${i % 49}` } }))
    expect(new Set((await drawSamples(mixed, 50, 0)).map((at) => at % 40))).toHaveLength(40)
  })
})

describe('a run with --sample', () => {
  const source = (more: Partial<OpenedSource<SampleBase>> = {}): OpenedSource<SampleBase> => ({
    fingerprint: 'example',
    count: outlines.length,
    *samples() {
      for (const [i, outline] of outlines.entries()) yield { ...outline, id: `${i}` }
    },
    ...more,
  })
  const request = (more: Partial<RunRequest>): RunRequest => ({
    suite: compass,
    models: { player: 'test/walker' },
    opened: source(),
    ...more,
  })
  const indices = async (opened: OpenedSource<SampleBase>, sample: number): Promise<number[]> => {
    const plan = await planRun(request({ opened, sample }))
    const found: number[] = []
    for await (const { index } of selectedSamples(plan.source, plan.selection)) found.push(index)
    return found
  }

  it('plays the drawn samples, in order, and can be planned again from run.json', async () => {
    const plan = await planRun(request({ sample: 12 }))
    expect(plan.header).toMatchObject({ sample: 12, limit: null, planned: 12 })
    expect(plan.header.fingerprint.parts['samples']).toBe('sample 12')
    const header = { ...plan.header, id: 'x', created: '', versions: {}, git: null, prices: {} }
    const again = await planRun({ ...requestFromHeader(compass, header), opened: source() })
    expect(again.selection).toEqual(plan.selection)
    expect(await indices(source(), 12)).toEqual(plan.selection.drawn)
  })

  it('makes only the drawn samples if the source can', async () => {
    const made: number[] = []
    const opened = source({
      samples: () => expect.unreachable(),
      outline: () => outlines,
      at: (index) => {
        made.push(index)
        return Promise.resolve({ ...outlines[index]!, id: `${index}` })
      },
    })
    expect(await indices(opened, 12)).toEqual(made)
    expect(made).toEqual(await indices(source(), 12))
  })

  it('draws another sample instead of one that the source leaves out', async () => {
    const made: number[] = []
    const opened = source({
      count: null,
      samples: () => expect.unreachable(),
      outline: () => outlines,
      at: (index) => {
        made.push(index)
        return Promise.resolve(index % 3 === 0 ? null : { ...outlines[index]!, id: `${index}` })
      },
    })
    const drawn = await indices(opened, 32)
    expect(drawn).toHaveLength(32)
    expect(drawn.every((at) => at % 3 !== 0)).toBe(true)
    // Tried once to draw, once to play.
    expect(new Set(made).size).toBeLessThan(80)
    expect(await indices(opened, 32)).toEqual(drawn)
    const { size, rare } = counted(drawn, ({ labels }) => labels['type']!)
    expect([size, rare]).toEqual([16, 2])
    expect(await indices(opened, 1000)).toHaveLength(320)
  })

  it('is refused together with --limit', async () => {
    await expect(planRun(request({ sample: 3, limit: '3' }))).rejects.toThrow(/--sample cannot be used together/)
  })

  it('is suggested where --limit plays one scene or leaves out types', async () => {
    const note = async (limit: string) => limitNote(await planRun(request({ limit })))
    expect(await note('4')).toBe(
      '--limit 4 plays 4 samples with only one scene (scene-0), 1 of 5 values of "type", and 1 of 2 values of "dataset". To draw from all of them, use --sample 4.',
    )
    expect(await note('100-300')).toBeNull()
    expect(await note('480')).toBeNull()
  })
})
