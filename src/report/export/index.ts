/** Exports runs to the formats of other tools. */
import { episodesCsv } from './csv.ts'
import { everyEvalEverFiles } from './every-eval-ever.ts'
import { hfEvalResultsFiles } from './hf-eval-results.ts'
import { inspectLog } from './inspect.ts'
import { lmmsEvalFiles } from './lmms-eval.ts'
import { trajectories } from './trajectories.ts'
import type { ExportedFile, ExportFormat, ExportInput } from './types.ts'

export { EXPORT_FORMATS, type ExportedFile, type ExportFormat, type ExportInput } from './types.ts'

/**
 * The files of a run in another tool's format. Their chunks are produced lazily, one episode at a time.
 *
 * @example
 * for (const { name, chunks } of exportedFiles(input, 'inspect')) await writeFile(join(folder, name), chunks)
 */
export function exportedFiles(input: ExportInput, format: ExportFormat): ExportedFile[] {
  const name = input.header.id.replace(/[^\w.-]+/g, '_')
  const files: Readonly<Record<ExportFormat, () => ExportedFile[]>> = {
    inspect: () => [{ name: `${name}.json`, chunks: inspectLog(input) }],
    'lmms-eval': () => lmmsEvalFiles(input),
    csv: () => [{ name: `${name}.csv`, chunks: episodesCsv(input) }],
    'every-eval-ever': () => everyEvalEverFiles(input),
    'hf-eval-results': () => hfEvalResultsFiles(input),
    trajectories: () => [{ name: `${name}.jsonl`, chunks: trajectories(input) }],
  }
  return files[format]()
}
