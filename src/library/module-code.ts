/** The files that make up a custom suite, and a hash of them: two machines compare it to check that they run the same code. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, relative, resolve } from 'node:path'

/** A suite has a handful of files; beyond this limit, the import graph has pulled in a whole project. */
const MAX_FILES = 2000

/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')`, `new URL('./prompts/', import.meta.url)`. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]|\bnew\s+URL\(\s*['"](\.[^'"\n]+)['"]/g
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js']

export interface Code {
  files: ReadonlyMap<string, Buffer>
  packages: ReadonlySet<string>
}

/** Hash of a module and of everything it imports or reads through relative paths. */
export async function codeHash(file: string): Promise<string> {
  return hashOfCode(file, await readCode(file))
}

export function hashOfCode(file: string, { files }: Code): string {
  const hash = createHash('sha256')
  const root = dirname(file)
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${relative(root, path).replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Packages that a module imports, directly or through its own files. */
export async function importedPackages(file: string): Promise<ReadonlySet<string>> {
  return (await readCode(file)).packages
}

/** A module, the files it reaches through relative paths, and the packages they import. */
export async function readCode(entry: string): Promise<Code> {
  const files = new Map<string, Buffer>()
  const packages = new Set<string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined && files.size < MAX_FILES; file = waiting.pop()) {
    if (files.has(file)) continue
    const content = await readFile(file)
    files.set(file, content)
    if (!/^\.[cm]?[jt]sx?$/.test(extname(file))) continue
    for (const [, imported, asset] of content.toString('utf8').matchAll(IMPORTED)) {
      const spec = imported ?? asset!
      if (spec.startsWith('.')) waiting.push(...(await filesAt(resolve(dirname(file), spec), spec.endsWith('/'))))
      else packages.add(spec)
    }
  }
  return { files, packages }
}

/** The file that a relative import resolves to, or all files of a folder; empty if there is none. */
async function filesAt(path: string, isFolder: boolean): Promise<string[]> {
  const tried = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')]
  for (const candidate of tried) {
    const found = await stat(candidate).catch(() => null)
    if (found?.isFile()) return [candidate]
    if (isFolder && found?.isDirectory()) {
      const entries = await readdir(candidate, { withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(candidate, entry.name))
    }
  }
  return []
}
