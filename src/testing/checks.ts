/** Named checks that every suite must pass. */
import { deepStrictEqual, fail, ok } from 'node:assert/strict'
import { safeParse } from 'zod/mini'
import { messageOf, UserError } from '../base/errors.ts'
import { suiteOptions } from '../engine/options.ts'
import { BASELINE_PREFIX, checkCanPlaySource } from '../engine/players.ts'
import { isEvent } from '../engine/recorder.ts'
import { rescore } from '../engine/rescore.ts'
import { defaultSource, openSource, selectedSamples } from '../engine/source.ts'
import type { AnySuite, SampleBase } from '../engine/suite.ts'
import { buildReport, type Report } from '../report/report.ts'
import type { EpisodeLine, RunHeader } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { assertNearChance, assertAtCeiling } from './chance.ts'
import type { CheckedSuite } from './load.ts'
import { hashSamples, hashSamplesInOtherProcess } from './other-process.ts'
import { inTemporaryStore, replyingModel, type PlayedRun, type PlayOptions } from './temporary-store.ts'
import { strangeReplies } from './strange-replies.ts'

export interface CheckOptions {
  /** Samples per baseline. Default 8. */
  samples?: number
  /** Samples for comparing `random` and `oracle` with chance and ceiling. Default 60. */
  chanceSamples?: number
  source?: string
  options?: Readonly<Record<string, unknown>>
}

export interface SuiteCheck {
  name: string
  run: () => Promise<void>
}

/** All checks of a suite. Each uses a temporary store and needs no network. */
export function suiteChecks({ suite, loadFrom }: CheckedSuite, options: CheckOptions = {}): SuiteCheck[] {
  const { samples = 8, chanceSamples = 60, ...chosen } = options
  const few: PlayOptions = { ...chosen, samples }
  const many: PlayOptions = { ...chosen, samples: chanceSamples }
  const players = playersOf(suite, chosen.source)
  const checks: SuiteCheck[] = [
    { name: 'samples are plain JSON with unique ids and match their schema', run: () => checkSamples(suite, few) },
    {
      name: 'the same seed gives the same samples in another process',
      run: () => checkSamplesElsewhere(suite, loadFrom, few),
    },
    { name: 'estimates the cost of every sample', run: () => checkEstimate(suite, few) },
    { name: 'results do not depend on the order of samples', run: () => checkOrder(suite, few) },
    { name: 'gives every malformed reply a status', run: () => checkStrangeReplies(suite, few) },
  ]
  for (const player of players) {
    checks.push({ name: `${player} plays and its run is valid`, run: () => checkPlayer(suite, player, few) })
  }
  if (players.includes(`${BASELINE_PREFIX}random`)) {
    checks.push({ name: 'random scores at its stated chance level', run: () => checkChance(suite, many) })
  }
  if (players.includes(`${BASELINE_PREFIX}oracle`)) {
    checks.push({ name: 'oracle reaches its ceiling', run: () => checkCeiling(suite, many) })
  }
  return checks
}

/** Baselines that can play this source. */
function playersOf(suite: AnySuite, source: string = defaultSource(suite)): string[] {
  return Object.keys(suite.baselines)
    .map((name) => BASELINE_PREFIX + name)
    .filter((id) => {
      try {
        checkCanPlaySource(suite, id, source)
        return true
      } catch (error) {
        if (error instanceof UserError) return false
        throw error
      }
    })
}

async function checkSamples(suite: AnySuite, options: PlayOptions): Promise<void> {
  const ids = new Set<string>()
  for (const sample of await samplesOf(suite, options)) {
    assertPlainJson(sample, `sample ${sample.id}`)
    ok(/^\S+$/.test(sample.id), `the id "${sample.id}" is empty or has spaces`)
    ok(!ids.has(sample.id), `two samples have the id ${sample.id}`)
    ids.add(sample.id)
    const problem = suite.schemas.sample?.safeParse(sample).error
    if (problem) fail(`sample ${sample.id} does not match its schema: ${problem.message}`)
  }
  ok(ids.size > 0, 'the source has no samples')
  await checkDraw(suite, options)
}

