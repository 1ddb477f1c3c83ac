/** Heartbeats of coordinators and workers. They contain no API key, no password and no media. */
import { z } from 'zod'
import { runHeaderSchema } from '../../store/schemas.ts'
import { Seal, TAG_BYTES } from './seal.ts'

export const HEARTBEAT_FORMAT = 2

const runHeartbeatSchema = z.object({
  format: z.literal(HEARTBEAT_FORMAT),
  header: runHeaderSchema,
  /** Version of the coordinator, which may be newer than the one that started the run. */
  version: z.string(),
  /** Hash of the source files, which workers must match; null if there are none. */
  files: z.string().nullable(),
  /** `draining`: no new requests, those in flight finish; `aborted`: those are canceled too. */
  state: z.enum(['open', 'draining', 'aborted']),
  reason: z.string().nullable(),
  /** A worker without a heartbeat for this long counts as dead, and its episodes go to others. */
  leaseMs: z.number().positive(),
  model: z.object({
    maxConnections: z.number().nullable(),
    requestsPerMinute: z.number().nullable(),
    tokensPerMinute: z.number().nullable(),
    maxRetries: z.number(),
    timeoutMs: z.number(),
  }),
  /** False with `--no-cache`. */
  cache: z.boolean(),
  /** Whether the store of the coordinator has cached replies that workers should look up. */
  repliesInStore: z.boolean(),
  /** Maximum bytes of media in transit. */
  mediaQuota: z.number(),
  /** Time by the clock of the coordinator; only changes matter to workers. */
  beat: z.number(),
})

export type RunHeartbeat = z.infer<typeof runHeartbeatSchema>

const SEALED_AS = 'heartbeat'

export function packHeartbeat(heartbeat: RunHeartbeat, seal: Seal): Buffer {
  return seal.close(SEALED_AS, Buffer.from(JSON.stringify(heartbeat)))
}

/** Null for heartbeats of other versions, or with another secret. */
export function readHeartbeat(sealed: Buffer, seal: Seal): RunHeartbeat | null {
  const body = seal.open(SEALED_AS, sealed)
  if (!body) return null
  try {
    const parsed = runHeartbeatSchema.safeParse(JSON.parse(body.toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export const UNREADABLE_RUN = 'it was started by another version of Sightline, or with another SIGHTLINE_QUEUE_SECRET.'

const count = z.int().nonnegative().max(1e6)

const workerHeartbeatSchema = z.object({
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  slots: count,
  threads: count,
  /** Runs it plays, each with its number of active jobs. */
  runs: z.record(z.string(), count),
  /** Runs it rejected or cannot join yet, each with the reason. */
  refused: z.record(z.string(), z.string()),
  started: z.string(),
})

/** The heartbeat of a worker. */
export type WorkerHeartbeat = z.infer<typeof workerHeartbeatSchema>

/** A worker serves many runs, so its heartbeat is signed for all of them. */
function workersSeal(secret: string): Seal {
  return new Seal(secret, 'workers')
}

export function packWorkerHeartbeat(heartbeat: WorkerHeartbeat, secret: string): Buffer {
  return workersSeal(secret).close(SEALED_AS, Buffer.from(JSON.stringify(heartbeat)))
}

/** What an unsigned one says is for people only: a worker with another secret can tell why it plays nothing. */
export function readWorkerHeartbeat(sealed: Buffer, secret: string): (WorkerHeartbeat & { isSigned: boolean }) | null {
  const body = workersSeal(secret).open(SEALED_AS, sealed)
  try {
    const parsed = workerHeartbeatSchema.safeParse(JSON.parse((body ?? sealed.subarray(TAG_BYTES)).toString('utf8')))
    return parsed.success ? { ...parsed.data, isSigned: body !== null } : null
  } catch {
    return null
  }
}
