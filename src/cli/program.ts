/** The command line: every command and option. A command's code is loaded only when it is called. */
import { readFileSync } from 'node:fs'
import { Argument, Command, Option } from 'commander'
import { FIGURE_KINDS, type FigureKind } from '../report/figures/kinds.ts'
import { DEVICES } from '../suites/vbench/domain/devices.ts'
import { LEVEL_NAMES } from '../suites/vsi/domain/levels.ts'
import { CLIP_LANGUAGES, CLIPS, MAX_CLIPS } from '../suites/vsig/samples/clips/set.ts'
import { EXPORT_FORMATS } from '../report/export/types.ts'
import { DATA_FORMATS } from '../training/formats/names.ts'
import { REWARDS } from '../training/rewards.ts'
import { SCENE_KINDS } from '../world/rooms/kinds.ts'
import { collect, collectIds, keyValues, numberIn, RANGES } from './options/arguments.ts'
import { EXIT } from './terminal/exit.ts'
import { columns } from './terminal/output.ts'

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

const logDir = () =>
  new Option('--log-dir <folder>', 'folder for runs, media and cached replies')
    .env('SIGHTLINE_LOG_DIR')
    .default('.sightline')
const config = () => new Option('-c, --config <file>', 'config file (default: ./sightline.config.*)')
const guestSuite = () => new Option('--suite <file|package>', 'load a custom suite; repeatable').argParser(collect)
const json = () => new Option('--json', 'print the result to stdout as JSON')
const all = () => new Option('--all', 'all rows and intervals, not only the headline and its parts')
const lease = () =>
  new Option('--lease <seconds>', 'worker heartbeat timeout (default: 30)').argParser(numberIn(RANGES.lease))
const threads = () =>
  new Option('--threads <n>', 'threads for CPU-heavy work (default: cores)').argParser(numberIn(RANGES.threads))
const allowBaseUrl = () =>
  new Option('--allow-base-url <url>', 'address that may get your API keys; repeatable').argParser(collect)
const allowVariable = () =>
  new Option('--allow-variable <name>', 'environment variable that its headers may contain; repeatable').argParser(
    collect,
  )
const noFailFast = () => new Option('--no-fail-fast', 'play on when key, model, quota or server fail')
const failOnError = () => new Option('--fail-on-error <n|n%>', 'stop when more episodes end in an error')
const profile = (what: string) => new Option('--profile <name>', what)
const movedSource = () => new Option('--source <source>', 'new location of its samples, if they moved')

