/** Rules for imports between modules. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { liveNames, originOf } from './tree/live.ts'
import { isTest, readModules, ROOT } from './tree/modules.ts'

/** Folders and entry files of src/; each may import itself and those below it. */
const LAYERS = [
  'cli',
  'server',
  'environments',
  'training',
  'testing',
  'library',
  'suites',
  'questions',
  'suite.ts',
  'world.ts',
  'engine',
  'report',
  'datasets',
  'models',
  'store',
  'world',
  'media',
  'base',
]

/** Entry points of package.json and the folders they belong to. */
const ENTRY_OF: Readonly<Record<string, string>> = { 'src/index.ts': 'src/library', 'src/testing.ts': 'src/testing' }

/** A part of a suite is a file, a folder, or both: `score.ts` and `score/` are one part. */
const PART = /^(src\/suites\/[^/]+\/[^/]+)\.ts$/

/** The folder of a module. `src/suite.ts` and `src/world.ts` re-export several folders and count as their own. */
function folderOf(path: string): string {
  return ENTRY_OF[path] ?? PART.exec(path)?.[1] ?? (dirname(path) === 'src' ? path : dirname(path))
}

/** The layout of a suite, as described in docs/add-a-suite.md. */
const SUITE_LAYOUT: ReadonlySet<string> = new Set([
  'suite.ts',
  'options.ts',
  'samples.ts',
  'samples',
  'prompts.ts',
  'prompts',
  'play.ts',
  'play',
  'parse.ts',
  'parse',
  'measure.ts',
  'measure',
  'score.ts',
  'score',
  'summary.ts',
  'describe.ts',
  'explain.ts',
  'progress.ts',
  'tools.ts',
  'audit.ts',
  'audit.json',
  'baselines.ts',
  'baselines',
  'events.ts',
  'import.ts',
  'import',
  'published',
  'domain',
  'README.md',
])

const modules = readModules('src', 'viewer/src', 'conformance', 'bench')
const all = [...modules.values()]
/** `from → to` of every import, types included. */
const imports = all.flatMap((module) =>
  module.imports.map((taken) => ({ ...taken, from: module.path, inTest: isTest(module) })),
)
const shown = (wrong: readonly { from: string; to: string }[]) => wrong.map(({ from, to }) => `${from} → ${to}`)

it('finds the modules and their imports', () => {
  expect(all.length).toBeGreaterThan(800)
  const known = (path: string) => imports.filter(({ from }) => from === path).map(({ to }) => to)
  expect(known('src/library/queue.ts')).toEqual([
    'src/store/run-reader.ts',
    'src/engine/runner.ts',
    'src/store/store.ts',
    'src/library/config.ts',
    'src/library/known-addresses.ts',
    'src/library/environment.ts',
    'src/engine/queue/address.ts',
    'src/engine/queue/cluster.ts',
    'src/engine/queue/coordinator.ts',
    'src/engine/queue/queue-file.ts',
    'src/engine/queue/address.ts',
  ])
  expect(known('src/cli/program/play.ts')).toContain('src/cli/commands/run.ts')
  expect(known('src/engine/threads/pool.ts')).toContain('src/engine/threads/thread.ts')
})

describe('layers', () => {
  const layerOf = (path: string): number => LAYERS.indexOf(folderOf(path).split('/')[1]!)
  const inSource = imports.filter(({ from }) => from.startsWith('src/'))

  it('cover every folder of src/', () => {
    expect(all.filter(({ path }) => path.startsWith('src/') && layerOf(path) < 0).map(({ path }) => path)).toEqual([])
  })

  it('import only from layers below', () => {
    const upward = inSource.filter(({ from, to }) => to.startsWith('src/') && layerOf(to) < layerOf(from))
    expect(shown(upward)).toEqual([])
  })

  it('import nothing from outside src/', () => {
    expect(shown(inSource.filter(({ to, inTest }) => !to.startsWith('src/') && !inTest))).toEqual([])
  })
})

describe('folders', () => {
  it('have no import cycles', () => {
    expect(cycles()).toEqual([])
  })

  /** Sets of folders that reach each other through value imports, except in tests. */
  function cycles(): string[] {
    const next = new Map<string, Set<string>>()
    for (const { from, to, typeOnly, inTest } of imports) {
      const [here, there] = [folderOf(from), folderOf(to)]
      if (typeOnly || inTest || here === there) continue
      next.set(here, (next.get(here) ?? new Set()).add(there))
    }
    const reached = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]))
    const found = [...reached]
      .filter(([folder, others]) => others.has(folder))
      .map(([folder, others]) =>
        [...others]
          .filter((other) => reached.get(other)?.has(folder))
          .sort()
          .join(' ↔ '),
      )
    return [...new Set(found)].sort()
  }

  function reachedFrom(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
    const reached = new Set<string>()
    const pending = [start]
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      for (const other of next.get(folder) ?? []) {
        if (!reached.has(other)) pending.push(other)
        reached.add(other)
      }
    }
    return reached
  }
})

describe('suites', () => {
  const families = readdirSync(join(ROOT, 'src/suites'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const familyOf = (path: string): string | undefined => /^src\/suites\/([^/]+)\//.exec(path)?.[1]

  it('do not import each other', () => {
    const across = imports.filter(({ from, to }) => {
      const [own, other] = [familyOf(from), familyOf(to)]
      return own !== undefined && other !== undefined && own !== other
    })
    expect(shown(across)).toEqual([])
  })

  it.each(families)('%s imports only itself and the public modules', (family) => {
    const allowed = (to: string) => familyOf(to) === family || to === 'src/suite.ts' || to === 'src/world.ts'
    const other = imports.filter(({ from, to, inTest }) => familyOf(from) === family && !inTest && !allowed(to))
    expect(shown(other)).toEqual([])
  })

  it.each(families)('%s follows the layout of a suite', (family) => {
    const found = readdirSync(join(ROOT, 'src/suites', family))
    // A suite with dependencies that the others do not need may have its own file.
    const isPart = (entry: string): boolean => SUITE_LAYOUT.has(entry) || /^suite-[a-z0-9-]+\.ts$/.test(entry)
    expect(found.filter((entry) => !isPart(entry) && !isPart(entry.replace(/\.test\.ts$/, '.ts')))).toEqual([])
  })
})

it('conformance checks only test code that the product uses', () => {
  const live = liveNames(modules, 'src/cli/main.ts')
  const used = imports
    .filter(({ from, to, inTest }) => from.startsWith('conformance/') && to.startsWith('src/') && !inTest)
    .flatMap(({ to, bindings }) => bindings.map(({ name }) => originOf(modules, to, name)))
  expect([...new Set(used)].filter((name) => !live.has(name)).sort()).toEqual([])
})
