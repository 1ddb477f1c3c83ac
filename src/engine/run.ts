/** Starts, resumes and measures runs, and records everything in the store. */
import { isDeepStrictEqual } from 'node:util'
import { messageOf, UserError } from '../base/errors.ts'
import { flatMap, type Items } from '../base/items.ts'
import { realClock } from '../models/clock.ts'
import type { Prices } from '../models/prices.ts'
import { addUsage, type Model, type Role, type Usage } from '../models/types.ts'
import { LiveMeans } from '../report/live.ts'
import { newRunId } from '../store/run-id.ts'
import { plural } from '../base/plural.ts'
import { episodeKey } from '../store/journal.ts'
import { counts, type EpisodeLine, type RunHeader } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import type { RunWriter } from '../store/run-writer.ts'
import type { Store } from '../store/store.ts'
import { BudgetSpent, Meter, parseBudget } from './budget.ts'
import { RunStopped, StopControl } from './control.ts'
import { DataFiles } from './data-files.ts'
import { expectedReply } from './estimate.ts'
import { shortHash } from './fingerprint.ts'
import type { EpisodeContext, EpisodeJob, FinishedEpisode, Work } from './episode.ts'
import {
  BASELINE_PREFIX,
  baselinePlayer,
  batchesOf,
  checkCanPlaySource,
  maxConcurrentEpisodes,
  type Player,
  type Players,
  modelPlayer,
} from './players.ts'
import { type FailurePolicy, FailureWatch, type Judged } from './failures.ts'
import type { RunPlan } from './plan.ts'
import type { Progress } from './progress.ts'
import { LocalRunner, type MakeRunner, type Runner } from './runner.ts'
import { measurementsIn, missingInstruments, valuesByInstrument } from './measure.ts'
import { RecordedSamples } from './recorded-samples.ts'
import { readEpisode } from './rescore.ts'
import { playedSamples } from './source.ts'
import type { AnySuite, OpenedInstruments } from './suite.ts'

/** The dependencies of a run. */
export interface RunEnvironment {
  store: Store
  /** Opens a model by name. Not called for baselines. */
  openModel(id: string, role: Role): Promise<Model>
  prices: Prices
  versions: Readonly<Record<string, string>>
  git: string | null
  now(): Date
  /** Creates the runner that plays the episodes. Default: this thread. */
  makeRunner?: MakeRunner
}

/** Callbacks to follow and stop a run. */
export interface RunHooks {
  /** Called after every episode and every reply. */
  onProgress?(progress: () => Progress): void
  onStart?(header: RunHeader): void
  /** Called with human-readable warnings. */
  onNote?(note: string): void
  /** Called with what a suite is preparing before it asks. */
  onWork?(work: Work): void
  /** Called with every episode once it is in the journal; later episodes may wait for it. */
  onEpisode?(episode: FinishedEpisode): void | Promise<void>
  /** Stops the run from outside, for example on Ctrl-C. */
  control?: StopControl
  /** When errors stop the run. */
  failures?: FailurePolicy
}

/** How a run ended. */
export interface RunResult {
  id: string
  state: 'done' | 'interrupted' | 'failed'
  /** Human-readable reason of an interruption or failure. */
  reason: string | null
  cause: RunStopped['why'] | null
  progress: Progress
}

/** Starts a new run. Pass the result of `openRun` as `opened` if models and instruments are open already. */
export async function startRun(
  plan: RunPlan,
  environment: RunEnvironment,
  hooks: RunHooks = {},
  opened?: OpenedRun,
): Promise<RunResult> {
  const parts = opened ?? (await openRun(plan, environment))
  const { store, prices, versions, git } = environment
  const created = environment.now()
  const header: RunHeader = {
    ...plan.header,
    fingerprint: withOpenedParts(plan.header.fingerprint, parts),
    id: newRunId(plan.header.suite, plan.header.models['player']!, created),
    created: created.toISOString(),
    versions,
    git,
    prices: Object.fromEntries(Object.values(plan.header.models).map((model) => [model, prices.of(model)])),
  }
  const writer = await store.createRun(header)
  return playRun(plan, writer, parts, environment, hooks)
}