program
  .commandsGroup('Run:')
  .command('run')
  .description('run every given suite with every given model')
  .argument('<suite...>', 'name (see `sightline list`), file or package')
  .optionsGroup('Model:')
  .option('-m, --model <provider/name>', 'model to test; repeatable', collect)
  .option('--model-role <role=model>', 'model for another role: judge=openai/gpt-5.2', collect)
  .option('-M, --model-option <key=value>', 'temperature, effort, base_url, header.NAME …', keyValues)
  .optionsGroup('Suite:')
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
  .addOption(profile('rules for prompting and scoring'))
  .option('--source <name[:where]>', 'sample source: builtin:seed=7 or NAME:/path')
  .option('-l, --limit <n|a-b>', 'first n samples, or samples a to b')
  .option('--sample <n>', 'draw n samples, spread over scenes and types', numberIn(RANGES.sample))
  .option('--sample-id <id>', 'only this sample; repeatable; @FILE: one id per line', collectIds)
  .option('--epochs <n>', 'repetitions of each sample (default: 1)', numberIn(RANGES.epochs))
  .option('--seed <n>', 'random seed (default: 0)', numberIn(RANGES.seed))
  .optionsGroup('Limits:')
  .option('-j, --max-connections <n>', 'concurrent requests (default: adaptive)', numberIn(RANGES.maxConnections))
  .option('--requests-per-minute <n>', 'maximum requests per minute, per model', numberIn(RANGES.perMinute))
  .option('--tokens-per-minute <n>', 'soft limit on tokens per minute, per model', numberIn(RANGES.perMinute))
  .option('--max-retries <n>', 'retries per failed request (default: 6)', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'timeout per request (default: 600)', numberIn(RANGES.timeout))
  .option('--time-limit <seconds>', 'stop each run after this time; resumable', numberIn(RANGES.timeLimit))
  .option('--budget <amount>', 'stop each run at this cost: 5usd, 200k-tokens')
  .option('--prices <file>', 'token prices (default: LOG_DIR/prices.json)')
  .option('--no-cache', 'ignore cached replies')
  .option('--batch', 'send requests as batches: half the price, replies within a day')
  .addOption(noFailFast())
  .addOption(failOnError())
  .optionsGroup('Execution:')
  .addOption(threads())
  .option('--queue <url>', 'run on workers: redis://… or postgres://…')
  .addOption(lease())
  .optionsGroup('Output:')
  .option('-o, --output <file>', 'write a report too: .json .md .csv .tex .html')
  .option('--fail-under <score>', 'exit with 100 if the headline score is lower', numberIn(RANGES.failUnder))
  .addOption(all())
  .optionsGroup('Options:')
  .addOption(json())
  .addOption(logDir())
  .addOption(config())
  .action(async (suites: string[], options) => (await import('./commands/run.ts')).run(suites, options))

program
  .command('resume')
  .description('resume a run after a crash, Ctrl-C or spent budget')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .option('--budget <amount>', 'new total budget, including what was spent')
  .option('--time-limit <seconds>', 'stop again after this time', numberIn(RANGES.timeLimit))
  .option('--retry-errors', 'replay episodes that ended in a model error')
  .addOption(noFailFast())
  .addOption(failOnError())
  .addOption(movedSource())
  .option('-j, --max-connections <n>', 'concurrent requests (default: adaptive)', numberIn(RANGES.maxConnections))
  .option('--requests-per-minute <n>', 'maximum requests per minute, per model', numberIn(RANGES.perMinute))
  .option('--tokens-per-minute <n>', 'soft limit on tokens per minute, per model', numberIn(RANGES.perMinute))
  .option('--max-retries <n>', 'retries per failed request (default: 6)', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'timeout per request (default: 600)', numberIn(RANGES.timeout))
  .option('--prices <file>', 'token prices (default: LOG_DIR/prices.json)')
  .option('--fail-under <score>', 'exit with 100 if the headline score is lower', numberIn(RANGES.failUnder))
  .addOption(all())
  .addOption(threads())
  .option('--queue <url>', 'queue URL, or `here` to run locally (default: same)')
  .addOption(allowBaseUrl())
  .addOption(allowVariable())
  .addOption(lease())
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/run.ts')).resume(run, options))

program
  .command('worker')
  .description('play episodes for runs started with --queue')
  .addOption(
    new Option('--queue <url>', 'redis://host:6379/0 or postgres://host/database')
      .env('SIGHTLINE_QUEUE')
      .makeOptionMandatory(),
  )
  .option('--slots <n>', 'concurrent episodes (default: 4 per core)', numberIn(RANGES.slots))
  .option('--threads <n>', 'threads that play episodes (default: one per core)', numberIn(RANGES.threads))
  .option('--source <name:where>', 'dataset location on this machine; repeatable', collect)
  .option('--grace <seconds>', 'time to finish running episodes on stop (default: 20)', numberIn(RANGES.grace))
  .addOption(allowBaseUrl())
  .addOption(guestSuite())
  .addOption(logDir())
  .action(async (options) => (await import('./commands/worker.ts')).worker(options))

