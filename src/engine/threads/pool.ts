/**
 * Plays episodes on all cores: suites draw, decode and measure in threads, while this one stays free for the network. What a
 * thread wants to ask a model is asked here, so limits, cache and money are as they are without threads.
 */
import { availableParallelism } from 'node:os'
import { Random } from '../../base/random.ts'
import { Thread, ThreadLost } from '../../base/thread.ts'
import type { Reply, Role } from '../../models/types.ts'
import { RunStopped } from '../control.ts'
import type { EpisodeContext, EpisodeJob, FinishedEpisode } from '../episode.ts'
import type { Answer } from '../players.ts'
import {
  type AskedRequest,
  EPISODE_ERRORS,
  type MainHandlers,
  type RunBrief,
  type ThreadData,
  type ThreadHandlers,
} from './messages.ts'

export { ThreadLost }

/** An episode in a thread, and who answers it here. */
interface Playing {
  context: EpisodeContext
  job: EpisodeJob
  answers: Map<Role, Answer>
}

interface Place {
  thread: Thread<ThreadHandlers, MainHandlers>
  /** The scenes it was given last, the newest last: who has a scene prepared should play the rest of it. */
  scenes: Set<string>
}

const SCENES_REMEMBERED = 4
/** A thread may have so many more episodes than the least busy one to be given a scene that it knows. */
const MORE_FOR_A_KNOWN_SCENE = 2

export class EpisodeThreads {
  readonly #places: readonly Place[]
  readonly #playing = new Map<number, Playing>()
  #episodes = 0

  constructor(data: ThreadData, count: number = availableParallelism()) {
    const handlers: MainHandlers = {
      ask: ({ episode, role, request }) => ask(this.#playing.get(episode), role, request),
      used: ({ episode, usage, cached }) => this.#playing.get(episode)?.context.used(usage, cached),
      kept: ({ episode, ref }) => this.#playing.get(episode)?.context.kept?.(ref),
    }
    const options = { title: 'a thread that plays episodes', handlers, data, errors: EPISODE_ERRORS }
    this.#places = Array.from({ length: Math.max(1, count) }, () => ({
      thread: new Thread<ThreadHandlers, MainHandlers>('./thread', import.meta.url, options),
      scenes: new Set(),
    }))
  }

  get count(): number {
    return this.#places.length
  }

  async perform(brief: RunBrief, job: EpisodeJob, context: EpisodeContext): Promise<FinishedEpisode> {
    const thread = this.#choose(`${brief.id} ${job.sample.cluster}`)
    const episode = ++this.#episodes
    this.#playing.set(episode, { context, job, answers: new Map() })
    const played = thread.call('play', { episode, brief, job })
    const stop = (signal: AbortSignal, cut: boolean): (() => void) => {
      const tell = (): void => {
        const reason: unknown = signal.reason
        const why = reason instanceof RunStopped ? reason.why : 'interrupted'
        const message = reason instanceof Error ? reason.message : 'stopped'
        thread.send('stop', { episode, cut, why, message })
      }
      if (signal.aborted) tell()
      else signal.addEventListener('abort', tell, { once: true })
      return () => signal.removeEventListener('abort', tell)
    }
    const forget = [stop(context.draining, false), stop(context.signal, true)]
    try {
      return await played
    } finally {
      for (const each of forget) each()
      this.#playing.delete(episode)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map(({ thread }) => thread.close()))
  }

  #choose(scene: string): Place['thread'] {
    const fewest = Math.min(...this.#places.map(({ thread }) => thread.pendingCalls))
    const most = fewest + MORE_FOR_A_KNOWN_SCENE
    const { thread, scenes } =
      this.#places.find((place) => place.scenes.has(scene) && place.thread.pendingCalls < most) ??
      this.#places.find((place) => place.thread.pendingCalls === fewest)!
    scenes.delete(scene)
    scenes.add(scene)
    if (scenes.size > SCENES_REMEMBERED) scenes.delete(scenes.values().next().value!)
    return thread
  }
}

async function ask(playing: Playing | undefined, role: Role, request: AskedRequest): Promise<Reply> {
  if (!playing) throw new Error('the episode is over')
  const { context, job, answers } = playing
  await context.mayAsk()
  const answer = answers.get(role) ?? beginAnswer(context, job, role)
  answers.set(role, answer)
  const reply = await answer({ ...request, draining: context.draining }, context.signal)
  context.used(reply.usage, reply.cached)
  return reply
}

function beginAnswer(context: EpisodeContext, job: EpisodeJob, role: Role): Answer {
  const player = context.players.get(role)
  if (!player) throw new Error(`the run has no model for the role ${role}`)
  const { options, profile, files } = context
  const random = new Random(`${context.suite.name}/${context.seed}/${job.sample.id}/${job.epoch}/${role}`)
  return player.begin(job.sample, { options, profile, files, keep: (...media) => context.keep(...media), random })
}
