/**
 * Where the files of an opened source are on this machine, by the names that its samples use. It travels with the run: to
 * threads, and a worker has its own.
 */
import { basename, isAbsolute, sep } from 'node:path'
import { MissingAssetError } from '../base/errors.ts'

export class DataFiles {
  readonly roots: Readonly<Record<string, string>>

  constructor(roots: Readonly<Record<string, string>> = {}) {
    this.roots = roots
  }

  /** The path with this name; `what` is what a person would call it, for when the source does not have it. */
  path(name: string, what: string): string {
    const path = Object.hasOwn(this.roots, name) ? this.roots[name] : undefined
    if (path === undefined) throw new MissingAssetError(`${what} cannot be found: its source is not open here`)
    return path
  }

  /** A message for the log: files are named from the folder of their source on, not by where that is on this machine. */
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