program
  .commandsGroup('Results:')
  .command('measure')
  .description('add missing measurements to a recorded run')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .option('-T, --task <key=value>', 'measurement option, such as models=./networks', keyValues)
  .option('--model-role <role=model>', 'model that measures: judge=openai/gpt-5.2', collect)
  .option('-j, --max-connections <n>', 'concurrent requests (default: adaptive)', numberIn(RANGES.maxConnections))
  .option('--max-retries <n>', 'retries per failed request (default: 6)', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'timeout per request (default: 600)', numberIn(RANGES.timeout))
  .addOption(allowBaseUrl())
  .addOption(allowVariable())
  .addOption(threads())
  .addOption(guestSuite())
  .addOption(json())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/measure.ts')).measure(run, options))

program
  .command('score')
  .description('rescore a run without calling the model')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .addOption(profile('scoring profile (default: the one it was run with)'))
  .addOption(movedSource())
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/score.ts')).score(run, options))

program
  .command('verify')
  .description('check that the recorded events and media of a run are unchanged')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .addOption(json())
  .addOption(logDir())
  .action(async (run: string, options) => (await import('./commands/verify.ts')).verify(run, options))

program
  .command('show')
  .description('show a run: state, score, cost, and the command that repeats it')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/show.ts')).show(run, options))

program
  .command('report')
  .description('print a table of runs with confidence intervals')
  .argument('<run...>', 'ids, unique parts of ids or `latest`')
  .addOption(
    new Option('-f, --format <format>', 'output format')
      .choices(['table', 'md', 'csv', 'latex', 'json', 'html'])
      .default('table'),
  )
  .addOption(profile('scoring profile (default: the one it was run with)'))
  .option('--shared', 'score the runs on the samples that all of them have')
  .option('--json', 'short for --format json')
  .option('-o, --output <file>', 'write to a file; format from its extension')
  .optionsGroup('Table:')
  .option('--by <labels>', 'the headline by type, level, dataset …, comma-separated; repeatable', collect)
  .option('--metrics <names>', 'only these metrics or sections, comma-separated; repeatable', collect)
  .addOption(all())
  .addOption(new Option('--rows <what>', 'models or metrics as rows').choices(['models', 'metrics']))
  .addOption(new Option('--intervals <which>', 'confidence intervals to show').choices(['all', 'headline', 'none']))
  .option('--published', 'with the published results of the benchmark, and whether they compare')
  .option('--caption <text>', 'caption of a LaTeX table')
  .option('--label <label>', 'label of a LaTeX table (default: tab:SUITE)')
  .option('--wide', 'LaTeX: as wide as the page in a two-column document')
  .optionsGroup('Options:')
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (runs: string[], options, command: Command) => {
    const format = options.json ? 'json' : options.format
    const formatGiven = options.json || command.getOptionValueSource('format') === 'cli'
    await (await import('./commands/report.ts')).report(runs, { ...options, format, formatGiven })
  })

program
  .command('figure')
  .description('draw a figure of runs as SVG, PDF or PNG')
  .addArgument(new Argument('<kind>', 'what to draw').choices(Object.keys(FIGURE_KINDS)))
  .argument('[run...]', 'ids, unique parts of ids or `latest` (the default)')
  .option('-o, --output <file>', 'file; format from its extension, - for stdout (default: KIND.svg)')
  .option('--width <n>', 'width in pixels, points in PDF (default: 480)', numberIn(RANGES.figureWidth))
  .option('--only <text>', 'types: only scores whose name contains this; repeatable', collect)
  .option('--against <metric>', 'cost: a number of the report instead of dollars, by key or title')
  .option('--over <option>', 'sweep: the option on the axis, such as rooms or frames')
  .option('--gap <option>', 'sweep: also draw the difference of two settings of this option, such as explore')
  .option('--dark', 'light text on dark paper')
  .addOption(profile('scoring profile (default: the one it was run with)'))
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (kind: FigureKind, runs: string[], options) =>
    (await import('./commands/figure.ts')).drawFigure(kind, runs, options),
  )
  .addHelpText('after', `\nKinds:\n${columns(Object.entries(FIGURE_KINDS))}`)

