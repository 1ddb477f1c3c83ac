/** `sightline audit` */
import { audit as auditSuite } from '../../library/audit.ts'
import type { Audited } from '../../engine/audit/audit.ts'
import { plural } from '../../base/plural.ts'
import { type Audit, roundedAudit } from '../../report/audit.ts'
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
  prune?: string
  sampleId?: string[]
  suite?: string[]
  config?: string
}

export async function audit(suite: string, options: AuditCommandOptions): Promise<void> {
  const { output, prune, maxGain, json, ceiling, source, profile, limit, seed } = options
  if (output !== undefined) {
    checkExtension('--output', output, '.json')
    await checkWritable(output)
  }
  if (prune !== undefined) await checkWritable(prune)
  const { suites = [] } = await loadSettings(options.config)
  const steps = stepLine()
  const found = await auditSuite(suite, {
    options: options.task,
    ceiling,
    source,
    profile,
    limit,
    sampleIds: options.sampleId,
    seed,
    suites: [...(options.suite ?? []), ...suites],
    onProgress: (text) => steps.show(text),
  }).finally(() => steps.clear())
  const file = `${JSON.stringify(roundedAudit(found), null, 2)}\n`
  print(json ? file : `${renderTable(auditLayout(found), fitted())}${verdictLines(found)}`)
  if (output !== undefined) await writeOutput(output, file)
  await pruned(found, prune)
  if (maxGain === undefined) return
  const above = found.rows.filter((row) => givesAway(row, maxGain))
  if (above.length === 0) return
  process.exitCode = EXIT.episodeErrors
  say(
    `Words alone gain more than --max-gain ${maxGain} in ${above.map(({ title }) => title).join(', ')}: exit code ${EXIT.episodeErrors}.`,
  )
}

/** Writes the samples that words do not give away, one id per line; without a file, says how many there are. */
async function pruned({ easy, ids }: Audited, file: string | undefined): Promise<void> {
  const kept = ids.filter((id) => !easy.has(id))
  const share = `${plural(easy.size, 'sample')} of ${ids.length}`
  if (file === undefined) {
    if (easy.size > 0) say(`Words give away ${share}. To write the ids of the others: --prune ids.txt`)
    return
  }
  await writeOutput(file, kept.map((id) => `${id}\n`).join(''))
  const how = kept.length === 0 ? '' : ` Play them with: --sample-id @${file}`
  say(`${plural(kept.length, 'sample')} left, without ${share}.${how}`)
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
