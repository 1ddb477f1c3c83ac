import { sha256 } from '../base/hash.ts'
import { Random } from '../base/random.ts'
import type { DataFiles } from './data-files.ts'
import type { AnySuite, Episode, SampleBase } from './suite.ts'

/** For `audit` and `check`, which only look at the sample: it asks nobody, and what it keeps is dropped. */
export function silentEpisode(
  suite: AnySuite,
  sample: SampleBase,
  { seed, profile, files }: { seed: number; profile: string; files: DataFiles },
): Episode {
  return {
    profile,
    epoch: 1,
    has: () => false,
    ask: () => Promise.reject(new TypeError(`${suite.name} asked a model in "audit"`)),
    keep: (bytes, type, _, size) => Promise.resolve({ sha256: sha256(bytes), type, bytes: bytes.length, ...size }),
    fileOf: () => {
      throw new TypeError(`${suite.name} read stored media in "audit", where nothing is stored`)
    },
    files,
    note: () => undefined,
    progress: () => undefined,
    random: new Random(`${suite.name}/${seed}/${sample.id}/1`),
    signal: new AbortController().signal,
  }
}
