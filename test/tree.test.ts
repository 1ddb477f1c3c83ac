/** What may import what. The lists of what is still wrong may only shrink: an entry that is mended must go. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { liveNames, originOf } from './tree/live.ts'
import { isTest, readModules, ROOT } from './tree/modules.ts'

/** Folders of src/, each may import itself and those below it. Files directly in src/ stand with `library`. */
const LAYERS = [
  ['cli'],
  ['server'],
  ['library', 'testing'],
  ['suites'],
  ['engine'],
  ['report'],
  ['models'],
  ['store'],
  ['world'],
  ['media'],
  ['base'],
]

/** Folders that import each other, in a circle. Each entry must go. */
const KNOWN_CYCLES: readonly string[] = [
  'conformance ↔ conformance/articulate ↔ conformance/vbench',
  'src/cli ↔ src/cli/commands ↔ src/cli/commands/vbench',
  'src/engine ↔ src/engine/threads',
  'src/models ↔ src/models/generators',
  'src/report ↔ src/report/render',
  'src/server ↔ src/server/play',
  'src/suites/articulate ↔ src/suites/articulate/critic ↔ src/suites/articulate/verify',
  'src/suites/vsi ↔ src/suites/vsi/agent ↔ src/suites/vsi/explore ↔ src/suites/vsi/players ↔ src/suites/vsi/scene ↔ src/suites/vsi/scoring ↔ src/suites/vsi/source',
  'src/world ↔ src/world/rooms',
  'src/world/light ↔ src/world/materials ↔ src/world/objects',
  'viewer/src/app ↔ viewer/src/episode ↔ viewer/src/pages ↔ viewer/src/pages/board ↔ viewer/src/pages/compare ↔ viewer/src/pages/pair ↔ viewer/src/pages/run ↔ viewer/src/play ↔ viewer/src/play/controls ↔ viewer/src/suites ↔ viewer/src/suites/articulate ↔ viewer/src/suites/space ↔ viewer/src/suites/vbench ↔ viewer/src/suites/vsi ↔ viewer/src/suites/vsig ↔ viewer/src/ui ↔ viewer/src/ui/table',
]

/** What the conformance checks certify although no run of the product reaches it. Each entry must go. */
const KNOWN_UNREACHED: readonly string[] = [
  'src/suites/articulate/assembly/parts.ts boxPart',
  'src/suites/articulate/critic/upstream.ts publishedCombination',
  'src/suites/articulate/critic/upstream.ts publishedJointHeuristic',
  'src/suites/articulate/loop/selection.ts publishedBestByCritic',
  'src/suites/articulate/loop/selection.ts publishedBestByTruth',
  'src/suites/articulate/loop/upstream-driver.ts DRIVER_DEFAULTS',
  'src/suites/articulate/loop/upstream-driver.ts publishedDriver',
  'src/suites/articulate/loop/upstream-loop.ts publishedLoop',
  'src/suites/articulate/python.ts roundHalfEven',
  'src/suites/vsi/sampling.ts jobRanges',
  'src/suites/vsi/scoring/aggregate.ts lmmsOverall',
  'src/suites/vsi/scoring/aggregate.ts officialTable',
]

/** Families that import from src/ nothing but themselves, src/suite.ts and src/world.ts. Grows to all of them. */
const GUESTS: readonly string[] = ['space', 'vbench', 'vsig']

/** Families that have the rooms that docs/add-a-suite.md describes, and no others. Grows to all of them. */
const ON_THE_FLOOR_PLAN: readonly string[] = ['space', 'vbench', 'vsig']

const FLOOR_PLAN = [
  'suite.ts',
  'options.ts',
  'cases.ts',
  'cases',
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
  'players.ts',
  'players',
  'events.ts',
  'published',
  'domain',
  'README.md',
]

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
  expect(known('src/suites/suite-of.ts')).toEqual([
    'src/engine/imported.ts',
    'src/engine/suite.ts',
    'src/store/run-reader.ts',
    'src/suites/index.ts',
  ])
  expect(known('src/cli/main.ts')).toContain('src/cli/commands/run.ts')
  expect(known('src/engine/threads/pool.ts')).toContain('src/engine/threads/thread.ts')
})

