/** All play sessions of this server. */
import { UserError } from '../../base/errors.ts'
import { planRun, replan } from '../../engine/plan.ts'
import { HUMAN_PREFIX } from '../../engine/players.ts'
import { selectedSamples } from '../../engine/source.ts'
import type { LoadedSuite, SuiteFinder } from '../../library/suites.ts'
import type { PlayableSample, PlayRequest, PlayState } from '../api.ts'
import { isPlayable, playSource } from './playable.ts'
import { PlaySession, type PlayEnvironment } from './session.ts'

/** Maximum number of sessions, including ended ones that are still listed. */
const MAX_SESSIONS = 16
const DEFAULT_COUNT = 3

export class PlaySessions {
  readonly #environment: PlayEnvironment
  readonly #finder: SuiteFinder
  readonly #sessions = new Map<string, PlaySession>()

  constructor(environment: PlayEnvironment, finder: SuiteFinder) {
    this.#environment = environment
    this.#finder = finder
  }

  states(): PlayState[] {
    return [...this.#sessions.values()].map((session) => session.state())
  }

  get(id: string): PlaySession {
    const session = this.#sessions.get(id)
    if (session) return session
    throw new UserError('No such session.', {
      hint: 'The server may have restarted. Resume the run from the Play page.',
    })
  }

  async start(request: PlayRequest): Promise<PlayState> {
    const { name, samples, count = DEFAULT_COUNT, options } = request
    this.#makeRoom()
    const { suite, module, loadFrom } = await this.#playable(request.suite)
    const plan = await planRun({
      suite,
      suiteModule: module,
      models: { player: HUMAN_PREFIX + name },
      source: playSource(suite, request),
      ...(samples && samples.length > 0 ? { sampleIds: samples } : { limit: String(count) }),
      ...(options ? { options } : {}),
    })
    return this.#add(new PlaySession(name, plan, loadFrom, this.#environment))
  }

  /** Resumes an interrupted human run without repeating answered questions. */
  async resume(run: string): Promise<PlayState> {
    const active = this.states().find((state) => state.run === run && isActive(state))
    if (active) return active
    this.#makeRoom()
    const { header } = await this.#environment.store.openRunById(run)
    const player = header.models['player'] ?? ''
    if (!player.startsWith(HUMAN_PREFIX)) {
      throw new UserError(`${run} was not played by a human.`, { hint: `Resume it with \`sightline resume ${run}\`.` })
    }
    const { suite, module, loadFrom } = await this.#finder.named(header)
    const plan = await replan(suite, { ...header, suiteModule: module }, 'resume')
    const session = new PlaySession(player.slice(HUMAN_PREFIX.length), plan, loadFrom, this.#environment)
    return this.#add(session, run)
  }

  /** The built-in samples of a suite in order, one page at a time because generating them is slow. */
  async samples(request: SamplesRequest): Promise<PlayableSample[]> {
    const { suite } = await this.#playable(request.suite)
    const plan = await planRun({
      suite,
      models: { player: `${HUMAN_PREFIX}someone` },
      source: playSource(suite, request),
    })
    const found: PlayableSample[] = []
    for await (const { sample } of selectedSamples(plan.source, {
      from: request.from,
      to: request.from + request.count,
      ids: null,
    })) {
      found.push({ id: sample.id, cluster: sample.cluster, labels: sample.labels })
    }
    return found
  }

  /** Stops all sessions; their runs can be resumed. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.stop('the server was stopped')))
  }

  async #playable(name: string): Promise<LoadedSuite> {
    const found = await this.#finder.named({ suite: name })
    if (isPlayable(found.suite, found.loadFrom !== null)) return found
    throw new UserError(`${name} does not support human play.`)
  }

  async #add(session: PlaySession, resumed?: string): Promise<PlayState> {
    this.#sessions.set(session.id, session)
    await session.begin(resumed)
    return session.state()
  }

  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return
    const ended = [...this.#sessions.values()].find((session) => session.ended)
    if (!ended)
      throw new UserError(`Too many sessions: ${MAX_SESSIONS} are active.`, { hint: 'Wait until one has finished.' })
    this.#sessions.delete(ended.id)
  }
}

interface SamplesRequest extends Pick<PlayRequest, 'suite' | 'seed' | 'language'> {
  from: number
  count: number
}

function isActive({ state }: PlayState): boolean {
  return state === 'asking' || state === 'preparing'
}
