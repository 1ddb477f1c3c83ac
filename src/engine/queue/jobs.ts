/**
 * Episodes as BullMQ jobs, in one queue per run. A job is a batch of episodes of one scene, so the scene is prepared once.
 * Jobs contain samples as plain JSON, but no media and no API keys.
 */
import type { Job, Queue, Worker } from 'bullmq'
import { z } from 'zod'
import type { EpisodeJob } from '../episode.ts'
import type { SampleBase } from '../suite.ts'
import type { BullConnection, OpenedQueue } from './open.ts'
import { PREFIX } from './redis-state.ts'
import type { QueueHealth } from './health.ts'
import { Seal } from './seal.ts'

const sampleSchema = z.custom<SampleBase>(
  (value) => typeof value === 'object' && value !== null && 'id' in value && 'cluster' in value && 'labels' in value,
)
const episodesSchema = z.array(z.object({ index: z.int(), epoch: z.int(), sample: sampleSchema })).max(1000)
/** Text, so that what was signed comes back byte for byte. */
const jobSchema = z.object({ sealed: z.base64() })

export interface JobBatch {
  id: string
  episodes: readonly EpisodeJob[]
}

/** Retries of a job whose worker died; after that, the job is assumed to be the cause. */
export const MAX_STALLS = 25
const MAX_ATTEMPTS = 5
const BACKOFF_MS = 1000

function jobData(id: string, episodes: readonly EpisodeJob[], seal: Seal): z.infer<typeof jobSchema> {
  const plain = episodes.map(({ index, epoch, sample }) => ({ index, epoch, sample }))
  return { sealed: seal.close(`job ${id}`, Buffer.from(JSON.stringify(plain))).toString('base64') }
}

/** Null for jobs that cannot be read or were not signed by this run; the coordinator adds their episodes again. */
function batchOf({ id, data }: Pick<Job, 'id' | 'data'>, seal: Seal): JobBatch | null {
  const parsed = jobSchema.safeParse(data)
  const body = parsed.success ? seal.open(`job ${id}`, Buffer.from(parsed.data.sealed, 'base64')) : null
  if (!body || id === undefined) return null
  try {
    return { id, episodes: episodesSchema.parse(JSON.parse(body.toString('utf8'))) }
  } catch {
    return null
  }
}

export interface FailedBatch {
  batch: JobBatch
  reason: string
}

/** The queue of a run, as the coordinator uses it. */
export class EpisodeJobs {
  readonly #queue: Queue
  readonly #redact: (text: string) => string
  readonly #health: QueueHealth
  readonly #seal: Seal

  private constructor(queue: Queue, { address, health }: OpenedQueue, run: string) {
    this.#queue = queue
    this.#redact = address.redact
    this.#health = health
    this.#seal = new Seal(address.secret, run)
  }

  static async open(opened: OpenedQueue, run: string): Promise<EpisodeJobs> {
    const queue = await openBullQueue(opened.bull, queueName(run))
    // ioredis and pg reconnect on their own; commands wait.
    queue.on('error', () => undefined)
    await opened.health.run(() => queue.waitUntilReady())
    await opened.health.run(() => queue.resume())
    return new EpisodeJobs(queue, opened, run)
  }

