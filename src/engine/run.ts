/** Plays a run from start or from where it stopped, and keeps everything. */
import { isDeepStrictEqual } from 'node:util'
import { messageOf, UserError } from '../base/errors.ts'
import { realClock } from '../models/clock.ts'
import type { Prices } from '../models/prices.ts'
import type { Model, Role } from '../models/types.ts'
import { LiveMeans } from '../report/live.ts'
import { newRunId } from '../store/run-id.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import type { RunWriter } from '../store/run-writer.ts'
import type { Store } from '../store/store.ts'
import { BudgetSpent, Meter, parseBudget } from './budget.ts'
import { RunStopped, StopControl } from './control.ts'
import { DataFiles } from './data-files.ts'
import { shortHash } from './fingerprint.ts'
import type { EpisodeContext, EpisodeJob, FinishedEpisode } from './episode.ts'
import {
  BASELINE_PREFIX,
  baselinePlayer,
  checkPlaysSource,
  episodesAtOnce,
  type Player,
  type Players,
  playerOf,
} from './players.ts'
import type { RunPlan } from './plan.ts'
import type { Progress } from './progress.ts'
import { LocalRunner, type MakeRunner, type Runner } from './runner.ts'
import { measurementsIn, missingInstruments, valuesOf } from './measure.ts'
import { RecordedSamples } from './recorded-samples.ts'
import { readEpisode } from './rescore.ts'
import { selectedSamples } from './source.ts'
import type { AnySuite, OpenedInstruments } from './suite.ts'

/** So many failed episodes without one that went well: the key is spent or the server is gone, and waiting is cheaper. */
const ERRORS_IN_A_ROW = 25

/** What a run needs from the outside. */
export interface RunEnvironment {
  store: Store
  /** Opens a model by name; built-in players of the suite never get here. */
  openModel(id: string, role: Role): Promise<Model>
  prices: Prices
  versions: Readonly<Record<string, string>>
  git: string | null
  now(): Date
  /** Who plays the episodes. Default: this thread. */
  makeRunner?: MakeRunner
}

export interface RunHooks {
  /** Called after every episode and every reply. */
  onProgress?(progress: () => Progress): void
  onStart?(header: RunHeader): void
  /** Something that people should know. */
  onNote?(note: string): void
  /** Called with every episode when it is in the journal; the next may wait for it. */
  onEpisode?(episode: FinishedEpisode): void | Promise<void>
  /** Stops the run from outside: Ctrl-C. */
  control?: StopControl
}

export interface RunResult {
  id: string
  state: 'done' | 'interrupted'
  /** Why it is interrupted. */
  reason: string | null
  cause: RunStopped['why'] | null
  progress: Progress
}

/** Starts a new run. `opened` is what `openRun` returned, where the caller wanted to know early that everything opens. */
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
    fingerprint: withOpened(plan.header.fingerprint, parts),
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
  /** A new budget for the whole run, what it has used so far included. */
  budget?: string | undefined
  timeLimitSeconds?: number | undefined
  /** Plays episodes that ended in `model_error` again. */
  retryErrors?: boolean
}

/** Goes on with a run: plays what is missing; interrupted episodes go on from their cached replies. */
export async function resumeRun(
  plan: RunPlan,
  id: string,
  environment: RunEnvironment,
  { budget, timeLimitSeconds, retryErrors = false }: ResumeOptions = {},
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
      hooks.onNote?.(`The model was at ${then[part]} when the run started; now it is asked at ${address}.`)
    }
  }
  const instruments = instrumentsPart(opened.instruments)
  if (instruments !== undefined && then[INSTRUMENTS] !== instruments) {
    hooks.onNote?.(
      'Other instruments measure now than when the run started: measure all of it again with `sightline measure`.',
    )
  }
  const { suiteModule } = writer.header
  if (suiteModule && plan.header.suiteModule?.hash !== suiteModule.hash) {
    hooks.onNote?.(`The code of ${suiteModule.from} has changed since the run started, its version has not.`)
  }
  return playRun(resumed, writer, opened, environment, hooks, (line) => retryErrors && line.status === 'model_error')
}

/** Measures a recorded run: nothing is played, values that are there in the same version stay. */
export async function measureRun(
  plan: RunPlan,
  reader: RunReader,
  environment: RunEnvironment,
  hooks: RunHooks = {},
): Promise<RunResult> {
  const opened = await openRun(plan, environment, ({ role }) => role !== 'player')
  const header = { ...reader.header, options: plan.header.options, models: plan.header.models }
  const writer = await environment.store.resumeRun(reader.header.id)
  const fingerprint = withOpened(plan.header.fingerprint, opened)
  await writer.describe({ ...header, fingerprint })
  const samples = new RecordedSamples(reader, plan.suite)
  const lines = [...writer.finished.values()].sort((a, b) => a.index - b.index || a.epoch - b.epoch)
  const recorded = lines.filter(({ status }) => status !== 'missing_asset' && status !== 'cancelled')
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

/** Is everything there that is wanted of an episode, and is it what its scores are made from? */
async function isMeasured(
  { line, played, sample, outcome, events }: Awaited<ReturnType<typeof readEpisode>>,
  { suite, options, header: { profile } }: RunPlan,
  { players, instruments }: OpenedRun,
): Promise<boolean> {
  if (outcome === null) return true
  const before = measurementsIn(events)
  const has = (role: Role): boolean => players.has(role)
  if (missingInstruments({ instruments }, sample, outcome, has, before).length > 0) return false
  const measurements = valuesOf(before.values())
  const scores = await suite.score(sample, outcome, { profile, options, measurements })
  return line.status === played.status && isDeepStrictEqual(line.scores, scores)
}

/** Everything that is opened before a run starts. */
export interface OpenedRun {
  players: Players
  instruments: OpenedInstruments<unknown, unknown> | undefined
}

/** Opens models and instruments. Nothing is sent; what is wrong with a name, a key, a budget or a file is reported now. */
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
    const isBuiltIn = id.startsWith(BASELINE_PREFIX)
    if (inMoney && environment.prices.of(id) === null) {
      throw new UserError(`Cannot enforce a dollar budget: no price for ${id}.`, {
        hint: 'Give prices with --prices FILE, or a budget in tokens such as 200k-tokens.',
      })
    }
    if (isBuiltIn) checkPlaysSource(suite, id, header.source)
    const player = isBuiltIn ? baselinePlayer(suite, id) : playerOf(await environment.openModel(id, role))
    players.set(role, player)
    if (role === 'player') checkOutput(suite, player)
  }
  return { players, instruments }
}

