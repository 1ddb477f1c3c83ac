/**
 * Finds suites: built-in ones by name, custom ones from a file or a package. A run or a queue only names a suite. Which
 * code that name loads is decided on this machine (command line, config, or a suite that was run here before), never by
 * data from elsewhere.
 */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf, UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { exportedRun, IMPORTED_PREFIX, importedSuite, reimportedSuite } from '../engine/imported.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { RunHeader, SuiteModule } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { builtinSuite, suiteNames } from '../suites/index.ts'
import { knownSuites, rememberSuite } from './known-suites.ts'
import { hashOfCode, importedPackages, readCode } from './module-code.ts'
import { registerSuiteFiles } from './suite-fault.ts'

export interface LoadedSuite {
  suite: AnySuite
  /** Custom suites only: for the header of a run. */
  module: SuiteModule | undefined
  /** Where a thread loads it from; null for built-in suites. */
  loadFrom: string | null
}

/** `./my-suite.ts`, `/suites/mine.js`, `C:\suites\mine.mjs`; not a package or a suite name. */
export const LOOKS_LIKE_A_FILE = /^\.{0,2}[\\/]|^[a-z]:[\\/]|\.(?:[cm]?[jt]s|ya?ml|json)(#|$)/i
/** Question suites: data, not code. */
const QUESTIONS_FILE = /\.(?:ya?ml|json)$/i
const SUITE_EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml', '.json']
const NAME = /^[a-z0-9][\w.-]*(?:\/[\w.-]+)*$/i

export interface SuiteFinder {
  /** A suite by name, file (`./mine.ts`, `./mine.ts#name`) or package (`their-package/suite`). */
  find(spec: string): Promise<LoadedSuite>
  /** The suite of a recorded run, including runs imported from another tool. */
  ofRun(reader: RunReader): Promise<AnySuite>
  /** The suite that the header of a run names. */
  named(header: Pick<RunHeader, 'suite' | 'suiteModule'>): Promise<LoadedSuite>
  /** Names of the built-in suites and of the given ones. */
  names(): Promise<string[]>
}

/** @param given custom suites, from the config and from `--suite` */
export function suiteFinder(given: readonly string[] = [], folder: string = process.cwd()): SuiteFinder {
  let loaded: Promise<LoadedSuite[]> | undefined
  const guests = (): Promise<LoadedSuite[]> =>
    (loaded ??= Promise.all(given.map((spec) => loadGuest(spec, folder))).then((all) => all.flat()))

  async function named({ suite: name, suiteModule }: Pick<RunHeader, 'suite' | 'suiteModule'>): Promise<LoadedSuite> {
    if (suiteNames().includes(name)) return builtin(name)
    const listed = suiteModule === undefined ? await fromCatalog(name) : null
    if (listed) return listed
    const guest = (await guests()).find(({ suite }) => suite.name === name)
    if (guest) return guest
    const known = await knownSuites()
    const from = Object.hasOwn(known, name) ? known[name] : undefined
    const found = from === undefined ? [] : await loadGuest(from, folder).catch(() => [])
    const again = found.find(({ suite }) => suite.name === name)
    if (again) return again
    if (suiteModule === undefined) throw unknownSuite(name, [...suiteNames(), ...(await guestNames())], folder)
    throw new UserError(`Suite "${name}" was loaded from ${suiteModule.from}, which is not known on this machine.`, {
      hint: `Add --suite ${suiteModule.from}, or list it under "suites" in sightline.config.`,
    })
  }
  /** A log of our own goes into the table of its suite, if that is built in or given; a log never loads other code. */
  async function imported(reader: RunReader): Promise<AnySuite> {
    const generic = importedSuite(reader.header.suite, await reader.episodes())
    const exported = exportedRun(reader.header)
    if (exported === null) return generic
    const original = suiteNames().includes(exported.suite)
      ? await builtin(exported.suite)
      : (await guests()).find(({ suite }) => suite.name === exported.suite)
    return (original && reimportedSuite(generic, original.suite, exported)) ?? generic
  }

  const guestNames = async (): Promise<string[]> => (await guests()).map(({ suite }) => suite.name)

  return {
    named,
    // A suite may be given twice: with --suite, and because it was run here.
    names: async () => [...new Set([...suiteNames(), ...(await catalogNames()), ...(await guestNames())])],
    async find(spec) {
      if (suiteNames().includes(spec)) return builtin(spec)
      if (!LOOKS_LIKE_A_FILE.test(spec)) {
        const guest = (await guests()).find(({ suite }) => suite.name === spec)
        const found = guest ?? (await fromCatalog(spec))
        if (found) return found
        if (!(await isPackage(spec, folder))) {
          throw unknownSuite(spec, [...suiteNames(), ...(await catalogNames()), ...(await guestNames())], folder)
        }
      }
      const found = await loadGuest(spec, folder)
      const [only] = found
      if (found.length === 1 && only) {
        await rememberSuite(only.suite.name, only.loadFrom!)
        return only
      }
      const names = found.map(({ suite }) => suite.name)
      throw new UserError(`${spec} has ${names.length} suites: ${names.join(', ')}.`, {
        hint: `Choose one: ${spec}#${names[0]}`,
      })
    },
    async ofRun(reader) {
      const { suite } = reader.header
      if (suite.startsWith(IMPORTED_PREFIX)) return imported(reader)
      return (await named(reader.header)).suite
    },
  }
}

async function builtin(name: string): Promise<LoadedSuite> {
  return { suite: await builtinSuite(name), module: undefined, loadFrom: null }
}

/** Question suites that ship with Sightline. Their reader of YAML is loaded only when they may be meant. */
async function catalogNames(): Promise<string[]> {
  return (await import('../questions/catalog.ts')).catalogNames()
}

async function fromCatalog(name: string): Promise<LoadedSuite | null> {
  const { catalogNames: names, catalogSuite } = await import('../questions/catalog.ts')
  return names().includes(name) ? { suite: catalogSuite(name), module: undefined, loadFrom: null } : null
}

function unknownSuite(name: string, known: readonly string[], folder: string): UserError {
  const members = known.filter((each) => each !== name && familyOf(each) === name)
  if (members.length > 0) return new UserError(`"${name}" is a family. Use ${alternatives(members)}.`)
  const file = SUITE_EXTENSIONS.map((extension) => `./${name}${extension}`).find((path) =>
    existsSync(resolve(folder, path)),
  )
  if (/\.(?:csv|tsv|jsonl|ndjson|parquet)$/i.test(name))
    return new UserError(`${name} is a table, not a suite.`, {
      hint: `Start a suite from it: sightline new questions NAME --data ${name}`,
    })
  if (file !== undefined) return new UserError(`Unknown suite "${name}".`, { hint: `Did you mean ${file}?` })
  return new UserError(`Unknown suite "${name}".`, {
    hint: `${didYouMean(name, known, 'Suites')} To load a file, use ./my-suite.ts.`,
  })
}

/** `a, b or c` */
function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Loads a suite in a thread. @param from `LoadedSuite.loadFrom` */
export async function loadSuite(name: string, from: string | null): Promise<AnySuite> {
  if (from === null) return (await fromCatalog(name))?.suite ?? builtinSuite(name)
  const found = (await loadGuest(from, process.cwd())).find(({ suite }) => suite.name === name)
  if (found) return found.suite
  throw new UserError(`${from} has no suite "${name}".`)
}

/** All suites of a file or a package; with `#name`, only that one. */
async function loadGuest(spec: string, folder: string): Promise<LoadedSuite[]> {
  const [from, wanted] = spec.split('#', 2) as [string, string | undefined]
  const file = await locate(from, folder)
  let exported: unknown
  try {
    exported = QUESTIONS_FILE.test(file) ? [await questionsAt(file, from)] : await importModule(file)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot load ${from}: ${messageOf(error)}`, { cause: error })
  }
  const suites = suitesIn(exported, from)
  const chosen = suites.filter(({ name }) => wanted === undefined || name === wanted)
  if (chosen.length === 0) {
    throw new UserError(`${from} has no suite "${wanted}".`, {
      hint: `Suites in it: ${suites.map(({ name }) => name).join(', ')}.`,
    })
  }
  const code = await readCode(file)
  registerSuiteFiles(from, code.files.keys())
  const hash = hashOfCode(file, code)
  return chosen.map((suite) => ({ suite, module: { from, hash }, loadFrom: spec.replace(from, file) }))
}

/** The path of a module: a file, or a package installed in the folder that the command runs in. */
async function locate(from: string, folder: string): Promise<string> {
  if (!LOOKS_LIKE_A_FILE.test(from)) {
    const found = await resolvePackage(from, folder)
    if (found !== undefined) return found
    throw new UserError(`Package "${from}" is not installed.`, {
      hint: `Install it with: npm install ${from.split('/')[0]}`,
    })
  }
  const file = resolve(folder, from)
  if (existsSync(file) && statSync(file).isFile()) return file
  // `their-package/bench.yaml`; one that begins with a dot or a slash is resolved as a file only.
  const found = await resolvePackage(from, folder)
  if (found !== undefined) return found
  throw new UserError(`File not found: ${from}`)
}

async function isPackage(spec: string, folder: string): Promise<boolean> {
  return (await resolvePackage(spec, folder)) !== undefined
}

async function resolvePackage(spec: string, folder: string): Promise<string | undefined> {
  if (!/^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(spec)) return undefined
  const { createJiti } = await import('jiti')
  try {
    const found = createJiti(pathToFileURL(`${folder}/`).href).esmResolve(spec)
    return found.startsWith('file:') ? fileURLToPath(found) : undefined
  } catch {
    return undefined
  }
}

/** The suite that a YAML or JSON file describes. */
async function questionsAt(file: string, from: string): Promise<AnySuite> {
  return (await import('../questions/suite.ts')).questionSuiteAt(file, from)
}

/** A suite's imports from `sightline` resolve to this running copy, wherever the suite's file is. */
async function importModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const wanted = await importedPackages(file)
  const entries: Record<string, () => Promise<unknown>> = {
    sightline: () => import('../index.ts'),
    'sightline/suite': () => import('../suite.ts'),
    'sightline/world': () => import('../world.ts'),
  }
  const virtualModules: Record<string, unknown> = {}
  for (const [name, load] of Object.entries(entries)) if (wanted.has(name)) virtualModules[name] = await load()
  return createJiti(pathToFileURL(file).href, { virtualModules, fsCache: false }).import(file)
}

function suitesIn(exported: unknown, from: string): AnySuite[] {
  const values = typeof exported === 'object' && exported !== null ? Object.values(exported).flat() : []
  const suites = [...new Set(values.filter(isSuite))]
  if (suites.length === 0) {
    throw new UserError(`${from} exports no suite.`, {
      hint: 'Use: export default defineSuite({ … }), with defineSuite from "sightline/suite".',
    })
  }
  for (const { name } of suites) {
    if (!NAME.test(name))
      throw new UserError(`${from}: invalid suite name "${name}".`, { hint: 'Use letters, digits, - and /.' })
    const family = suiteNames().filter((each) => familyOf(each) === familyOf(name))
    const [taken] = family.includes(name) ? [name] : family
    if (taken !== undefined)
      throw new UserError(`${from}: Sightline already has a suite "${taken}".`, {
        hint: `Choose a name that does not start with "${familyOf(name)}/".`,
      })
  }
  return suites
}

/** `vsi` of `vsi/explore`. */
export function familyOf(name: string): string {
  return name.split('/')[0]!
}

function isSuite(value: unknown): value is AnySuite {
  if (typeof value !== 'object' || value === null) return false
  const { name, play, score, summary, sources } = value as Partial<AnySuite>
  return (
    [play, score, summary].every((part) => typeof part === 'function') &&
    typeof name === 'string' &&
    typeof sources === 'object'
  )
}
