/** `sightline vbench`: from prompts to videos to scores. */
import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { messageOf, UserError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import type { Generator } from '../../models/generators/generator.ts'
import { formatWithInterval, NONE } from '../../report/format.ts'
import { listZip, readZip } from '../../report/import/zip.ts'
import {
  categoriesNamed,
  type Dimension,
  DIMENSIONS,
  dimensionsNamed,
  FLICKERING_SAMPLES,
  QUALITY,
  SEMANTIC,
  spacedName,
} from '../../suites/vbench/dimensions.ts'
import { grouped } from '../../suites/vbench/grouped.ts'
import type { FilterKind, Score } from '../../suites/vbench/score/aggregate.ts'
import { type Measure, type Tier, TIERS } from '../../suites/vbench/score/types.ts'
import { openSuite } from '../../suites/vbench/suite/folder.ts'
import { type Plan, planOf, type PlanOptions, planTable } from '../../suites/vbench/suite/plan.ts'
import { rewrittenTexts } from '../../suites/vbench/suite/rewritten.ts'
import { importResults, type ResultFile } from '../../suites/vbench/totals/published-results.ts'
import { normalised, publishedTotals, strictTotals } from '../../suites/vbench/totals/totals.ts'
import { checkMatched, listFolder } from '../../suites/vbench/videos/check.ts'
import { customDimensions, customPlan, readPromptFile } from '../../suites/vbench/videos/custom.ts'
import { readManifest } from '../../suites/vbench/videos/manifest.ts'
import { type Issue, type IssueKind, type Matched, matchVideos } from '../../suites/vbench/videos/match.ts'
import { EXIT } from '../exit.ts'
import { bold, columns, dim, plain, print, say } from '../output.ts'

interface SuiteOptions {
  suite: string
  dimension?: string[]
  category?: string[]
  samples?: number
  flickeringSamples?: number
  json?: boolean
}

async function planFrom(options: SuiteOptions, more: Partial<PlanOptions> = {}): Promise<Plan> {
  wholeNumber('--samples', options.samples)
  wholeNumber('--flickering-samples', options.flickeringSamples)
  const suite = await openSuite(options.suite)
  const categories = categoriesNamed(options.category ?? [])
  const dimensions = options.dimension && options.dimension.length > 0 ? dimensionsNamed(options.dimension) : null
  for (const remark of suite.remarks) say(dim(plain(`${options.suite}: ${remark}`)))
  return planOf(suite, {
    ...more,
    categories,
    ...(dimensions === null ? {} : { dimensions }),
    ...(options.samples === undefined ? {} : { samples: options.samples }),
    flickeringSamples: options.flickeringSamples ?? options.samples ?? FLICKERING_SAMPLES,
  })
}

/** Numbers come from the command line as they were typed. */
function wholeNumber(name: string, value: number | undefined, least = 1): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return
  throw new UserError(`${name} must be a whole number from ${least} on.`)
}

function seconds(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return
  throw new UserError(`${name} must be a number of seconds above 0.`)
}

export async function plan(options: SuiteOptions & { names?: boolean }): Promise<void> {
  const planned = await planFrom(options)
  const { entries, prompts, videos, collisions } = planned
  if (options.names) {
    print(videos.map(({ file }) => plain(file)).join('\n'))
    return
  }
  if (options.json) {
    const counts = { entries: entries.length, prompts: prompts.length, videos: videos.length }
    print(
      JSON.stringify({ suite: planned.suite, counts, dimensions: planTable(planned), collisions, prompts }, null, 1),
    )
    return
  }
  const rows = planTable(planned).map((row) => [row.dimension, row.list, String(row.prompts), String(row.videos)])
  if (rows.length > 0) print(columns([['dimension', 'list', 'prompts', 'videos'], ...rows]))
  const kinds = [...new Set(prompts.flatMap((prompt) => prompt.categories))]
  for (const category of kinds) {
    const own = prompts.filter((prompt) => prompt.categories.includes(category))
    print(
      columns([[category, 'category', String(own.length), String(own.reduce((sum, { samples }) => sum + samples, 0))]]),
    )
  }
  print(`\n${entries.length} entries, ${prompts.length} prompts, ${videos.length.toLocaleString('en')} videos`)
  print('One video serves every dimension that needs it, so the columns add up to more.')
  for (const group of collisions) {
    print(plain(`These differ only in upper and lower case: ${group.map((each) => `"${each}"`).join(', ')}`))
  }
}

interface SampleOptions extends SuiteOptions {
  config?: string
  generator: string
  out: string
  rewritten?: string
  model?: string
  field?: Record<string, string>
  seed?: number
  jobs?: number
  poll?: number
  timeout?: number
}

