/** `sightline audit` */
import { audit as auditSuite } from '../../library/audit.ts'
import type { Audit } from '../../report/audit.ts'
import { auditLayout, givesAway, verdicts } from '../../report/render/audit.ts'
import { renderTable } from '../../report/render/text-table.ts'
import { wrapWords } from '../../base/display-width.ts'
import { loadSettings } from '../../library/config.ts'
import { checkExtension, checkWritable, writeOutput } from '../results/output-file.ts'
import { fitFor } from '../results/tables.ts'
import { EXIT } from '../terminal/exit.ts'
import { print, say } from '../terminal/output.ts'
import { stepLine } from '../terminal/progress.ts'
import { terminalWidth } from '../terminal/size.ts'

interface AuditCommandOptions {
  task?: Record<string, string>
  profile?: string
  source?: string
  limit?: string
  seed?: number
  ceiling: boolean
  maxGain?: number
  json?: boolean
  output?: string
  suite?: string[]
  config?: string
}

export async function audit(suite: string, options: AuditCommandOptions): Promise<void> {
  const { output, maxGain, json, ceiling, source, profile, limit, seed } = options
  if (output !== undefined) {
    checkExtension('--output', output, '.json')
    await checkWritable(output)
  }
  const { suites = [] } = await loadSettings(options.config)
  const steps = stepLine()
  const found = await auditSuite(suite, {
    options: options.task,
    ceiling,
    source,
    profile,
    limit,
    seed,
    suites: [...(options.suite ?? []), ...suites],
    onProgress: (text) => steps.show(text),
  }).finally(() => steps.clear())
  if (json) print(JSON.stringify(rounded(found), null, 2))
  else print(`${renderTable(auditLayout(found), fitted())}${verdictLines(found)}`)
  if (output !== undefined) await writeOutput(output, `${JSON.stringify(rounded(found), null, 2)}\n`)
  if (maxGain === undefined) return
  const above = found.rows.filter((row) => givesAway(row, maxGain))
  if (above.length === 0) return
  process.exitCode = EXIT.episodeErrors
  say(
    `Words alone gain more than --max-gain ${maxGain} in ${above.map(({ title }) => title).join(', ')}: exit code ${EXIT.episodeErrors}.`,
  )
}

function fitted() {
  const fit = fitFor({ all: true, file: '-o audit.json' })
  return fit && { ...fit, all: true }
}

function verdictLines(found: Audit): string {
  const width = Math.max(40, terminalWidth())
  const lines = verdicts(found).flatMap((text) =>
    Number.isFinite(width) ? wrapWords(text, width - 2).map((line, i) => (i === 0 ? line : `  ${line}`)) : [text],
  )
  return `\n${lines.join('\n')}\n`
}

/** Four decimals: more would only be noise in a file. */
function rounded(found: Audit): Audit {
  return JSON.parse(JSON.stringify(found), (_, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(4)) : value,
  ) as Audit
}