/** A sample that is made alone, for a draw, is the one that the source yields. */
async function checkDraw(suite: AnySuite, options: PlayOptions): Promise<void> {
  const opened = await sourceOf(suite, options)
  if (!opened.at) return
  const yielded = await samplesOf(suite, options)
  for (let index = 0; index < yielded.length; index++) {
    const made: SampleBase | null = await opened.at(index)
    const same: SampleBase | undefined =
      opened.count === null ? yielded.find(({ id }) => id === made?.id) : yielded[index]
    if (same) deepStrictEqual(made, same, `the sample at position ${index} is another one if it is made alone`)
  }
}

async function checkSamplesElsewhere(suite: AnySuite, loadFrom: string | null, options: PlayOptions): Promise<void> {
  const wanted = { name: suite.name, loadFrom, ...options }
  deepStrictEqual(await hashSamplesInOtherProcess(wanted), await hashSamples(suite, wanted))
}

async function checkEstimate(suite: AnySuite, playOptions: PlayOptions): Promise<void> {
  const options = suiteOptions(suite, playOptions.options ?? {})
  for (const sample of await samplesOf(suite, playOptions)) {
    const { calls, inputTokens, outputTokens } = suite.estimate(sample, options)
    ok(calls > 0 && Number.isFinite(calls), `sample ${sample.id}: ${calls} is not a valid number of calls`)
    for (const tokens of [inputTokens, outputTokens])
      ok(tokens >= 0 && Number.isFinite(tokens), `sample ${sample.id}: ${tokens} is not a valid number of tokens`)
  }
}

/** Replays the first samples one by one in reverse: no state must leak between samples. */
async function checkOrder(suite: AnySuite, options: PlayOptions): Promise<void> {
  const [player] = playersOf(suite, options.source)
  if (player === undefined) return
  await inTemporaryStore(suite, { ...options, samples: Math.min(4, options.samples) }, async (play) => {
    const together = await linesOf(await play(player))
    for (const line of together.toReversed()) deepStrictEqual(await linesOf(await play(player, [line.sample])), [line])
  })
}

async function checkStrangeReplies(suite: AnySuite, options: PlayOptions): Promise<void> {
  const samples = await samplesOf(suite, { ...options, samples: Math.min(2, options.samples) })
  await inTemporaryStore(suite, options, async (play) => {
    for (const [i, [what, text]] of Object.entries(strangeReplies()).entries()) {
      const run = await play(replyingModel(text), [samples[i % samples.length]!.id]).catch((error: unknown) =>
        fail(`${what}: ${messageOf(error)}\n${error instanceof Error ? error.stack : ''}`),
      )
      for (const { status } of await run.reader.episodes()) {
        ok(['answered', 'no_answer', 'parse_failed'].includes(status), `${what} ended as ${status}`)
      }
      await run.report()
    }
  })
}

async function checkPlayer(suite: AnySuite, player: string, options: PlayOptions): Promise<void> {
  await inTemporaryStore(suite, options, async (play) => {
    const run = await play(player)
    const lines = await run.reader.episodes()
    for (const { sample: id, status, error } of lines) {
      ok(status !== 'model_error' && status !== 'missing_asset', `sample ${id} ended as ${status}: ${error}`)
    }
    await checkRecord(suite, run.reader, lines)
    await checkRescored(suite, run, lines)
    checkReport(await run.report())
    const shuffled = buildReport({ header: run.reader.header, rows: lines.toReversed(), suite })
    deepStrictEqual(shuffled, buildReport({ header: run.reader.header, rows: lines, suite }))
  })
}

