/** All play sessions of this server. */
import { UserError } from '../../base/errors.ts'
import { planRun, profileOf, replan, type RunPlan } from '../../engine/plan.ts'
import { HUMAN_PREFIX } from '../../engine/players.ts'
import type { OpenedSource, SampleBase } from '../../engine/suite.ts'
import type { LoadedSuite, SuiteFinder } from '../../library/suites.ts'
import type { PlayableSamples, PlayRequest, PlayState } from '../api.ts'
import { isPlayable, playSource } from './playable.ts'
import { SampleThread, type SourceToOpen } from './samples.ts'
import { PlaySession, type PlayEnvironment } from './session.ts'

/** Maximum number of sessions, including ended ones that are still listed. */
const MAX_SESSIONS = 16
const DEFAULT_COUNT = 3
/** For finding the samples of a new session. */
const PLAN_MS = 60_000

export class PlaySessions {
  readonly #environment: PlayEnvironment
  readonly #finder: SuiteFinder
  readonly #sessions = new Map<string, PlaySession>()
  readonly #samples = new SampleThread()

  readonly #maxSessions: number

  constructor(environment: PlayEnvironment, finder: SuiteFinder, maxSessions = MAX_SESSIONS) {
    this.#environment = environment
    this.#finder = finder
    this.#maxSessions = maxSessions
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
    const found = await this.#playable(request.suite)
    const { suite, module, loadFrom } = found
    const source = sourceOf(found, request)
    const plan = await this.#plan(source, (opened) =>
      planRun({
        suite,
        suiteModule: module,
        models: { player: HUMAN_PREFIX + name },
        source: source.source,
        opened,
        ...(samples && samples.length > 0 ? { sampleIds: samples } : { limit: String(count) }),
        ...(options ? { options } : {}),
      }),
    )
    return this.#add(new PlaySession(name, plan, loadFrom, this.#environment))
  }

  /** Starts a run of the samples that a participant of a study got. */
  async startAssigned(
    { suite: suiteName, source, options, seed, profile, kept }: AssignedRun,
    name: string,
    sampleIds: readonly string[],
  ): Promise<PlayState> {
    this.#makeRoom()
    const { suite, module, loadFrom } = await this.#playable(suiteName)
    const plan = await this.#plan({ suite: suite.name, loadFrom, source, options, seed, profile }, (opened) =>
      planRun({
        suite,
        suiteModule: module,
        models: { player: HUMAN_PREFIX + name },
        source,
        opened: withKept(opened, kept, suite),
        options,
        seed,
        profile,
        sampleIds,
      }),
    )
    return this.#add(new PlaySession(name, plan, loadFrom, this.#environment))
  }

  /** Resumes an interrupted human run without repeating answered questions. */
  async resume(run: string, kept?: KeptSamples): Promise<PlayState> {
    const active = this.states().find((state) => state.run === run && isActive(state))
    if (active) return active
    this.#makeRoom()
    const { header } = await this.#environment.store.openRunById(run)
    const player = header.models['player'] ?? ''
    if (!player.startsWith(HUMAN_PREFIX)) {
      throw new UserError(`${run} was not played by a human.`, { hint: `Resume it with \`sightline resume ${run}\`.` })
    }
    const { suite, module, loadFrom } = await this.#finder.named(header)
    const { source, options, seed, profile } = header
    const plan = await this.#plan({ suite: suite.name, loadFrom, source, options, seed, profile }, (opened) =>
      replan(suite, { ...header, suiteModule: module }, 'resume', source, withKept(opened, kept, suite)),
    )
    const session = new PlaySession(player.slice(HUMAN_PREFIX.length), plan, loadFrom, this.#environment)
    return this.#add(session, run)
  }

  /** A page of the built-in samples of a suite. */
  async samples(request: SamplesRequest): Promise<PlayableSamples> {
    return this.#samples.page(sourceOf(await this.#playable(request.suite), request), request.from, request.count)
  }

  /** Stops all sessions; their runs can be resumed. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.stop('the server was stopped')))
    await this.#samples.close()
  }

  async #playable(name: string): Promise<LoadedSuite> {
    const found = await this.#finder.named({ suite: name })
    if (isPlayable(found.suite)) return found
    throw new UserError(`${name} does not support human play.`)
  }

  /** Plans with samples from the thread. An unknown sample id would be looked for in all of them. */
  async #plan(source: SourceToOpen, plan: (opened: OpenedSource<SampleBase>) => Promise<RunPlan>): Promise<RunPlan> {
    const planning = new AbortController()
    const late = new UserError(`The samples were not found within ${PLAN_MS / 1000} seconds.`, {
      hint: 'Select samples from the list, or play the first ones.',
    })
    const timer = setTimeout(() => planning.abort(late), PLAN_MS)
    try {
      return await plan(await this.#samples.open(source, planning.signal))
    } finally {
      clearTimeout(timer)
    }
  }

  async #add(session: PlaySession, resumed?: string): Promise<PlayState> {
    this.#sessions.set(session.id, session)
    await session.begin(resumed)
    return session.state()
  }

  #makeRoom(): void {
    if (this.#sessions.size < this.#maxSessions) return
    const ended = [...this.#sessions.values()].find((session) => session.ended)
    if (!ended)
      throw new UserError(`Too many sessions: ${this.#maxSessions} are active.`, {
        hint: 'Wait until one has finished.',
      })
    this.#sessions.delete(ended.id)
  }
}

/** What all participants of a study play. */
interface AssignedRun extends Pick<SourceToOpen, 'source' | 'options' | 'seed' | 'profile'> {
  suite: string
  kept?: KeptSamples | undefined
}

/** Samples that need not be found in their source again. */
interface KeptSamples {
  suiteVersion: number
  sourceFingerprint: string
  samples: readonly SampleBase[]
}

/** A source that has changed since then is read; so is one of a suite that has changed. */
function withKept(
  opened: OpenedSource<SampleBase>,
  kept: KeptSamples | undefined,
  { version }: LoadedSuite['suite'],
): OpenedSource<SampleBase> {
  const isSame = kept?.sourceFingerprint === opened.fingerprint && kept.suiteVersion === version
  return isSame ? { ...opened, samples: () => kept.samples } : opened
}

interface SamplesRequest extends Pick<PlayRequest, 'suite' | 'seed' | 'language'> {
  from: number
  count: number
}

function sourceOf(
  { suite, loadFrom }: LoadedSuite,
  request: Pick<PlayRequest, 'suite' | 'seed' | 'language' | 'options'>,
): SourceToOpen {
  return {
    suite: suite.name,
    loadFrom,
    source: playSource(suite, request),
    options: request.options ?? {},
    seed: 0,
    profile: profileOf(suite, undefined),
  }
}

function isActive({ state }: PlayState): boolean {
  return state === 'asking' || state === 'preparing'
}
