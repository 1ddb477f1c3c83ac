/** `sightline list`: suites, sources, baselines, models and runs. */
import { printable } from '../../base/printable.ts'
import { describeOptions, suiteOptions } from '../../engine/options.ts'
import { BASELINE_PREFIX } from '../../engine/players.ts'
import { defaultSource, openSource } from '../../engine/source.ts'
import type { AnySuite } from '../../engine/suite.ts'
import { type Provider, PROVIDERS } from '../../models/providers/providers.ts'
import { Store } from '../../store/store.ts'
import { report } from '../../library/results.ts'
import { formatUsd, formatValue, NONE } from '../../report/format.ts'
import { familyOf, type SuiteFinder, suiteFinder } from '../../library/suites.ts'
import type { LIST_PARTS } from '../options/arguments.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { type ListedRun, runTable } from '../results/run-table.ts'
import { bold, columns, print, say } from '../terminal/output.ts'
import { terminalWidth } from '../terminal/size.ts'

interface ListOptions extends StoredOptions {
  samples?: boolean
  source?: string
  seed?: number
  task?: Record<string, string>
  json?: boolean
  all?: boolean
}

export async function list(what: string | undefined, options: ListOptions): Promise<void> {
  if (what === 'runs') return listRuns(options)
  const finder = suiteFinder((await storeOptions(options)).suites)
  if (what === undefined || isPart(what)) return listParts(finder, what, options)
  const { suite } = await finder.find(what)
  return options.samples ? listSamples(suite, options) : listSuite(suite, options)
}

type Part = (typeof LIST_PARTS)[number]
const PARTS: Readonly<Record<Part, string>> = {
  suites: 'Suites',
  sources: 'Data sources',
  baselines: 'Baselines',
  models: 'Models',
}

function isPart(what: string): what is Part {
  return Object.hasOwn(PARTS, what)
}

/** @param part default: all parts */
async function listParts(finder: SuiteFinder, part: Part | undefined, options: ListOptions): Promise<void> {
  const suites = await Promise.all((await finder.names()).map(async (name) => (await finder.find(name)).suite))
  const rows: Record<Part, () => string[][]> = {
    suites: () => suites.map(({ name, title }) => [name, title]),
    sources: () => merged(suites, ({ sources }) => Object.values(sources).map(({ usage, title }) => [usage, title])),
    baselines: () =>
      merged(suites, ({ baselines }) =>
        Object.entries(baselines).map(([name, { title }]) => [BASELINE_PREFIX + name, title]),
      ),
    models: () => [...PROVIDERS.map(modelLine), ['replay/RUN', 'replays the replies of a recorded run']],
  }
  if (options.json) {
    const listed = part === undefined || part === 'suites' ? suites.map((suite) => describeSuite(suite)) : rows[part]()
    print(JSON.stringify(listed, null, 2))
    return
  }
  if (part !== undefined) {
    print(columns(rows[part]()))
    return
  }
  for (const [each, title] of Object.entries(PARTS) as [Part, string][]) {
    print(`${bold(title)}\n${columns(rows[each]())}\n`)
  }
  print('Run `sightline list SUITE` for options and profiles,\nor `sightline list runs` for recorded runs.')
}

/** The rows of all suites; rows that several suites share are listed once. */
function merged(suites: readonly AnySuite[], rowsOf: (suite: AnySuite) => string[][]): string[][] {
  const byRow = new Map<string, { row: string[]; names: string[] }>()
  for (const suite of suites) {
    for (const row of rowsOf(suite)) {
      const entry = byRow.get(row.join('\n')) ?? { row, names: [] }
      entry.names.push(suite.name)
      byRow.set(row.join('\n'), entry)
    }
  }
  const families = new Map<string, number>()
  for (const { name } of suites) families.set(familyOf(name), (families.get(familyOf(name)) ?? 0) + 1)
  return [...byRow.values()].map(({ row, names }) => {
    const family = familyOf(names[0]!)
    const isWholeFamily = names.length > 1 && names.length === families.get(family)
    return [isWholeFamily ? `${family}/*` : shortened(names), ...row]
  })
}

/** `vsi/explore, video`: the family is named once. */
function shortened(names: readonly string[]): string {
  return names
    .map((name, i) =>
      i > 0 && familyOf(name) === familyOf(names[i - 1]!) ? name.slice(familyOf(name).length + 1) : name,
    )
    .join(', ')
}