export interface ResumeOptions {
  /** New budget for the whole run, including what it has used so far. */
  budget?: string | undefined
  timeLimitSeconds?: number | undefined
  /** Replays episodes that ended in `model_error`. */
  retryErrors?: boolean
  /** Replays these finished episodes. */
  retry?: (line: EpisodeLine) => boolean
}

/** Resumes a run: plays the missing episodes. Interrupted episodes reuse their cached replies. */
export async function resumeRun(
  plan: RunPlan,
  id: string,
  environment: RunEnvironment,
  { budget, timeLimitSeconds, retryErrors = false, retry = () => false }: ResumeOptions = {},
  hooks: RunHooks = {},
): Promise<RunResult> {
  const resumed: RunPlan = {
    ...plan,
    header: {
      ...plan.header,
      budget: budget ?? plan.header.budget,
      timeLimitSeconds: timeLimitSeconds ?? plan.header.timeLimitSeconds,
    },
  }
  const opened = await openRun(resumed, environment)
  const writer = await environment.store.resumeRun(id)
  const then = writer.header.fingerprint.parts
  for (const [part, address] of Object.entries(addresses(opened.players))) {
    if (then[part] !== undefined && then[part] !== address) {
      hooks.onNote?.(`The run started with the model at ${then[part]}; it now uses ${address}.`)
    }
  }
  const instruments = instrumentsPart(opened.instruments)
  if (instruments !== undefined && then[INSTRUMENTS] !== instruments) {
    hooks.onNote?.(
      'The instruments have changed since the run started. Use `sightline measure` to measure all episodes with the same ones.',
    )
  }
  const { suiteModule } = writer.header
  if (suiteModule && plan.header.suiteModule?.hash !== suiteModule.hash) {
    hooks.onNote?.(`The code of ${suiteModule.from} has changed since the run started, but its version has not.`)
  }
  const isRetried = (line: EpisodeLine) => (retryErrors && line.status === 'model_error') || retry(line)
  return playRun(resumed, writer, opened, environment, hooks, isRetried)
}

/** Measures a recorded run without playing anything. Values of the same instrument version are kept. */
export async function measureRun(
  plan: RunPlan,
  reader: RunReader,
  environment: RunEnvironment,
  hooks: RunHooks = {},
): Promise<RunResult> {
  const opened = await openRun(plan, environment, ({ role }) => role !== 'player')
  const header = { ...reader.header, options: plan.header.options, models: plan.header.models }
  const writer = await environment.store.resumeRun(reader.header.id)
  const fingerprint = withOpenedParts(plan.header.fingerprint, opened)
  await writer.rewriteHeader({ ...header, fingerprint })
  const samples = new RecordedSamples(reader, plan.suite)
  const lines = [...writer.finished.values()].sort((a, b) => a.index - b.index || a.epoch - b.epoch)
  const damaged = new Set((await reader.damaged()).map(episodeKey))
  if (damaged.size > 0) {
    hooks.onNote?.(`${plural(damaged.size, 'episode')} left as recorded: their events were changed since.`)
  }
  const recorded = lines.filter((line) => counts(line.status) && !damaged.has(episodeKey(line)))
  const unmeasured = new Set<EpisodeLine>()
  for (const line of recorded) {
    if (!(await isMeasured(await readEpisode(reader, samples, line), plan, opened))) unmeasured.add(line)
  }
  return playRun(
    plan,
    writer,
    opened,
    environment,
    hooks,
    (line) => unmeasured.has(line),
    async function* () {
      for (const line of unmeasured) {
        const episode = await readEpisode(reader, samples, line)
        yield { index: line.index, sample: episode.sample, epoch: line.epoch, recorded: episode }
      }
    },
  )
}

