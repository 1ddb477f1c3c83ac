/** Commands that play: run, resume, worker. */
import { type Command, Option } from 'commander'
import { collect, keyValues, numberIn, RANGES } from '../options/arguments.ts'
import {
  logDir,
  config,
  guestSuite,
  json,
  all,
  lease,
  threads,
  allowBaseUrl,
  allowVariable,
  noFailFast,
  failOnError,
  profile,
  movedSource,
  task,
  source,
  limit,
  sample,
  sampleId,
  seed,
} from '../options/common.ts'

export function addPlayCommands(program: Command): void {
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
    .addOption(task())
    .addOption(profile('rules for prompting and scoring'))
    .addOption(source())
    .addOption(limit())
    .addOption(sample())
    .addOption(sampleId())
    .option('--epochs <n>', 'repetitions of each sample (default: 1)', numberIn(RANGES.epochs))
    .addOption(seed())
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
    .action(async (suites: string[], options) => (await import('../commands/run.ts')).run(suites, options))

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
    .action(async (run: string, options) => (await import('../commands/run.ts')).resume(run, options))

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
    .action(async (options) => (await import('../commands/worker.ts')).worker(options))
}
