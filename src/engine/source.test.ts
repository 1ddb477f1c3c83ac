import { expect, it } from 'vitest'
import { playedSamples } from './source.ts'
import type { OpenedSource, SampleBase } from './suite.ts'

function scattered(clusters: string): OpenedSource<SampleBase> {
  const samples = clusters.split('').map((cluster, i) => ({ id: String(i), cluster, labels: {} }))
  return { fingerprint: '', count: samples.length, isScattered: true, samples: () => samples }
}

it('plays the samples of a cluster one after the other, and keeps their positions', async () => {
  const played: string[] = []
  const selection = { from: 0, to: 7, ids: null }
  for await (const { index, sample } of playedSamples(scattered('abcabcabc'), selection)) {
    expect(sample.id).toBe(String(index))
    played.push(sample.id)
  }
  expect(played).toEqual(['0', '3', '6', '1', '4', '2', '5'])
})
