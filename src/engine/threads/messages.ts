/** Messages between the main thread, which does network and journal I/O, and the threads that play episodes. */
import { errorKind } from '../../base/channel.ts'
import type { MediaRef } from '../../media/ref.ts'
import { ModelError, type ModelRequest, type Reply, type Role, type Usage } from '../../models/types.ts'
import { RunStopped, type StopCause } from '../control.ts'
import { EpisodeStopped, type EpisodeJob, type FinishedEpisode, type Work } from '../episode.ts'

/** The part of a run that threads need. */
export interface ThreadRun {
  id: string
  suite: string
  options: Readonly<Record<string, unknown>>
  profile: string
  seed: number
  /** Where the suite is loaded from; null for bundled suites. */
  suiteModule: string | null
  /** Folders of the source files (`OpenedSource.roots`). */
  roots: Readonly<Record<string, string>>
  /** Role to model. Baselines play in the thread; models are asked through the main thread. */
  models: Readonly<Record<string, string>>
}

/** Passed to every thread when it starts. */
export interface ThreadData {
  /** Module that exports `loadSuite(name, from)`. */
  suites: string
  /** Folder of the store, for media. */
  store: string
}

/** What the main thread listens to. A question about a video would send a message for each of its frames. */
export interface Wanted {
  media: boolean
  work: boolean
}

/** Calls from the main thread to a thread. Episodes are identified by number. */
export interface ThreadHandlers {
  play(message: { episode: number; run: ThreadRun; job: EpisodeJob; wants: Wanted }): Promise<FinishedEpisode>
  /** With `abort`, requests in flight are canceled too. */
  stop(message: { episode: number; abort: boolean; why: StopCause; message: string }): void
}

/** A request without the fields that cannot be sent to another thread. */
export type ThreadRequest = Omit<ModelRequest, 'draining' | 'payments' | 'held' | 'baselineInput'>

/** Calls from a thread to the main thread. */
export interface MainHandlers {
  ask(message: { episode: number; role: Role; request: ThreadRequest }): Promise<Reply>
  used(message: { episode: number; usage: Usage; cached: boolean }): void
  kept(message: { episode: number; ref: MediaRef }): void
  working(message: { episode: number; work: Work }): void
}

export const EPISODE_ERRORS = [
  errorKind(ModelError, ({ kind, message, attempts, fatal }) => [kind, message, attempts, { fatal }]),
  errorKind(RunStopped, ({ why, message }) => [why, message]),
  errorKind(EpisodeStopped, ({ message }) => [message]),
]
