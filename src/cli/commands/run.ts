/** `sightline run` and `sightline resume`. */
import { extname } from 'node:path'
import { messageOf, UserError } from '../../base/errors.ts'
import { isLocal } from '../../engine/plan.ts'
import { loadSettings, type Settings } from '../../library/config.ts'
import { EASI_8, easiRuns, easiScores, easiTable, type PlannedSuite } from '../../library/easi.ts'
import { type ModelSettings, namedModel } from '../../library/environment.ts'
import {
  type FinishedRun,
  playSideBySide,
  type PreparedRun,
  prepareRun,
  resume as resumeRun,
} from '../../library/run.ts'
import { widthOf } from '../../base/display-width.ts'
import { estimateLine } from '../terminal/estimate-line.ts'
import { formatByExtension } from '../results/formats.ts'
import { openDisplay } from '../terminal/display.ts'
import { reportFailure } from '../terminal/exit.ts'
import { columns, print, say } from '../terminal/output.ts'
import { terminalWidth } from '../terminal/size.ts'
import { StopOnSignal, playWithDisplay, presentResults } from '../results/played.ts'
import { type DestinationFlags, destinationOptions } from '../options/base-urls.ts'
import { rolesOf } from '../options/roles.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { checkWritable } from '../results/output-file.ts'

interface CommonOptions extends StoredOptions, Omit<ModelSettings, 'modelOptions' | 'generators'> {
  json?: boolean
  budget?: string
  timeLimit?: number
  failFast?: boolean
  failOnError?: string
  failUnder?: number
  all?: boolean
  queue?: string
  lease?: number
}

/** As typed on the command line. */
export interface RunOptions extends CommonOptions {
  model?: string[]
  modelRole?: string[]
  task?: Record<string, unknown>
  modelOption?: Record<string, unknown>
  source?: string
  profile?: string
  limit?: string
  sample?: number
  sampleId?: string[]
  epochs?: number
  seed?: number
  output?: string
  batch?: boolean
}

type CompleteOptions = RunOptions & Required<Pick<RunOptions, 'model' | 'modelRole' | 'task' | 'modelOption'>>

export async function run(suiteNames: string[], typed: RunOptions): Promise<void> {
  const settings = await loadSettings(typed.config)
  const options = withDefaults(typed, settings)
  if (options.model.length === 0) {
    throw new UserError('No model given. Use --model provider/name, such as openai/gpt-5.2.', {
      hint: 'No API key? Try --model baseline/random, or see `sightline list SUITE`.',
    })
  }
  if (options.output !== undefined) {
    formatByExtension(extname(options.output))
    await checkWritable(options.output)
  }
  // Plan and open everything first: a typo in the last name must not surface after the first run.
  const ready: PreparedRun[] = []
  const isEasi = suiteNames.includes(EASI_8)
  for (const { suite, ...own } of suiteNames.flatMap((name) => plannedSuites(name, options))) {
    const task = { ...own.task, ...options.task }
    for (const name of options.model) ready.push(await prepare(suite, name, { ...own, ...options, task }, settings))
  }
  const ctrlC = new StopOnSignal()
  const display = openDisplay({ quiet: options.json === true })
  const isOneOfMany = ready.length > 1
  for (const prepared of ready) {
    const { header } = prepared.plan
    const name = isOneOfMany ? `${titleOf(prepared)}: ` : ''
    if (!isLocal(header.models)) say(name + estimateLine(header, await prepared.estimate()))
    for (const note of await prepared.notes()) say(name + note)
  }
  const settled = await playSideBySide(ready, async (prepared) => {
    const title = titleOf(prepared)
    if (!ctrlC.pressed) {
      return playWithDisplay(title, display, (hooks) => prepared.start(hooks), ctrlC, isOneOfMany)
    }
    await prepared.cancel()
    say(`Not started: ${title}.`)
    return null
  })
  const outcomes = settled.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  const notStarted = settled.filter((each) => each.status === 'fulfilled' && each.value === null).length
  await presentResults(outcomes, { ...options, notStarted, briefly: isEasi && options.all !== true })
  if (isEasi && !options.json) print(`\n${easiText(outcomes)}`)
  if (isOneOfMany && !options.json) summarize(ready, settled)
  for (const each of settled) if (each.status === 'rejected') reportFailure(each.reason)
}

type Planned = { suite: string } & Partial<Pick<PlannedSuite, 'profile' | 'source' | 'task'>>

