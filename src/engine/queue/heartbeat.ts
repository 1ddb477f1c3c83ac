/** How a coordinator tells all workers of its run. Holds no key, no password, no picture. */
import { z } from 'zod'
import { runHeaderSchema } from '../../store/schemas.ts'

export const HEARTBEAT_FORMAT = 1

const runHeartbeatSchema = z.object({
  format: z.literal(HEARTBEAT_FORMAT),
  header: runHeaderSchema,
  /** Of the coordinator, which may be newer than what started the run. */
  version: z.string(),
  /** Hash over the files of the source, where it has any: workers have the same ones. */
  files: z.string().nullable(),
  /** `draining`: nothing new is sent, what is under way comes home; `aborted`: that is cut off as well. */
  state: z.enum(['open', 'draining', 'aborted']),
  reason: z.string().nullable(),
  /** A worker that is silent for so long is taken for dead, and its episodes are given to others. */
  leaseMs: z.number().positive(),
  model: z.object({
    maxConnections: z.number().nullable(),
    requestsPerMinute: z.number().nullable(),
    tokensPerMinute: z.number().nullable(),
    maxRetries: z.number(),
    timeoutMs: z.number(),
  }),
  /** False with `--no-cache`: replies of earlier runs are not used. */
  cache: z.boolean(),
  /** The coordinator's store has replies that workers should ask for before they pay. */
  repliesInStore: z.boolean(),
  /** Media that may be on their way at once, in bytes. */
  mediaQuota: z.number(),
  /** When the coordinator was last heard of, by its own clock: only differences are used. */
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
  /** Runs it plays, with the number of jobs that are under way in each. */
  runs: z.record(z.string(), z.number()),
  /** Runs it may not play, or cannot for now, and why. */
  refused: z.record(z.string(), z.string()),
  started: z.string(),
})

/** What a worker says of itself, every few seconds. */
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
