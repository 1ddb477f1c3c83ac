import { expect, it } from 'vitest'
import type { MediaRef, Provenance } from '../media/ref.ts'
import { showOnce } from './shown-once.ts'

const ref = (sha256: string): MediaRef => ({ sha256, type: 'image/png', bytes: 3 })

function episodeIn(store: string) {
  const noted: string[] = []
  return {
    noted,
    keep: (bytes: Uint8Array, _: string, { made }: Provenance) => {
      noted.push(`new ${made}`)
      return Promise.resolve(ref(String(bytes[0])))
    },
    keepAgain: ({ sha256 }: MediaRef, { made }: Provenance) => void noted.push(`again ${sha256} ${made}`),
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
  expect([first.noted, second.noted, made]).toEqual([['new file'], ['again 7 file'], 1])
  await showOnce(elsewhere, 'photo', make)
  expect([elsewhere.noted, made]).toEqual([['new file'], 2])
})

it('looks again after an error, and without a memory always', async () => {
  const episode = episodeIn('/c')
  await expect(showOnce(episode, 'gone', () => Promise.reject(new Error('missing')))).rejects.toThrow('missing')
  expect(await showOnce(episode, 'gone', () => Promise.resolve([ref('1')]))).toEqual([ref('1')])
  const { keepAgain: _, ...own } = episode
  expect(await showOnce(own, 'gone', () => Promise.resolve([ref('2')]))).toEqual([ref('2')])
})