/** A suite, or those of a group. */
function plannedSuites(name: string, { source }: RunOptions): Planned[] {
  if (name !== EASI_8) return [{ suite: name }]
  if (source !== undefined)
    throw new UserError(`${EASI_8} plays several datasets: --source cannot be used.`, {
      hint: 'Put the datasets into one folder, and set SIGHTLINE_DATA to it.',
    })
  return easiRuns()
}

/** A row per model, or a column where that is too wide. */
function easiText(outcomes: readonly FinishedRun[]): string {
  const rows = easiRows(outcomes)
  const text = columns(rows, '', Infinity)
  if (text.split('\n').every((line) => widthOf(line) <= terminalWidth())) return text
  return columns(
    rows[0]!.map((_, i) => rows.map((row) => row[i]!)),
    '',
  )
}

function easiRows(outcomes: readonly FinishedRun[]): string[][] {
  const models = new Set(outcomes.map(({ report }) => report.models['player']!))
  const ofModel = (model: string) =>
    outcomes.flatMap(({ report, state }) => (state === 'done' && report.models['player'] === model ? [report] : []))
  return easiTable([...models].map((model) => easiScores(model, ofModel(model))))
}

function titleOf({ plan: { header } }: PreparedRun): string {
  return `${header.suite}  ${header.models['player']}`
}

/** How each run ended, in the order of the command line, unless all are done. */
function summarize(runs: readonly PreparedRun[], settled: readonly PromiseSettledResult<FinishedRun | null>[]): void {
  const ends = settled.map((each) => {
    if (each.status === 'rejected') return ['failed', messageOf(each.reason)]
    if (each.value === null) return ['not started', '']
    const { state, id } = each.value
    return [state, state === 'done' ? '' : `sightline resume ${id}`]
  })
  if (ends.every(([state]) => state === 'done')) return
  say(columns(runs.map((prepared, i) => [titleOf(prepared), ...ends[i]!])))
}

async function prepare(
  suite: string,
  name: string,
  options: CompleteOptions,
  settings: Settings,
): Promise<PreparedRun> {
  const named = namedModel(name, settings)
  return prepareRun(suite, {
    ...options,
    ...(await storeOptions(options)),
    model: named.model,
    roles: rolesOf(options.modelRole, settings.run?.modelRole ?? {}),
    modelOptions: { ...named.options, ...options.modelOption, ...(options.batch && { batch: true }) },
    options: { ...named.task, ...options.task },
    sampleIds: options.sampleId,
    generators: settings.generators,
    onLog: say,
  })
}

export async function resume(
  id: string,
  typed: CommonOptions & DestinationFlags & { source?: string; retryErrors?: boolean },
): Promise<void> {
  const settings = await loadSettings(typed.config)
  const { run: defaults = {}, generators } = settings
  const { prices, maxConnections, requestsPerMinute, tokensPerMinute, maxRetries, timeout } = defaults
  const known = { prices, maxConnections, requestsPerMinute, tokensPerMinute, maxRetries, timeout }
  const options = {
    ...known,
    ...withoutUndefined(typed),
    ...(await storeOptions(typed)),
    ...destinationOptions(typed, settings),
    generators,
    onLog: say,
  }
  const outcome = await playWithDisplay(`resume ${id}`, openDisplay({ quiet: typed.json === true }), (hooks) =>
    resumeRun(id, { ...options, ...hooks }),
  )
  await presentResults([outcome], typed)
}

function withDefaults(typed: RunOptions, { run = {} }: Settings): CompleteOptions {
  // As if typed: the same value in the config and on the command line gives the same fingerprint.
  const asTyped = <Value>(value: Value): string | Value => (typeof value === 'object' ? value : String(value))
  const text = <Value>(record: Record<string, Value> = {}): Record<string, string | Value> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, asTyped(value)]))
  const { modelRole: _, limit, sample, ...known } = run
  const chooses = typed.limit !== undefined || typed.sample !== undefined || typed.sampleId !== undefined
  return {
    ...withoutUndefined(known),
    // Samples chosen on the command line replace those of the config.
    ...withoutUndefined(chooses ? {} : { limit, sample }),
    ...withoutUndefined(typed),
    logDir: typed.logDir,
    model: typed.model ?? run.model ?? [],
    modelRole: typed.modelRole ?? [],
    task: { ...text(run.task), ...typed.task },
    modelOption: { ...text(run.modelOption), ...typed.modelOption },
  }
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Drops undefined values: an option that was not typed must not hide the config's. */
function withoutUndefined<T extends object>(options: T): Defined<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<T>
}
