import { basename, isAbsolute, sep } from 'node:path'
import { MissingAssetError } from '../base/errors.ts'

/**
 * Resolves the names that samples use for files of their source to paths on this machine. Each worker has its own.
 *
 * @example
 * const scans = episode.files.path(sample.root, 'the scans')
 */
export class DataFiles {
  readonly roots: Readonly<Record<string, string>>

  constructor(roots: Readonly<Record<string, string>> = {}) {
    this.roots = roots
  }

  /** The path for a name. `what` describes the file in the error if the source has no such name. */
  path(name: string, what: string): string {
    const path = Object.hasOwn(this.roots, name) ? this.roots[name] : undefined
    if (path === undefined) throw new MissingAssetError(`cannot find ${what}: its source is not open`)
    return path
  }

  /** Removes absolute paths from a message for the log; files are named relative to their source. */
  redact(text: string): string {
    let redacted = text
    for (const path of new Set(Object.values(this.roots))) {
      if (!isAbsolute(path) || path === sep) continue
      const folder = path.endsWith(sep) ? path : `${path}${sep}`
      redacted = redacted.replaceAll(folder, '').replaceAll(path, basename(path))
    }
    return redacted
  }
}
