/** docs/reference/cli.md, from the commander program. */
import type { Argument, Command, Option } from 'commander'
import { collect, keyValues } from '../../src/cli/options/arguments.ts'
import { EXIT, EXIT_MEANING } from '../../src/cli/terminal/exit.ts'
import { PASSWORD_VARIABLE } from '../../src/engine/queue/address.ts'
import { GENERATOR_KEY } from '../../src/models/generators/open.ts'
import { PROVIDERS } from '../../src/models/providers/providers.ts'
import { slug } from '../../site/.vitepress/slug.ts'
import { cell, code, GENERATED, page, sentence, table, withFacts, withLiterals } from './markdown.ts'

export function cliPage(program: Command): string {
  const commands = visibleCommands(program)
  return page(
    GENERATED,
    '# Command line',
    `${program.description()} Every command has \`--help\`; \`sightline --version\` prints the version.`,
    table(
      ['Command', 'Description'],
      commands.map((command) => [
        `[${code(fullName(command))}](#${slug(fullName(command))})`,
        cell(sentence(command.description())),
      ]),
    ),
    ...commands.flatMap((command) => commandSection(command, 2)),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      Object.entries(EXIT).map(([name, exit]) => [
        code(String(exit)),
        cell(sentence(EXIT_MEANING[name as keyof typeof EXIT])),
      ]),
    ),
    '## Environment variables',
    'Variables can also be set in a `.env` file in the working folder; the environment takes precedence.',
    table(['Variable', 'Description'], environmentRows(program)),
  )
}

/** Commands without hidden ones and without `help`. */
export function visibleCommands(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
}

/** Options without hidden ones, `--help` and `--version`. */
export function visibleOptions(command: Command): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' && long !== '--version')
}

export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}

function commandSection(command: Command, level: number): string[] {
  const subcommands = visibleCommands(command)
  const heading = `${'#'.repeat(level)} ${fullName(command)}`
  const description = cell(sentence(command.description()))
  if (subcommands.length > 0) {
    return [heading, description, ...subcommands.flatMap((each) => commandSection(each, level + 1))]
  }
  return [
    heading,
    description,
    `\`\`\`sh\n${fullName(command)} ${command.usage()}\n\`\`\``,
    table(['Argument', 'Description'], command.registeredArguments.map(argumentRow)),
    ...optionTables(command),
  ]
}

/** One table, or one for each group of options that the help has. */
function optionTables(command: Command): string[] {
  const groups = new Map<string, Option[]>()
  for (const option of visibleOptions(command)) {
    const heading = option.helpGroupHeading ?? 'Options:'
    groups.set(heading, [...(groups.get(heading) ?? []), option])
  }
  return [...groups].map(([heading, options]) =>
    table([groups.size > 1 ? heading.replace(/:$/, '') : 'Option', 'Description'], options.map(optionRow)),
  )
}

function argumentRow(argument: Argument): string[] {
  const { required, variadic, description } = argument
  const name = `${argument.name()}${variadic ? '...' : ''}`
  return [code(required ? `<${name}>` : `[${name}]`), cell(sentence(withLiterals(description)))]
}

function optionRow(option: Option): string[] {
  const { flags, description, argChoices, envVar, mandatory } = option
  const repeatable = option.parseArg === collect || option.parseArg === keyValues || option.variadic
  const text = withFacts(
    description,
    argChoices && `Choices: ${argChoices.map(code).join(', ')}.`,
    defaultOf(option),
    repeatable && !/repeat/.test(description) && 'Repeatable.',
    mandatory && 'Required.',
    envVar !== undefined && `Environment: \`${envVar}\`.`,
  )
  return [code(flags), text]
}

/** `--no-x` is on by default: its text says so already. */
function defaultOf({ defaultValue, defaultValueDescription, negate }: Option): string {
  if (negate || defaultValue === undefined) return ''
  return `Default: ${defaultValueDescription ?? code(String(defaultValue))}.`
}

function environmentRows(program: Command): string[][] {
  const options = new Map<string, string>()
  for (const command of leaves(program)) {
    for (const { envVar, long } of visibleOptions(command)) {
      if (envVar !== undefined) options.set(envVar, long!)
    }
  }
  return [
    ...[...options].map(([name, long]) => [code(name), `Default of \`${long}\`.`]),
    [code(PASSWORD_VARIABLE), 'Password of the queue, when its address has none.'],
    ...PROVIDERS.flatMap(({ name, keyNames, keyNeeded, insteadOfKey = [], baseUrlName, baseUrlFrom = [] }) => [
      [
        keyNames.map(code).join(', '),
        `API key for \`${name}/\` models${keyNeeded || insteadOfKey.length > 0 ? '' : ', if the server needs one'}.`,
      ],
      ...(insteadOfKey.length > 0 ? [[insteadOfKey.map(code).join(', '), `Instead of ${code(keyNames[0])}.`]] : []),
      ...(baseUrlFrom.length > 0 ? [[baseUrlFrom.map(code).join(', '), `Endpoint of \`${name}/\` models.`]] : []),
      [
        code(baseUrlName),
        `Base URL for \`${name}/\` models${keyNeeded || baseUrlFrom.length > 0 ? ', instead of the public API' : ''}.`,
      ],
    ]),
    [code(GENERATOR_KEY), 'API key for video generators.'],
    ['`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`', 'Proxy for requests to models.'],
    ['`NO_COLOR`', 'Print without colors.'],
  ]
}

/** Commands that do something, subcommands included. */
export function leaves(command: Command): Command[] {
  const below = visibleCommands(command)
  return below.length === 0 ? [command] : below.flatMap(leaves)
}
