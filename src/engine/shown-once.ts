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

/**
 * The media that `make` keeps, made once for all episodes that name the same.
 *
 * @param name of the file, and of what is made of it
 * @example
 * const [photo] = await showOnce(episode, path, async (once) => [await show(once, path)])
 */
export async function showOnce(
  episode: Pick<Episode, 'keep' | 'keepAgain' | 'fileOf'>,
  name: string,
  make: (once: Pick<Episode, 'keep'>) => Promise<MediaRef[]>,
): Promise<MediaRef[]> {
  if (!episode.keepAgain) return make(episode)
  const key = `${episode.fileOf(ANY_MEDIA)}\0${name}`
  const known = shown.get(key)
  if (known && performance.now() - known.since < LOOK_AGAIN_MS) {
    const { refs, kept } = await known.media
    for (const { ref, provenance } of kept) episode.keepAgain(ref, provenance)
    return refs
  }
  const media = makeOnce(episode, make)
  const made: Shown = { since: performance.now(), media }
  shown.set(key, made)
  try {
    return (await media).refs
  } catch (error) {
    // The next one looks again: a file may have come since.
    if (shown.get(key) === made) shown.set(key, { ...made, since: -Infinity })
    throw error
  }
}

async function makeOnce(
  episode: Pick<Episode, 'keep'>,
  make: (once: Pick<Episode, 'keep'>) => Promise<MediaRef[]>,
): Promise<Awaited<Shown['media']>> {
  const kept: Awaited<Shown['media']>['kept'] = []
  const refs = await make({
    keep: async (bytes, type, provenance, size) => {
      const ref = await episode.keep(bytes, type, provenance, size)
      kept.push({ ref, provenance })
      return ref
    },
  })
  return { refs, kept }
}