  /** Adds jobs. Jobs that exist already are unchanged. */
  async add(batches: readonly JobBatch[]): Promise<void> {
    if (batches.length === 0) return
    const jobs = batches.map(({ id, episodes }) => ({
      name: 'episodes',
      data: jobData(id, episodes, this.#seal),
      opts: {
        jobId: id,
        attempts: MAX_ATTEMPTS,
        backoff: { type: 'fixed', delay: BACKOFF_MS },
        removeOnComplete: true,
        stackTraceLimit: 1,
      },
    }))
    await this.#health.run(() => this.#queue.addBulk(jobs))
  }

  /** Unfinished jobs, left by an earlier coordinator of the run. */
  async remaining(): Promise<JobBatch[]> {
    const jobs = await this.#jobs('waiting', 'active', 'delayed')
    return jobs.flatMap((job) => batchOf(job, this.#seal) ?? [])
  }

  /** Removes jobs that this run did not add. Returns their data. */
  async removeForeign(): Promise<unknown[]> {
    const jobs = await this.#jobs('waiting', 'delayed', 'failed')
    const foreign = jobs.filter((job) => batchOf(job, this.#seal) === null)
    await Promise.all(foreign.map(({ id }) => this.#queue.remove(id!).catch(() => 0)))
    return foreign.map(({ data }): unknown => data)
  }

  async failed(): Promise<FailedBatch[]> {
    const jobs = await this.#jobs('failed')
    return jobs.flatMap((job) => {
      const batch = batchOf(job, this.#seal)
      return batch ? [{ batch, reason: this.#redact(job.failedReason ?? 'unknown reason') }] : []
    })
  }

  #jobs(...states: ('waiting' | 'active' | 'delayed' | 'failed')[]): Promise<Job[]> {
    return this.#health.run(() => this.#queue.getJobs(states))
  }

  async activeCount(): Promise<number> {
    return this.#health.run(() => this.#queue.getActiveCount())
  }

  /** Stops workers from taking new jobs. */
  async pause(): Promise<void> {
    await this.#health.run(() => this.#queue.pause())
  }

  async forget(): Promise<void> {
    await this.pause()
    await this.#health.run(() => this.#queue.obliterate({ force: true }))
  }

  async close(): Promise<void> {
    await this.#queue.close()
  }
}

async function openBullQueue(bull: BullConnection, name: string): Promise<Queue> {
  const { Queue, createPostgresBackend } = await import('bullmq')
  // The event stream is not used, so keep it short.
  const streams = { events: { maxLen: 10 } }
  if (bull.kind === 'redis') return new Queue(name, { connection: bull.connection, prefix: PREFIX, streams })
  return new Queue(name, { connection: bull.connection }, createPostgresBackend) as unknown as Queue
}

export interface JobWorkerOptions {
  run: string
  slots: number
  leaseMs: number
  seal: Seal
  name: string
  /**
   * Plays a batch. Calls `done` after each episode with the remaining ones, which are then removed from the job.
   *
   * @param isRepeated whether a worker has started the job before
   */
  play(batch: JobBatch, done: (remaining: readonly EpisodeJob[]) => Promise<void>, isRepeated: boolean): Promise<void>
  onError: (error: Error) => void
}

/** Thrown by `play` to put the job back into the queue. */
export class ReturnToQueue extends Error {
  override readonly name = 'HandBack'
}

/** Starts a BullMQ worker that plays jobs of a run until it is closed. */
export async function startJobWorker({ bull, health }: OpenedQueue, options: JobWorkerOptions): Promise<Worker> {
  const { Worker, WaitingError, createPostgresBackend, UnrecoverableError } = await import('bullmq')
  const process = async (job: Job, token?: string): Promise<void> => {
    const batch = batchOf(job, options.seal)
    if (!batch) throw new UnrecoverableError('not a job of this run')
    try {
      const done = async (remaining: readonly EpisodeJob[]): Promise<void> => {
        if (remaining.length > 0) await health.run(() => job.updateData(jobData(batch.id, remaining, options.seal)))
      }
      await options.play(batch, done, job.attemptsStarted > 1 || job.stalledCounter > 0)
    } catch (error) {
      if (!(error instanceof ReturnToQueue)) throw error
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
    // Seconds; below the socket timeout in open.ts.
    drainDelay: 5,
    removeOnComplete: { count: 0 },
    autorun: false,
  }
  const worker =
    bull.kind === 'redis'
      ? new Worker(queueName(options.run), process, { ...settings, connection: bull.connection, prefix: PREFIX })
      : (new Worker(
          queueName(options.run),
          process,
          { ...settings, connection: bull.connection },
          createPostgresBackend,
        ) as unknown as Worker)
  worker.on('error', options.onError)
  await worker.waitUntilReady()
  worker.run().catch(options.onError)
  return worker
}

export function queueName(run: string): string {
  return `run-${run}`
}