/** Whether an episode has all wanted measurements, and scores computed from them. */
async function isMeasured(
  { line, played, sample, outcome, events }: Awaited<ReturnType<typeof readEpisode>>,
  { suite, options, header: { profile } }: RunPlan,
  { players, instruments }: OpenedRun,
): Promise<boolean> {
  if (outcome === null) return true
  const before = measurementsIn(events)
  const has = (role: Role): boolean => players.has(role)
  if (missingInstruments({ instruments }, sample, outcome, has, before).length > 0) return false
  const measurements = valuesByInstrument(before.values())
  const scores = await suite.score(sample, outcome, { profile, options, measurements })
  return line.status === played.status && isDeepStrictEqual(line.scores, scores)
}

/** The models and instruments of a run. */
export interface OpenedRun {
  players: Players
  instruments: OpenedInstruments<unknown, unknown> | undefined
}

/** Opens models and instruments without sending anything, so a bad name, key, budget or file is reported early. */
export async function openRun(
  plan: RunPlan,
  environment: RunEnvironment,
  wanted: (asked: { role: Role }) => boolean = () => true,
): Promise<OpenedRun> {
  const { suite, options, header } = plan
  const inMoney = header.budget !== null && 'usd' in parseBudget(header.budget)
  const instruments = await suite.measure?.open(options)
  const players = new Map<Role, Player>()
  for (const [role, id] of Object.entries(header.models) as [Role, string][]) {
    if (!wanted({ role })) continue
    const isBaseline = id.startsWith(BASELINE_PREFIX)
    if (inMoney && environment.prices.of(id) === null) {
      throw new UserError(`Cannot enforce a dollar budget: no price for ${id}.`, {
        hint: 'Set prices with --prices FILE, or use a token budget such as 200k-tokens.',
      })
    }
    if (isBaseline) checkCanPlaySource(suite, id, header.source)
    const player = isBaseline ? baselinePlayer(suite, id) : modelPlayer(await environment.openModel(id, role))
    players.set(role, player)
    if (role === 'player') checkOutput(suite, player)
  }
  return { players, instruments }
}

function checkOutput({ name, output }: AnySuite, player: Player): void {
  if (player.output === 'suite' || player.output === output) return
  if (output === 'video') {
    throw new UserError(`${name} needs a video generator; ${player.id} is a text model.`, {
      hint: 'Use generator/NAME (from sightline.config), generator/http://… or a baseline. Set a judge with --model-role judge=….',
    })
  }
  throw new UserError(`${name} needs a text model; ${player.id} is a video generator.`)
}

/** Name of the fingerprint part for instruments. */
export const INSTRUMENTS = 'instruments'

export function instrumentsPart(instruments: OpenedRun['instruments']): string | undefined {
  return instruments && shortHash(instruments.all)
}

function addresses(players: Players): Record<string, string> {
  const found = [...players].flatMap(([role, { address }]) =>
    address === null ? [] : [[`modelAddress.${role}`, address]],
  )
  return Object.fromEntries(found) as Record<string, string>
}

function withOpenedParts({ parts }: RunHeader['fingerprint'], opened: OpenedRun): RunHeader['fingerprint'] {
  const instruments = instrumentsPart(opened.instruments)
  const all = {
    ...parts,
    ...addresses(opened.players),
    ...(instruments === undefined ? {} : { [INSTRUMENTS]: instruments }),
  }
  return { parts: all, hash: shortHash(all) }
}

