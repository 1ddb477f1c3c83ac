/** Commands that serve: environments, the viewer, studies. */
import { type Command, Option } from 'commander'
import { REWARDS } from '../../training/rewards.ts'
import { numberIn, RANGES } from '../options/arguments.ts'
import {
  logDir,
  config,
  guestSuite,
  all,
  profile,
  task,
  source,
  limit,
  sample,
  sampleId,
  seed,
} from '../options/common.ts'

export function addServerCommands(program: Command): void {
  program
    .command('serve')
    .helpGroup('Run:')
    .description('serve suites as environments for training (OpenEnv)')
    .argument('<suite...>', 'name (see `sightline list`), file or package')
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .option('--source <name[:where]>', 'sample source (default: built-in, with training seeds)')
    .option('--test', 'serve test seeds, which runs report on')
    .addOption(
      new Option('--reward <kind>', 'of an episode: score 0 to 1, signed ±1, or graded 1.5 × score − 0.5').choices(
        REWARDS,
      ),
    )
    .option('--dense', 'also reward progress, where the suite defines it')
    .option('-p, --port <n>', 'port; 0: any (default: 8000)', numberIn(RANGES.port))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--max-sessions <n>', 'concurrent episodes (default: 1000; with videos 100)', numberIn(RANGES.sessions))
    .addOption(guestSuite())
    .addOption(logDir())
    .addOption(config())
    .action(async (suites: string[], options) => (await import('../commands/serve.ts')).serve(suites, options))

  program
    .command('view')
    .helpGroup('Results:')
    .description('open the viewer: leaderboard, runs and episodes, live')
    .argument('[run]', 'run to open (default: the leaderboard)')
    .option('-p, --port <n>', 'port (default: first free port from 7070)', numberIn(RANGES.port))
    .option('--host <address>', 'address to listen on; non-local needs the token')
    .addOption(guestSuite())
    .addOption(logDir())
    .addOption(config())
    .action(async (run: string | undefined, options) => (await import('../commands/view.ts')).view(run, options))

  const study = program
    .command('study')
    .helpGroup('Results:')
    .description('people play assigned samples, each with a link of their own and no name')

  study
    .command('new')
    .description('assign the samples of a suite to participants')
    .argument('<name>', 'lowercase letters, digits and hyphens')
    .argument('<suite>', 'name of a suite that is answered in text')
    .requiredOption('--participants <n>', 'number of participants', numberIn(RANGES.participants))
    .option('--tools', 'give them notes, a sketch and a calculator')
    .option('--per-sample <n>', 'participants per sample', numberIn(RANGES.participants), 2)
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .addOption(source())
    .addOption(limit())
    .addOption(sample())
    .addOption(sampleId())
    .addOption(seed())
    .addOption(guestSuite())
    .addOption(logDir())
    .addOption(config())
    .action(async (name: string, suite: string, options) =>
      (await import('../commands/study.ts')).newStudy(name, suite, options),
    )

  const ofStudy = (command: string, description: string): Command =>
    study
      .command(command)
      .description(description)
      .argument('<name>', 'name of the study')
      .addOption(guestSuite())
      .addOption(logDir())
      .addOption(config())

  ofStudy('serve', 'serve it and print a link per participant')
    .option('-p, --port <n>', 'port (default: first free port from 7070)', numberIn(RANGES.port))
    .option('--host <address>', 'address to listen on')
    .action(async (name: string, options) => (await import('../commands/study.ts')).serve(name, options))
  ofStudy('show', 'who has played how much').action(async (name: string, options) =>
    (await import('../commands/study.ts')).show(name, options),
  )
  ofStudy('report', 'scores of everybody and of each, and how far they agree')
    .addOption(all())
    .action(async (name: string, options) => (await import('../commands/study.ts')).report(name, options))
  ofStudy('export', 'write anonymous results as CSV')
    .option('-o, --output <file>', 'file, - for stdout (default: NAME.csv)')
    .action(async (name: string, options) => (await import('../commands/study.ts')).exportStudy(name, options))
}