describe('layers', () => {
  const layerOf = (path: string): number => {
    const [, first, ...rest] = path.split('/')
    return LAYERS.findIndex((names) => names.includes(rest.length === 0 ? 'library' : first!))
  }
  const inSource = imports.filter(({ from }) => from.startsWith('src/'))

  it('has a place for every folder of src/', () => {
    expect(all.filter(({ path }) => path.startsWith('src/') && layerOf(path) < 0).map(({ path }) => path)).toEqual([])
  })

  it('import only from layers below', () => {
    const upward = inSource.filter(({ from, to }) => to.startsWith('src/') && layerOf(to) < layerOf(from))
    expect(shown(upward)).toEqual([])
  })

  it('the product imports nothing from outside src/', () => {
    expect(shown(inSource.filter(({ to, inTest }) => !to.startsWith('src/') && !inTest))).toEqual([])
  })
})

describe('folders', () => {
  it('do not import each other in a circle', () => {
    const known = [...KNOWN_CYCLES].sort()
    expect(cycles(), 'a new circle must be opened; one that is gone must leave KNOWN_CYCLES').toEqual(known)
  })

  /** Sets of folders that all reach each other by imports of values, tests left out. */
  function cycles(): string[] {
    const next = new Map<string, Set<string>>()
    for (const { from, to, typeOnly, inTest } of imports) {
      const [here, there] = [dirname(from), dirname(to)]
      if (typeOnly || inTest || here === there) continue
      next.set(here, (next.get(here) ?? new Set()).add(there))
    }
    const reached = new Map([...next.keys()].map((folder) => [folder, reachedFrom(folder, next)]))
    const circles = [...reached]
      .filter(([folder, others]) => others.has(folder))
      .map(([folder, others]) =>
        [...others]
          .filter((other) => reached.get(other)?.has(folder))
          .sort()
          .join(' ↔ '),
      )
    return [...new Set(circles)].sort()
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
  const familyOf = (path: string): string | undefined => /^src\/suites\/([^/]+)\//.exec(path)?.[1]

  it('do not import each other', () => {
    const across = imports.filter(({ from, to }) => {
      const [own, other] = [familyOf(from), familyOf(to)]
      return own !== undefined && other !== undefined && own !== other
    })
    expect(shown(across)).toEqual([])
  })

  it.each(GUESTS)('%s imports only itself and what every suite may', (family) => {
    const allowed = (to: string) => familyOf(to) === family || to === 'src/suite.ts' || to === 'src/world.ts'
    const other = imports.filter(({ from, to, inTest }) => familyOf(from) === family && !inTest && !allowed(to))
    expect(shown(other)).toEqual([])
  })

  it.each(ON_THE_FLOOR_PLAN)('%s has the rooms of the floor plan and no others', (family) => {
    const rooms = new Set([...FLOOR_PLAN, ...FLOOR_PLAN.map((room) => room.replace(/(\.ts)?$/, '.test.ts'))])
    const found = readdirSync(join(ROOT, 'src/suites', family))
    // Where a suite of the family loads what the others do without, it has a file of its own.
    const isSuite = (entry: string) => /^suite-\w+(\.test)?\.ts$/.test(entry)
    expect(found.filter((entry) => !rooms.has(entry) && !isSuite(entry))).toEqual([])
  })
})

it('the conformance checks certify what a run of the product reaches', () => {
  const live = liveNames(modules, 'src/cli/main.ts')
  const used = imports
    .filter(({ from, to, inTest }) => from.startsWith('conformance/') && to.startsWith('src/') && !inTest)
    .flatMap(({ to, bindings }) => bindings.map(({ name }) => originOf(modules, to, name)))
  const unreached = [...new Set(used)].filter((name) => !live.has(name)).sort()
  expect(unreached, 'what is reached now must leave KNOWN_UNREACHED').toEqual([...KNOWN_UNREACHED].sort())
})
