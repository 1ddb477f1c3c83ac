/**
 * Plays episodes on all cores: suites render, decode and measure in threads, while the main thread stays free for the
 * network. Threads ask models through the main thread, so limits, cache and budget work the same as without threads.
 */
import { availableParallelism } from 'node:os'
import { Random } from '../../base/random.ts'
import { Thread, ThreadLost } from '../../base/thread.ts'
import type { Reply, Role } from '../../models/types.ts'
import { RunStopped } from '../control.ts'
import type { EpisodeContext, EpisodeJob, FinishedEpisode } from '../episode.ts'
import type { Responder } from '../players.ts'
import {
  type ThreadRequest,
  EPISODE_ERRORS,
  type MainHandlers,
  type ThreadRun,
  type ThreadData,
  type ThreadHandlers,
} from './messages.ts'

export { ThreadLost }

/** An episode that runs in a thread, with the players that answer it in the main thread. */
interface ActiveEpisode {
  context: EpisodeContext
  job: EpisodeJob
  responders: Map<Role, Responder>
  thread: PooledThread
}

interface PooledThread {
  thread: Thread<ThreadHandlers, MainHandlers>
  /** Episodes that wait for a model, so the thread does nothing for them. */
  asking: number
  /** Most recent scenes, newest last. A thread that has prepared a scene should play its other episodes too. */
  scenes: Set<string>
}

const MAX_SCENES_PER_THREAD = 4
/** Episodes that a thread which knows their scene may work on while another one has nothing to do. */
const MAX_BUSY_FOR_KNOWN_SCENE = 4

export class EpisodeThreads {
  readonly #threads: readonly PooledThread[]
  readonly #active = new Map<number, ActiveEpisode>()
  #episodes = 0

  constructor(data: ThreadData, count: number = availableParallelism()) {
    const handlers: MainHandlers = {
      ask: ({ episode, role, request }) => ask(this.#active.get(episode), role, request),
      used: ({ episode, usage, cached }) => this.#active.get(episode)?.context.onUsage(usage, cached),
      kept: ({ episode, ref }) => this.#active.get(episode)?.context.onMedia?.(ref),
      working: ({ episode, work }) => this.#active.get(episode)?.context.onWork?.(work),
    }
    const options = { title: 'an episode thread', handlers, data, errors: EPISODE_ERRORS }
    this.#threads = Array.from({ length: Math.max(1, count) }, () => ({
      thread: new Thread<ThreadHandlers, MainHandlers>('./thread', import.meta.url, options),
      asking: 0,
      scenes: new Set(),
    }))
  }

  get count(): number {
    return this.#threads.length
  }

  async play(run: ThreadRun, job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
    const chosen = this.#choose(`${run.id} ${job.sample.cluster}`)
    const { thread } = chosen
    const episode = ++this.#episodes
    this.#active.set(episode, { context, job, responders: new Map(), thread: chosen })
    const wants = { media: context.onMedia !== undefined, work: context.onWork !== undefined }
    const played = thread.call('play', { episode, run, job, wants })
    const forwardStop = (signal: AbortSignal, abort: boolean): (() => void) => {
      const send = (): void => {
        const reason: unknown = signal.reason
        const why = reason instanceof RunStopped ? reason.why : 'interrupted'
        const message = reason instanceof Error ? reason.message : 'stopped'
        thread.send('stop', { episode, abort, why, message })
      }
      if (signal.aborted) send()
      else signal.addEventListener('abort', send, { once: true })
      return () => signal.removeEventListener('abort', send)
    }
    const unsubscribe = [forwardStop(context.draining, false), forwardStop(context.signal, true)]
    try {
      return await played
    } finally {
      for (const each of unsubscribe) each()
      this.#active.delete(episode)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ thread }) => thread.close()))
  }

  /** A scene is built and drawn in one thread, unless another one has nothing to do. */
  #choose(scene: string): PooledThread {
    const idlest = leastBusy(this.#threads)!
    const known = leastBusy(this.#threads.filter(({ scenes }) => scenes.has(scene)))
    const chosen = known && (busy(known) < MAX_BUSY_FOR_KNOWN_SCENE || busy(idlest) > 0) ? known : idlest
    const { scenes } = chosen
    scenes.delete(scene)
    scenes.add(scene)
    if (scenes.size > MAX_SCENES_PER_THREAD) scenes.delete(scenes.values().next().value!)
    return chosen
  }
}

function busy({ thread, asking }: PooledThread): number {
  return thread.pendingCalls - asking
}

function leastBusy(threads: readonly PooledThread[]): PooledThread | undefined {
  return threads.toSorted((a, b) => busy(a) - busy(b))[0]
}

async function ask(active: ActiveEpisode | undefined, role: Role, request: ThreadRequest): Promise<Reply> {
  if (!active) throw new Error('the episode is over')
  const { context, job, responders, thread } = active
  thread.asking += 1
  try {
    await context.beforeRequest()
    const responder = responders.get(role) ?? startResponder(context, job, role)
    responders.set(role, responder)
    const { draining, payments, held, signal } = context
    const ends = { draining, ...(payments && { payments }), ...(held && { held }) }
    const reply = await responder({ ...request, ...ends }, signal)
    context.onUsage(reply.usage, reply.cached)
    return reply
  } finally {
    thread.asking -= 1
  }
}

function startResponder(context: EpisodeContext, job: EpisodeJob, role: Role): Responder {
  const player = context.players.get(role)
  if (!player) throw new Error(`the run has no model for the role ${role}`)
  const { options, profile, files } = context
  const random = new Random(`${context.suite.name}/${context.seed}/${job.sample.id}/${job.epoch}/${role}`)
  return player.startEpisode(job.sample, {
    options,
    profile,
    files,
    keep: (...media) => context.keep(...media),
    random,
  })
}
