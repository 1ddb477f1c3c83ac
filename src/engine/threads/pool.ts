/**
 * Plays episodes on all cores: suites draw, decode and measure in threads, while this one stays free for the network. What a
 * thread wants to ask a model is asked here, so limits, cache and money are as they are without threads.
 */
import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { Random } from '../../base/random.ts'
import { startThread } from '../../base/thread.ts'
import type { Answer } from '../players.ts'
import type { EpisodeContext, EpisodeJob, FinishedEpisode } from '../episode.ts'
import { RunStopped } from '../control.ts'
import { type FromThread, receivedError, type RunBrief, sendError, type ThreadData, type ToThread } from './messages.ts'

/** A thread ended by itself: out of memory, or killed by what it loaded. The episode may do well elsewhere. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

interface Playing {
  context: EpisodeContext
  job: EpisodeJob
  answers: Map<string, Answer>
  resolve: (result: FinishedEpisode) => void
  reject: (error: Error) => void
  release: () => void
}

interface Thread {
  worker: Worker
  /** Runs that it knows. */
  runs: Set<string>
  playing: Map<number, Playing>
  /** The scenes it was given last, the newest last: who has a scene prepared should play the rest of it. */
  scenes: Set<string>
}

const SCENES_REMEMBERED = 4
/** So many more than the least busy one a thread may have to be given a scene that it knows. */
const PATIENCE = 2

export class EpisodeThreads {
  readonly #data: ThreadData
  readonly #threads: (Thread | null)[]
  #episodes = 0
  #closed = false

  constructor(data: ThreadData, count: number = availableParallelism()) {
    this.#data = data
    this.#threads = Array.from({ length: Math.max(1, count) }, () => null)
  }

  get count(): number {
    return this.#threads.length
  }

  perform(brief: RunBrief, job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
    if (this.#closed) return Promise.reject(new ThreadLost('the threads are closed'))
    const scene = `${brief.id} ${job.sample.cluster}`
    const thread = this.#choose(scene)
    const episode = ++this.#episodes
    if (!thread.runs.has(brief.id)) {
      thread.runs.add(brief.id)
      send(thread, { type: 'run', brief })
    }
    return new Promise((resolve, reject) => {
      const stop = (signal: AbortSignal, cut: boolean): (() => void) => {
        const tell = (): void => {
          const { reason } = signal as { reason: unknown }
          const why = reason instanceof RunStopped ? reason.why : 'interrupted'
          const message = reason instanceof Error ? reason.message : 'stopped'
          send(thread, { type: 'stop', episode, cut, why, message })
        }
        if (signal.aborted) queueMicrotask(tell)
        else signal.addEventListener('abort', tell, { once: true })
        return () => signal.removeEventListener('abort', tell)
      }
      const forget = [stop(context.draining, false), stop(context.signal, true)]
      thread.playing.set(episode, {
        context,
        job,
        answers: new Map(),
        resolve,
        reject,
        release: () => {
          for (const each of forget) each()
        },
      })
      thread.worker.ref()
      send(thread, { type: 'play', episode, run: brief.id, job })
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const started = this.#threads.filter((thread) => thread !== null)
    await Promise.all(started.map(({ worker }) => worker.terminate()))
  }

  #choose(scene: string): Thread {
    const started = this.#threads.filter((thread) => thread !== null)
    const fewest = Math.min(...this.#threads.map((thread) => thread?.playing.size ?? 0))
    const knowing = started.find(({ scenes, playing }) => scenes.has(scene) && playing.size < fewest + PATIENCE)
    const place = this.#threads.findIndex((thread) => (thread?.playing.size ?? 0) === fewest)
    const thread = knowing ?? (this.#threads[place] ??= this.#start(place))
    thread.scenes.delete(scene)
    thread.scenes.add(scene)
    if (thread.scenes.size > SCENES_REMEMBERED) thread.scenes.delete(thread.scenes.values().next().value!)
    return thread
  }

  #start(place: number): Thread {
    const worker = startThread('./thread', import.meta.url, { workerData: this.#data })
    const thread: Thread = { worker, runs: new Set(), playing: new Map(), scenes: new Set() }
    worker.unref()
    worker.on('message', (message: FromThread) => this.#receive(thread, message))
    const lost = (why: string): void => {
      if (this.#threads[place] === thread) this.#threads[place] = null
      for (const { reject, release } of thread.playing.values()) {
        release()
        reject(new ThreadLost(why))
      }
      thread.playing.clear()
    }
    worker.on('error', (error: Error) => lost(`a thread that plays episodes failed: ${error.message}`))
    worker.on('exit', (code) => lost(`a thread that plays episodes ended with ${code}`))
    return thread
  }

  #receive(thread: Thread, message: FromThread): void {
    const playing = thread.playing.get(message.episode)
    if (!playing) return
    switch (message.type) {
      case 'ask':
        void this.#ask(thread, playing, message)
        return
      case 'used':
        playing.context.used(message.usage, message.cached)
        return
      case 'kept':
        playing.context.kept?.(message.ref)
        return
      case 'finished':
        this.#end(thread, message.episode)
        playing.resolve(message.result)
        return
      case 'error':
        this.#end(thread, message.episode)
        playing.reject(receivedError(message.error))
    }
  }

  #end(thread: Thread, episode: number): void {
    thread.playing.get(episode)?.release()
    thread.playing.delete(episode)
    if (thread.playing.size === 0) thread.worker.unref()
  }

  async #ask(
    thread: Thread,
    { context, job, answers }: Playing,
    { question, role, request }: Extract<FromThread, { type: 'ask' }>,
  ): Promise<void> {
    try {
      await context.mayAsk()
      let answer = answers.get(role)
      if (!answer) {
        const player = context.players.get(role)
        if (!player) throw new Error(`the run has no model for the role ${role}`)
        const { options, profile, files } = context
        const random = new Random(`${context.suite.name}/${context.seed}/${job.sample.id}/${job.epoch}/${role}`)
        const keep: EpisodeContext['keep'] = (...media) => context.keep(...media)
        answer = player.begin(job.sample, { options, profile, files, keep, random })
        answers.set(role, answer)
      }
      const reply = await answer({ ...request, draining: context.draining }, context.signal)
      context.used(reply.usage, reply.cached)
      send(thread, { type: 'reply', question, reply })
    } catch (error) {
      send(thread, { type: 'failed', question, error: sendError(error) })
    }
  }
}

function send(thread: Thread, message: ToThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
  thread.worker.postMessage(message)
}
