/** `sightline show`: one run on one screen. */
import { relative, sep } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { shellCommand } from '../../base/shell-quote.ts'
import { resumeCommand, runCommand } from '../../library/commands.ts'
import { makeReport } from '../../engine/reporting.ts'
import { DEFAULT_STORE } from '../../library/run.ts'
import { openStore } from '../../library/results.ts'
import { suiteFinder } from '../../library/suites.ts'
import { formatCount, formatUsd, formatWithInterval } from '../../report/format.ts'
import type { Report } from '../../report/report.ts'
import type { RunHeader, RunStatus } from '../../store/records.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { bold, columns, print } from '../terminal/output.ts'
import { printableLines } from '../../base/printable.ts'

/** Wide enough for most commands, narrow enough for any terminal. */
const WIDTH = 80
const HASH_LENGTH = 12

interface ShowOptions extends StoredOptions {
  json?: boolean
}

export async function show(name: string, options: ShowOptions): Promise<void> {
  const { store, suites } = await storeOptions(options)
  const reader = await (await openStore(store)).openRun(name)
  const { header, dir } = reader
  const [status, finished] = await Promise.all([reader.status(), reader.finishedCount()])
  const found = await suiteFinder(suites)
    .ofRun(reader)
    .then(
      async (suite) => ({ suite, report: finished > 0 ? await makeReport(reader, suite) : null, problem: null }),
      (error: unknown) => ({ suite: null, report: null, problem: messageOf(error) }),
    )
    // A damaged journal, or a profile that the suite no longer has.
    .catch((error: unknown) => ({ suite: null, report: null, problem: messageOf(error) }))
  const errors = found.report?.byStatus.model_error ?? 0
  const canResume = status.state === 'interrupted' || status.state === 'failed' || errors > 0
  const repeat = runCommand(header, found.suite)
  const where = options.logDir === DEFAULT_STORE ? [] : ['--log-dir', options.logDir]
  const resume = repeat && canResume ? ['npx', ...resumeCommand(header.id, errors > 0), ...where] : null
  if (options.json) {
    const commands = { command: repeat && shellCommand(repeat), resume: resume && shellCommand(resume) }
    print(
      JSON.stringify(
        { header, status, finished, dir, ...commands, problem: found.problem, report: found.report },
        null,
        2,
      ),
    )
    return
  }
  print(bold(printableLines(header.id)))
  const facts = {
    ...settings(header),
    ...state(header, status, finished, found.report),
    ...result(found),
    ...files(header, status, dir),
  }
  print(
    columns(
      Object.entries(facts).map(([what, words]) => [what, printableLines(words)]),
      '  ',
      WIDTH,
    ),
  )
  for (const [title, command] of [
    ['Run it again', repeat],
    ['Resume it', resume],
  ] as const) {
    if (command) print(`\n${bold(title)}\n${printableLines(shellCommand(command, WIDTH))}`)
  }
}

type Facts = Readonly<Record<string, string>>

function settings({ suite, suiteVersion, profile, models, source }: RunHeader): Facts {
  const { player = '', ...roles } = models
  return { suite: `${suite}, version ${suiteVersion}`, profile, source, model: player, ...roles }
}

function state(
  { planned }: RunHeader,
  { state: name, reason }: RunStatus,
  finished: number,
  report: Report | null,
): Facts {
  const failures = Object.entries(report?.byStatus ?? {}).filter(
    ([status, count]) => status !== 'answered' && count > 0,
  )
  const ended = failures.map(([status, count]) => `${count} ${status.replace('_', ' ')}`)
  return {
    state: reason === null ? name : `${name}: ${reason}`,
    episodes: [`${finished} of ${planned}`, ...ended].join(', '),
  }
}

function result({ report, problem }: { report: Report | null; problem: string | null }): Facts {
  const headline = report?.rows.find(({ key }) => key === report.headline)
  return {
    ...(headline && {
      score: `${headline.title} ${formatWithInterval(headline.value, headline.interval, headline.unit)}`,
    }),
    ...(report && report.warnings.length > 0 && { problems: report.warnings.join(' ') }),
    ...(problem !== null && { problem }),
    ...(report && { cost: costOf(report.usage) }),
  }
}

function costOf({ usd, calls, inputTokens, outputTokens, cachedInputTokens }: Report['usage']): string {
  const tokens = inputTokens + outputTokens
  const cached = cachedInputTokens > 0 ? ` (${formatCount(cachedInputTokens)} cached)` : ''
  const used = tokens > 0 ? `, ${formatCount(inputTokens)} tokens in${cached}, ${formatCount(outputTokens)} out` : ''
  return `${formatUsd(usd)} for ${plural(calls, 'call')}${used}`
}

function files({ created, fingerprint, versions }: RunHeader, { updated }: RunStatus, dir: string): Facts {
  const time = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  const made = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return {
    started: time(created),
    updated: time(updated),
    with: made.join(', '),
    fingerprint: fingerprint.hash.slice(0, HASH_LENGTH),
    folder: dir.startsWith(process.cwd() + sep) ? relative('', dir) : dir,
  }
}