function modelLine({ name, keyNames, keyNeeded, insteadOfKey, baseUrlName, media, ...provider }: Provider): string[] {
  const kinds = [...new Set(media.map((type) => type.slice(0, type.indexOf('/'))))]
  const keys = [keyNames[0], ...(insteadOfKey ? [insteadOfKey.join(' and ')] : [])].join(', or ')
  const needs = keyNeeded || insteadOfKey ? `needs ${keys}` : `address from ${baseUrlName}`
  const separate = provider.package === undefined ? '' : `; npm install ${provider.package}`
  return [`${name}/MODEL`, `text, ${kinds.join(', ')}; ${needs}${separate}`]
}

function listSuite(suite: AnySuite, options: ListOptions): void {
  if (options.json) {
    print(JSON.stringify(describeSuite(suite), null, 2))
    return
  }
  print(`${bold(suite.name)}  ${suite.title} (version ${suite.version})`)
  print(`\nRoles: ${['player', ...Object.keys(suite.roles).map((role) => `${role} (optional)`)].join(', ')}`)
  print(`Profiles: ${suite.profiles.map((profile, i) => (i === 0 ? `${profile} (default)` : profile)).join(', ')}`)
  print(`\n${bold('Options')} (-T key=value)`)
  print(
    columns(describeOptions(suite).map((option) => [option.name, option.values, option.default, option.description])),
  )
  print(`\n${bold('Data sources')} (--source)`)
  print(columns(Object.values(suite.sources).map(({ usage, title }) => [usage, title])))
  print(`\n${bold('Baselines')} (--model)`)
  print(columns(Object.entries(suite.baselines).map(([name, { title }]) => [BASELINE_PREFIX + name, title])))
}

/** A suite as `sightline list SUITE --json` prints it. */
export function describeSuite(suite: AnySuite) {
  return {
    name: suite.name,
    title: suite.title,
    version: suite.version,
    roles: ['player'],
    optionalRoles: Object.keys(suite.roles),
    profiles: suite.profiles,
    options: describeOptions(suite),
    sources: Object.entries(suite.sources).map(([name, { title, usage }]) => ({ name, title, usage })),
    baselines: Object.entries(suite.baselines).map(([name, { title }]) => ({ name: BASELINE_PREFIX + name, title })),
  }
}

async function listSamples(suite: AnySuite, options: ListOptions): Promise<void> {
  const source = await openSource(
    suite,
    options.source ?? defaultSource(suite),
    suiteOptions(suite, options.task ?? {}),
    {
      seed: options.seed ?? 0,
      profile: suite.profiles[0],
    },
  )
  for await (const { id, labels } of source.samples()) {
    print(options.json ? JSON.stringify({ id, labels }) : printable([id, ...Object.values(labels)].join('  ')))
  }
}

/** A terminal shows this many, unless all are asked for. */
const LATEST_RUNS = 20

async function listRuns(options: ListOptions): Promise<void> {
  const runs = await (await Store.open(options.logDir)).listRuns({ onProblem: say })
  if (options.json) {
    print(JSON.stringify(runs, null, 2))
    return
  }
  if (runs.length === 0) {
    print(`No runs in ${options.logDir} yet. Start one: sightline run space/text --model baseline/random`)
    return
  }
  const where = await storeOptions(options)
  const width = terminalWidth()
  const all = options.all === true || !Number.isFinite(width)
  const listed: ListedRun[] = []
  for (const { header, status, finished } of all ? runs : runs.slice(0, LATEST_RUNS)) {
    listed.push({
      id: header.id,
      suite: header.suite,
      model: header.models['player'] ?? '',
      state: status.state,
      reason: status.reason,
      episodes: `${finished}/${header.planned}`,
      ...(await resultOf(header.id, finished, where)),
    })
  }
  print(runTable(listed, width, { all, total: runs.length }))
}

/** Score and cost of a run; a dash where its suite cannot be found or its journal cannot be read. */
async function resultOf(
  id: string,
  finished: number,
  where: Awaited<ReturnType<typeof storeOptions>>,
): Promise<{ score: string; cost: string }> {
  if (finished === 0) return { score: NONE, cost: NONE }
  try {
    const { rows, headline, usage } = await report(id, where)
    const row = rows.find(({ key }) => key === headline)
    return { score: row ? formatValue(row.value, row.unit) : NONE, cost: formatUsd(usage.usd) }
  } catch {
    return { score: NONE, cost: NONE }
  }
}
