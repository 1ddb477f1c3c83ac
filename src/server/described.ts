/** Descriptions of episodes for the table: built from their logs when they come into view. */
import { LruCache } from '../base/lru-cache.ts'
import { type Describe, episodeDescriber } from '../engine/describe.ts'
import type { EpisodeDescription } from '../engine/suite.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { type DescribedField, DESCRIBED_FIELDS } from './api.ts'
import { HttpProblem } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

/** More than any screen shows. */
const MAX_REQUESTED = 200
/** Each has at most a few kilobytes. */
const MAX_CACHED = 4000
const MAX_DESCRIBERS = 64
/** Episodes that decide which columns the table has. */
const PROBED_EPISODES = 5

export class Descriptions {
  readonly #describers = new LruCache<Promise<Describe>>(MAX_DESCRIBERS)
  readonly #cached = new LruCache<Promise<EpisodeDescription>>(MAX_CACHED)

  /** @param addresses `INDEX.EPOCH` of each episode, separated by commas */
  async of(entry: RunEntry, addresses: string): Promise<(EpisodeDescription | null)[]> {
    const wanted = addresses.split(',')
    if (wanted.length > MAX_REQUESTED || !wanted.every((address) => /^\d{1,12}\.\d{1,12}$/.test(address))) {
      throw new HttpProblem(400, `Invalid episodes. Use up to ${MAX_REQUESTED} addresses, such as 0.1,1.1,2.1.`)
    }
    const { reader } = entry
    const describe = await this.#describers.getOrCreate(reader.header.id, () => describerOf(entry))
    const lines = await entry.lines()
    return Promise.all(
      wanted.map(async (address) => {
        const [index, epoch] = address.split('.').map(Number)
        const line = lines[(await entry.position(index!, epoch!)) ?? -1]
        // An episode that is measured again has a new log.
        return line
          ? this.#cached.getOrCreate(`${reader.header.id} ${line.events.join(' ')}`, () =>
              described(reader, describe, line),
            )
          : null
      }),
    )
  }
}

export async function describerOf(entry: RunEntry): Promise<Describe> {
  return episodeDescriber(await entry.suite(), entry.reader.header)
}

async function described(reader: RunReader, describe: Describe, line: EpisodeLine): Promise<EpisodeDescription> {
  return describe(await reader.events(line))
}

/** What the descriptions of a run have, judged by a few of its episodes. */
export async function describedFields(entry: RunEntry, lines: readonly EpisodeLine[]): Promise<DescribedField[]> {
  const describe = await describerOf(entry)
  const found = new Set<string>()
  for (let i = 0; i < Math.min(PROBED_EPISODES, lines.length); i++) {
    const line = lines[Math.floor((i * lines.length) / PROBED_EPISODES)] ?? lines[i]!
    // A damaged log is reported where its episode is opened.
    const description = await described(entry.reader, describe, line).catch(() => ({}))
    for (const [field, value] of Object.entries(description)) if (value !== null) found.add(field)
  }
  return DESCRIBED_FIELDS.filter((field) => found.has(field))
}
