/**
 * These errors are known by a mark and not by their class: a suite of somebody else may have brought its own copy of this
 * package, and its `MissingAssetError` means what ours does.
 */
const MARK = Symbol.for('sightline.error')

function isMarked(value: unknown, mark: string): boolean {
  return typeof value === 'object' && value !== null && MARK in value && value[MARK] === mark
}

/**
 * An error that a person can act on: what was expected, what was found, where, and what to do next.
 * The command line prints its message alone, never a stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly [MARK] = 'user'
  /** What to do next, in one sentence. */
  readonly hint: string | undefined

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class made from this one knows its own.
    return this === UserError ? isMarked(value, 'user') : super[Symbol.hasInstance](value)
  }
}

/** A file that a case needs is not there or is broken. The case is left out of the denominator; the run goes on. */
export class MissingAssetError extends Error {
  override readonly name = 'MissingAssetError'
  readonly [MARK] = 'missing-asset'

  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === MissingAssetError ? isMarked(value, 'missing-asset') : super[Symbol.hasInstance](value)
  }
}

/**
 * For `catch`: what is wrong with a file is told in its own words, and its case is left out while the others go on. All
 * other errors stay what they are. `tell` may take out where the file lies.
 */
export function toMissingAsset(error: unknown, tell: (words: string) => string = (words) => words): never {
  if (error instanceof UserError) throw new MissingAssetError(tell(error.message), { cause: error })
  throw error
}

/** The words of any thrown value, for a log line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of a system error (`ENOSPC`, `EACCES` …), if it is one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const WHY_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
}

/** Why a file or a folder cannot be read, for the end of a sentence that names it; without a full stop. */
export function fileErrorReason(error: unknown): string {
  return WHY_UNREADABLE[codeOf(error) ?? ''] ?? trimFullStop(messageOf(error))
}

/** Words that go into a sentence of ours, which has its own full stop. */
export function trimFullStop(words: string): string {
  return words.replace(/[.\s]+$/, '')
}
