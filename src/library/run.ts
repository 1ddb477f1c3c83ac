/** Starts, resumes and measures runs from a program; the command line uses it too. */
import { UserError } from '../base/errors.ts'
import { RunStopped, StopControl } from '../engine/control.ts'
import { type ErrorLimit, parseErrorLimit } from '../engine/failures.ts'
import { estimateRun } from '../engine/estimate.ts'
import { IMPORTED_PREFIX } from '../engine/imported.ts'
import { limitNote } from '../engine/limit-note.ts'
import { isImport, planImport } from '../engine/imported-replies.ts'
import { suiteOptions } from '../engine/options.ts'
import { planRecorded, planRun, replan, type RunPlan } from '../engine/plan.ts'
import { makeReport } from '../engine/reporting.ts'
import {
  measureRun,
  type OpenedRun,
  openRun,
  type ResumeOptions as EngineResumeOptions,
  resumeRun,
  type RunHooks,
  type RunResult,
  startRun,
  type RunEnvironment,
} from '../engine/run.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { Estimate } from '../models/prices.ts'
import { type Destinations, parseBaseUrls } from '../models/destinations.ts'
import { variablesIn } from '../models/providers/headers.ts'
import { checkModelOption, headersOf } from '../models/providers/options.ts'
import { type Role, ROLES } from '../models/types.ts'
import type { Report } from '../report/report.ts'
import { type DestinationOptions, type ModelSettings, openEnvironment, optionsFor, runnerHere } from './environment.ts'
import { knownAddresses, rememberAddresses } from './known-addresses.ts'
import { queueOf, runnerOn } from './queue.ts'
import type { Store } from '../store/store.ts'
import { type LoadedSuite, type SuiteFinder, suiteFinder } from './suites.ts'

export const DEFAULT_STORE = '.sightline'

/** The store of runs and the suites to look up. */
export interface StoreOptions {
  /** Folder of the store, or an open store. Default `.sightline`. */
  store?: Store | string | undefined
  /** Custom suites: files, packages or suite objects. */
  suites?: readonly (string | AnySuite)[] | undefined
}

export interface PlayHooks {
  onStart?: RunHooks['onStart']
  onProgress?: RunHooks['onProgress']
  /** Human-readable notes: a worker joined, a model changed its address. */
  onNote?: RunHooks['onNote']
  /** Retries and rate limits of models. */
  onLog?: ((line: string) => void) | undefined
  /** Stops the run; it can be resumed. Requests in flight may finish. */
  signal?: AbortSignal | undefined
  /** Full control over stopping, instead of `signal`. */
  control?: StopControl | undefined
  /** Stop at the first error that concerns every request, and after a few identical errors. Default true. */
  failFast?: boolean | undefined
  /** Stop when more episodes than this end in an error: `5%` of them, or a number. */
  failOnError?: string | number | undefined
}

export interface RunOptions extends StoreOptions, ModelSettings, PlayHooks {
  /** `openai/gpt-5.2`, `vllm/Qwen3-VL-8B`, `baseline/random`. */
  model: string
  /** Models for other roles: `{ judge: 'openai/gpt-5.2' }`. */
  roles?: Readonly<Partial<Record<Exclude<Role, 'player'>, string>>> | undefined
  /** Suite options, as with `-T`. */
  options?: Readonly<Record<string, unknown>> | undefined
  /** `builtin:seed=7`, `vsi-bench:/data/vsi`. Default: the suite's first. */
  source?: string | undefined
  /** Default: the suite's first. */
  profile?: string | undefined
  /** The first `20`, or `21-40`. */
  limit?: string | number | undefined
  /** Number of samples to draw with the run's seed, spread over scenes and types; instead of `limit`. */
  sample?: number | undefined
  sampleIds?: readonly string[] | undefined
  /** Repetitions of each sample. Default 1. */
  epochs?: number | undefined
  /** Default 0. */
  seed?: number | undefined
  /** `5usd` or `200k-tokens`. */
  budget?: string | undefined
  /** Seconds after which the run stops; it can be resumed. */
  timeLimit?: number | undefined
  /** Queue of the workers that play: `redis://host:6379/0`. */
  queue?: string | undefined
  /** Seconds without a heartbeat before a worker counts as dead. Default 30. */
  lease?: number | undefined
}

