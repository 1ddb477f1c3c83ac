/** Types of errors that a person has assigned to episodes: a file beside the run, which the journal knows nothing of. */
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { readRegularText } from '../base/regular-file.ts'
import { withDiskErrors, writeAtomically } from './disk.ts'

export const ERROR_TYPES_FILE = 'error-types.json'

const fileSchema = z.object({
  format: z.literal(1),
  /** One per episode at most, in no particular order. */
  episodes: z.array(z.object({ index: z.int(), epoch: z.int(), type: z.string().max(100) })),
})
export type AssignedError = z.output<typeof fileSchema>['episodes'][number]

/** Empty if nobody has assigned any. */
export async function readErrorTypes(runDir: string): Promise<readonly AssignedError[]> {
  const path = join(runDir, ERROR_TYPES_FILE)
  let text: string
  try {
    text = await readRegularText(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
  const parsed = fileSchema.safeParse(attempt(text))
  if (parsed.success) return parsed.data.episodes
  throw new UserError(`${path} is not a list of error types.`, { hint: 'Remove it, or restore it from a backup.' })
}

function attempt(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Assigns a type to an episode; null takes it away. Calls for one run must follow each other. */
export async function assignErrorType(
  runDir: string,
  { index, epoch }: Pick<AssignedError, 'index' | 'epoch'>,
  type: string | null,
): Promise<void> {
  const others = (await readErrorTypes(runDir)).filter((each) => each.index !== index || each.epoch !== epoch)
  const episodes = type === null ? others : [...others, { index, epoch, type }]
  const path = join(runDir, ERROR_TYPES_FILE)
  await withDiskErrors(path, () => writeAtomically(path, `${JSON.stringify({ format: 1, episodes }, null, 2)}\n`))
}