program
  .command('compare')
  .description('compare two runs on the samples they share')
  .argument('<runA>', 'id, unique part of an id or `latest`')
  .argument('<runB>', 'the run to compare it with')
  .addOption(
    new Option('-f, --format <format>', 'output format')
      .choices(['table', 'md', 'csv', 'latex', 'json'])
      .default('table'),
  )
  .addOption(profile('scoring profile for both runs'))
  .addOption(all())
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (a: string, b: string, options) => (await import('./commands/compare.ts')).compareRuns(a, b, options))

program
  .command('export')
  .description('export a run as web pages or for another tool')
  .argument('<run>', 'id, unique part of an id or `latest`')
  .option('--html', 'self-contained folder of pages, images and scenes')
  .option('--episode <index[.epoch]>', 'with --html: only this episode (see its page URL)')
  .addOption(new Option('--to <format>', 'target format').choices([...EXPORT_FORMATS, 'batch-jsonl', 'easi', 'html']))
  .option('--dataset <owner/name>', 'with hf-eval-results: dataset on the Hub (default: of the source)')
  .option('--task-id <id>', "with hf-eval-results: task in the dataset's eval.yaml")
  .option('--with-addresses', 'keep base URLs and HTTP headers of models')
  .option('-o, --output <path>', 'file or folder (default: in the run; --html: ./RUN)')
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/export.ts')).exportRun(run, options))

program
  .command('import')
  .description("import another tool's log as a run")
  .argument('<path>', 'log or result file; for a suite also a folder')
  .requiredOption(
    '--from <tool|suite>',
    'inspect, lmms-eval, vlmevalkit, batch-jsonl, or the suite whose published files to read',
  )
  .optionsGroup('With a suite:')
  .option('-m, --model <name>', 'name of the model (default: the one in the files)')
  .option('--model-role <role=model>', 'model for another role: judge=openai/gpt-5.2', collect)
  .option('-M, --model-option <key=value>', 'option of that model: judge.effort …', keyValues)
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
  .addOption(profile('rules for scoring'))
  .option('--source <name[:where]>', 'samples the replies belong to (default: those in the files)')
  .addOption(guestSuite())
  .optionsGroup('Options:')
  .addOption(json())
  .addOption(logDir())
  .addOption(config())
  .action(async (path: string, options) => (await import('./commands/import.ts')).importRun(path, options))

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
  .action(async (what: string | undefined, options) => (await import('./commands/list.ts')).list(what, options))

program
  .command('check')
  .description('check a suite and its data, and show what it asks and reads')
  .argument('<suite>', 'name (see `sightline list`), file or package')
  .option('--source <name[:where]>', 'sample source: data:/path')
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
  .addOption(profile('rules for prompting and scoring'))
  .option('-l, --limit <n|a-b>', 'first n samples, or samples a to b')
  .option('-m, --model <provider/name>', 'model whose prices the estimate uses')
  .addOption(json())
  .addOption(guestSuite())
  .addOption(config())
  .action(async (suite: string, options) => (await import('./commands/check.ts')).check(suite, options))

program
  .command('audit')
  .description('measure how far words alone get, and how far a perfect eye')
  .argument('<suite>', 'name (see `sightline list`), file or package')
  .option('--source <name[:where]>', 'sample source: builtin:seed=7 or NAME:/path')
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
  .addOption(profile('rules for prompting and scoring'))
  .option('-l, --limit <n|a-b>', 'first n samples, or samples a to b')
  .option('--seed <n>', 'random seed (default: 0)', numberIn(RANGES.seed))
  .option('--no-ceiling', 'do not play baseline/eye')
  .option('--sample-id <id>', 'only this sample; repeatable; @FILE: one id per line', collectIds)
  .option('--prune <file>', 'write the ids of the samples that words do not give away')
  .option('--max-gain <points>', 'exit with 1 if words gain more in any row', numberIn(RANGES.maxGain))
  .option('-o, --output <file>', 'write the numbers too: .json')
  .addOption(json())
  .addOption(guestSuite())
  .addOption(config())
  .action(async (suite: string, options) => (await import('./commands/audit.ts')).audit(suite, options))

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
  .option('--revision <commit>', 'of the Hub: commit, tag or branch (default: newest, recorded)')
  .option('--files <glob>', 'of the Hub: only these files; repeatable', collect)
  .option('--model', 'OWNER/NAME is a model repository, not a dataset')
  .action(async (name: string, options) => (await import('./commands/data.ts')).get(name, options))

