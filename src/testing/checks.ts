/** What must hold for every suite, each as a check with a name. */
import { deepStrictEqual, fail, ok } from 'node:assert/strict'
import { safeParse } from 'zod/mini'
import { messageOf, UserError } from '../base/errors.ts'
import { suiteOptions } from '../engine/options.ts'
import { BASELINE_PREFIX, checkPlaysSource } from '../engine/players.ts'
import { isEvent } from '../engine/recorder.ts'
import { rescore } from '../engine/rescore.ts'
import { defaultSource, openSource, selectedSamples } from '../engine/source.ts'
import type { AnySuite } from '../engine/suite.ts'
import { buildReport } from '../report/report.ts'
import type { EpisodeLine } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { isCloseToChance, reachesCeiling } from './chance.ts'
import type { CheckedSuite } from './load.ts'
import { hashOfSamples, hashOfSamplesElsewhere } from './other-process.ts'
import { onStage, replyingModel, type StagedRun, type Staging } from './stage.ts'
import { strangeReplies } from './strange-replies.ts'

export interface CheckOptions {
  /** Samples that each built-in player plays. Default 8. */
  samples?: number
  /** Samples that `random` and `oracle` play to be compared with chance and ceiling. Default 60. */
  chanceSamples?: number
  source?: string
  options?: Readonly<Record<string, unknown>>
}

export interface SuiteCheck {
  name: string
  run: () => Promise<void>
}

/** All checks of a suite. Each plays in a temporary store and needs no network. */
export function suiteChecks({ suite, loadFrom }: CheckedSuite, options: CheckOptions = {}): SuiteCheck[] {
  const { samples = 8, chanceSamples = 60, ...chosen } = options
  const few: Staging = { ...chosen, samples }
  const many: Staging = { ...chosen, samples: chanceSamples }
  const players = playersOf(suite, chosen.source)
  const checks: SuiteCheck[] = [
    { name: 'samples are plain JSON with unique ids and match their schema', run: () => checkSamples(suite, few) },
    {
      name: 'the same seed gives the same samples in another process',
      run: () => checkElsewhere(suite, loadFrom, few),
    },
    { name: 'has an estimate', run: () => checkEstimate(suite, few) },
    { name: 'the order in which samples are played changes nothing', run: () => checkOrder(suite, few) },
    { name: 'gives every strange reply a status', run: () => checkStrangeReplies(suite, few) },
  ]
  for (const player of players) {
    checks.push({ name: `${player} plays, and its run is sound`, run: () => checkPlayer(suite, player, few) })
  }
  if (players.includes(`${BASELINE_PREFIX}random`)) {
    checks.push({ name: 'random is near its stated chance', run: () => checkChance(suite, many) })
  }
  if (players.includes(`${BASELINE_PREFIX}oracle`)) {
    checks.push({ name: 'oracle is at its ceiling', run: () => checkCeiling(suite, many) })
  }
  return checks
}

/** Built-in players that can play this source. */
function playersOf(suite: AnySuite, source: string = defaultSource(suite)): string[] {
  return Object.keys(suite.baselines)
    .map((name) => BASELINE_PREFIX + name)
    .filter((id) => {
      try {
        checkPlaysSource(suite, id, source)
        return true
      } catch (error) {
        if (error instanceof UserError) return false
        throw error
      }
    })
}

async function checkSamples(suite: AnySuite, staging: Staging): Promise<void> {
  const ids = new Set<string>()
  for (const sample of await samplesOf(suite, staging)) {
    isPlain(sample, `sample ${sample.id}`)
    ok(/^\S+$/.test(sample.id), `the id "${sample.id}" is empty or has spaces`)
    ok(!ids.has(sample.id), `two samples have the id ${sample.id}`)
    ids.add(sample.id)
    const problem = suite.schemas.sample?.safeParse(sample).error
    if (problem) fail(`sample ${sample.id} does not match its schema: ${problem.message}`)
  }
  ok(ids.size > 0, 'the source has no samples')
}

async function checkElsewhere(suite: AnySuite, loadFrom: string | null, staging: Staging): Promise<void> {
  const wanted = { name: suite.name, loadFrom, ...staging }
  deepStrictEqual(await hashOfSamplesElsewhere(wanted), await hashOfSamples(suite, wanted))
}

async function checkEstimate(suite: AnySuite, staging: Staging): Promise<void> {
  const options = suiteOptions(suite, staging.options ?? {})
  for (const sample of await samplesOf(suite, staging)) {
    const { calls, inputTokens, outputTokens } = suite.estimate(sample, options)
    ok(calls > 0 && Number.isFinite(calls), `${calls} calls for sample ${sample.id}`)
    for (const tokens of [inputTokens, outputTokens]) ok(tokens >= 0 && Number.isFinite(tokens), `${tokens} tokens`)
  }
}

/** Plays the first samples on their own, last first: what was played before must leave no trace. */
async function checkOrder(suite: AnySuite, staging: Staging): Promise<void> {
  const [player] = playersOf(suite, staging.source)
  if (player === undefined) return
  await onStage(suite, { ...staging, samples: Math.min(4, staging.samples) }, async (play) => {
    const together = await linesOf(await play(player))
    for (const line of together.toReversed()) deepStrictEqual(await linesOf(await play(player, [line.sample])), [line])
  })
}

