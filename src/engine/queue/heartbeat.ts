/** Heartbeats of coordinators and workers. They contain no API key, no password and no media. */
import { z } from 'zod'
import { runHeaderSchema } from '../../store/schemas.ts'

export const HEARTBEAT_FORMAT = 1

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

export function packHeartbeat(heartbeat: RunHeartbeat): Buffer {
  return Buffer.from(JSON.stringify(heartbeat))
}

export function readHeartbeat(body: Buffer): RunHeartbeat | null {
  try {
    const parsed = runHeartbeatSchema.safeParse(JSON.parse(body.toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const workerHeartbeatSchema = z.object({
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  slots: z.number(),
  threads: z.number(),
  /** Runs it plays, each with its number of active jobs. */
  runs: z.record(z.string(), z.number()),
  /** Runs it rejected or cannot join yet, each with the reason. */
  refused: z.record(z.string(), z.string()),
  started: z.string(),
})

/** The heartbeat of a worker. */
export type WorkerHeartbeat = z.infer<typeof workerHeartbeatSchema>

export function packWorkerHeartbeat(heartbeat: WorkerHeartbeat): Buffer {
  return Buffer.from(JSON.stringify(heartbeat))
}

export function readWorkerHeartbeat(body: Buffer): WorkerHeartbeat | null {
  try {
    const parsed = workerHeartbeatSchema.safeParse(JSON.parse(body.toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