withSuites(data.command('list').description('list the datasets that suites read')).action(async (options) =>
  (await import('./commands/data.ts')).list(options),
)

withSuites(data.command('check').description('compare every file of a dataset with its checksum'))
  .argument('<dataset>', 'name, or OWNER/NAME')
  .addOption(dataFolder())
  .action(async (name: string, options) => (await import('./commands/data.ts')).check(name, options))

withSuites(data.command('rm').description('remove the files of a dataset; other files stay'))
  .argument('<dataset>', 'name, or OWNER/NAME')
  .addOption(dataFolder())
  .addOption(yes())
  .action(async (name: string, options) => (await import('./commands/data.ts')).remove(name, options))

withSuites(data.command('make').description('make training data from generated scenes, or continue'))
  .argument('<suite>', 'name (see `sightline list`), file or package')
  .option('-n, --examples <n>', 'how many', numberIn(RANGES.sample), 1000)
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
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
  .action(async (suite: string, options) => (await import('./commands/data.ts')).make(suite, options))

const create = program.command('new').description('create a new suite')

create
  .command('suite')
  .description('create a working suite and its test in this folder')
  .argument('<name>', 'lowercase letters, digits and -')
  .action(async (name: string) => (await import('./commands/new.ts')).newSuite(name))

create
  .command('questions')
  .description('create a suite without code, from a table of questions')
  .argument('<name>', 'lowercase letters, digits and -')
  .requiredOption('--data <file>', 'table in this folder: .parquet .jsonl .json .csv .tsv')
  .action(async (name: string, { data }: { data: string }) =>
    (await import('./commands/new.ts')).newQuestions(name, data),
  )

program
  .command('serve')
  .helpGroup('Run:')
  .description('serve suites as environments for training (OpenEnv)')
  .argument('<suite...>', 'name (see `sightline list`), file or package')
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
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
  .option('--max-sessions <n>', 'concurrent episodes (default: 1000)', numberIn(RANGES.sessions))
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (suites: string[], options) => (await import('./commands/serve.ts')).serve(suites, options))

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
  .action(async (run: string | undefined, options) => (await import('./commands/view.ts')).view(run, options))

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
  .option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)', keyValues)
  .addOption(profile('rules for prompting and scoring'))
  .option('--source <name[:where]>', 'sample source: builtin:seed=7 or NAME:/path')
  .option('-l, --limit <n|a-b>', 'first n samples, or samples a to b')
  .option('--sample <n>', 'draw n samples, spread over scenes and types', numberIn(RANGES.sample))
  .option('--sample-id <id>', 'only this sample; repeatable; @FILE: one id per line', collectIds)
  .option('--seed <n>', 'random seed (default: 0)', numberIn(RANGES.seed))
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (name: string, suite: string, options) =>
    (await import('./commands/study.ts')).newStudy(name, suite, options),
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
  .action(async (name: string, options) => (await import('./commands/study.ts')).serve(name, options))
ofStudy('show', 'who has played how much').action(async (name: string, options) =>
  (await import('./commands/study.ts')).show(name, options),
)
ofStudy('report', 'scores of everybody and of each, and how far they agree')
  .addOption(all())
  .action(async (name: string, options) => (await import('./commands/study.ts')).report(name, options))
