import { UserError } from '../../base/errors.ts'

/** A file that cannot be read as what it says it is: which file, where in it, what is wrong. */
export function brokenFile(file: string, problem: string, hint?: string): UserError {
  return new UserError(`${file}: ${problem}`, hint === undefined ? {} : { hint })
}
