/**
 * These errors are recognized by a mark and not by their class: a custom suite may bring its own copy of this package,
 * whose errors mean the same.
 */
const MARK = Symbol.for('sightline.error')

function isMarked(value: unknown, mark: string): boolean {
  return typeof value === 'object' && value !== null && MARK in value && value[MARK] === mark
}

/**
 * An error that the user can act on: what is wrong, where, and what to do next. The command line prints it without a
 * stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError'
  readonly [MARK] = 'user'
  /** What to do next. */
  readonly hint: string | undefined
  /** This machine lacks something, such as a package: every sample would meet the same error. */
  readonly setup: boolean

  constructor(message: string, options: { hint?: string; setup?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
    this.setup = options.setup === true
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // Subclasses use the ordinary check.
    return this === UserError ? isMarked(value, 'user') : super[Symbol.hasInstance](value)
  }
}

/** A file that a sample needs is missing or damaged. The sample is excluded from the scores; the run continues. */
export class MissingAssetError extends Error {
  override readonly name = 'MissingAssetError'
  readonly [MARK] = 'missing-asset'

  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === MissingAssetError ? isMarked(value, 'missing-asset') : super[Symbol.hasInstance](value)
  }
}

/**
 * For `catch`: turns a `UserError` about a file into a `MissingAssetError`, which fails only the sample and not the run.
 * Rethrows all other errors.
 *
 * @param redact may remove local paths from the message
 */
export function toMissingAsset(error: unknown, redact: (message: string) => string = (message) => message): never {
  if (error instanceof UserError && !error.setup) throw new MissingAssetError(redact(error.message), { cause: error })
  throw error
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of a system error (`ENOSPC`, `EACCES` …); undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const FILE_ERROR_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
}

/** Why a file or folder cannot be read, to follow a colon; without a full stop. */
export function fileErrorReason(error: unknown): string {
  return FILE_ERROR_REASONS[codeOf(error) ?? ''] ?? trimFullStop(messageOf(error))
}

/** Drops the full stop of a message that becomes part of a sentence. */
export function trimFullStop(message: string): string {
  return message.replace(/[.\s]+$/, '')
}
