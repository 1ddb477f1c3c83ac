/** Which episodes of a run are given out, in which jobs, and since when nobody has heard of them. */
import type { EpisodeJob } from '../episode.ts'
import type { Bundle } from './jobs.ts'

interface Given {
  bundle: Bundle
  left: Map<string, EpisodeJob>
  heardAt: number
}

export function episodeName({ sample, epoch }: EpisodeJob): string {
  return `${sample.id}#${epoch}`
}

export class Outstanding {
  readonly #jobs = new Map<string, Given>()
  readonly #jobOf = new Map<string, string>()
  #again = 0

  /** Episodes that are given out and not yet in the journal. */
  get size(): number {
    return this.#jobOf.size
  }

  has(name: string): boolean {
    return this.#jobOf.has(name)
  }

  give(bundle: Bundle, now: number): void {
    const left = new Map(bundle.episodes.map((job) => [episodeName(job), job]))
    this.#jobs.set(bundle.id, { bundle, left, heardAt: now })
    for (const name of left.keys()) this.#jobOf.set(name, bundle.id)
  }

  /** The episode is in the journal. */
  strike(name: string, now: number): void {
    const id = this.#jobOf.get(name)
    if (id === undefined) return
    this.#jobOf.delete(name)
    const given = this.#jobs.get(id)!
    given.left.delete(name)
    given.heardAt = now
    if (given.left.size === 0) this.#jobs.delete(id)
  }

  /** A new job for an episode whose result cannot be used. Null when it is not given out. */
  again(name: string, now: number): Bundle | null {
    const id = this.#jobOf.get(name)
    const job = id === undefined ? undefined : this.#jobs.get(id)?.left.get(name)
    if (!job) return null
    this.strike(name, now)
    const bundle = { id: `${bundleId(job)}.again${++this.#again}`, episodes: [job] }
    this.give(bundle, now)
    return bundle
  }

  /** Jobs nobody has heard of for so long, with what is left of them; they count as heard of from now on. */
  silent(sinceMs: number, now: number): Bundle[] {
    const found: Bundle[] = []
    for (const given of this.#jobs.values()) {
      if (now - given.heardAt < sinceMs) continue
      given.heardAt = now
      found.push({ id: given.bundle.id, episodes: [...given.left.values()] })
    }
    return found
  }
}

/** BullMQ takes numbers for its own ids, and no colons. */
export function bundleId({ index, epoch }: EpisodeJob): string {
  return `case${index}.${epoch}`
}

/** Puts episodes of one scene that follow each other into one job, at most `atMost()` of them. */
export async function* bundles(jobs: AsyncIterable<EpisodeJob>, atMost: () => number): AsyncGenerator<Bundle> {
  let episodes: EpisodeJob[] = []
  for await (const job of jobs) {
    const first = episodes[0]
    if (first && (first.sample.cluster !== job.sample.cluster || episodes.length >= atMost())) {
      yield { id: bundleId(first), episodes }
      episodes = []
    }
    episodes.push(job)
  }
  if (episodes.length > 0) yield { id: bundleId(episodes[0]!), episodes }
}
