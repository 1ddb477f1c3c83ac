import { randomInt } from 'node:crypto'
import { UserError } from '../base/errors.ts'

/** Without 0, 1, l and o, which are easily confused. */
const SUFFIX_LETTERS = '23456789abcdefghijkmnpqrstuvwxyz'
const SUFFIX_LENGTH = 4
/** Maximum length of the suite and model parts, to keep ids well under the 255 bytes of a file name. */
const NAME_LENGTH = 60
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$/

/**
 * Creates a run id: time, suite, model and a random suffix. Ids sort by time.
 *
 * @example
 * newRunId('space/text', 'openai/gpt-5.2', new Date()) // 2026-11-15T10-02-33_space-text_gpt-5.2_k3v9
 */
export function newRunId(suite: string, model: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('')
  // Without the provider: `openai/gpt-5.2` becomes `gpt-5.2`.
  const modelName = model.slice(model.indexOf('/') + 1)
  return [time, fileName(suite), fileName(modelName), suffix].join('_')
}

function fileName(name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9.+]+/g, '-')
    .slice(0, NAME_LENGTH)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  return plain === '' ? 'x' : plain
}

/** Whether a string is a valid run id. Ids are folder names, so they cannot contain a path. */
export function isRunId(id: string): boolean {
  return RUN_ID.test(id) && id !== 'latest'
}

export function checkRunId(id: string): void {
  if (isRunId(id)) return
  throw new UserError(`${JSON.stringify(id.slice(0, 80))} is not a valid run id.`, {
    hint: 'An id starts with a letter or digit and contains only letters, digits and . _ + -',
  })
}