export async function sample(options: SampleOptions): Promise<void> {
  const { ignoresCase, sampleVideos } = await import('../../suites/vbench/sample/sampling.ts')
  const generator = await generatorFrom(options)
  wholeNumber('--seed', options.seed, 0)
  wholeNumber('--jobs', options.jobs)
  seconds('--poll', options.poll)
  seconds('--timeout', options.timeout)
  const texts = options.rewritten ? await rewrittenTexts(await openSuite(options.suite), options.rewritten) : undefined
  const planned = await planFrom(options, { ignoreCase: await ignoresCase(options.out), ...(texts ? { texts } : {}) })
  const signal = interrupted()
  const show = progress('videos')
  const result = await sampleVideos({
    folder: options.out,
    plan: planned,
    generator,
    seed: options.seed,
    atOnce: options.jobs,
    signal,
    onVideo: ({ file, problem }, { kept, made, failed, planned: of }) => {
      if (problem !== null) say(plain(`${file}: ${problem}`))
      show(kept + made + failed, of)
    },
  })
  const { kept, made, failed, planned: of, seed } = result
  if (options.json) print(JSON.stringify({ ...result, out: options.out }, null, 1))
  else {
    print(`${made} videos made, ${kept} were there, ${failed} failed, ${of} planned; seed ${seed}; in ${options.out}`)
  }
  if (signal.aborted) {
    say('Interrupted. The same command goes on.')
    process.exitCode = EXIT.interrupted
  } else if (failed > 0) process.exitCode = EXIT.episodeErrors
}

async function generatorFrom(options: SampleOptions): Promise<Generator> {
  const { generator, model } = options
  if (generator === 'built-in' || generator === 'builtin') {
    return (await import('../../suites/vbench/sample/procedural.ts')).proceduralGenerator()
  }
  const { isAddress, openGenerator } = await import('../../models/generators/open.ts')
  const { environment, loadSettings } = await import('../settings.ts')
  const known = { ...(await loadSettings(options.config)).generators }
  if (generator.startsWith('cmd:')) {
    const command = generator.slice('cmd:'.length)
    return openGenerator(generator, { [generator]: { command, ...(model === undefined ? {} : { model }) } }, {})
  }
  if (!isAddress(generator) && !Object.hasOwn(known, generator)) {
    throw new UserError(`"${generator}" is no generator.`, {
      hint: 'Give an address (http://…), a command (cmd:python make.py --prompt {prompt} --seed {seed} --out {out}), a name from sightline.config, or built-in.',
    })
  }
  if (isAddress(generator)) {
    const fields = Object.fromEntries(Object.entries(options.field ?? {}).map(([key, value]) => [key, literal(value)]))
    known[generator] = {
      url: generator,
      fields,
      ...(model === undefined ? {} : { model }),
      ...(options.poll === undefined ? {} : { pollSeconds: options.poll }),
      ...(options.timeout === undefined ? {} : { timeoutSeconds: options.timeout }),
    }
  }
  return openGenerator(generator, known, environment())
}

