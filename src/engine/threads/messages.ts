/** What passes between the main thread, which talks to networks and disks, and the threads that play. */
import { errorKind } from '../../base/channel.ts'
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

/** What a thread does. Episodes are told apart by numbers. */
export interface ThreadHandlers {
  play(given: { episode: number; brief: RunBrief; job: EpisodeJob }): Promise<FinishedEpisode>
  /** `cut`: requests under way end as well. */
  stop(given: { episode: number; cut: boolean; why: StopCause; message: string }): void
}

/** Without what cannot cross. */
export type AskedRequest = Omit<ModelRequest, 'draining' | 'baselineInput'>

/** What the main thread does for the episodes in a thread. */
export interface MainHandlers {
  ask(given: { episode: number; role: Role; request: AskedRequest }): Promise<Reply>
  used(given: { episode: number; usage: Usage; cached: boolean }): void
  kept(given: { episode: number; ref: MediaRef }): void
}

export const EPISODE_ERRORS = [
  errorKind(ModelError, ({ kind, message, attempts }) => [kind, message, attempts]),
  errorKind(RunStopped, ({ why, message }) => [why, message]),
  errorKind(EpisodeStopped, ({ message }) => [message]),
]
