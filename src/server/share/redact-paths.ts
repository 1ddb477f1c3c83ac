/** Removes absolute paths of this machine from exported data. */
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import { parseSource } from '../../engine/source.ts'

/** Returns a function that shortens paths in JSON text: the home folder becomes `~`, others `…`. */
export function redactPaths(storeDir: string, source: string): (json: string) => string {
  const sourcePaths = Object.values(parseSource(source).args).filter((path) => isAbsolute(path))
  const patterns = [
    ...[storeDir, process.cwd(), ...sourcePaths].map((path) => [path, '…'] as const),
    [homedir(), '~'] as const,
  ]
    .filter(([path]) => path.length > 1)
    .sort(([a], [b]) => b.length - a.length)
    .map(([path, short]) => {
      const escaped = JSON.stringify(path)
        .slice(1, -1)
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      return [new RegExp(`(?<![\\w./~…-])${escaped}(?![\\w.-])`, 'g'), short] as const
    })
  return (json) => patterns.reduce((text, [pattern, short]) => text.replace(pattern, short), json)
}
