/** The code of a suite that is loaded from a file: what it is made of, so that two machines can tell whether they have the same. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, relative, resolve } from 'node:path'

/** A suite has a handful of files; more than this is somebody's whole project. */
const MAX_FILES = 2000

/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')`, `new URL('./prompts/', import.meta.url)`. */
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"\n]+)['"]|\bnew\s+URL\(\s*['"](\.[^'"\n]+)['"]/g
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '/index.ts', '/index.js']

interface Code {
  files: ReadonlyMap<string, Buffer>
  packages: ReadonlySet<string>
}

/** Hash of a module and of everything that it reaches through relative paths. */
export async function codeHash(file: string): Promise<string> {
  const { files } = await codeOf(file)
  const hash = createHash('sha256')
  const root = dirname(file)
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${relative(root, path).replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Names of packages that a module imports, itself or through its own files. */
export async function importedPackages(file: string): Promise<ReadonlySet<string>> {
  return (await codeOf(file)).packages
}

async function codeOf(entry: string): Promise<Code> {
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

/** The file that a relative path means, or all files of a folder; none where there is nothing. */
async function filesAt(path: string, isFolder: boolean): Promise<string[]> {
  const tried = [...ENDINGS.map((ending) => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')]
  for (const each of tried) {
    const found = await stat(each).catch(() => null)
    if (found?.isFile()) return [each]
    if (isFolder && found?.isDirectory()) {
      const entries = await readdir(each, { withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(each, entry.name))
    }
  }
  return []
}