/** `steps=30` is a number, `hd=true` is yes or no, everything else is text. */
function literal(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface VideoOptions extends SuiteOptions {
  videos: string
  custom?: boolean
  promptFile?: string
}

async function matchedFrom(options: VideoOptions): Promise<{ plan: Plan; matched: Matched; dimensions: Dimension[] }> {
  const wanted = options.dimension ? dimensionsNamed(options.dimension) : []
  const ofOnesOwn = options.custom === true || options.promptFile !== undefined
  if (ofOnesOwn || options.category) {
    const dimensions = customDimensions(wanted)
    const left = wanted.filter((name) => !dimensions.includes(name))
    if (left.length > 0) {
      throw new UserError(
        `${left.join(', ')}: only for prompts of its own list; more than a prompt must be known of them.`,
      )
    }
    if (!ofOnesOwn) {
      const planned = await planFrom({ ...options, dimension: [] }, { dimensions: [], categoryDimensions: dimensions })
      const matched = matchVideos(planned, await listFolder(options.videos), await readManifest(options.videos))
      return { plan: planned, matched, dimensions }
    }
    const prompts = options.promptFile ? await readPromptFile(options.promptFile) : null
    return { ...customPlan(await listFolder(options.videos), dimensions, prompts), dimensions }
  }
  const planned = await planFrom(options)
  const matched = matchVideos(planned, await listFolder(options.videos), await readManifest(options.videos))
  return { plan: planned, matched, dimensions: wanted.length === 0 ? [...DIMENSIONS] : wanted }
}

const ISSUE_TITLES: Readonly<Record<IssueKind, string>> = {
  missing: 'missing',
  extra: 'not of the plan',
  ambiguous: 'ambiguous',
  colliding: 'colliding names',
  misnamed: 'misnamed',
  unreadable: 'cannot be read',
  length: 'length',
  long: 'too long for VBench',
  manifest: 'manifest',
}
const SHOWN_ISSUES = 10

export async function check(options: VideoOptions & { all?: boolean }): Promise<void> {
  const { plan: planned, matched } = await matchedFrom(options)
  const show = progress('videos looked at')
  const checked = await checkMatched(options.videos, matched, await readManifest(options.videos), {
    signal: interrupted(),
    onVideo: show,
  })
  const { videos, issues, shapes } = checked
  if (options.json) {
    print(JSON.stringify({ planned: planned.videos.length, found: videos.length, shapes, issues }, null, 1))
  } else {
    print(`${videos.length} of ${planned.videos.length} videos are there and can be read.`)
    for (const { shape, videos: count } of shapes) print(`  ${count} × ${shape}`)
    printIssues(issues, options.all === true)
  }
  if (issues.some(({ kind }) => kind !== 'extra' && kind !== 'colliding')) process.exitCode = EXIT.episodeErrors
}

function printIssues(issues: readonly Issue[], all: boolean): void {
  for (const [kind, list] of grouped(issues, (issue) => issue.kind)) {
    print(`\n${bold(ISSUE_TITLES[kind])} (${list.length})`)
    const shown = all ? list : list.slice(0, SHOWN_ISSUES)
    for (const { file, words } of shown) print(plain(`  ${file}: ${words}`))
    if (shown.length < list.length) print(`  … and ${list.length - shown.length} more; --all shows them`)
  }
  if (issues.length === 0) print('Nothing is wrong with them.')
}

interface ScoreCommand extends VideoOptions {
  models?: string
  judge?: string
  modelOption?: Record<string, string>
  tier?: string[]
  staticFilter?: FilterKind
  out: string
  jobs?: number
  pictures?: boolean
  logDir: string
}

export async function score(options: ScoreCommand): Promise<void> {
  const { scoreVideos } = await import('../../suites/vbench/score/score.ts')
  wholeNumber('--jobs', options.jobs)
  const tiers = tiersNamed(options.tier)
  const { plan: planned, matched, dimensions } = await matchedFrom(options)
  const signal = interrupted()
  const measures: Measure[] = []
  let close: () => Promise<void> = () => Promise.resolve()
  if (options.models) {
    const { openNetworks } = await import('../../suites/vbench/networks/open.ts')
    measures.push(...(await openNetworks(options.models, say)))
  }
  if (options.judge) {
    const judge = await judgeFrom(options.judge, options)
    measures.push(judge.measure)
    close = judge.close
  }
  try {
    const show = progress('videos measured')
    const scored = await scoreVideos({
      folder: options.videos,
      plan: planned,
      matched,
      dimensions,
      measures,
      tiers,
      ...(options.staticFilter === undefined ? {} : { filter: options.staticFilter }),
      out: options.out,
      atOnce: options.jobs ?? Math.max(1, Math.min(4, availableParallelism())),
      signal,
      onVideo: (done, of, problem) => {
        if (problem !== null) say(plain(problem))
        show(done, of)
      },
    })
    if (options.pictures) {
      const { drawPictures } = await import('../../suites/vbench/score/pictures.ts')
      scored.files.push(...(await drawPictures(options.videos, scored.videos, join(options.out, 'pictures'), signal)))
    }
    if (options.json) {
      const { totals, official, dimensions: values, filter } = scored
      print(
        JSON.stringify({ suite: planned.suite, staticFilter: filter, official, totals, dimensions: values }, null, 1),
      )
    } else printScore(scored, matched.issues)
    say(dim(`written: ${scored.files.slice(0, 6).join(', ')}${scored.files.length > 6 ? ' …' : ''}`))
  } finally {
    await close()
  }
}

function tiersNamed(names: readonly string[] | undefined): readonly Tier[] {
  if (names === undefined) return TIERS
  return names.map((name) => {
    const tier = TIERS.find((each) => each === name)
    if (tier === undefined)
      throw new UserError(`There is no tier "${name}".`, { hint: didYouMean(name, TIERS, 'Tiers') })
    return tier
  })
}

async function judgeFrom(
  spec: string,
  options: ScoreCommand,
): Promise<{ measure: Measure; close: () => Promise<void> }> {
  const { surroundings } = await import('../surroundings.ts')
  const { judgeMeasure } = await import('../../suites/vbench/score/judge.ts')
  const around = await surroundings(options.logDir, { options: options.modelOption ?? {} })
  const model = await around.openModel(spec, 'player')
  return {
    measure: await judgeMeasure(model, (bytes, size) => around.store.media.keep(bytes, 'image/jpeg', size)),
    close: () => model.close(),
  }
}

function printScore(scored: Score, issues: readonly Issue[]): void {
  const rows = scored.dimensions.map(({ dimension, value, interval, tier, by, videos, expected, note }) => [
    dimension,
    value === null ? NONE : formatWithInterval(value, interval, 'percent'),
    tier ?? '',
    `${videos}/${expected}`,
    [value === null ? null : by, note].filter((each) => each !== null).join('; '),
  ])
  print(columns([['dimension', 'score', 'tier', 'videos', ''], ...rows]))
  print('')
  if (scored.official) {
    for (const { name, value, interval } of scored.totals) {
      print(`VBench ${name}: ${value === null ? NONE : formatWithInterval(value, interval, 'percent')}`)
    }
  } else {
    const exact = scored.dimensions.filter(({ tier, value }) => tier === 'exact' && value !== null).length
    print(`No VBench total: ${exact} of ${DIMENSIONS.length} dimensions are exact, and tiers are not mixed.`)
  }
  const missing = issues.filter(({ kind }) => kind === 'missing').length
  if (missing > 0) print(`${missing} videos of the plan are missing: "sightline vbench check" names them.`)
}

export async function total(paths: string[], options: { missing: 'refuse' | 'zero'; json?: boolean }): Promise<void> {
  const files = (await Promise.all(paths.map((path) => resultFiles(path)))).flat()
  const { values, unknown, notes } = importResults(files)
  for (const note of notes) say(dim(plain(note)))
  if (unknown.length > 0) say(plain(`not of VBench, left out: ${unknown.slice(0, 20).join(', ')}`))
  const raw = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])) as Partial<
    Record<Dimension, number | null>
  >
  if (Object.keys(raw).length === 0) throw new UserError('There is no result of VBench in these files.')
  const totals = options.missing === 'zero' ? publishedTotals(raw) : strictTotals(raw)
  const absent = DIMENSIONS.filter((name) => typeof raw[name] !== 'number')
  if (options.json) {
    const { quality, semantic, total: overall } = totals
    print(JSON.stringify({ quality, semantic, total: overall, dimensions: raw, missing: absent }, null, 1))
    return
  }
  const percent = (value: number | null | undefined) =>
    typeof value === 'number' && Number.isFinite(value) ? (value * 100).toFixed(2) : NONE
  const line = (name: Dimension) => [
    `  ${spacedName(name)}`,
    percent(raw[name]),
    typeof raw[name] === 'number' ? percent(normalised(name, raw[name])) : NONE,
  ]
  print(columns([['', 'score', 'normalised'], ['Quality', percent(totals.quality), ''], ...QUALITY.map(line)], ''))
  print(columns([['Semantic', percent(totals.semantic), ''], ...SEMANTIC.map(line)], ''))
  print(`Total     ${percent(totals.total)}`)
  if (absent.length > 0) {
    const how =
      options.missing === 'zero' ? 'counted as 0, as the published script does' : 'so there is no total of them'
    print(`\nMissing, ${how}: ${absent.map(spacedName).join(', ')}`)
  }
}

