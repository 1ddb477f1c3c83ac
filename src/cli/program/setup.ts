/** Commands about this machine. */
import { Argument, type Command } from 'commander'
import { logDir, json } from '../options/common.ts'

export function addSetupCommands(program: Command): void {
  program
    .command('doctor')
    .description('check codecs, API keys and optional dependencies')
    .option('--queue <url>', 'also check a queue: server, workers, runs')
    .option('--forget <run>', 'with --queue: remove an abandoned run from it')
    .addOption(json())
    .addOption(logDir())
    .action(async (options) => (await import('../commands/doctor.ts')).doctor(options))

  program
    .command('completion')
    .description('print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'for the script: print what can follow these words')
    .action(async (shell: string, words: string[]) =>
      (await import('../commands/completion.ts')).completion(shell, words, program),
    )
}