async function checkStrangeReplies(suite: AnySuite, staging: Staging): Promise<void> {
  await onStage(suite, { ...staging, samples: Math.min(2, staging.samples) }, async (play) => {
    for (const [what, text] of Object.entries(strangeReplies())) {
      const run = await play(replyingModel(text)).catch((error: unknown) =>
        fail(`${what}: ${messageOf(error)}\n${error instanceof Error ? error.stack : ''}`),
      )
      for (const { status } of await run.reader.episodes()) {
        ok(['answered', 'no_answer', 'parse_failed'].includes(status), `${what} ended as ${status}`)
      }
    }
  })
}

async function checkPlayer(suite: AnySuite, player: string, staging: Staging): Promise<void> {
  await onStage(suite, staging, async (play) => {
    const run = await play(player)
    const lines = await run.reader.episodes()
    for (const { sample: id, status, error } of lines) {
      ok(status !== 'model_error' && status !== 'missing_asset', `sample ${id} ended as ${status}: ${error}`)
    }
    await checkRecord(suite, run.reader, lines)
    await checkScoredAgain(suite, run, lines)
    checkReport(run)
    const shuffled = buildReport({ header: run.reader.header, rows: lines.toReversed(), suite })
    deepStrictEqual(shuffled, buildReport({ header: run.reader.header, rows: lines, suite }))
  })
}

/** What is on disk is plain JSON by nature; what was meant to be there must match its schema. */
async function checkRecord(suite: AnySuite, reader: RunReader, lines: readonly EpisodeLine[]): Promise<void> {
  for (const line of lines) {
    const events = await reader.events(line)
    ok(isEvent(events[0], 'sample'), `the first event of ${line.sample} is not its sample`)
    for (const event of events) {
      const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
      if (RECORDED.has(type)) continue
      const schema = Object.hasOwn(suite.events, type) ? suite.events[type] : undefined
      if (!schema) fail(`events of the type "${type}" have no schema`)
      const problem = safeParse(schema, event).error
      if (problem) fail(`an event of ${line.sample} does not match the schema of "${type}": ${problem.message}`)
    }
    const outcome = events.findLast((event) => isEvent(event, 'outcome'))
    const problem = isEvent(outcome, 'outcome') && suite.schemas.outcome?.safeParse(outcome['outcome']).error
    if (problem) fail(`the outcome of ${line.sample} does not match its schema: ${problem.message}`)
  }
}

/** Events that the engine writes. */
const RECORDED: ReadonlySet<string> = new Set(['sample', 'message', 'ask', 'reply', 'media', 'outcome', 'measurement'])

async function checkScoredAgain(suite: AnySuite, { reader }: StagedRun, lines: readonly EpisodeLine[]): Promise<void> {
  const again = new Map<string, unknown>()
  for await (const row of rescore(reader, suite, reader.header.profile)) again.set(row.sample, row.scores)
  for (const line of lines) deepStrictEqual(again.get(line.sample), line.scores, `scores of ${line.sample}`)
  for (const profile of suite.profiles) {
    for await (const { scores } of rescore(reader, suite, profile)) isPlain(scores, `scores under ${profile}`)
  }
}

function checkReport({ report }: StagedRun): void {
  const keys = new Set<string>()
  ok(
    report.rows.some(({ key }) => key === report.headline),
    `no row has the key of the headline, ${report.headline}`,
  )
  for (const { key, title, unit, value, interval, noInterval } of report.rows) {
    ok(!keys.has(key), `two rows have the key ${key}`)
    keys.add(key)
    ok(title !== '' && ['percent', 'number'].includes(unit), `row ${key} has no title or unit`)
    if (value === null || report.clusters < 2) continue
    ok(interval !== null || noInterval !== undefined, `row ${key} has a value and neither an interval nor a reason`)
  }
}

async function checkChance(suite: AnySuite, staging: Staging): Promise<void> {
  await onStage(suite, staging, async (play) => {
    const run = await play(`${BASELINE_PREFIX}random`)
    isCloseToChance(suite, run.reader.header, await run.reader.episodes())
  })
}

async function checkCeiling(suite: AnySuite, staging: Staging): Promise<void> {
  await onStage(suite, staging, async (play) => {
    const run = await play(`${BASELINE_PREFIX}oracle`)
    reachesCeiling(suite, run.reader.header, await run.reader.episodes())
  })
}

async function linesOf({ reader }: StagedRun): Promise<EpisodeLine[]> {
  return (await reader.episodes()).map((line) => ({ ...line, ms: 0, events: [0, 0] }))
}

async function samplesOf(suite: AnySuite, { samples, source, options = {}, profile }: Staging) {
  const opened = await openSource(suite, source ?? defaultSource(suite), suiteOptions(suite, options), {
    seed: 0,
    profile: profile ?? suite.profiles[0],
  })
  const found = []
  for await (const { sample } of selectedSamples(opened, { from: 0, to: samples, ids: null })) found.push(sample)
  return found
}

function isPlain(value: unknown, what: string): void {
  deepStrictEqual(JSON.parse(JSON.stringify(value)), value, `${what} is not plain JSON`)
}
