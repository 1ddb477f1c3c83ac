/** Everyone who plays here. */
import { randomUUID } from 'node:crypto'
import { UserError } from '../../base/errors.ts'
import { planRun, replan } from '../../engine/plan.ts'
import { selectedSamples } from '../../engine/source.ts'
import type { LoadedSuite, SuiteFinder } from '../../library/suites.ts'
import type { PlayableSample, PlayRequest, PlayState } from '../api.ts'
import { PERSON_PREFIX } from './person.ts'
import { isPlayable, playedSource } from './playable.ts'
import { PlaySession, type PlayEnvironment } from './session.ts'

/** People at once, and games that are remembered after their end. */
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
    throw new UserError('Nobody plays here under that address.', {
      hint: 'The server was started again since: continue the run from the page “Play”.',
    })
  }

  async start(request: PlayRequest): Promise<PlayState> {
    const { name, samples, count = DEFAULT_COUNT, options } = request
    this.#makeRoom()
    const { suite, module } = await this.#playable(request.suite)
    const plan = await planRun({
      suite,
      suiteModule: module,
      models: { player: PERSON_PREFIX + name },
      source: playedSource(suite, request),
      ...(samples && samples.length > 0 ? { sampleIds: samples } : { limit: String(count) }),
      ...(options ? { options } : {}),
    })
    return this.#add(new PlaySession(randomUUID(), name, plan, this.#environment.store.replies))
  }

  /** Goes on with a run of a person that was interrupted: what was answered is not asked again. */
  async resume(run: string): Promise<PlayState> {
    const underWay = this.states().find((state) => state.run === run && isOpen(state))
    if (underWay) return underWay
    this.#makeRoom()
    const { header } = await this.#environment.store.openRunById(run)
    const player = header.models['player'] ?? ''
    if (!player.startsWith(PERSON_PREFIX)) {
      throw new UserError(`${run} was not played by a person.`, { hint: `Go on with it: \`sightline resume ${run}\`.` })
    }
    const { suite, module } = await this.#finder.named(header)
    const plan = await replan(suite, { ...header, suiteModule: module }, 'resume')
    const session = new PlaySession(
      randomUUID(),
      player.slice(PERSON_PREFIX.length),
      plan,
      this.#environment.store.replies,
    )
    return this.#add(session, run)
  }

  /** The built-in samples of a suite, in their order, a page at a time: making them takes time. */
  async samples(request: SamplesRequest): Promise<PlayableSample[]> {
    const { suite } = await this.#playable(request.suite)
    const plan = await planRun({
      suite,
      models: { player: `${PERSON_PREFIX}someone` },
      source: playedSource(suite, request),
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

  /** Ends all games; their runs can be continued. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.stop('the server was stopped')))
  }

  async #playable(name: string): Promise<LoadedSuite> {
    const found = await this.#finder.named({ suite: name })
    if (isPlayable(found.suite, found.loadFrom !== null)) return found
    throw new UserError(`${name} cannot be played by a person.`)
  }

  async #add(session: PlaySession, resumed?: string): Promise<PlayState> {
    this.#sessions.set(session.id, session)
    await session.begin(this.#environment, resumed)
    return session.state()
  }

  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return
    const over = [...this.#sessions.values()].find((session) => session.over)
    if (!over)
      throw new UserError(`${MAX_SESSIONS} people play here already.`, { hint: 'Wait until one has finished.' })
    this.#sessions.delete(over.id)
  }
}

interface SamplesRequest extends Pick<PlayRequest, 'suite' | 'seed' | 'language'> {
  from: number
  count: number
}

function isOpen({ state }: PlayState): boolean {
  return state === 'asking' || state === 'preparing'
}
