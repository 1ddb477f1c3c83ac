import { expect, it } from 'vitest'
import type { MediaRef, Provenance } from '../media/ref.ts'
import { makeAhead, showOnce } from './shown-once.ts'

const ref = (sha256: string): MediaRef => ({ sha256, type: 'image/png', bytes: 3 })

function episodeIn(store: string) {
  const noted: string[] = []
  return {
    noted,
    keep: () => Promise.reject(new Error('kept by itself')),
    keepUnnoted: (bytes: Uint8Array) => Promise.resolve(ref(String(bytes[0]))),
    keepAgain: ({ sha256 }: MediaRef, { made }: Provenance) => void noted.push(`${sha256} ${made}`),
    fileOf: ({ sha256 }: MediaRef) => `${store}/${sha256}`,
  }
}

it('makes media once in a store, and notes it in every episode', async () => {
  let made = 0
  const make = async (once: Parameters<Parameters<typeof showOnce>[2]>[0]): Promise<MediaRef[]> => {
    made += 1
    return [await once.keep(new Uint8Array([7]), 'image/png', { made: 'file' })]
  }
  const [first, second, elsewhere] = [episodeIn('/a'), episodeIn('/a'), episodeIn('/b')]
  const both = await Promise.all([showOnce(first, 'photo', make), showOnce(second, 'photo', make)])
  expect(both).toEqual([[ref('7')], [ref('7')]])
  expect([first.noted, second.noted, made]).toEqual([['7 file'], ['7 file'], 1])
  await showOnce(elsewhere, 'photo', make)
  expect([elsewhere.noted, made]).toEqual([['7 file'], 2])
})

it('looks again after an error, and without a memory always', async () => {
  const episode = episodeIn('/c')
  await expect(showOnce(episode, 'gone', () => Promise.reject(new Error('missing')))).rejects.toThrow('missing')
  expect(await showOnce(episode, 'gone', () => Promise.resolve([ref('1')]))).toEqual([ref('1')])
  const { keepAgain: _, keepUnnoted: __, ...own } = episode
  expect(await showOnce(own, 'gone', () => Promise.resolve([ref('2')]))).toEqual([ref('2')])
})

it('makes several side by side, and notes them in the order of the question', async () => {
  const episode = episodeIn('/d')
  const waiting: (() => void)[] = []
  const media = [1, 2, 3].map((n) => ({
    name: `frame ${n}`,
    make: async (once: Parameters<Parameters<typeof showOnce>[2]>[0]) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (n === 2) throw new Error('damaged')
      return [await once.keep(new Uint8Array([n]), 'image/png', { made: 'file' })]
    },
  }))
  const ahead = makeAhead(episode, media)
  expect(waiting).toHaveLength(3)
  for (const go of waiting.reverse()) go()
  await ahead
  expect(episode.noted).toEqual([])
  const [first, , third] = media
  await showOnce(episode, first!.name, first!.make)
  await showOnce(episode, third!.name, third!.make)
  expect(episode.noted).toEqual(['1 file', '3 file'])
})