async function playRun(
  plan: RunPlan,
  writer: RunWriter,
  { players, instruments }: OpenedRun,
  environment: RunEnvironment,
  hooks: RunHooks,
  shouldReplay: (line: EpisodeLine) => boolean = () => false,
  recorded?: () => AsyncGenerator<EpisodeJob>,
): Promise<RunResult> {
  const { suite, header } = plan
  const control = hooks.control ?? new StopControl()
  const kept = [...writer.finished.values()].filter((line) => !shouldReplay(line))
  const done = new Set(kept.map(episodeKey))
  const meter = new Meter(header.budget === null ? null : parseBudget(header.budget), [writer.paidBefore])
  const tally = new RunTally(plan, kept, meter, players)
  const isLocal = [...players.values()].every(({ local }) => local)
  const limit = header.timeLimitSeconds
  const cancelTimeLimit =
    limit === null
      ? undefined
      : realClock.after(limit * 1000, () =>
          control.drain(new RunStopped('time-limit', `the time limit of ${limit} s was reached`)),
        )

  // Nobody waits a day for what is at the provider; a resumed run finds it there. A spent budget stops only what is not.
  if (batchesOf(players).length > 0) {
    control.draining.addEventListener('abort', () => {
      if (control.reason && control.reason.why !== 'budget') control.abort(control.reason)
    })
  }
  const mayAsk = (): void => {
    try {
      meter.check()
    } catch (error) {
      if (error instanceof BudgetSpent) control.drain(new RunStopped('budget', error.message))
      else throw error
    }
    control.check()
  }
  let perCall: Promise<Usage> | undefined
  /** Thousands of requests are in a batch before the first is answered, so they count before they are sent. */
  const reserve = async (estimate: Usage, batched: string): Promise<() => void> => {
    perCall ??= expectedReply(plan, environment.prices)
    const reply = await perCall
    const before = writer.takeBatchedPayment(batched)
    if (before) meter.subtract(before)
    else mayAsk()
    // Nothing is awaited in between, so that no other request is checked before this one counts.
    return meter.reserve(addUsage(estimate, reply))
  }

  const context: EpisodeContext = {
    suite,
    options: plan.options,
    profile: header.profile,
    seed: header.seed,
    players,
    instruments,
    files: new DataFiles(plan.source.roots),
    signal: control.signal,
    draining: control.draining,
    keep: (bytes, type, size) => environment.store.media.keep(bytes, type, size),
    fileOf: (ref) => environment.store.media.pathOf(ref),
    ...(hooks.onWork && { onWork: (work: Work) => hooks.onWork?.(work) }),
    beforeRequest: mayAsk,
    payments: {
      intend: async (estimate, batched) => {
        const release = batched === undefined ? undefined : await reserve(estimate, batched)
        const receipt = await writer.intendPayment(estimate, batched)
        return async (charged) => {
          release?.()
          // It may have been charged, so the budget counts it; the intent stays open for later processes.
          if (charged === 'unknown') meter.add(estimate)
          else await receipt(charged)
        }
      },
    },
    onUsage: (usage, cached) => {
      if (!cached && usage.inputTokens + usage.outputTokens > 0) {
        meter.add(usage)
      }
      tally.reply(usage.calls, cached)
      hooks.onProgress?.(() => tally.progress())
    },
  }
  const errorsBefore = kept.filter(({ status }) => status === 'model_error').length
  const failures = new FailureWatch(
    // Errors of a model in this process concern its own sample only.
    { ...hooks.failures, failFast: hooks.failures?.failFast !== false && !isLocal },
    { planned: header.planned, errors: errorsBefore, others: kept.length - errorsBefore },
  )
  const recordOne = (episode: FinishedEpisode): Promise<void> =>
    writer.append(episode.line, episode.events).then(() => {
      tally.episode(episode.line)
      hooks.onProgress?.(() => tally.progress())
      return hooks.onEpisode?.(episode)
    })
  const record = ({ record: episodes, stop }: Judged): Promise<unknown> => {
    if (stop) control.drain(stop)
    return episodes.length === 1 ? recordOne(episodes[0]!) : Promise.all(episodes.map(recordOne))
  }
  const jobs = (): Items<EpisodeJob> =>
    flatMap(playedSamples(plan.source, plan.selection), ({ index, sample }) => {
      const missing: EpisodeJob[] = []
      for (let epoch = 1; epoch <= header.epochs; epoch++) {
        if (done.size === 0 || !done.has(episodeKey({ sample: sample.id, epoch })))
          missing.push({ index, sample, epoch })
      }
      return missing
    })

  const makeRunner: MakeRunner = environment.makeRunner ?? ((setup) => new LocalRunner(setup))
  let runner: Runner | null = null
  try {
    hooks.onStart?.(writer.header)
    for (const note of instruments?.notes ?? []) hooks.onNote?.(note)
    runner = await makeRunner({
      plan,
      header: writer.header,
      context,
      control,
      done,
      store: environment.store,
      paidBefore: writer.paidBefore,
      recordPayment: (usage) => writer.recordPayment(usage),
      note: (text) => hooks.onNote?.(text),
    })
    tally.setRunner(runner)
    await runner.play(recorded?.() ?? jobs(), (episode) => record(failures.add(episode)))
    await record(failures.end())
    const isComplete = recorded
      ? control.reason === null && writer.finished.size >= header.planned
      : tally.progress().finished >= header.planned
    const why = control.reason?.why ?? 'interrupted'
    const state = why === 'failed' ? 'failed' : isComplete ? 'done' : 'interrupted'
    const reason = state === 'done' ? null : (control.reason?.message ?? 'the run was stopped')
    await writer.setStatus({ state, reason })
    return { id: writer.header.id, state, reason, cause: state === 'done' ? null : why, progress: tally.progress() }
  } catch (error) {
    // The journal stays valid; record why the run stopped if the disk allows it.
    await writer.setStatus({ state: 'interrupted', reason: messageOf(error) }).catch(() => undefined)
    throw error
  } finally {
    cancelTimeLimit?.()
    await runner?.close?.().catch(() => undefined)
    await Promise.allSettled([...players.values()].map((player) => player.close()))
    await writer.close()
  }
}

