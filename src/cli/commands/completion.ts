/** `sightline completion`: completes what is typed, from the definitions of the commands. */
import { readFile } from 'node:fs/promises'
import type { Argument, Command, Option } from 'commander'
import { isShellWord } from '../../base/shell-quote.ts'
import { PROVIDERS } from '../../models/providers/providers.ts'
import { ROLES } from '../../models/types.ts'
import { LIST_PARTS } from '../options/arguments.ts'
import { print } from '../terminal/output.ts'

/**
 * Without words, the script for a shell; with words, what can follow them: the last word is the one being typed. The
 * scripts offer what is printed as it is, and files where nothing is printed.
 */
export async function completion(shell: string, words: readonly string[], program: Command): Promise<void> {
  if (words.length === 0) print(await readFile(new URL(`../completion/sightline.${shell}`, import.meta.url), 'utf8'))
  else for (const word of await candidates(program, words)) print(word)
}

/**
 * Words that can stand in the place of the last one. Only words that no shell treats specially: names of runs and files
 * come from other people. Empty where a file is expected, or anything else that is not known.
 */
export async function candidates(program: Command, typed: readonly string[]): Promise<string[]> {
  const last = typed.at(-1) ?? ''
  const place = placeOf(program, typed.slice(0, -1))
  return (await possible(place, last)).filter((word) => word.startsWith(last) && isShellWord(word))
}

/** Where the cursor is: in which command, after which option. */
interface Place {
  command: Command
  /** Of the command, without options. */
  operands: readonly string[]
  /** By the long name of the option. */
  values: ReadonlyMap<string, string>
  /** The option whose value is being typed. */
  option: Option | null
  optionsEnded: boolean
}

function placeOf(program: Command, words: readonly string[]): Place {
  let command = program
  let operands: string[] = []
  let option: Option | null = null
  let optionsEnded = false
  const values = new Map<string, string>()
  for (const word of words) {
    const inner = command.commands.find((each) => each.name() === word)
    if (option) {
      values.set(option.long ?? '', word)
      option = null
    } else if (word === '--') optionsEnded = true
    else if (!optionsEnded && word.startsWith('-')) {
      const [flag = '', ...value] = word.split('=')
      const found = optionsOf(command).find(({ long, short }) => flag === long || flag === short)
      if (found && value.length > 0) values.set(found.long ?? '', value.join('='))
      else if (found && takesValue(found)) option = found
    } else if (inner && operands.length === 0) {
      command = inner
      operands = []
    } else operands = [...operands, word]
  }
  return { command, operands, values, option, optionsEnded }
}

async function possible(place: Place, last: string): Promise<readonly string[]> {
  const { command, operands, option, optionsEnded } = place
  if (option) return valuesOf(place, option, placeholder(option))
  if (last.startsWith('-') && !optionsEnded) {
    const equals = last.indexOf('=')
    if (equals < 0) return optionsOf(command).flatMap(({ long }) => long ?? [])
    const found = optionsOf(command).find(({ long }) => long === last.slice(0, equals))
    const values = found && takesValue(found) ? await valuesOf(place, found, placeholder(found)) : []
    return values.map((value) => last.slice(0, equals + 1) + value)
  }
  const commands = operands.length === 0 ? command.commands.map((each) => each.name()) : []
  const args = command.registeredArguments
  const argument = args[operands.length] ?? (args.at(-1)?.variadic ? args.at(-1) : undefined)
  return [...commands, ...(argument ? await valuesOf(place, argument, argument.name()) : [])]
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command)
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

/** `name[:where]` of `--source <name[:where]>`. */
function placeholder({ flags }: Option): string {
  return /[<[](.*)[>\]]$/.exec(flags)?.[1] ?? ''
}

async function valuesOf(
  place: Place,
  { argChoices, ...named }: Pick<Argument | Option, 'argChoices'> & { long?: string | undefined },
  kind: string,
): Promise<readonly string[]> {
  if (argChoices) return argChoices
  const values = VALUES[named.long ?? ''] ?? VALUES[kind]
  return values ? values(place) : []
}

type Values = (place: Place) => readonly string[] | Promise<readonly string[]>

const runs: Values = async (place) => ['latest', ...(await runIds(place))]
const models: Values = async (place) => [
  ...(await ofSuites(place, ({ baselines }) => baselines)),
  ...[...PROVIDERS.map(({ name }) => name), 'replay', 'generator'].map((name) => `${name}/`),
]

/** What can be typed for an argument of this name, an option with this placeholder, or an option of this name. */
const VALUES: Readonly<Record<string, Values>> = {
  suite: async () => Object.keys(await suiteFacts()),
  what: async (place) => [...LIST_PARTS, 'runs', ...(await VALUES['suite']!(place))],
  run: runs,
  runA: runs,
  runB: runs,
  'provider/name': models,
  'role=model': () => ROLES.filter((role) => role !== 'player').map((role) => `${role}=`),
  'name[:where]': (place) => ofSuites(place, ({ sources }) => sources),
  '--profile': (place) => ofSuites(place, ({ profiles }) => profiles),
  '--task': (place) => ofSuites(place, ({ options }) => options.map((name) => `${name}=`)),
  '--model-option': async () => {
    const { MODEL_OPTION_NAMES } = await import('../../models/providers/options.ts')
    return MODEL_OPTION_NAMES.map((name) => `${name}=`)
  },
}

async function runIds({ command, values }: Place): Promise<string[]> {
  const option = command.options.find(({ long }) => long === '--log-dir')
  const fromEnvironment = option?.envVar === undefined ? undefined : process.env[option.envVar]
  const { Store } = await import('../../store/store.ts')
  const store = await Store.open(values.get('--log-dir') ?? fromEnvironment ?? String(option?.defaultValue))
  // The newest first.
  return (await store.runIds()).sort().reverse()
}

/** What completion needs to know about a suite. */
interface SuiteFacts {
  profiles: readonly string[]
  baselines: readonly string[]
  sources: readonly string[]
  options: readonly string[]
}

/** Of the suites on the line, or of all. */
async function ofSuites({ operands }: Place, take: (facts: SuiteFacts) => readonly string[]): Promise<string[]> {
  const all = await suiteFacts()
  const named = operands.filter((name) => Object.hasOwn(all, name))
  return [...new Set((named.length > 0 ? named : Object.keys(all)).flatMap((name) => take(all[name]!)))]
}

/** The build keeps them in a file, because loading all suites takes seconds. */
async function suiteFacts(): Promise<Readonly<Record<string, SuiteFacts>>> {
  const kept = await readFile(new URL('suite-facts.json', import.meta.url), 'utf8').catch(() => null)
  return kept === null ? readSuiteFacts() : (JSON.parse(kept) as Record<string, SuiteFacts>)
}

export async function readSuiteFacts(): Promise<Record<string, SuiteFacts>> {
  const [{ describeSuite }, { suiteFinder }] = await Promise.all([
    import('./list.ts'),
    import('../../library/suites.ts'),
  ])
  const facts: Record<string, SuiteFacts> = {}
  const finder = suiteFinder()
  for (const name of await finder.names()) {
    const { profiles, baselines, sources, options } = describeSuite((await finder.find(name)).suite)
    const names = (parts: readonly { name: string }[]): string[] => parts.map((part) => part.name)
    facts[name] = { profiles, baselines: names(baselines), sources: names(sources), options: names(options) }
  }
  return facts
}
