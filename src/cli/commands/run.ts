/** `sightline run` and `sightline resume`. */
import { extname } from 'node:path'
import { UserError, withoutStop } from '../../base/errors.ts'
import { RunStopped, StopControl } from '../../engine/control.ts'
import { estimateRun } from '../../engine/estimate.ts'
import { isLocal, planRun, replan, type RunPlan, type RunRequest } from '../../engine/plan.ts'
import { makeReport } from '../../engine/reporting.ts'
import { openPlayers, resumeRun, type RunResult, startRun, type Surroundings } from '../../engine/run.ts'
import type { Players } from '../../engine/players.ts'
import { IMPORTED_PREFIX } from '../../engine/imported.ts'
import { ROLES } from '../../models/types.ts'
import type { Report } from '../../report/report.ts'
import { renderReports } from '../../report/render.ts'
import { findSuite } from '../../suites/index.ts'
import { type ClusterOptions, queueOf, runnerOn } from '../cluster.ts'
import { displayFor } from '../display.ts'
import { estimateLine } from '../estimate-line.ts'
import { EXIT } from '../exit.ts'
import { formatByEnding } from '../formats.ts'
import { print, say } from '../output.ts'
import { tablesToFit } from '../tables.ts'
import { loadSettings, type Settings } from '../settings.ts'
import { namedModel, surroundings } from '../surroundings.ts'
import { checkWritable, writeAsked } from '../written-file.ts'

interface CommonOptions extends ClusterOptions {
  logDir: string
  config?: string
  json?: boolean
  budget?: string
  timeLimit?: number
  maxConnections?: number
  requestsPerMinute?: number
  tokensPerMinute?: number
  threads?: number
  maxRetries?: number
  timeout?: number
  prices?: string
  failUnder?: number
}

/** As typed: what is left out is undefined. */
export interface RunOptions extends CommonOptions {
  model?: string[]
  modelRole?: string[]
  task?: Record<string, string>
  modelOption?: Record<string, string>
  source?: string
  profile?: string
  limit?: string
  sampleId?: string[]
  epochs?: number
  seed?: number
  cache?: boolean
  output?: string
}

type CompleteOptions = RunOptions & Required<Pick<RunOptions, 'model' | 'modelRole' | 'task' | 'modelOption'>>

interface Outcome {
  result: RunResult
  report: Report
}

export async function run(suiteNames: string[], typed: RunOptions): Promise<void> {
  const settings = await loadSettings(typed.config)
  const options = withDefaults(typed, settings)
  if (options.model.length === 0) {
    throw new UserError('Which model? Give one with --model provider/name.', {
      hint: 'Without a key: --model baseline/random. `sightline list SUITE` shows the built-in players.',
    })
  }
  if (options.output !== undefined) {
    formatByEnding(extname(options.output))
    await checkWritable(options.output)
  }
  // Everything is planned and everyone opened first: a slip in the last name must not cost a run of the first.
  const ready: Ready[] = []
  for (const suiteName of suiteNames) {
    for (const name of options.model) ready.push(await prepare(suiteName, name, options, settings))
  }
  const ctrlC = new CtrlC()
  const outcomes: Outcome[] = []
  for (const { plan, around, players } of ready) {
    if (ctrlC.pressed) {
      await Promise.all([...players.values()].map((player) => player.close()))
      say(`Not started: ${plan.header.suite} with ${plan.header.models['player']}.`)
      continue
    }
    if (!isLocal(plan.header.models)) say(estimateLine(plan.header, await estimateRun(plan, around.prices)))
    outcomes.push(await play(plan, around, options, ctrlC, (hooks) => startRun(plan, around, hooks, players)))
  }
  await present(outcomes, options)
}

interface Ready {
  plan: RunPlan
  around: Surroundings
  players: Players
}

async function prepare(suiteName: string, name: string, options: CompleteOptions, settings: Settings): Promise<Ready> {
  const suite = await findSuite(suiteName)
  const named = namedModel(name, settings)
  const modelOptions = { ...named.options, ...options.modelOption }
  const plan = await planRun({
    suite,
    models: { player: named.model, ...rolesOf(options.modelRole, settings) },
    modelOptions,
    options: { ...named.task, ...options.task },
    ...given('sampleIds', options.sampleId),
    ...given('source', options.source),
    ...given('profile', options.profile),
    ...given('limit', options.limit),
    ...given('epochs', options.epochs),
    ...given('seed', options.seed),
    ...given('budget', options.budget),
    ...given('timeLimitSeconds', options.timeLimit),
  })
  const around = await surroundings(options.logDir, {
    ...options,
    options: modelOptions,
    generators: settings.generators,
  })
  const makeRunner = await runnerOn(options, around.store, plan.header.models, { ...options, options: modelOptions })
  const players = await openPlayers(plan, around)
  return { plan, around: makeRunner ? { ...around, makeRunner } : around, players }
}

