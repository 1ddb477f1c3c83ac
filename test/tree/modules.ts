/** Modules and their imports, parsed with regular expressions that rely on oxfmt's formatting. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Binding {
  /** The exported name; `*` for all. */
  name: string
  /** The local name. */
  local: string
}

export interface Import {
  /** Path from the repository root. */
  to: string
  kind: 'import' | 'export' | 'dynamic'
  typeOnly: boolean
  /** Values only, no types. */
  bindings: readonly Binding[]
}

export interface Module {
  path: string
  code: string
  imports: readonly Import[]
}

const CLAUSE = /^(import|export)\s+(type\s+)?([\w\s{},*$]*?)\s*from\s+'(\.[^']+)'/gm
const SIDE_EFFECT = /^import\s+'(\.[^']+)'/gm
/** Includes modules that threads load by path. */
const DYNAMIC =
  /(?:\{([\w\s,:]*)\}\s*=\s*await\s+)?\b(?:import|siblingModule|new (?:Limited)?Thread(?:<[^>]*>)?)\(\s*'(\.[^']+)'[^)]*\)(?:\)\.(\w+))?/g

/** All modules in some folders, by path. */
export function readModules(...folders: string[]): ReadonlyMap<string, Module> {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  )
  const known = new Set(paths)
  return new Map(paths.sort().map((path) => [path, readModule(path, known)]))
}

function readModule(path: string, known: ReadonlySet<string>): Module {
  const code = withoutComments(readFileSync(join(ROOT, path), 'utf8'))
  const resolved = (specifier: string): string => {
    const bare = join(dirname(path), specifier).replaceAll('\\', '/')
    return [bare, `${bare}.ts`, `${bare}.tsx`].find((candidate) => known.has(candidate)) ?? bare
  }
  const imports: Import[] = []
  for (const [, kind, type, clause, specifier] of code.matchAll(CLAUSE)) {
    const bindings = type === undefined ? bindingsOf(clause!) : []
    // `import {} from` and `import { type A } from` import no values.
    const typeOnly = bindings.length === 0
    imports.push({ to: resolved(specifier!), kind: kind as 'import' | 'export', typeOnly, bindings })
  }
  for (const [, specifier] of code.matchAll(SIDE_EFFECT)) {
    imports.push({ to: resolved(specifier!), kind: 'import', typeOnly: false, bindings: [] })
  }
  for (const [, taken, specifier, member] of code.matchAll(DYNAMIC)) {
    const names = taken?.split(',').map((part) => part.split(':')[0]!.trim()) ?? [member ?? '*']
    const bindings = names.filter(Boolean).map((name) => ({ name, local: name }))
    imports.push({ to: resolved(specifier!), kind: 'dynamic', typeOnly: false, bindings })
  }
  return { path, code, imports: imports.filter(({ to }) => /\.tsx?$/.test(to)) }
}

/** `fallback, { a, type B, c as d }` or `* as all`. */
function bindingsOf(clause: string): Binding[] {
  const [, before = '', named] = /^([^{]*)(?:\{([\s\S]*)\})?$/.exec(clause.trim())!
  const outside = before
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) =>
      part.startsWith('*') ? { name: '*', local: part.slice(4).trim() } : { name: 'default', local: part },
    )
  const inside = (named ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [name, local = name] = part.split(/\s+as\s+/)
      return { name: name!, local: local! }
    })
  return [...outside, ...inside]
}

function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
}

export function isTest({ path }: Module): boolean {
  return /\.test\.tsx?$/.test(path)
}