/** A run that is ready to start: everything is checked and opened, no request is sent. */
export interface PreparedRun {
  plan: RunPlan
  environment: RunEnvironment
  /** Runs with the same lane are played one after another by `playSideBySide`. */
  lane: string
  estimate(): Promise<Estimate>
  /** What to know before it starts: files that are missing, a limit that leaves out whole types of samples. */
  notes(): Promise<readonly string[]>
  start(hooks?: PlayHooks): Promise<FinishedRun>
  /** Closes everything, if the run is not started after all. */
  cancel(): Promise<void>
}

export interface FinishedRun extends RunResult {
  report: Report
}

/**
 * Runs a suite with a model.
 *
 * @example
 * const { report } = await run('space/text', { model: 'baseline/random', limit: 5 })
 */
export async function run(suite: string | AnySuite, options: RunOptions): Promise<FinishedRun> {
  return (await prepareRun(suite, options)).start(options)
}

/** `run` in two steps: a wrong name, key or file is reported before anything starts. */
export async function prepareRun(suite: string | AnySuite, options: RunOptions): Promise<PreparedRun> {
  errorLimitOf(options)
  checkModelOptions(options)
  const { suite: found, module, loadFrom } = await loadedSuite(suite, options)
  const plan = await planRun({
    ...options,
    suite: found,
    suiteModule: module,
    models: { player: options.model, ...options.roles },
    limit: options.limit === undefined ? undefined : String(options.limit),
    timeLimitSeconds: options.timeLimit,
  })
  const environment = await openEnvironment(options.store ?? DEFAULT_STORE, options, options.onLog)
  const onQueue = await runnerOn(options, environment.store, plan.header.models, options)
  environment.makeRunner = onQueue ?? runnerHere(options, loadFrom)
  const opened = await openRun(plan, environment)
  await rememberAddresses(
    Array.from(opened.players, ([role, { id, address }]) => {
      const headers = headersOf(optionsFor(role, options.modelOptions ?? {}))
      return { id, address, variables: variablesIn(headers).map(({ variable }) => variable) }
    }),
  )
  return {
    plan,
    environment,
    lane: laneOf(plan, opened, onQueue !== null),
    estimate: () => estimateRun(plan, environment.prices),
    notes: async () => {
      const limited = await limitNote(plan)
      return [...(plan.source.notes ?? []), ...(limited === null ? [] : [limited])]
    },
    start: async (hooks = {}) =>
      reported(await startRun(plan, environment, hooksOf({ ...options, ...hooks }), opened), plan.suite, environment),
    cancel: async () => {
      await Promise.all([...opened.players.values()].map((player) => player.close()))
    },
  }
}

/**
 * Plays runs side by side, each as fast as its own endpoint allows. Runs with the same endpoint share its connections.
 * Runs without a model share the cores one after another, and so do those on a server that holds one model in memory.
 *
 * @param play starts a run; a run that fails does not stop the others
 * @returns the results in the order of the runs
 */
export function playSideBySide<Result>(
  runs: readonly PreparedRun[],
  play: (run: PreparedRun) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const lanes = new Map<string, Promise<unknown>>()
  const results = runs.map((prepared) => {
    const result = (lanes.get(prepared.lane) ?? Promise.resolve()).then(() => play(prepared))
    lanes.set(
      prepared.lane,
      result.catch(() => undefined),
    )
    return result
  })
  return Promise.allSettled(results)
}

/**
 * Two runs of the same suite and model take turns too: the second finds the replies of the first in the cache. So do
 * runs on a queue at the same endpoint: the workers share connections within one run only.
 */
function laneOf({ suite }: RunPlan, { players }: OpenedRun, isOnQueue: boolean): string {
  const remote = [...players.values()].filter(({ local }) => !local)
  if (remote.length === 0) return 'this machine'
  const swapping = remote.find(({ swapsModels }) => swapsModels)
  if (swapping?.address) return swapping.address
  if (isOnQueue) return remote.map(({ address }) => address).join(', ')
  return [suite.name, ...remote.map(({ id, address }) => `${id} at ${address}`)].join(', ')
}

