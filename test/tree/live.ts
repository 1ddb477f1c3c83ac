/** Names that the product can reach from the command line: those that tree shaking would keep. */
import { basename, extname } from 'node:path'
import type { Module } from './modules.ts'

interface Part {
  /** Empty for statements and unrecognized declarations: these are reached when their module is loaded. */
  name: string
  words: ReadonlySet<string>
  /** Modules that it may import dynamically. */
  loads: ReadonlySet<string>
}

const DECLARATION =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|enum)\s+(\w+)/
/** Imports, re-exports, types. */
const NO_CODE = /^(import\b|export\s+[{*]|(export\s+)?(declare\s+)?(type|interface)\b)/
const START = /^(?=[a-zA-Z@[({'"`])/m

/** `path name` of everything reachable from a module, including all of its own statements. */
export function liveNames(modules: ReadonlyMap<string, Module>, entry: string): ReadonlySet<string> {
  const live = new Set<string>()
  const parts = new Map<string, readonly Part[]>()
  const pending: [path: string, name: string][] = []
  const reach = (path: string, name: string): void => {
    if (live.has(`${path} ${name}`)) return
    live.add(`${path} ${name}`)
    pending.push([path, name])
  }
  const load = (path: string): void => {
    const module = modules.get(path)
    if (!module || parts.has(path)) return
    parts.set(path, partsOf(module))
    reach(path, '')
    for (const { to, kind, typeOnly } of module.imports) if (!typeOnly && kind !== 'dynamic') load(to)
  }
  load(entry)
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, name] = next
    const module = modules.get(path)
    if (!module) continue
    load(path)
    const all = parts.get(path)!
    if (name === '*') for (const part of all) reach(path, part.name)
    const reached = all.filter((part) => part.name === name)
    const words = new Set(reached.flatMap((part) => [...part.words]))
    for (const part of all) if (words.has(part.name)) reach(path, part.name)
    for (const { to, kind, bindings } of module.imports) {
      for (const binding of bindings) {
        if (kind === 'export' && (binding.local === name || name === '*')) reach(to, binding.name)
        else if (kind === 'export' && binding.name === '*' && binding.local === '') reach(to, name)
        else if (kind === 'import' && words.has(binding.local)) reach(to, binding.name)
        else if (kind === 'dynamic' && reached.some(({ loads }) => loads.has(to))) reach(to, binding.name)
      }
    }
  }
  return live
}

/** Where a re-exported name is declared. */
export function originOf(modules: ReadonlyMap<string, Module>, path: string, name: string): string {
  for (const { to, kind, bindings } of modules.get(path)?.imports ?? []) {
    if (kind !== 'export') continue
    const passed = bindings.find(({ local }) => local === name)
    if (passed) return originOf(modules, to, passed.name)
    // `export * from`
    const origin = bindings.some(({ local }) => local === '') ? originOf(modules, to, name) : undefined
    if (origin && declares(modules.get(origin.split(' ')[0]!), name)) return origin
  }
  return `${path} ${name}`
}

function declares(module: Module | undefined, name: string): boolean {
  return module !== undefined && partsOf(module).some((part) => part.name === name)
}

/** The top-level declarations of a module, each with the words in it. */
function partsOf({ code, imports }: Module): Part[] {
  const dynamic = imports.filter(({ kind }) => kind === 'dynamic').map(({ to }) => to)
  return code
    .split(START)
    .filter((text) => !NO_CODE.test(text))
    .map((text) => ({
      name: DECLARATION.exec(text)?.[1] ?? '',
      words: new Set(text.match(/[\w$]+/g)),
      loads: new Set(dynamic.filter((to) => text.includes(basename(to, extname(to))))),
    }))
}
