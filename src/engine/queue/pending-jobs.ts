/** Tracks the episodes of a run that are in the queue, and when each job last made progress. */
import type { Items } from '../../base/items.ts'
import { episodeKey } from '../../store/journal.ts'
import type { EpisodeJob } from '../episode.ts'
import type { JobBatch } from './jobs.ts'

interface PendingJob {
  batch: JobBatch
  remaining: Map<string, EpisodeJob>
  progressAt: number
}

export function jobKey({ sample, epoch }: EpisodeJob): string {
  return episodeKey({ sample: sample.id, epoch })
}

export class PendingJobs {
  readonly #jobs = new Map<string, PendingJob>()
  readonly #jobOf = new Map<string, string>()

  /** Episodes in the queue that are not in the journal yet. */
  get size(): number {
    return this.#jobOf.size
  }

  has(name: string): boolean {
    return this.#jobOf.has(name)
  }

  add(batch: JobBatch, now: number): void {
    const remaining = new Map(batch.episodes.map((job) => [jobKey(job), job]))
    this.#jobs.set(batch.id, { batch, remaining, progressAt: now })
    for (const name of remaining.keys()) this.#jobOf.set(name, batch.id)
  }

  /** The episode is in the journal. */
  finish(name: string, now: number): void {
    const id = this.#jobOf.get(name)
    if (id === undefined) return
    this.#jobOf.delete(name)
    const job = this.#jobs.get(id)!
    job.remaining.delete(name)
    job.progressAt = now
    if (job.remaining.size === 0) this.#jobs.delete(id)
  }

  /** Creates a new job for an episode whose result is unusable; null if it is not pending. */
  replay(name: string, now: number): JobBatch | null {
    const id = this.#jobOf.get(name)
    const job = id === undefined ? undefined : this.#jobs.get(id)?.remaining.get(name)
    if (id === undefined || !job) return null
    this.finish(name, now)
    const batch = { id: `${batchId(job)}${REPLAY}${replaysOf(id) + 1}`, episodes: [job] }
    this.add(batch, now)
    return batch
  }

  /** Jobs without progress for this long, with their remaining episodes. Restarts their timers. */
  stale(sinceMs: number, now: number): JobBatch[] {
    const found: JobBatch[] = []
    for (const job of this.#jobs.values()) {
      if (now - job.progressAt < sinceMs) continue
      job.progressAt = now
      found.push({ id: job.batch.id, episodes: [...job.remaining.values()] })
    }
    return found
  }
}

const REPLAY = '.again'

/** How often the episode of a job was played before because its media got lost; 0 for a first attempt. */
export function replaysOf(id: string): number {
  return Number(id.split(REPLAY)[1] ?? 0)
}

/** BullMQ reserves numeric ids for itself and does not allow colons. */
export function batchId({ index, epoch }: EpisodeJob): string {
  return `case${index}.${epoch}`
}

/** Groups consecutive episodes of one scene into jobs of at most `atMost()` episodes. */
export async function* batches(jobs: Items<EpisodeJob>, atMost: () => number): AsyncGenerator<JobBatch> {
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
