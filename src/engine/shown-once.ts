/** Media that several questions are about are read, decoded, checked and hashed once. */
import { LruCache } from '../base/lru-cache.ts'
import type { MediaRef, Provenance } from '../media/ref.ts'
import type { Episode } from './suite.ts'

/** More than the questions that are played at the same time are about. */
const MAX_REMEMBERED = 16_384
/** A dataset may be replaced while a process runs. */
const LOOK_AGAIN_MS = 5 * 60_000

interface Shown {
  since: number
  media: Promise<{ refs: MediaRef[]; kept: { ref: MediaRef; provenance: Provenance }[] }>
}

const shown = new LruCache<Shown>(MAX_REMEMBERED)

/** Only its path matters, which names the store. */
const ANY_MEDIA: MediaRef = { sha256: '0'.repeat(64), type: 'image/png', bytes: 0 }

type Showing = Pick<Episode, 'keep' | 'keepAgain' | 'keepUnnoted' | 'fileOf'>
type Make = (once: Pick<Episode, 'keep'>) => Promise<MediaRef[]>

/**
 * The media that `make` keeps, made once for all episodes that name the same.
 *
 * @param name of the file, and of what is made of it
 * @example
 * const [photo] = await showOnce(episode, path, async (once) => [await show(once, path)])
 */
export async function showOnce(episode: Showing, name: string, make: Make): Promise<MediaRef[]> {
  const { keepAgain, keepUnnoted } = episode
  if (!keepAgain || !keepUnnoted) return make(episode)
  const { refs, kept } = await madeOnce(keepUnnoted, nameIn(episode, name), make)
  for (const { ref, provenance } of kept) keepAgain(ref, provenance)
  return refs
}

/** Media that are made at the same time: their syncs share the waits for the disk. */
const MAX_AHEAD = 8

/**
 * Makes media that `showOnce` will name, several at a time. What fails is made again by `showOnce`, which throws in order.
 *
 * @example
 * await makeAhead(episode, paths.map((path) => ({ name: path, make: async (once) => [await show(once, path)] })))
 */
export async function makeAhead(episode: Showing, media: readonly { name: string; make: Make }[]): Promise<void> {
  const { keepUnnoted } = episode
  if (!keepUnnoted) return
  const rest = media.values()
  const makeSome = async (): Promise<void> => {
    for (const { name, make } of rest) await madeOnce(keepUnnoted, nameIn(episode, name), make).catch(() => {})
  }
  await Promise.all(Array.from({ length: MAX_AHEAD }, makeSome))
}

function nameIn({ fileOf }: Showing, name: string): string {
  return `${fileOf(ANY_MEDIA)}\0${name}`
}

type Keep = NonNullable<Episode['keepUnnoted']>

async function madeOnce(keep: Keep, key: string, make: Make): Shown['media'] {
  const known = shown.get(key)
  if (known && performance.now() - known.since < LOOK_AGAIN_MS) return known.media
  const media = makeOnce(keep, make)
  const made: Shown = { since: performance.now(), media }
  shown.set(key, made)
  try {
    return await media
  } catch (error) {
    // The next one looks again: a file may have come since.
    if (shown.get(key) === made) shown.set(key, { ...made, since: -Infinity })
    throw error
  }
}

async function makeOnce(keep: Keep, make: Make): Shown['media'] {
  const kept: Awaited<Shown['media']>['kept'] = []
  const refs = await make({
    keep: async (bytes, type, provenance, size) => {
      const ref = await keep(bytes, type, size)
      kept.push({ ref, provenance })
      return ref
    },
  })
  return { refs, kept }
}