ofStudy('export', 'write anonymous results as CSV')
  .option('-o, --output <file>', 'file, - for stdout (default: NAME.csv)')
  .action(async (name: string, options) => (await import('./commands/study.ts')).exportStudy(name, options))

program
  .command('doctor')
  .description('check codecs, API keys and optional dependencies')
  .option('--queue <url>', 'also check a queue: server, workers, runs')
  .option('--forget <run>', 'with --queue: remove an abandoned run from it')
  .addOption(json())
  .addOption(logDir())
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options))

program
  .command('completion')
  .description('print a script that completes commands in your shell')
  .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
  .argument('[words...]', 'for the script: print what can follow these words')
  .action(async (shell: string, words: string[]) =>
    (await import('./commands/completion.ts')).completion(shell, words, program),
  )

const scene = program.commandsGroup('Tools:').command('scene').description('generate, render and inspect 3D scenes')

scene
  .command('new')
  .description('generate a furnished scene as JSON')
  .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
  .addOption(new Option('--kind <kind>', 'kind of scene').choices(SCENE_KINDS).default('living room'))
  .option('--rooms <n>', 'number of rooms in a flat, 2 to 8', numberIn(RANGES.rooms))
  .option('-o, --output <file>', 'output file (default: stdout)')
  .action(async (options) => (await import('./commands/scene.ts')).newScene(options))

scene
  .command('show')
  .description('render a scene, or print its statistics')
  .argument('<file>', 'scene (JSON) or mesh (PLY, OBJ, GLB, glTF)')
  .option('-o, --output <file.png>', 'render an image')
  .option('--pose <x,y,z,yaw,pitch>', 'camera in meters and degrees (default: best view)')
  .option('--map', 'top-down view, cut open below the ceiling')
  .option('--dollhouse', 'view from above at an angle, cut open')
  .option('--size <WxH>', 'image size in pixels', '640x480')
  .option('--fov <degrees>', 'horizontal field of view', numberIn(RANGES.fov), 90)
  .option('--no-antialias', 'one sample per pixel')
  .option('--video <file.mp4>', 'render a video tour')
  .option('--export <file.glb>', 'export the mesh')
  .option('--stats', 'print dimensions, areas and objects')
  .addOption(new Option('--up <axis>', 'up axis of a mesh (default: y for glTF, else z)').choices(['x', 'y', 'z']))
  .option('--meters-per-unit <n>', 'scale of a mesh (default: 1)', numberIn(RANGES.metersPerUnit))
  .addOption(json())
  .action(async (file: string, options) => {
    const { parsePose, parseSize, showScene } = await import('./commands/scene.ts')
    const pose = options.pose === undefined ? {} : { pose: parsePose(options.pose) }
    await showScene(file, { ...options, ...pose, size: parseSize(options.size) })
  })

program
  .command('demo')
  .helpGroup('Run:')
  .description('walk, look and read in built-in scenes; needs no API key')
  .option('--scenes <n>', 'number of grid scenes', numberIn(RANGES.scenes), 12)
  .option('--no-view', 'exit after the table instead of starting the viewer')
  .addOption(logDir())
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))

const vsig = program.command('vsig').description('tools for VSIG (pointing and speech)')

vsig
  .command('clips')
  .description('write the built-in clips as a dataset in the published format')
  .requiredOption('-o, --output <folder>', 'new or empty folder')
  .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
  .option('--clips <n>', 'number of clips', numberIn({ min: 1, max: MAX_CLIPS, whole: true }), CLIPS)
  .addOption(new Option('--language <language>', 'spoken language').choices(CLIP_LANGUAGES).default('both'))
  .action(async (options) => (await import('./commands/vsig.ts')).clips(options))

const vsi = program.command('vsi').description('tools for VSI (spatial questions)')

