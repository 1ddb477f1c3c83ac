/** Commands about suites and their data. */
import { type Command, Option } from 'commander'
import { DATA_FORMATS } from '../../training/formats/names.ts'
import { collect, keyValues, numberIn, RANGES } from '../options/arguments.ts'
import { logDir, config, guestSuite, json, profile, task, source, limit, sampleId, seed } from '../options/common.ts'

export function addSuiteCommands(program: Command): void {
  program
    .commandsGroup('Suites and setup:')
    .command('list')
    .description('list suites, sources, baselines, models or runs')
    .argument('[what]', 'suites, sources, baselines, models, runs, or a suite')
    .option('--samples', 'list sample ids of the suite')
    .option('--all', 'with runs: all of them, with whole ids')
    .option('--source <name[:where]>', 'with --samples: sample source')
    .option('--seed <n>', 'with --samples: random seed (default: 0)', numberIn(RANGES.seed))
    .option('-T, --task <key=value>', 'with --samples: suite option', keyValues)
    .addOption(json())
    .addOption(guestSuite())
    .addOption(logDir())
    .addOption(config())
    .action(async (what: string | undefined, options) => (await import('../commands/list.ts')).list(what, options))

  program
    .command('check')
    .description('check a suite and its data, and show what it asks and reads')
    .argument('<suite>', 'name (see `sightline list`), file or package')
    .option('--source <name[:where]>', 'sample source: data:/path')
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .addOption(limit())
    .option('-m, --model <provider/name>', 'model whose prices the estimate uses')
    .addOption(json())
    .addOption(guestSuite())
    .addOption(config())
    .action(async (suite: string, options) => (await import('../commands/check.ts')).check(suite, options))

  program
    .command('audit')
    .description('measure how far words alone get, and how far a perfect eye')
    .argument('<suite>', 'name (see `sightline list`), file or package')
    .addOption(source())
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .addOption(limit())
    .addOption(seed())
    .option('--no-ceiling', 'do not play baseline/eye')
    .addOption(sampleId())
    .option('--prune <file>', 'write the ids of the samples that words do not give away')
    .option('--max-gain <points>', 'exit with 1 if words gain more in any row', numberIn(RANGES.maxGain))
    .option('-o, --output <file>', 'write the numbers too: .json')
    .addOption(json())
    .addOption(guestSuite())
    .addOption(config())
    .action(async (suite: string, options) => (await import('../commands/audit.ts')).audit(suite, options))

  const data = program.command('data').description('download, check and remove published datasets; make training data')
  const dataFolder = () =>
    new Option('--folder <folder>', 'its folder (default: in SIGHTLINE_DATA, or in your data folder)')
  const yes = () => new Option('-y, --yes', 'do not ask')
  const withSuites = (command: Command): Command =>
    command.addOption(json()).addOption(guestSuite()).addOption(logDir()).addOption(config())

  withSuites(data.command('get').description('download a dataset, or continue; prints the --source that reads it'))
    .argument('<dataset>', 'name (see `sightline data list`), or OWNER/NAME on the Hugging Face Hub')
    .addOption(dataFolder())
    .addOption(yes())
    .option(
      '--revision <commit>',
      'of the Hub: commit, tag or branch (default: that of the catalog or of the first download)',
    )
    .option('--files <glob>', 'of the Hub: only these files; repeatable', collect)
    .option('--model', 'OWNER/NAME is a model repository, not a dataset')
    .action(async (name: string, options) => (await import('../commands/data.ts')).get(name, options))

  withSuites(data.command('list').description('list the datasets that suites read')).action(async (options) =>
    (await import('../commands/data.ts')).list(options),
  )

  withSuites(data.command('check').description('compare every file of a dataset with its checksum'))
    .argument('<dataset>', 'name, or OWNER/NAME')
    .addOption(dataFolder())
    .action(async (name: string, options) => (await import('../commands/data.ts')).check(name, options))

  withSuites(data.command('rm').description('remove the files of a dataset; other files stay'))
    .argument('<dataset>', 'name, or OWNER/NAME')
    .addOption(dataFolder())
    .addOption(yes())
    .action(async (name: string, options) => (await import('../commands/data.ts')).remove(name, options))

  withSuites(data.command('make').description('make training data from generated scenes, or continue'))
    .argument('<suite>', 'name (see `sightline list`), file or package')
    .option('-n, --examples <n>', 'how many', numberIn(RANGES.sample), 1000)
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .option('--source <name[:where]>', 'sample source that takes a seed (default: built-in, with training seeds)')
    .option('--player <baseline>', 'who replies (default: oracle)')
    .option('--rejected <baseline>', 'make pairs: who gives the worse reply, such as random')
    .option('--no-balance', 'take all samples, not as many of each type and level')
    .option('--no-reasons', 'replies without reasons')
    .addOption(new Option('--format <format>', 'files').choices(DATA_FORMATS).default('sharegpt'))
    .addOption(new Option('--images <type>', 'pictures').choices(['jpeg', 'png']).default('jpeg'))
    .option('--max-side <pixels>', 'make larger pictures smaller', numberIn(RANGES.pictureSide))
    .option('--threads <n>', 'threads that play and draw (default: one per core)', numberIn(RANGES.threads))
    .option('-o, --output <folder>', 'new folder, or one to continue (default: ./SUITE-data)')
    .action(async (suite: string, options) => (await import('../commands/data.ts')).make(suite, options))

  const create = program.command('new').description('create a new suite')

  create
    .command('suite')
    .description('create a working suite and its test in this folder')
    .argument('<name>', 'lowercase letters, digits and -')
    .action(async (name: string) => (await import('../commands/new.ts')).newSuite(name))

  create
    .command('questions')
    .description('create a suite without code, from a table of questions')
    .argument('<name>', 'lowercase letters, digits and -')
    .requiredOption('--data <file>', 'table in this folder: .parquet .jsonl .json .csv .tsv')
    .action(async (name: string, { data }: { data: string }) =>
      (await import('../commands/new.ts')).newQuestions(name, data),
    )
}
