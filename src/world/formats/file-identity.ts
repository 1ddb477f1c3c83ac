import { statSync } from 'node:fs'

/** What changes whenever a file's bytes do: a file that still has the same need not be read to know its hash. */
export interface FileIdentity {
  text: string
  /** When the file was last touched in any way, milliseconds. */
  changedMs: number
}

/** Undefined where there is no such file. */
export function fileIdentity(path: string): FileIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join(':'), changedMs: Number(ctimeMs) }
}
