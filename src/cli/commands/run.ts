/** `sightline run` and `sightline resume`. */
import { extname } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { isLocal } from '../../engine/plan.ts'
import { loadSettings, type Settings } from '../../library/config.ts'
import { type ModelSettings, namedModel } from '../../library/environment.ts'
import { type FinishedRun, type PreparedRun, prepareRun, resume as resumeRun } from '../../library/run.ts'
import { estimateLine } from '../terminal/estimate-line.ts'
import { formatByExtension } from '../results/formats.ts'
import { openDisplay } from '../terminal/display.ts'
import { say } from '../terminal/output.ts'
import { StopOnSignal, playWithDisplay, presentResults } from '../results/played.ts'
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
  task?: Record<string, string>
  modelOption?: Record<string, string>
  source?: string
  profile?: string
  limit?: string
  sampleId?: string[]
  epochs?: number
  seed?: number
  output?: string
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
  for (const suiteName of suiteNames) {
    for (const name of options.model) ready.push(await prepare(suiteName, name, options, settings))
  }
  const ctrlC = new StopOnSignal()
  const display = openDisplay({ quiet: options.json === true })
  const outcomes: FinishedRun[] = []
  for (const prepared of ready) {
    const { header, source } = prepared.plan
    if (ctrlC.pressed) {
      await prepared.cancel()
      say(`Not started: ${header.suite} with ${header.models['player']}.`)
      continue
    }
    if (!isLocal(header.models)) say(estimateLine(header, await prepared.estimate()))
    for (const note of source.notes ?? []) say(note)
    const title = `${header.suite}  ${header.models['player']}`
    outcomes.push(await playWithDisplay(title, display, (hooks) => prepared.start(hooks), ctrlC))
  }
  await presentResults(outcomes, options)
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
    modelOptions: { ...named.options, ...options.modelOption },
    options: { ...named.task, ...options.task },
    sampleIds: options.sampleId,
    generators: settings.generators,
    onLog: say,
  })
}

export async function resume(
  id: string,
  typed: CommonOptions & { source?: string; retryErrors?: boolean },
): Promise<void> {
  const { run: defaults = {}, generators } = await loadSettings(typed.config)
  const { prices, maxConnections, requestsPerMinute, tokensPerMinute, maxRetries, timeout } = defaults
  const known = { prices, maxConnections, requestsPerMinute, tokensPerMinute, maxRetries, timeout }
  const options = { ...known, ...withoutUndefined(typed), ...(await storeOptions(typed)), generators, onLog: say }
  const outcome = await playWithDisplay(`resume ${id}`, openDisplay({ quiet: typed.json === true }), (hooks) =>
    resumeRun(id, { ...options, ...hooks }),
  )
  await presentResults([outcome], typed)
}

function withDefaults(typed: RunOptions, { run = {} }: Settings): CompleteOptions {
  const text = (record: Record<string, string | number | boolean> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, String(value)]))
  const { modelRole: _, ...known } = run
  return {
    ...withoutUndefined(known),
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
