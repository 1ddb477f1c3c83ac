/** Files that say only what is different from another one: a suite of the catalog, or a file of the same folder. */
import { dirname } from 'node:path'
import { Lexer, parseDocument, Parser } from 'yaml'
import { containedFile, didYouMean, isObject, messageOf, readRegularText, UserError } from '../suite.ts'
import { catalogNames, catalogText } from './catalog-files.ts'

const MAX_BYTES = 2 ** 20
/** Anchors of YAML can refer to each other: a few lines could stand for gigabytes. */
const MAX_ALIASES = 100
const MAX_DEPTH = 8
/** The parser calls itself for every level, and compares every key of a section with all others. */
const MAX_LEVELS = 100
const MAX_ENTRIES = 2_000
/** Tags and anchors; each one too many is an error of its own. */
const MAX_PROPERTIES = 1_000
/** What belongs to a file alone. */
const OWN: ReadonlySet<string> = new Set(['name', 'published'])
/** What says which data are fetched. */
const PLACE = ['hub', 'files', 'get']
const FILE = /^\.\/(.+\.(?:ya?ml|json))$/i

/** JSON is YAML too. @param name for messages */
export function parseYaml(text: string, name: string): unknown {
  try {
    checkShape(text)
    const document = parseDocument(text, { prettyErrors: true, logLevel: 'silent', schema: 'core' })
    // A warning is an unknown tag, such as one that asks for code.
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new UserError(`${name} is not valid YAML: ${messageOf(error).slice(0, 500)}`, { cause: error })
  }
}

/** Refuses what would take the parser too long, or more calls than fit: that ends the whole process. */
function checkShape(text: string): void {
  const parser = new Parser()
  let properties = 0
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) if (token.type === 'error') throw new Error(token.message)
    if (/^[!&]/.test(lexeme) && ++properties > MAX_PROPERTIES)
      throw new Error(`it has more than ${MAX_PROPERTIES} tags and anchors`)
    const section = parser.stack.at(-1)
    if (parser.stack.length > MAX_LEVELS) throw new Error(`it nests more than ${MAX_LEVELS} levels`)
    if (section && 'items' in section && section.items.length > MAX_ENTRIES)
      throw new Error(`a part of it has more than ${MAX_ENTRIES} entries`)
  }
}

/** The content of a file with all that it extends. */
export async function readWhole(path: string, name: string, depth = 0): Promise<unknown> {
  const own = parseYaml(await readRegularText(path, MAX_BYTES), name)
  const base = extendedBy(own)
  const [, file] = (base === undefined ? null : FILE.exec(base)) ?? []
  if (file === undefined) return withCatalog(own, name)
  if (depth === MAX_DEPTH) throw new UserError(`${name} extends files that extend each other.`)
  const at = await containedFile(dirname(path), file).catch((error: unknown) => {
    throw new UserError(`${name}: extends ${base!.slice(0, 200)}: ${messageOf(error)}.`, { cause: error })
  })
  return merged(await readWhole(at, base!, depth + 1), own)
}

/** The same for a file that extends none but those of the catalog. */
export function withCatalog(own: unknown, name: string, depth = 0): unknown {
  const base = extendedBy(own)
  if (base === undefined) return own
  const names = catalogNames()
  if (depth === MAX_DEPTH || !names.includes(base)) {
    throw new UserError(
      `${name}: extends "${base.slice(0, 100)}", which is neither in the catalog nor ./a-file.yaml.`,
      {
        hint: didYouMean(base, names, 'Catalog'),
      },
    )
  }
  return merged(withCatalog(parseYaml(catalogText(base), base), base, depth + 1), own, base)
}

function extendedBy(file: unknown): string | undefined {
  const base = isObject(file) ? file['extends'] : undefined
  return typeof base === 'string' ? base : undefined
}

/** Files that do not say where their data are share those of what they extend. @param dataset of a suite of the catalog */
function merged(base: unknown, own: unknown, dataset: string | null = null): unknown {
  const entries = isObject(base) ? Object.entries(base).filter(([key]) => !OWN.has(key)) : []
  const inherited = Object.fromEntries(entries)
  const data = isObject(own) && isObject(own['data']) ? own['data'] : {}
  const named = PLACE.some((key) => Object.hasOwn(data, key))
    ? over(inherited, { data: { name: null } })
    : over({ data: { name: dataset } }, inherited)
  return over(named, own)
}

/** Sections are merged key by key; lists and values are replaced, and null takes a key away. */
function over(base: unknown, own: unknown): unknown {
  if (!isObject(base) || !isObject(own)) return own
  const keys = new Set([...Object.keys(base), ...Object.keys(own)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = Object.hasOwn(own, key)
        ? over(Object.hasOwn(base, key) ? base[key] : undefined, own[key])
        : base[key]
      return value === null ? [] : [[key, value]]
    }),
  )
}
