import { UserError } from '../../base/errors.ts'
import type { ReportFormat } from '../../report/render/index.ts'

const BY_ENDING: Readonly<Record<string, ReportFormat>> = {
  '.txt': 'table',
  '.md': 'md',
  '.csv': 'csv',
  '.tex': 'latex',
  '.json': 'json',
  '.html': 'html',
}

/** The report format that a file name asks for. */
export function formatByEnding(ending: string): ReportFormat {
  const format = BY_ENDING[ending]
  if (format) return format
  throw new UserError(`A report cannot be written as "${ending}".`, {
    hint: `Endings: ${Object.keys(BY_ENDING).join(' ')}.`,
  })
}