vsi
  .command('dataset')
  .description('write built-in questions, videos and meshes in the layout of VSI-Bench')
  .requiredOption('-o, --output <folder>', 'new or empty folder')
  .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
  .option('--scenes <n>', 'number of scenes, ten questions each', numberIn(RANGES.scenes), 10)
  .addOption(new Option('--look <look>', 'how scenes are drawn').choices(['lit', 'plain', 'rich']).default('lit'))
  .addOption(new Option('--level <level>', 'difficulty').choices([...LEVEL_NAMES, 'mixed']).default('medium'))
  .action(async (options) => (await import('./commands/vsi.ts')).dataset(options))

const vbench = program.command('vbench').description('tools for VBench (video generation)')
const vbenchPrompts = (command: Command): Command =>
  command
    .option('--prompts <where>', 'VBench checkout, i2v:CHECKOUT, vbench2:CHECKOUT, or builtin', 'builtin')
    .option('--images <folder>', 'for VBench-I2V: the images that videos are made from')
    .option('-d, --dimension <names...>', 'only these dimensions, `quality`, `semantic` or `i2v`', collect)
    .option('--category <names...>', 'prompts of these categories, or `all`', collect)
    .option('--samples <n>', 'videos per prompt (default: 5)', numberIn({ min: 1, max: 1000, whole: true }))
    .option(
      '--flickering-samples <n>',
      'for temporal flickering (default: 25 or --samples)',
      numberIn({ min: 1, max: 1000, whole: true }),
    )
    .addOption(json())
const vbenchVideos = (command: Command): Command =>
  vbenchPrompts(command.requiredOption('--videos <folder>', 'folder with the videos'))
    .option('--custom', 'your own videos; prompts come from the file names')
    .option('--prompt-file <file>', 'your own videos; JSON of {"file name": "prompt"}')
    .option('--long', 'VBench-Long, for videos of 5 seconds and longer')

vbenchPrompts(vbench.command('plan').description('list the videos to generate'))
  .option('--names', 'print file names only')
  .action(async (options) => (await import('./commands/vbench/plan.ts')).plan(options))

vbenchPrompts(vbench.command('sample').description('generate the videos; run again to continue'))
  .requiredOption(
    '--generator <generator>',
    'http://…, a name from the config, built-in, or a command: "cmd:PROGRAM --prompt {prompt} --seed {seed} --out {out}"',
  )
  .addOption(config())
  .option('-o, --output <folder>', 'folder for the videos', 'videos')
  .option('--rewritten <list>', 'rewritten prompts: gpt, hunyuan, wan, chinese, FILE')
  .option('--model <name>', 'model name, sent to the server and recorded')
  .option('--field <key=value>', 'extra request field; repeatable', keyValues)
  .option('--seed <n>', 'base seed (default: random, kept in the folder)', numberIn(RANGES.seed))
  .option('-j, --jobs <n>', 'concurrent videos', numberIn({ min: 1, max: 256, whole: true }))
  .option('--poll <seconds>', 'polling interval', numberIn({ min: 0.01, max: 3600 }))
  .option('--timeout <seconds>', 'timeout per video', numberIn(RANGES.timeout))
  .addOption(logDir())
  .action(async (options) => (await import('./commands/vbench/sample.ts')).sample(options))

vbench
  .command('vote')
  .description('draw pairs of videos that people vote on in the viewer')
  .argument('<run...>', 'two or more runs with the same prompts: id, part of it, or path')
  .option('-d, --dimension <names>', 'dimensions to ask about, or quality, semantic; repeatable', collect)
  .option('--questions <n>', 'number of questions', numberIn({ min: 1, max: 5000, whole: true }), 100)
  .option('--seed <n>', 'draws questions, order and sides', numberIn(RANGES.seed), 0)
  .addOption(json())
  .addOption(logDir())
  .action(async (runs, options) => (await import('./commands/vbench/vote.ts')).vote(runs, options))

