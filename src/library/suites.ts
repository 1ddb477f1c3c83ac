/**
 * Finds suites: ours by name, others' from a file or a package. A run or a queue only ever names a suite; what code stands
 * for that name is decided on this machine (command line, config, or a suite that was run here before), never by a file that
 * came from elsewhere.
 */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf, UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import { IMPORTED_PREFIX, importedSuite } from '../engine/imported.ts'
import type { AnySuite } from '../engine/suite.ts'
import type { RunHeader, SuiteModule } from '../store/records.ts'
import type { RunReader } from '../store/run-reader.ts'
import { builtinSuite, suiteNames } from '../suites/index.ts'
import { knownSuites, rememberSuite } from './known-suites.ts'
import { codeHash, importedPackages } from './module-code.ts'

export interface LoadedSuite {
  suite: AnySuite
  /** Of suites that are not ours: for the header of a run. */
  module: SuiteModule | undefined
  /** Where a thread loads it from; null for ours. */
  loadFrom: string | null
}

/** `./my-suite.ts`, `/suites/mine.js`, `C:\suites\mine.mjs`; packages and names of suites look otherwise. */
const LOOKS_LIKE_A_FILE = /^\.{0,2}[\\/]|^[a-z]:[\\/]|\.[cm]?[jt]s(#|$)/i
const NAME = /^[a-z0-9][\w.-]*(?:\/[\w.-]+)*$/i

export interface SuiteFinder {
  /** A suite by name, file (`./mine.ts`, `./mine.ts#name`) or package (`their-package/suite`). */
  find(spec: string): Promise<LoadedSuite>
  /** The suite of a recorded run, also of one that was imported from another tool. */
  ofRun(reader: RunReader): Promise<AnySuite>
  /** The suite that the header of a run names. */
  named(header: Pick<RunHeader, 'suite' | 'suiteModule'>): Promise<LoadedSuite>
  /** Names of ours, and of those that were given. */
  names(): Promise<string[]>
}

/** @param given suites of others, from the config and from `--suite` */
export function suiteFinder(given: readonly string[] = [], folder: string = process.cwd()): SuiteFinder {
  let loaded: Promise<LoadedSuite[]> | undefined
  const guests = (): Promise<LoadedSuite[]> =>
    (loaded ??= Promise.all(given.map((spec) => loadGuest(spec, folder))).then((all) => all.flat()))

  async function named({ suite: name, suiteModule }: Pick<RunHeader, 'suite' | 'suiteModule'>): Promise<LoadedSuite> {
    if (suiteNames().includes(name)) return ours(name)
    const guest = (await guests()).find(({ suite }) => suite.name === name)
    if (guest) return guest
    const known = await knownSuites()
    const from = Object.hasOwn(known, name) ? known[name] : undefined
    const found = from === undefined ? [] : await loadGuest(from, folder).catch(() => [])
    const again = found.find(({ suite }) => suite.name === name)
    if (again) return again
    if (suiteModule === undefined) throw unknownSuite(name, [...suiteNames(), ...(await guestNames())])
    throw new UserError(
      `The suite "${name}" was loaded from ${suiteModule.from}, which is not known on this machine.`,
      {
        hint: `Give it with --suite ${suiteModule.from}, or list it under "suites" in sightline.config.`,
      },
    )
  }
  const guestNames = async (): Promise<string[]> => (await guests()).map(({ suite }) => suite.name)

  return {
    named,
    names: async () => [...suiteNames(), ...(await guestNames())],
    async find(spec) {
      if (suiteNames().includes(spec)) return ours(spec)
      if (!LOOKS_LIKE_A_FILE.test(spec)) {
        const guest = (await guests()).find(({ suite }) => suite.name === spec)
        if (guest) return guest
        if (!(await isPackage(spec, folder))) throw unknownSuite(spec, [...suiteNames(), ...(await guestNames())])
      }
      const found = await loadGuest(spec, folder)
      const [only] = found
      if (found.length === 1 && only) {
        await rememberSuite(only.suite.name, only.loadFrom!)
        return only
      }
      const names = found.map(({ suite }) => suite.name)
      throw new UserError(`${spec} has ${names.length} suites: ${names.join(', ')}.`, {
        hint: `Name one: ${spec}#${names[0]}`,
      })
    },
    async ofRun(reader) {
      const { suite } = reader.header
      if (suite.startsWith(IMPORTED_PREFIX)) return importedSuite(suite, await reader.episodes())
      return (await named(reader.header)).suite
    },
  }
}

async function ours(name: string): Promise<LoadedSuite> {
  return { suite: await builtinSuite(name), module: undefined, loadFrom: null }
}

function unknownSuite(name: string, known: readonly string[]): UserError {
  return new UserError(`There is no suite called "${name}".`, {
    hint: `${didYouMean(name, known, 'Suites')} A file is given as ./my-suite.ts.`,
  })
}

/** For threads: loads what `LoadedSuite.loadFrom` said. */
export async function loadSuite(name: string, from: string | null): Promise<AnySuite> {
  if (from === null) return builtinSuite(name)
  const found = (await loadGuest(from, process.cwd())).find(({ suite }) => suite.name === name)
  if (found) return found.suite
  throw new UserError(`${from} has no suite called "${name}".`)
}

/** All suites of a file or a package; with `#name`, that one. */
async function loadGuest(spec: string, folder: string): Promise<LoadedSuite[]> {
  const [from, wanted] = spec.split('#', 2) as [string, string | undefined]
  const file = await locate(from, folder)
  let exported: unknown
  try {
    exported = await importModule(file)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${from} cannot be loaded: ${messageOf(error)}`, { cause: error })
  }
  const suites = suitesIn(exported, from)
  const chosen = suites.filter(({ name }) => wanted === undefined || name === wanted)
  if (chosen.length === 0) {
    throw new UserError(`${from} has no suite called "${wanted}".`, {
      hint: `It has ${suites.map(({ name }) => name).join(', ')}.`,
    })
  }
  const hash = await codeHash(file)
  return chosen.map((suite) => ({ suite, module: { from, hash }, loadFrom: spec.replace(from, file) }))
}

/** The path of a module, as a file or as a package of the folder that the command runs in. */
async function locate(from: string, folder: string): Promise<string> {
  if (!LOOKS_LIKE_A_FILE.test(from)) {
    const found = await resolvePackage(from, folder)
    if (found !== undefined) return found
    throw new UserError(`There is no package "${from}" here.`, {
      hint: `Install it: npm install ${from.split('/')[0]}`,
    })
  }
  const file = resolve(folder, from)
  if (existsSync(file) && statSync(file).isFile()) return file
  throw new UserError(`There is no file ${from}.`)
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

/** What others import from us is what runs here, wherever their file is. */
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
      hint: 'Write: export default defineSuite({ … }), with defineSuite from sightline/suite.',
    })
  }
  for (const { name } of suites) {
    if (!NAME.test(name))
      throw new UserError(`${from}: "${name}" is not a name for a suite.`, { hint: 'Use letters, digits, - and /.' })
    const family = suiteNames().filter((ours) => familyOf(ours) === familyOf(name))
    const [taken] = family.includes(name) ? [name] : family
    if (taken !== undefined)
      throw new UserError(`${from}: there is already a suite called "${taken}" in Sightline.`, {
        hint: `Names that begin with "${familyOf(name)}/" are its own.`,
      })
  }
  return suites
}

function familyOf(name: string): string {
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
