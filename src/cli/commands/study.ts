/** `sightline study`: people play assigned samples on this machine, without names. */
import { plural } from '../../base/plural.ts'
import { openEnvironment, runnerInOwnThread } from '../../library/environment.ts'
import { studyProgress, studyReports, studyResults } from '../../library/study/results.ts'
import { createStudy, readStudy, type Study } from '../../library/study/study.ts'
import { destinationsOf } from '../../library/run.ts'
import { suiteFinder } from '../../library/suites.ts'
import { serveStudy } from '../../server/study/serve.ts'
import { Store } from '../../store/store.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { checkWritable, writeOutput } from '../results/output-file.ts'
import { tablesToFit } from '../results/tables.ts'
import { bold, columns, print, say } from '../terminal/output.ts'
import { untilStopped } from './view.ts'

interface NewOptions extends StoredOptions {
  participants: number
  perSample: number
  tools?: boolean
  task?: Record<string, string>
  profile?: string
  source?: string
  limit?: string
  sample?: number
  sampleId?: string[]
  seed?: number
}

export async function newStudy(name: string, suiteName: string, options: NewOptions): Promise<void> {
  const store = await Store.open(options.logDir)
  const { suites } = await storeOptions(options)
  const suite = await suiteFinder(suites).named({ suite: suiteName })
  const { participants, perSample, tools, task, profile, source, limit, sample, sampleId, seed } = options
  const study = await createStudy(store, suite, {
    name,
    participants,
    perSample,
    profile,
    source,
    limit,
    sample,
    sampleIds: sampleId,
    ...(tools && { tools }),
    ...(task && { options: task }),
    ...(seed !== undefined && { seed }),
  })
  const counts = study.participants.map(({ samples }) => samples.length)
  const samples = new Set(study.participants.flatMap((each) => each.samples)).size
  const range = [...new Set([Math.min(...counts), Math.max(...counts)])].join(' to ')
  print(
    `Study ${bold(name)}: ${plural(samples, 'sample')} of ${suiteName}, each for ${plural(perSample, 'participant')}; ${plural(participants, 'participant')} with ${range} each.`,
  )
  say(`Serve it with: sightline study serve ${name}`)
}

export async function serve(name: string, options: StoredOptions & { host?: string; port?: number }): Promise<void> {
  const { store, study, finder } = await open(name, options)
  const { host, port } = options
  const serving = await serveStudy({
    study,
    environment: {
      ...(await openEnvironment(store, {}, undefined, await destinationsOf({}))),
      runnerFor: runnerInOwnThread,
    },
    finder,
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    onFault: (error) => say(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  })
  print(columns(serving.links.map(({ participant, link }) => [participant, link])))
  say('Each link is for one participant, who sees only the assigned samples. Links stay the same on the same port.')
  if (serving.isLocal) say('Only this computer can open them. For others in your network, use --host 0.0.0.0.')
  await untilStopped(serving)
}

export async function show(name: string, options: StoredOptions): Promise<void> {
  const { store, study } = await open(name, options)
  const progress = await studyProgress(store, study)
  const [done, all] = [sum(progress.map((each) => each.finished)), sum(progress.map((each) => each.assigned))]
  print(`${bold(name)}: ${study.suite}, ${study.source}, ${done} of ${all} played`)
  print(columns(progress.map(({ id, finished, assigned }) => [id, `${finished} of ${assigned}`])))
}

export async function report(name: string, options: StoredOptions & { all?: boolean }): Promise<void> {
  const { store, study, finder } = await open(name, options)
  const { suite } = await finder.named({ suite: study.suite })
  const [everybody, ...people] = await studyReports(store, study, suite)
  const { all } = options
  print(tablesToFit([everybody!], { all }))
  print(`\n${tablesToFit(people, { all })}`)
}

export async function exportStudy(name: string, options: StoredOptions & { output?: string }): Promise<void> {
  const output = options.output ?? `${name}.csv`
  if (output !== '-') await checkWritable(output)
  const { store, study, finder } = await open(name, options)
  const { suite } = await finder.named({ suite: study.suite })
  const csv = await studyResults(store, study, suite)
  if (output === '-') print(csv.trimEnd())
  else await writeOutput(output, csv)
}

async function open(name: string, options: StoredOptions) {
  const store = await Store.open(options.logDir)
  const { suites } = await storeOptions(options)
  const study: Study = await readStudy(store, name)
  return { store, study, finder: suiteFinder(suites) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
