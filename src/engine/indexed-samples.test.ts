import { expect, it } from 'vitest'
import { IndexedSamples } from './indexed-samples.ts'

function counted(count: number) {
  let made = 0
  const source = {
    fingerprint: 'x',
    count,
    *samples() {
      for (let i = 0; i < count; i++) {
        made += 1
        yield { id: `sample-${i}`, cluster: 'a', labels: {} }
      }
    },
  }
  return { samples: new IndexedSamples(source), made: () => made }
}

it('samples are found by their place, forwards, backwards and at once, and made once', async () => {
  const { samples, made } = counted(50)
  const ids = await Promise.all([3, 10, 4, 49, 0].map(async (index) => (await samples.at(index))?.id))
  expect(ids).toEqual(['sample-3', 'sample-10', 'sample-4', 'sample-49', 'sample-0'])
  expect(made()).toBe(50)
})

it('there is none behind the last, and those before are still found', async () => {
  const { samples } = counted(3)
  expect(await samples.at(7)).toBeNull()
  expect((await samples.at(2))?.id).toBe('sample-2')
})

it('those that were forgotten are made again', async () => {
  const { samples } = counted(5000)
  expect((await samples.at(4999))?.id).toBe('sample-4999')
  expect((await samples.at(1))?.id).toBe('sample-1')
})
