import { UserError } from '../../base/errors.ts'
import type { ReportFormat } from '../../report/render/index.ts'

const BY_EXTENSION: Readonly<Record<string, ReportFormat>> = {
  '.txt': 'table',
  '.md': 'md',
  '.csv': 'csv',
  '.tex': 'latex',
  '.json': 'json',
  '.html': 'html',
}

/** The report format for a file extension. */
export function formatByExtension(extension: string): ReportFormat {
  const format = BY_EXTENSION[extension]
  if (format) return format
  throw new UserError(`Unknown report format "${extension}".`, {
    hint: `Use one of ${Object.keys(BY_EXTENSION).join(' ')}`,
  })
}
