/** `sightline compare` */
import { compare } from '../../library/results.ts'
import { type ComparisonFormat, renderComparison } from '../../report/render/comparison.ts'
import { fitFor } from '../results/tables.ts'
import { print } from '../terminal/output.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'

interface CompareOptions extends StoredOptions {
  profile?: string
  format: ComparisonFormat
  json?: boolean
  all?: boolean
}

export async function compareRuns(a: string, b: string, options: CompareOptions): Promise<void> {
  const comparison = await compare(a, b, { ...(await storeOptions(options)), profile: options.profile })
  const fit = fitFor({ all: options.all, file: '--format md' })
  print(renderComparison(comparison, options.json ? 'json' : options.format, fit))
}
