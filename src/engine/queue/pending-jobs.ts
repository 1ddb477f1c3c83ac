/** Which episodes of a run are given out, in which jobs, and since when nobody has heard of them. */
import type { EpisodeJob } from '../episode.ts'
import type { JobBatch } from './jobs.ts'

interface Given {
  batch: JobBatch
  left: Map<string, EpisodeJob>
  heardAt: number
}

export function episodeName({ sample, epoch }: EpisodeJob): string {
  return `${sample.id}#${epoch}`
}

export class PendingJobs {
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

  give(batch: JobBatch, now: number): void {
    const left = new Map(batch.episodes.map((job) => [episodeName(job), job]))
    this.#jobs.set(batch.id, { batch, left, heardAt: now })
    for (const name of left.keys()) this.#jobOf.set(name, batch.id)
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
  again(name: string, now: number): JobBatch | null {
    const id = this.#jobOf.get(name)
    const job = id === undefined ? undefined : this.#jobs.get(id)?.left.get(name)
    if (!job) return null
    this.strike(name, now)
    const batch = { id: `${batchId(job)}.again${++this.#again}`, episodes: [job] }
    this.give(batch, now)
    return batch
  }

  /** Jobs nobody has heard of for so long, with what is left of them; they count as heard of from now on. */
  silent(sinceMs: number, now: number): JobBatch[] {
    const found: JobBatch[] = []
    for (const given of this.#jobs.values()) {
      if (now - given.heardAt < sinceMs) continue
      given.heardAt = now
      found.push({ id: given.batch.id, episodes: [...given.left.values()] })
    }
    return found
  }
}

/** BullMQ takes numbers for its own ids, and no colons. */
export function batchId({ index, epoch }: EpisodeJob): string {
  return `case${index}.${epoch}`
}

/** Puts episodes of one scene that follow each other into one job, at most `atMost()` of them. */
export async function* batches(jobs: AsyncIterable<EpisodeJob>, atMost: () => number): AsyncGenerator<JobBatch> {
  let episodes: EpisodeJob[] = []
  for await (const job of jobs) {
    const first = episodes[0]
    if (first && (first.sample.cluster !== job.sample.cluster || episodes.length >= atMost())) {
      yield { id: batchId(first), episodes }
      episodes = []
    }
    episodes.push(job)
  }
  if (episodes.length > 0) yield { id: batchId(episodes[0]!), episodes }
}