export interface ImportOptions extends StoreOptions, ModelSettings, PlayHooks {
  /** Name of the model. Default: the one in the files. */
  model?: string | undefined
  /** Models for roles that the files have no replies of: `{ judge: 'openai/gpt-5.2' }`. */
  roles?: RunOptions['roles']
  /** Suite options, as with `-T`. */
  options?: RunOptions['options']
  /** The samples that the replies belong to. Default: those in the files. */
  source?: string | undefined
  /** Default: the suite's first. */
  profile?: string | undefined
}

/** Imports what another tool recorded for the same benchmark as a run: its replies are parsed and scored by the suite. */
export async function importReplies(
  suite: string | AnySuite,
  path: string,
  options: ImportOptions = {},
): Promise<FinishedRun> {
  const { suite: found, module, loadFrom } = await loadedSuite(suite, options)
  const { plan, players, notes } = await planImport({ ...options, suite: found, suiteModule: module, path })
  const environment = await openEnvironment(options.store ?? DEFAULT_STORE, options, options.onLog)
  environment.makeRunner = runnerHere(options, loadFrom)
  const opened = await openRun(plan, environment, ({ role }) => !players.has(role))
  for (const note of notes) options.onNote?.(note)
  const all = { ...opened, players: new Map([...opened.players, ...players]) }
  return reported(await startRun(plan, environment, hooksOf(options), all), plan.suite, environment)
}

export interface ResumeOptions
  extends StoreOptions, Omit<ModelSettings, 'modelOptions'>, DestinationOptions, PlayHooks {
  /** A new budget for the whole run, including what was spent so far. */
  budget?: string | undefined
  timeLimit?: number | undefined
  /** Replays episodes that ended in a model error. */
  retryErrors?: boolean | undefined
  /** New location of its samples, if they moved. */
  source?: string | undefined
  /** Queue of the workers. Default: the one it used before; `here` to play in this process. */
  queue?: string | undefined
  lease?: number | undefined
}

/** Resumes a run: plays the missing episodes; interrupted ones continue from their cached replies. */
export async function resume(id: string, options: ResumeOptions = {}): Promise<FinishedRun> {
  const { reader, suite, loadFrom, module, environment } = await openedRun(id, options)
  if (isImport(reader.header.models)) {
    throw new UserError(`Run ${reader.header.id} was imported and cannot be resumed.`, {
      hint: 'Import its files again, or rescore it with `sightline score`.',
    })
  }
  const plan = await replan(suite, { ...reader.header, suiteModule: module }, 'resume', options.source)
  const queue = await queueOf(reader, options.queue)
  const onQueue = await runnerOn({ queue, lease: options.lease }, environment.store, reader.header.models, {
    ...options,
    modelOptions: reader.header.modelOptions,
  })
  environment.makeRunner = onQueue ?? runnerHere(options, loadFrom)
  const how: EngineResumeOptions = {
    budget: options.budget,
    timeLimitSeconds: options.timeLimit,
    retryErrors: options.retryErrors === true,
  }
  return reported(await resumeRun(plan, reader.header.id, environment, how, hooksOf(options)), suite, environment)
}

export interface MeasureOptions
  extends StoreOptions, Omit<ModelSettings, 'modelOptions'>, DestinationOptions, PlayHooks {
  /** Options of the suite's measure stage, such as networks and tiers. Other options cannot change. */
  options?: Readonly<Record<string, unknown>> | undefined
  /** Models for roles that measure, such as the judge. Default: those of the run. */
  roles?: Readonly<Partial<Record<Exclude<Role, 'player'>, string>>> | undefined
}

