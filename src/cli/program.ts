/** The command line. A command's options are in `program/`; its code is loaded only when it is called. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addPlayCommands } from './program/play.ts'
import { addResultCommands } from './program/results.ts'
import { addServerCommands } from './program/servers.ts'
import { addSetupCommands } from './program/setup.ts'
import { addSuiteCommands } from './program/suites.ts'
import { addToolCommands } from './program/tools.ts'
import { addVbenchCommands } from './program/vbench.ts'
import { EXIT } from './terminal/exit.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const program = new Command('sightline')
  .description('Measures how well a model sees, moves and reasons in space.')
  .version(version, '-V, --version', 'print the version')
  .helpOption('-h, --help', 'show help')
  .helpCommand('help [command]', 'show help for a command')
  .configureHelp({
    sortSubcommands: false,
    sortOptions: false,
    // Leaves out `help`: the last line of the help says the same.
    visibleCommands: (command) => [...command.commands],
    // Every command takes options, so the list of commands leaves "[options]" out.
    subcommandTerm: (command) =>
      `${command.name()} ${command.usage().replaceAll(/\[(?:options|command)\] ?/g, '')}`.trimEnd(),
  })
  .addHelpText('after', '\nRun sightline COMMAND --help for the options of a command.')
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? EXIT.fine : EXIT.usage)
  })

addPlayCommands(program)
addResultCommands(program)
addSuiteCommands(program)
addServerCommands(program)
addSetupCommands(program)
addToolCommands(program)
addVbenchCommands(program)

pointToHelp(program, 'sightline')

/** After a usage error, each command points to its own help. */
function pointToHelp(command: Command, path: string): void {
  const names = command.commands.map((each) => each.name())
  // The list of all commands of `sightline` itself is too long for a hint.
  const list = names.length > 0 && command !== program ? `Commands: ${names.join(', ')}. ` : ''
  command.showHelpAfterError(`${list}See ${path} --help.`)
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`)
}
