/** Commands that read recorded runs. */
import { Argument, type Command, Option } from 'commander'
import { EXPORT_FORMATS } from '../../report/export/types.ts'
import { FIGURE_KINDS, type FigureKind } from '../../report/figures/kinds.ts'
import { collect, keyValues, numberIn, RANGES } from '../options/arguments.ts'
import {
  logDir,
  config,
  guestSuite,
  json,
  all,
  threads,
  allowBaseUrl,
  allowVariable,
  profile,
  movedSource,
  task,
} from '../options/common.ts'
import { columns } from '../terminal/output.ts'

export function addResultCommands(program: Command): void {
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
    .action(async (run: string, options) => (await import('../commands/measure.ts')).measure(run, options))

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
    .action(async (run: string, options) => (await import('../commands/score.ts')).score(run, options))

  program
    .command('verify')
    .description('check that the recorded events and media of a run are unchanged')
    .argument('<run>', 'id, unique part of an id or `latest`')
    .addOption(json())
    .addOption(logDir())
    .action(async (run: string, options) => (await import('../commands/verify.ts')).verify(run, options))

  program
    .command('show')
    .description('show a run: state, score, cost, and the command that repeats it')
    .argument('<run>', 'id, unique part of an id or `latest`')
    .addOption(json())
    .addOption(guestSuite())
    .addOption(logDir())
    .addOption(config())
    .action(async (run: string, options) => (await import('../commands/show.ts')).show(run, options))

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
      await (await import('../commands/report.ts')).report(runs, { ...options, format, formatGiven })
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
      (await import('../commands/figure.ts')).drawFigure(kind, runs, options),
    )
    .addHelpText('after', () => `\nKinds:\n${columns(Object.entries(FIGURE_KINDS))}`)

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
    .action(async (a: string, b: string, options) =>
      (await import('../commands/compare.ts')).compareRuns(a, b, options),
    )

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
    .action(async (run: string, options) => (await import('../commands/export.ts')).exportRun(run, options))

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
    .addOption(task())
    .addOption(profile('rules for scoring'))
    .option('--source <name[:where]>', 'samples the replies belong to (default: those in the files)')
    .addOption(guestSuite())
    .optionsGroup('Options:')
    .addOption(json())
    .addOption(logDir())
    .addOption(config())
    .action(async (path: string, options) => (await import('../commands/import.ts')).importRun(path, options))
}