/** Adds missing measurements to a recorded run. Nothing is played. */
export async function measure(id: string, options: MeasureOptions = {}): Promise<FinishedRun> {
  const { reader, suite, loadFrom, environment } = await openedRun(id, options)
  if (!suite.measure) throw new UserError(`${suite.name} has no measurements: its scores come from the outcomes alone.`)
  const fixed = Object.keys(options.options ?? {}).find((name) => !suite.measure!.options.includes(name))
  if (fixed !== undefined) {
    throw new UserError(`Option "${fixed}" cannot change in a recorded run.`, {
      hint: `Measurement options: ${suite.measure.options.join(', ')}.`,
    })
  }
  const chosen = suiteOptions(suite, { ...reader.header.options, ...options.options })
  const models = { ...reader.header.models, ...options.roles }
  const plan = planRecorded(suite, { ...reader.header, options: chosen, models })
  environment.makeRunner = runnerHere(options, loadFrom)
  return reported(await measureRun(plan, reader, environment, hooksOf(options)), suite, environment)
}

async function openedRun(id: string, options: Omit<ResumeOptions, 'budget' | 'queue'>) {
  const before = await openEnvironment(options.store ?? DEFAULT_STORE)
  const reader = await before.store.openRun(id)
  if (reader.header.suite.startsWith(IMPORTED_PREFIX)) {
    throw new UserError(`Run ${reader.header.id} was played by another tool and cannot be resumed or measured.`)
  }
  const given = options.suites?.find((each) => typeof each === 'object' && each.name === reader.header.suite)
  const loaded =
    given === undefined ? await finderOf(options).named(reader.header) : await loadedSuite(given as AnySuite, options)
  const { modelOptions } = reader.header
  const destinations = await destinationsOf(options)
  const environment = await openEnvironment(before.store, { ...options, modelOptions }, options.onLog, destinations)
  return { reader, ...loaded, environment }
}

/** The file of a run may come from anywhere, and its base URL would get the user's key. */
export async function destinationsOf(options: DestinationOptions): Promise<Destinations> {
  const { allowBaseUrl = [], allowVariable = [], confirmBaseUrl } = options
  return {
    allowed: [...parseBaseUrls(allowBaseUrl), ...(await knownAddresses())],
    variables: allowVariable,
    thisMachine: true,
    hint: 'If you trust it with your key, use --allow-base-url URL.',
    variableHint: 'If you want to send it there, use --allow-variable NAME.',
    ...(confirmBaseUrl && {
      confirm: async ({ model, url }, variable) => {
        const isAllowed = await confirmBaseUrl({ model, url, variable })
        const variables = variable === undefined ? [] : [variable]
        if (isAllowed) await rememberAddresses([{ id: model, address: url, variables }])
        return isAllowed
      },
    }),
  }
}

async function loadedSuite(suite: string | AnySuite, options: StoreOptions): Promise<LoadedSuite> {
  if (typeof suite === 'string') return finderOf(options).find(suite)
  return { suite, module: undefined, loadFrom: null }
}

/** A suite finder for the custom suites in the options. */
export function finderOf({ suites = [] }: StoreOptions): SuiteFinder {
  return suiteFinder(suites.filter((each) => typeof each === 'string'))
}

function hooksOf({
  signal,
  control = new StopControl(),
  failFast,
  failOnError,
  onStart,
  onProgress,
  onNote,
}: PlayHooks): RunHooks {
  const stop = (): void => control.drain(new RunStopped('interrupted', 'stopped by the abort signal'))
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  const failures = { failFast, failOnError: errorLimitOf({ failOnError }) }
  return {
    control,
    failures,
    ...(onStart && { onStart }),
    ...(onProgress && { onProgress }),
    ...(onNote && { onNote }),
  }
}

const GENERATOR_PREFIX = 'generator/'

/** Generators define their own fields. */
function checkModelOptions({ model, roles, modelOptions = {} }: RunOptions): void {
  for (const role of ROLES) {
    const id = role === 'player' ? model : roles?.[role]
    if (id?.startsWith(GENERATOR_PREFIX)) continue
    for (const [name, value] of Object.entries(optionsFor(role, modelOptions)))
      checkModelOption(name, value, role === 'player' ? name : `${role}.${name}`)
  }
}

function errorLimitOf({ failOnError }: Pick<PlayHooks, 'failOnError'>): ErrorLimit | undefined {
  return failOnError === undefined ? undefined : parseErrorLimit(String(failOnError))
}

async function reported(result: RunResult, suite: AnySuite, { store }: RunEnvironment): Promise<FinishedRun> {
  return { ...result, report: await makeReport(await store.openRunById(result.id), suite) }
}