export async function resume(
  id: string,
  typed: CommonOptions & { source?: string; retryErrors?: boolean },
): Promise<void> {
  const { run: defaults = {}, generators } = await loadSettings(typed.config)
  const options = {
    ...typed,
    ...given('prices', typed.prices ?? defaults.prices),
    ...given('maxConnections', typed.maxConnections ?? defaults.maxConnections),
    ...given('requestsPerMinute', typed.requestsPerMinute ?? defaults.requestsPerMinute),
    ...given('tokensPerMinute', typed.tokensPerMinute ?? defaults.tokensPerMinute),
    ...given('maxRetries', typed.maxRetries ?? defaults.maxRetries),
    ...given('timeout', typed.timeout ?? defaults.timeout),
  }
  const before = await surroundings(options.logDir, { options: {} })
  const reader = await before.store.openRun(id)
  if (reader.header.suite.startsWith(IMPORTED_PREFIX)) {
    throw new UserError(`Run ${reader.header.id} was played by another tool; there is nothing to resume.`)
  }
  const plan = await replan(await findSuite(reader.header.suite), reader.header, 'resume', typed.source)
  const { models, modelOptions } = reader.header
  const here = await surroundings(options.logDir, { ...options, options: modelOptions, generators })
  const on = await queueOf(reader, typed.on)
  const cluster = { ...given('on', on), ...given('lease', typed.lease) }
  const makeRunner = await runnerOn(cluster, here.store, models, { ...options, options: modelOptions })
  const around = makeRunner ? { ...here, makeRunner } : here
  const outcome = await play(plan, around, options, new CtrlC(), (hooks) =>
    resumeRun(
      plan,
      reader.header.id,
      around,
      {
        ...given('budget', options.budget),
        ...given('timeLimitSeconds', options.timeLimit),
        retryErrors: typed.retryErrors === true,
      },
      hooks,
    ),
  )
  await present([outcome], options)
}

type Start = (hooks: Parameters<typeof startRun>[2]) => Promise<RunResult>

async function play(
  plan: RunPlan,
  around: Surroundings,
  options: CommonOptions,
  ctrlC: CtrlC,
  start: Start,
): Promise<Outcome> {
  for (const note of plan.source.notes ?? []) say(note)
  const display = displayFor(`${plan.header.suite}  ${plan.header.models['player']}`, options.json === true)
  const result = await start({
    control: ctrlC.control(),
    onNote: (note) => display.message(note),
    onStart: ({ id }) => display.message(`Run ${id}`),
    onProgress: (progress) => display.update(progress),
  })
  display.end(result.progress)
  if (result.state === 'interrupted') {
    say(`Interrupted: ${withoutStop(result.reason ?? '')}. Go on with: sightline resume ${result.id}`)
  }
  const reader = await around.store.openRun(result.id)
  return { result, report: await makeReport(reader, plan.suite) }
}

/** Prints the reports and decides how the process ends. */
async function present(outcomes: readonly Outcome[], options: CommonOptions & { output?: string }): Promise<void> {
  const reports = outcomes.map(({ report }) => report)
  if (options.json)
    print(
      JSON.stringify(
        outcomes.map(({ result, report }) => ({ ...result, report })),
        null,
        2,
      ),
    )
  else for (const group of bySuite(reports)) print(`\n${tablesToFit(group)}`)
  if (options.output) await writeAsked(options.output, renderReports(reports, formatByEnding(extname(options.output))))
  process.exitCode = exitCode(outcomes, options.failUnder)
}

function exitCode(outcomes: readonly Outcome[], failUnder: number | undefined): number {
  if (outcomes.some(({ result }) => result.state === 'interrupted')) return EXIT.interrupted
  if (
    outcomes.some(
      ({ result }) => (result.progress.byStatus.model_error ?? 0) + (result.progress.byStatus.missing_asset ?? 0) > 0,
    )
  ) {
    return EXIT.episodeErrors
  }
  const scores = outcomes.map(({ result }) => result.progress.score)
  const below = (score: RunResult['progress']['score']): boolean =>
    score === null || (score.unit === 'percent' ? score.value * 100 : score.value) < failUnder!
  return failUnder !== undefined && scores.some(below) ? EXIT.belowThreshold : EXIT.fine
}

function bySuite(reports: readonly Report[]): Report[][] {
  const groups = new Map<string, Report[]>()
  for (const report of reports) groups.set(report.suite, [...(groups.get(report.suite) ?? []), report])
  return [...groups.values()]
}

/** First Ctrl-C: no new request, those under way come home. Second: at once. */
class CtrlC {
  pressed = false
  #current: StopControl | null = null

  constructor() {
    process.on('SIGINT', () => this.#stop())
    process.on('SIGTERM', () => this.#stop())
  }

  /** For the run that starts now: a budget or time limit ends that run alone. */
  control(): StopControl {
    this.#current = new StopControl()
    return this.#current
  }

  #stop(): void {
    const reason = new RunStopped('interrupted', 'you stopped it')
    if (this.pressed) this.#current?.abort(reason)
    else {
      this.pressed = true
      say('\nStopping; waiting for replies that are under way. Ctrl-C again stops at once.')
      this.#current?.drain(reason)
    }
  }
}

function rolesOf(pairs: readonly string[], settings: Settings): Partial<RunRequest['models']> {
  const typed = pairs.map((pair) => {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new UserError(`--model-role must be role=provider/name, not "${pair}".`)
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const
  })
  const roles = { ...settings.run?.modelRole, ...Object.fromEntries(typed) }
  for (const role of Object.keys(roles)) {
    if (!(ROLES as readonly string[]).includes(role)) {
      throw new UserError(`There is no role "${role}".`, { hint: `Roles: ${ROLES.join(', ')}.` })
    }
  }
  return roles
}

function withDefaults(typed: RunOptions, { run = {} }: Settings): CompleteOptions {
  const known = Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined))
  const said = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
  const text = (record: Record<string, string | number | boolean> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, String(value)]))
  return {
    ...(known as Partial<RunOptions>),
    ...(said as unknown as RunOptions),
    model: typed.model ?? run.model ?? [],
    modelRole: typed.modelRole ?? [],
    task: { ...text(run.task), ...typed.task },
    modelOption: { ...text(run.modelOption), ...typed.modelOption },
  }
}

function given<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>)
}