vbench
  .command('preference')
  .description('what the votes say: win ratios, agreement of people, correlation with the scores')
  .argument('[ballot]', 'id of the ballot (default: the newest)')
  .addOption(json())
  .addOption(logDir())
  .action(async (ballot, options) => (await import('./commands/vbench/vote.ts')).preference(ballot, options))

vbenchVideos(vbench.command('check').description('find missing, extra, misnamed and damaged videos'))
  .option('--all', 'show every issue')
  .action(async (options) => (await import('./commands/vbench/check.ts')).check(options))

vbenchVideos(vbench.command('score').description('score the dimensions, with confidence intervals'))
  .option('--models <folder>', 'metric networks: ONNX files and a models.json')
  .addOption(new Option('--device <device>', 'what runs the networks').choices(DEVICES).default('cpu'))
  .option('--with-published <python>', 'measure what has no network with the vbench package of this Python')
  .option('--judge <provider/name>', 'vision-language model for semantic dimensions')
  .option('-M, --model-option <key=value>', 'option for the judge', keyValues)
  .option('--tier <tiers...>', 'only these tiers: exact, variant, proxy', collect)
  .addOption(new Option('--static-filter <kind>', 'filter for temporal flickering').choices(['flow', 'raft', 'none']))
  .option('--scene-cuts', 'with --long: no clip goes across a change of scene')
  .option('-o, --output <folder>', 'folder for the results', 'vbench-results')
  .option('-j, --jobs <n>', 'videos measured concurrently', numberIn({ min: 1, max: 256, whole: true }))
  .option('--pictures', 'also write a contact sheet per prompt (PNG)')
  .option('--model <name>', 'model name (default: from the manifest or folder)')
  .option('--no-run', 'do not keep a run in the store')
  .addOption(logDir())
  .action(async (options) => (await import('./commands/vbench/score.ts')).score(options))

vbench
  .command('networks')
  .description('export the published networks for --models; needs Python with PyTorch, onnx and onnxruntime')
  .requiredOption('--published <folder>', 'checkout of Vchitect/VBench')
  .option('--python <program>', 'Python of the environment of the published evaluator', 'python3')
  .option('--checkpoints <folder>', 'its checkpoints (default: $VBENCH_CACHE_DIR or ~/.cache/vbench)')
  .option('--dino <folder>', 'checkout of facebookresearch/dino')
  .option('--dinov2 <folder>', 'checkout of facebookresearch/dinov2, for VBench-Long')
  .option('--role <names...>', 'only these roles of models.json', collect)
  .option('--random-weights', 'the same graphs without checkpoints, for tests')
  .option('-o, --output <folder>', 'folder for the networks', 'networks')
  .action(async (options) => (await import('./commands/vbench/networks.ts')).networks(options))

vbench
  .command('total')
  .description('compute Quality, Semantic and Total scores')
  .argument('<results...>', 'results.json, *_eval_results.json, zip or folder')
  .addOption(
    new Option('--benchmark <name>', 'VBench, VBench-I2V or VBench-2.0')
      .choices(['vbench', 'i2v', 'vbench2'])
      .default('vbench'),
  )
  .addOption(
    new Option('--missing <how>', 'no total if a dimension is missing, or count it as 0')
      .choices(['refuse', 'zero'])
      .default('refuse'),
  )
  .option('--zip <file>', 'write a submission for the VBench leaderboard')
  .addOption(json())
  .action(async (results: string[], options) => (await import('./commands/vbench/total.ts')).total(results, options))

pointToHelp(program, 'sightline')

/** After a usage error, each command points to its own help. */
function pointToHelp(command: Command, path: string): void {
  const names = command.commands.map((each) => each.name())
  // The list of all commands of `sightline` itself is too long for a hint.
  const list = names.length > 0 && command !== program ? `Commands: ${names.join(', ')}. ` : ''
  command.showHelpAfterError(`${list}See ${path} --help.`)
  for (const each of command.commands) pointToHelp(each, `${path} ${each.name()}`)
}