/** A model that answers in words cannot make videos, and the other way round. */
function checkOutput({ name, output }: AnySuite, player: Player): void {
  if (player.output === 'suite' || player.output === output) return
  if (output === 'video') {
    throw new UserError(`${name} needs a video generator; ${player.id} is a text model.`, {
      hint: 'Use generator/NAME (from sightline.config), generator/http://…, or a built-in player. A judge is given with --model-role judge=….',
    })
  }
  throw new UserError(`${player.id} makes videos; ${name} needs a model that answers in text.`)
}

/** Part of the fingerprint: what measured. */
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

function withOpened({ parts }: RunHeader['fingerprint'], opened: OpenedRun): RunHeader['fingerprint'] {
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
  again: (line: EpisodeLine) => boolean = () => false,
  recorded?: () => AsyncGenerator<EpisodeJob>,
): Promise<RunResult> {
  const { suite, header } = plan
  const control = hooks.control ?? new StopControl()
  const kept = [...writer.finished.values()].filter((line) => !again(line))
  const done = new Set(kept.map((line) => `${line.sample}#${line.epoch}`))
  const meter = new Meter(header.budget === null ? null : parseBudget(header.budget), [writer.paidBefore])
  const tally = new Tally(plan, kept, meter, players)
  const limit = header.timeLimitSeconds
  const forgetLimit =
    limit === null
      ? undefined
      : realClock.after(limit * 1000, () =>
          control.drain(new RunStopped('time-limit', `the time limit of ${limit} s is over`)),
        )

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
    mayAsk: () => {
      try {
        meter.check()
      } catch (error) {
        if (error instanceof BudgetSpent) control.drain(new RunStopped('budget', error.message))
        else throw error
      }
      control.check()
    },
    used: (usage, cached) => {
      if (!cached && usage.inputTokens + usage.outputTokens > 0) {
        meter.add(usage)
        writer.pay(usage)
      }
      tally.reply(usage.calls, cached)
      hooks.onProgress?.(() => tally.progress())
    },
  }
  let errorsInARow = 0
  const finished = async (episode: FinishedEpisode): Promise<void> => {
    errorsInARow = episode.line.status === 'model_error' ? errorsInARow + 1 : 0
    if (errorsInARow >= ERRORS_IN_A_ROW) {
      control.drain(
        new RunStopped('errors', `${errorsInARow} episodes in a row ended in errors, last: ${episode.line.error}`),
      )
    }
    await writer.append(episode.line, episode.events)
    tally.episode(episode.line)
    await hooks.onEpisode?.(episode)
    hooks.onProgress?.(() => tally.progress())
  }
  async function* jobs(): AsyncGenerator<EpisodeJob> {
    for await (const { index, sample } of selectedSamples(plan.source, plan.selection)) {
      for (let epoch = 1; epoch <= header.epochs; epoch++) {
        if (!done.has(`${sample.id}#${epoch}`)) yield { index, sample, epoch }
      }
    }
  }

  const makeRunner: MakeRunner = environment.makeRunner ?? ((setup) => new LocalRunner(setup))
  let runner: Runner | null = null
  try {
    await writer.setStatus({ state: 'running', reason: null })
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
      note: (words) => hooks.onNote?.(words),
    })
    tally.playedBy(runner)
    await runner.play(recorded?.() ?? jobs(), finished)
    const isComplete = recorded
      ? control.reason === null && writer.finished.size >= header.planned
      : tally.progress().finished >= header.planned
    const reason = isComplete ? null : (control.reason?.message ?? 'it was stopped')
    await writer.setStatus({ state: isComplete ? 'done' : 'interrupted', reason })
    return {
      id: writer.header.id,
      state: isComplete ? 'done' : 'interrupted',
      reason,
      cause: isComplete ? null : (control.reason?.why ?? 'interrupted'),
      progress: tally.progress(),
    }
  } catch (error) {
    // What is on disk stays valid; say why the run is not running any more, if the disk lets us.
    await writer.setStatus({ state: 'interrupted', reason: messageOf(error) }).catch(() => undefined)
    throw error
  } finally {
    forgetLimit?.()
    await runner?.close?.().catch(() => undefined)
    await Promise.allSettled([...players.values()].map((player) => player.close()))
    await writer.close()
  }
}

/** Counts what has happened so far. */
class Tally {
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

  playedBy(runner: Runner): void {
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
      connections: this.#runner?.slots?.() ?? episodesAtOnce(this.#players),
      lastError: this.#lastError,
    }
  }
}