/** Progress of a run: finished episodes, usage and the score so far. */
class RunTally {
  readonly #plan: RunPlan
  readonly #meter: Meter
  readonly #players: Players
  readonly #means: LiveMeans
  readonly #before: number
  readonly #byStatus: Partial<Record<EpisodeLine['status'], number>> = {}
  #finished = 0
  #calls = 0
  #cachedCalls = 0
  #lastError: string | null = null
  #runner: Runner | null = null

  constructor(plan: RunPlan, before: readonly EpisodeLine[], meter: Meter, players: Players) {
    this.#plan = plan
    this.#meter = meter
    this.#players = players
    this.#means = new LiveMeans(plan.suite.metrics)
    this.#before = before.length
    for (const line of before) this.episode(line)
  }

  episode(line: Omit<EpisodeLine, 'events'>): void {
    this.#finished += 1
    this.#byStatus[line.status] = (this.#byStatus[line.status] ?? 0) + 1
    this.#means.add(line)
    if (line.status === 'model_error' && line.error) this.#lastError = line.error
  }

  setRunner(runner: Runner): void {
    this.#runner = runner
  }

  reply(calls: number, cached: boolean): void {
    this.#calls += calls
    if (cached) this.#cachedCalls += calls
  }

  progress(): Progress {
    const summary = this.#plan.suite.summary(this.#means, this.#plan.header)
    const headline = summary.rows.find(({ key }) => key === summary.headline)
    return {
      planned: this.#plan.header.planned,
      finished: this.#finished,
      before: this.#before,
      byStatus: { ...this.#byStatus },
      usd: this.#meter.usd,
      tokens: this.#meter.tokens,
      calls: this.#calls,
      cachedCalls: this.#cachedCalls,
      score:
        headline && headline.value !== null
          ? { title: headline.title, value: headline.value, unit: headline.unit }
          : null,
      connections: this.#runner?.slots?.() ?? maxConcurrentEpisodes(this.#players),
      waitSeconds: Math.max(0, ...[...this.#players.values()].map((player) => player.pausedMs?.() ?? 0)) / 1000,
      lastError: this.#lastError,
    }
  }
}