/** Recorded events and outcomes must match their schemas. */
async function checkRecord(suite: AnySuite, reader: RunReader, lines: readonly EpisodeLine[]): Promise<void> {
  for (const line of lines) {
    const events = await reader.events(line)
    ok(isEvent(events[0], 'sample'), `the first event of ${line.sample} is not its sample`)
    for (const event of events) {
      const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
      if (ENGINE_EVENTS.has(type)) continue
      const schema = Object.hasOwn(suite.events, type) ? suite.events[type] : undefined
      if (!schema) fail(`events of type "${type}" have no schema`)
      const problem = safeParse(schema, event).error
      if (problem) fail(`an event of ${line.sample} does not match the schema of "${type}": ${problem.message}`)
    }
    const outcome = events.findLast((event) => isEvent(event, 'outcome'))
    const problem = isEvent(outcome, 'outcome') && suite.schemas.outcome?.safeParse(outcome['outcome']).error
    if (problem) fail(`the outcome of ${line.sample} does not match its schema: ${problem.message}`)
    checkDescription(suite, reader.header, events[0]['sample'], isEvent(outcome, 'outcome') ? outcome['outcome'] : null)
  }
}

/** Episodes without an outcome are described too. */
function checkDescription(suite: AnySuite, header: RunHeader, sample: unknown, outcome: unknown): void {
  const context = { profile: header.profile, options: suiteOptions(suite, header.options), images: [] }
  for (const given of [outcome, null]) {
    const { truth, choices } = suite.describe?.(sample, given, context) ?? {}
    if (typeof truth === 'string' && choices)
      ok(choices.includes(truth), `the truth "${truth}" is not among the choices`)
  }
}

/** Event types written by the engine. */
const ENGINE_EVENTS: ReadonlySet<string> = new Set([
  'sample',
  'message',
  'ask',
  'reply',
  'media',
  'outcome',
  'measurement',
])

async function checkRescored(suite: AnySuite, { reader }: PlayedRun, lines: readonly EpisodeLine[]): Promise<void> {
  const again = new Map<string, unknown>()
  for await (const row of rescore(reader, suite, reader.header.profile)) again.set(row.sample, row.scores)
  for (const line of lines) deepStrictEqual(again.get(line.sample), line.scores, `scores of ${line.sample}`)
  for (const profile of suite.profiles) {
    for await (const { scores } of rescore(reader, suite, profile)) assertPlainJson(scores, `scores under ${profile}`)
  }
}

function checkReport(report: Report): void {
  const keys = new Set<string>()
  ok(
    report.rows.some(({ key }) => key === report.headline),
    `no row has the headline key ${report.headline}`,
  )
  for (const { key, title, unit, value, interval, noInterval } of report.rows) {
    ok(!keys.has(key), `two rows have the key ${key}`)
    keys.add(key)
    ok(title !== '' && ['percent', 'number'].includes(unit), `row ${key} has no title or unit`)
    if (value === null || report.clusters < 2) continue
    ok(
      interval !== null || noInterval !== undefined,
      `row ${key} has neither a confidence interval nor a reason for its absence`,
    )
  }
}

async function checkChance(suite: AnySuite, options: PlayOptions): Promise<void> {
  await inTemporaryStore(suite, options, async (play) => {
    const run = await play(`${BASELINE_PREFIX}random`)
    assertNearChance(suite, run.reader.header, await run.reader.episodes())
  })
}

async function checkCeiling(suite: AnySuite, options: PlayOptions): Promise<void> {
  await inTemporaryStore(suite, options, async (play) => {
    const run = await play(`${BASELINE_PREFIX}oracle`)
    assertAtCeiling(suite, run.reader.header, await run.reader.episodes())
  })
}

async function linesOf({ reader }: PlayedRun): Promise<EpisodeLine[]> {
  return (await reader.episodes()).map((line) => ({ ...line, ms: 0, events: [0, 0] }))
}

async function samplesOf(suite: AnySuite, options: PlayOptions): Promise<SampleBase[]> {
  const found: SampleBase[] = []
  const selection = { from: 0, to: options.samples, ids: null }
  for await (const { sample } of selectedSamples(await sourceOf(suite, options), selection)) found.push(sample)
  return found
}

function sourceOf(suite: AnySuite, { source, options = {}, profile }: PlayOptions): ReturnType<typeof openSource> {
  return openSource(suite, source ?? defaultSource(suite), suiteOptions(suite, options), {
    seed: 0,
    profile: profile ?? suite.profiles[0],
  })
}

function assertPlainJson(value: unknown, what: string): void {
  deepStrictEqual(JSON.parse(JSON.stringify(value)), value, `${what} is not plain JSON`)
}
