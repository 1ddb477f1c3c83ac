/** Reads and validates VSI-Bench tables, as JSON lines or Parquet. */
import { basename } from 'node:path'
import { z } from 'zod'
import { messageOf, readParquet, readRegular, sha256, UserError, parseForeignJson } from '../../../suite.ts'
import { SCAN_DATASETS } from '../../../world.ts'

/** Unknown columns are ignored: pandas can write its index as an extra column. */
const row = z.object({
  // Parquet integers are 64-bit.
  id: z.union([z.int(), z.bigint().transform(Number)]),
  dataset: z.enum(SCAN_DATASETS),
  scene_name: z.string().min(1),
  question_type: z.string().min(1),
  question: z.string().min(1),
  options: z.array(z.string()).nullish(),
  ground_truth: z.union([z.string(), z.number().transform(String)]),
  pruned: z.boolean().nullish(),
})
export type VsiRow = z.output<typeof row>

const MAX_TABLE_BYTES = 1024 ** 3

export interface VsiTable {
  rows: VsiRow[]
  /** SHA-256 of the file. */
  sha256: string
}

export async function readTable(path: string): Promise<VsiTable> {
  const bytes = await readRegular(path, MAX_TABLE_BYTES)
  if (bytes.length === 0) throw new UserError(`${path} is empty (0 bytes).`, { hint: 'Download it again.' })
  const raw = path.endsWith('.parquet')
    ? await readParquet(bytes, basename(path))
    : jsonLines(path, bytes.toString('utf8'))
  const seen = new Set<number>()
  const rows: VsiRow[] = []
  for (const [i, value] of raw.entries()) {
    const parsed = row.safeParse(value)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!
      throw new UserError(`${basename(path)}, row ${i + 1}: ${issue.path.join('.') || 'row'}: ${issue.message}`, {
        hint: 'The file is not a VSI-Bench table, or it was modified. Download it again.',
      })
    }
    // A duplicate question would count twice.
    if (seen.has(parsed.data.id)) throw new UserError(`${basename(path)} has two rows with id ${parsed.data.id}.`)
    seen.add(parsed.data.id)
    rows.push(parsed.data)
  }
  return { rows, sha256: sha256(bytes) }
}

export function jsonLines(path: string, text: string): unknown[] {
  const values: unknown[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      values.push(parseForeignJson(line))
    } catch (error) {
      throw new UserError(`${basename(path)}, line ${i + 1} is not JSON: ${messageOf(error)}`, {
        hint: 'Download it again.',
      })
    }
  }
  return values
}
