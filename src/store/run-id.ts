import { randomInt } from 'node:crypto'
import { UserError } from '../base/errors.ts'

/** No 0, 1, l, o: an id is read aloud and typed by hand. */
const SUFFIX_LETTERS = '23456789abcdefghijkmnpqrstuvwxyz'
const SUFFIX_LENGTH = 4
/** Longest part taken from a suite's or a model's name: keeps ids well under the 255 bytes of a file name. */
const NAME_LENGTH = 60
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}$/

/**
 * A name for a new run that sorts by time and says what it is.
 *
 * @example
 * newRunId('space/text', 'openai/gpt-5.2', new Date()) // 2026-11-15T10-02-33_space-text_gpt-5.2_k3v9
 */
export function newRunId(suite: string, model: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('')
  // `openai/gpt-5.2` is known by what follows the provider.
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

/** Can this be the id of a run? Ids name folders, so nothing that could lead out of `runs/` is one. */
export function isRunId(id: string): boolean {
  return RUN_ID.test(id) && id !== 'latest'
}

export function checkRunId(id: string): void {
  if (isRunId(id)) return
  throw new UserError(`${JSON.stringify(id.slice(0, 80))} cannot be the id of a run.`, {
    hint: 'An id starts with a letter or digit, and has only letters, digits and . _ + - in it.',
  })
}