/** Files of the published tool, a zip of them, a folder of them, or our own results.json. */
async function resultFiles(path: string): Promise<ResultFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (found.isDirectory()) {
    const names = (await listFolder(path)).filter(({ kind, name }) => kind === 'file' && /\.(json|zip)$/i.test(name))
    const own = names.filter(({ name }) => name.endsWith('_eval_results.json'))
    return (await Promise.all((own.length > 0 ? own : names).map((each) => resultFiles(join(path, each.path))))).flat()
  }
  const bytes = await readFile(path)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const entries = listZip(bytes, path).filter(({ name }) => name.endsWith('.json'))
    return [...readZip(bytes, entries, path)].map(([name, text]) => ({ path: name, text }))
  }
  return [{ path, text: ownResults(bytes.toString('utf8')) }]
}

/** Our own file says of every value how it came about: only exact ones go into a total. */
function ownResults(text: string): string {
  if (!text.includes('"dimensions"')) return text
  try {
    const value = JSON.parse(text) as { dimensions?: { dimension: string; value: number | null; tier: string }[] }
    if (!Array.isArray(value.dimensions)) return text
    const exact = value.dimensions.filter(({ tier }) => tier === 'exact')
    return JSON.stringify(Object.fromEntries(exact.map(({ dimension, value: score }) => [dimension, [score, []]])))
  } catch {
    return text
  }
}

/** Aborts on the first Ctrl-C; the second ends the program as usual. */
function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort(new UserError('Interrupted. The same command goes on.')))
  return controller.signal
}

const SHOW_EVERY_MS = 500

function progress(what: string): (done: number, of: number) => void {
  let shown = performance.now()
  return (done, of) => {
    if (!process.stderr.isTTY) return
    const now = performance.now()
    if (now - shown < SHOW_EVERY_MS && done < of) return
    shown = now
    process.stderr.write(`\r\u001b[K${done}/${of} ${what}${done >= of ? '\r\u001b[K' : ''}`)
  }
}
