/** What passes between the main thread, which talks to networks and disks, and the threads that play. */
import { messageOf, MissingAssetError, UserError } from '../../base/errors.ts'
import type { MediaRef } from '../../media/ref.ts'
import { ModelError, type ModelRequest, type Reply, type Role, type Usage } from '../../models/types.ts'
import { RunStopped, type StopCause } from '../control.ts'
import { EpisodeStopped, type EpisodeJob, type FinishedEpisode } from '../episode.ts'

/** What a thread must know of a run. */
export interface RunBrief {
  id: string
  suite: string
  options: Readonly<Record<string, unknown>>
  profile: string
  seed: number
  /** Where the suite is loaded from; null for suites of this package. */
  suiteModule: string | null
  /** Where the files of the source are (`OpenedSource.roots`). */
  roots: Readonly<Record<string, string>>
  /** Role to model; built-in players play in the thread, all others are asked through the main thread. */
  models: Readonly<Record<string, string>>
}

/** What every thread is given when it starts. */
export interface ThreadData {
  /** Module that exports `loadSuite(name, from)`. */
  suites: string
  /** Folder of the store where media are kept. */
  store: string
}

export type ToThread =
  | { type: 'run'; brief: RunBrief }
  | { type: 'play'; episode: number; run: string; job: EpisodeJob }
  | { type: 'stop'; episode: number; cut: boolean; why: StopCause; message: string }
  | { type: 'reply'; question: number; reply: Reply }
  | { type: 'failed'; question: number; error: SentError }

export type FromThread =
  | { type: 'ask'; episode: number; question: number; role: Role; request: Omit<ModelRequest, 'draining' | 'cue'> }
  | { type: 'used'; episode: number; usage: Usage; cached: boolean }
  | { type: 'kept'; episode: number; ref: MediaRef }
  | { type: 'finished'; episode: number; result: FinishedEpisode }
  | { type: 'error'; episode: number; error: SentError }

/** Errors lose their class on the way; what they mean must not get lost. */
export interface SentError {
  kind: 'user' | 'missing' | 'model' | 'run-stopped' | 'episode-stopped' | 'fault'
  message: string
  stack: string | undefined
  hint?: string
  model?: { kind: ModelError['kind']; attempts: number }
  why?: StopCause
}

export function sendError(error: unknown): SentError {
  const said = { message: messageOf(error), stack: error instanceof Error ? error.stack : undefined }
  if (error instanceof UserError)
    return { kind: 'user', ...said, ...(error.hint === undefined ? {} : { hint: error.hint }) }
  if (error instanceof MissingAssetError) return { kind: 'missing', ...said }
  if (error instanceof ModelError)
    return { kind: 'model', ...said, model: { kind: error.kind, attempts: error.attempts } }
  if (error instanceof RunStopped) return { kind: 'run-stopped', ...said, why: error.why }
  if (error instanceof EpisodeStopped) return { kind: 'episode-stopped', ...said }
  return { kind: 'fault', ...said }
}

export function receivedError(sent: SentError): Error {
  const { message, hint } = sent
  switch (sent.kind) {
    case 'user':
      return new UserError(message, hint === undefined ? {} : { hint })
    case 'missing':
      return new MissingAssetError(message)
    case 'model':
      return new ModelError(sent.model?.kind ?? 'server', message, sent.model?.attempts ?? 1)
    case 'run-stopped':
      return new RunStopped(sent.why ?? 'interrupted', message)
    case 'episode-stopped':
      return new EpisodeStopped(message)
    case 'fault': {
      const error = new Error(message)
      if (sent.stack !== undefined) error.stack = sent.stack
      return error
    }
  }
}
