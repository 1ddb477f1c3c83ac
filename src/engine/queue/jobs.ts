/**
 * Episodes in BullMQ: one queue a run. A job is a few episodes of one scene, so that who prepares the scene plays all of
 * them. Jobs hold cases as plain JSON: no picture, no key.
 */
import type { Job, Queue, Worker } from 'bullmq'
import { z } from 'zod'
import type { EpisodeJob } from '../episode.ts'
import type { SampleBase } from '../suite.ts'
import type { Drive, OpenedQueue } from './open.ts'
import { PREFIX } from './redis-state.ts'
import { whenReachable } from './reachable.ts'

const sampleSchema = z.custom<SampleBase>(
  (value) => typeof value === 'object' && value !== null && 'id' in value && 'cluster' in value && 'labels' in value,
)
const jobSchema = z.object({
  episodes: z.array(z.object({ index: z.number(), epoch: z.number(), sample: sampleSchema })),
})

export interface JobBatch {
  id: string
  episodes: readonly EpisodeJob[]
}

/** A job whose worker died is given out again so often; then it is thought to be what kills them. */
export const MAX_STALLS = 25
const MAX_ATTEMPTS = 5
const BACKOFF_MS = 1000

/** Jobs that cannot be read are as good as none: the coordinator adds what is missing. */
function bundleOf({ id, data }: Pick<Job, 'id' | 'data'>): JobBatch | null {
  const parsed = jobSchema.safeParse(data)
  return parsed.success && id !== undefined ? { id, episodes: parsed.data.episodes } : null
}

export interface FailedBatch {
  batch: JobBatch
  reason: string
}

/** The coordinator's side. */
export class EpisodeJobs {
  readonly #queue: Queue
  readonly #redact: (text: string) => string
  readonly #closed = new AbortController()

  private constructor(queue: Queue, redact: (text: string) => string) {
    this.#queue = queue
    this.#redact = redact
  }

  static async open({ drive, address }: OpenedQueue, run: string): Promise<EpisodeJobs> {
    const queue = await openBull(drive, queueName(run))
    // Connections that break are made again; commands wait.
    queue.on('error', () => undefined)
    await queue.waitUntilReady()
    await queue.resume()
    return new EpisodeJobs(queue, address.redact)
  }

  /** Adds jobs; one that is there already stays as it is. */
  async add(batches: readonly JobBatch[]): Promise<void> {
    if (batches.length === 0) return
    const jobs = batches.map(({ id, episodes }) => ({
      name: 'episodes',
      data: { episodes: episodes.map(({ index, epoch, sample }) => ({ index, epoch, sample })) },
      opts: {
        jobId: id,
        attempts: MAX_ATTEMPTS,
        backoff: { type: 'fixed', delay: BACKOFF_MS },
        removeOnComplete: true,
        stackTraceLimit: 1,
      },
    }))
    await whenReachable(() => this.#queue.addBulk(jobs), this.#closed.signal)
  }

  /** Jobs of an earlier coordinator of the same run. */
  async left(): Promise<JobBatch[]> {
    const jobs = await this.#jobs('waiting', 'active', 'delayed')
    return jobs.flatMap((job) => bundleOf(job) ?? [])
  }

  async failed(): Promise<FailedBatch[]> {
    const jobs = await this.#jobs('failed')
    return jobs.flatMap((job) => {
      const batch = bundleOf(job)
      return batch ? [{ batch, reason: this.#redact(job.failedReason ?? 'nobody said why') }] : []
    })
  }

  #jobs(...states: ('waiting' | 'active' | 'delayed' | 'failed')[]): Promise<Job[]> {
    return whenReachable(() => this.#queue.getJobs(states), this.#closed.signal)
  }

  async underWay(): Promise<number> {
    return this.#queue.getActiveCount()
  }

  /** Gives nothing out any more. */
  async pause(): Promise<void> {
    await this.#queue.pause()
  }

  async remove(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#queue.remove(id).catch(() => 0)))
  }

  async forget(): Promise<void> {
    await this.#queue.pause()
    await this.#queue.obliterate({ force: true })
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#queue.close()
  }
}

async function openBull(drive: Drive, name: string): Promise<Queue> {
  const { Queue, createPostgresBackend } = await import('bullmq')
  // Nobody reads the stream of events; it stays short.
  const streams = { events: { maxLen: 10 } }
  if (drive.kind === 'redis') return new Queue(name, { connection: drive.connection, prefix: PREFIX, streams })
  return new Queue(name, { connection: drive.connection }, createPostgresBackend) as unknown as Queue
}

export interface WorkOptions {
  run: string
  slots: number
  leaseMs: number
  name: string
  /** Plays one episode after the other; told which job it is, so that what is done can be struck off. */
  play(batch: JobBatch, done: (left: readonly EpisodeJob[]) => Promise<void>): Promise<void>
  onTrouble: (error: Error) => void
}

/** Thrown out of `play`: the job goes back to the others as if nobody had taken it. */
export class HandBack extends Error {
  override readonly name = 'HandBack'
}

/** The worker's side: takes jobs of a run until it is closed. */
export async function workOn({ drive }: OpenedQueue, options: WorkOptions): Promise<Worker> {
  const { Worker, WaitingError, createPostgresBackend, UnrecoverableError } = await import('bullmq')
  const process = async (job: Job, token?: string): Promise<void> => {
    const batch = bundleOf(job)
    if (!batch) throw new UnrecoverableError('the job is not one of Sightline')
    try {
      await options.play(batch, async (left) => {
        if (left.length > 0) await job.updateData({ episodes: left })
      })
    } catch (error) {
      if (!(error instanceof HandBack)) throw error
      await job.moveToWait(token)
      throw new WaitingError()
    }
  }
  const settings = {
    concurrency: options.slots,
    name: options.name,
    lockDuration: options.leaseMs,
    stalledInterval: options.leaseMs,
    maxStalledCount: MAX_STALLS,
    // Below the silence after which a connection is thought dead.
    drainDelay: 5,
    removeOnComplete: { count: 0 },
    autorun: false,
  }
  const worker =
    drive.kind === 'redis'
      ? new Worker(queueName(options.run), process, { ...settings, connection: drive.connection, prefix: PREFIX })
      : (new Worker(
          queueName(options.run),
          process,
          { ...settings, connection: drive.connection },
          createPostgresBackend,
        ) as unknown as Worker)
  worker.on('error', options.onTrouble)
  await worker.waitUntilReady()
  worker.run().catch(options.onTrouble)
  return worker
}

export function queueName(run: string): string {
  return `run-${run}`
}
