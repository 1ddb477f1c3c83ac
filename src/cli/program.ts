/** The command line: every command and option. A command's code is loaded only when it is called. */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { CLIP_LANGUAGES, CLIPS, MAX_CLIPS } from '../suites/vsig/samples/clips/set.ts'
import { SCENE_KINDS } from '../world/rooms/kinds.ts'
import { collect, keyValues, numberIn, RANGES } from './options/arguments.ts'
import { withNewNames } from './options/renamed.ts'
import { EXIT } from './terminal/exit.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const program = new Command('sightline')
  .description('Measures how well a model sees, moves and reasons in space.')
  .version(version)
  .showHelpAfterError('(sightline --help lists the commands)')
  .configureHelp({ sortSubcommands: false, sortOptions: false })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? EXIT.fine : EXIT.usage)
  })

const logDir = () =>
  new Option('--log-dir <folder>', 'where runs, media and replies are kept')
    .env('SIGHTLINE_LOG_DIR')
    .default('.sightline')
const config = () =>
  new Option('-c, --config <file>', 'settings; default: sightline.config.ts or .json, if there is one')
const guestSuite = () =>
  new Option('--suite <file|package>', 'suite of your own or from a package; repeat for several').argParser(collect)
const json = () => new Option('--json', 'print the result as JSON and nothing else to standard output')
const lease = () =>
  new Option(
    '--lease <seconds>',
    'with --queue: a worker that is silent for so long is taken for dead; default 30',
  ).argParser(numberIn(RANGES.lease))
const threads = () =>
  new Option('--threads <n>', 'threads that play when episodes compute much; default: one a core; 0: none').argParser(
    numberIn(RANGES.threads),
  )
const profile = (what: string) => new Option('--profile <name>', what)
const movedSource = () => new Option('--source <source>', 'where its cases are now, when they are not where they were')

program
  .command('run')
  .description('play suites with models; every suite with every model')
  .argument('<suite...>', 'a name such as space/text (`sightline list` shows all), a file ./my-suite.ts, or a package')
  .option('-m, --model <provider/name>', 'model under test; repeat for several', collect)
  .option('--model-role <role=provider/name>', 'model for another role, for example judge=openai/gpt-5.2', collect)
  .option('-T, --task <key=value>', 'suite option; `sightline list SUITE` shows them', keyValues)
  .option(
    '-M, --model-option <key=value>',
    'model option: temperature, max_tokens, effort, base_url …; judge.temperature for the judge',
    keyValues,
  )
  .option('--source <name[:where]>', 'where cases come from: builtin:seed=7 or NAME:/path')
  .addOption(profile('way to play and score; the first in `sightline list SUITE` is the default'))
  .option('-l, --limit <n|a-b>', 'first n cases, or cases a to b')
  .option('--sample-id <id>', 'only this case; repeat for several', collect)
  .option('--epochs <n>', 'how often each case is played; default once', numberIn(RANGES.epochs))
  .option('--seed <n>', 'seed of everything that is drawn', numberIn(RANGES.seed))
  .option(
    '-j, --max-connections <n>',
    'requests under way at once; default: adapts to what the provider allows',
    numberIn(RANGES.maxConnections),
  )
  .option('--requests-per-minute <n>', 'never more requests to a model in any minute', numberIn(RANGES.perMinute))
  .option('--tokens-per-minute <n>', 'never many more tokens in any minute', numberIn(RANGES.perMinute))
  .option('--max-retries <n>', 'tries after a failed request; default 6', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'longest wait for one reply; default 600', numberIn(RANGES.timeout))
  .option('--time-limit <seconds>', 'end the run after this time, resumable', numberIn(RANGES.timeLimit))
  .option('--budget <amount>', 'end the run when this is spent, resumable: 5usd or 200k-tokens')
  .option('--no-cache', 'ask again even where the same request was answered before')
  .option('--prices <file>', 'prices in US dollars per million tokens; default: prices.json in the log folder')
  .option('--fail-under <score>', 'exit with 100 when the headline score is lower', numberIn(RANGES.failUnder))
  .option('-o, --output <file>', 'write the report too; .json .md .csv .tex .html by its ending')
  .addOption(threads())
  .option('--queue <queue>', 'let workers on other machines play: redis://host:6379/0 or postgres://host/database')
  .addOption(lease())
  .addOption(json())
  .addOption(logDir())
  .addOption(config())
  .action(async (suites: string[], options) => (await import('./commands/run.ts')).run(suites, options))

program
  .command('resume')
  .description('go on with a run after a crash, a Ctrl-C or a spent budget')
  .argument('<run>', 'id, beginning of an id, or `latest`')
  .option('--budget <amount>', 'new budget of the whole run, what it has used included')
  .option('--time-limit <seconds>', 'end again after this time', numberIn(RANGES.timeLimit))
  .option('--retry-errors', 'play episodes that ended in a model error again')
  .addOption(movedSource())
  .option('-j, --max-connections <n>', 'requests under way at once', numberIn(RANGES.maxConnections))
  .option('--requests-per-minute <n>', 'never more requests to a model in any minute', numberIn(RANGES.perMinute))
  .option('--tokens-per-minute <n>', 'never many more tokens in any minute', numberIn(RANGES.perMinute))
  .option('--max-retries <n>', 'tries after a failed request; default 6', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'longest wait for one reply; default 600', numberIn(RANGES.timeout))
  .option('--prices <file>', 'prices in US dollars per million tokens')
  .option('--fail-under <score>', 'exit with 100 when the headline score is lower', numberIn(RANGES.failUnder))
  .addOption(threads())
  .option('--queue <queue>', 'where workers are; default: where it was played before; `here` for this process')
  .addOption(lease())
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/run.ts')).resume(run, options))

program
  .command('worker')
  .description('play episodes for runs that are started elsewhere with --on')
  .addOption(
    new Option('--queue <queue>', 'redis://host:6379/0 or postgres://host/database')
      .env('SIGHTLINE_QUEUE')
      .makeOptionMandatory(),
  )
  .option('--slots <n>', 'episodes under way at once; default: four for every core', numberIn(RANGES.slots))
  .option('--threads <n>', 'threads that play; default: one for every core; 0: none', numberIn(RANGES.threads))
  .option('--source <name:where>', 'where a data set is on this machine; repeat for several', collect)
  .option('--grace <seconds>', 'time to end what is under way when stopped; default 20', numberIn(RANGES.grace))
  .addOption(guestSuite())
  .addOption(logDir())
  .action(async (options) => (await import('./commands/worker.ts')).worker(options))

program
  .command('measure')
  .description('measure a recorded run with instruments it has no values of; nothing is played')
  .argument('<run>', 'unique id prefix, or `latest`')
  .option('-T, --task <key=value>', 'option of what measures, for example models=./networks', keyValues)
  .option(
    '--model-role <role=provider/name>',
    'model for a role that measures, for example judge=openai/gpt-5.2',
    collect,
  )
  .option('-j, --max-connections <n>', 'requests under way at once', numberIn(RANGES.maxConnections))
  .option('--max-retries <n>', 'tries after a failed request; default 6', numberIn(RANGES.maxRetries))
  .option('--timeout <seconds>', 'longest wait for one reply; default 600', numberIn(RANGES.timeout))
  .addOption(threads())
  .addOption(guestSuite())
  .addOption(json())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/measure.ts')).measure(run, options))

program
  .command('score')
  .description('score a run again, without the model')
  .argument('<run>', 'id, beginning of an id, or `latest`')
  .addOption(profile('profile to score with; default: the one it was played with'))
  .addOption(movedSource())
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/score.ts')).score(run, options))

program
  .command('report')
  .description('table of one or several runs, with intervals')
  .argument('<run...>', 'ids, beginnings of ids, or `latest`')
  .addOption(
    new Option('-f, --format <format>', 'how to print it')
      .choices(['table', 'md', 'csv', 'latex', 'json', 'html'])
      .default('table'),
  )
  .addOption(profile('profile to score with; default: the one it was played with'))
  .option('-o, --output <file>', 'write to a file; the format follows its ending unless --format is given')
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (runs: string[], options, command: Command) => {
    const formatGiven = command.getOptionValueSource('format') === 'cli'
    await (await import('./commands/report.ts')).report(runs, { ...options, formatGiven })
  })

program
  .command('compare')
  .description('two runs, paired on the cases both have')
  .argument('<runA>')
  .argument('<runB>')
  .addOption(
    new Option('-f, --format <format>', 'how to print it')
      .choices(['table', 'md', 'csv', 'latex', 'json'])
      .default('table'),
  )
  .addOption(profile('score both with this profile'))
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (a: string, b: string, options) => (await import('./commands/compare.ts')).compareRuns(a, b, options))

program
  .command('export')
  .description('write a run as pages for others, or in the format of another tool')
  .argument('<run>', 'id, beginning of an id, or `latest`')
  .option('--html', 'a folder with pages, pictures and scenes that opens from disk or any web server')
  .option('--episode <index[.epoch]>', 'with --html: only this episode; the numbers are in the address of its page')
  .addOption(new Option('--to <format>', 'format of another tool').choices(['inspect', 'lmms-eval', 'csv', 'html']))
  .option('-o, --output <path>', 'file or folder; default: beside the run, and for --html a folder here named like it')
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string, options) => (await import('./commands/export.ts')).exportRun(run, options))

program
  .command('import')
  .description("read another tool's log as a run")
  .argument('<file>')
  .addOption(
    new Option('--from <format>', 'which tool wrote it')
      .choices(['inspect', 'lmms-eval', 'vlmevalkit'])
      .makeOptionMandatory(),
  )
  .addOption(json())
  .addOption(logDir())
  .action(async (file: string, options) => (await import('./commands/import.ts')).importRun(file, options))

program
  .command('list')
  .description('suites, their options, sources and built-in players; or runs')
  .argument('[what]', 'a suite for its details, `runs` for what is in the log folder')
  .option('--samples', "with a suite: its samples' ids")
  .option('--source <name[:where]>', 'with --samples: where cases come from')
  .option('--seed <n>', 'with --samples: seed of everything that is drawn', numberIn(RANGES.seed))
  .option('-T, --task <key=value>', 'with --samples: suite option', keyValues)
  .addOption(json())
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (what: string | undefined, options) => (await import('./commands/list.ts')).list(what, options))

program
  .command('new')
  .description('start a benchmark of your own')
  .command('suite')
  .description('a suite that runs, and its test, in this folder')
  .argument('<name>', 'its name: lower-case letters, digits and -')
  .action(async (name: string) => (await import('./commands/new.ts')).newSuite(name))

program
  .command('view')
  .description('look at runs in the browser, also at those that go on')
  .argument('[run]', 'run to open: id, beginning of an id, or `latest`; default: the board of all runs')
  .option('-p, --port <n>', 'port; default: 7070, or the next that is free', numberIn(RANGES.port))
  .option('--host <address>', 'address to listen on; another than this machine needs the token that is printed')
  .addOption(guestSuite())
  .addOption(logDir())
  .addOption(config())
  .action(async (run: string | undefined, options) => (await import('./commands/view.ts')).view(run, options))

program
  .command('doctor')
  .description('what this machine has and lacks')
  .option('--queue <queue>', 'look at a queue too: server, workers, runs')
  .option('--forget <run>', 'with --queue: take a run off the queue that nobody will resume')
  .addOption(json())
  .addOption(logDir())
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options))

const scene = program.command('scene').description('built-in rooms and meshes: make, draw, film, measure')

scene
  .command('new')
  .description('a furnished scene from a seed, as JSON')
  .option('--seed <n>', 'seed; the same seed gives the same scene on every machine', numberIn(RANGES.seed), 0)
  .addOption(new Option('--kind <kind>', 'what it is').choices(SCENE_KINDS).default('living room'))
  .option('--rooms <n>', 'rooms of a flat, 2 to 8', numberIn(RANGES.rooms))
  .option('-o, --output <file>', 'where to write it; default: standard output')
  .action(async (options) => (await import('./commands/scene.ts')).newScene(options))

scene
  .command('show')
  .description('a picture, a map, a film or the numbers of a scene')
  .argument('<file>', 'a scene as JSON, or a mesh: PLY, OBJ, GLB, glTF')
  .option('--pose <x,y,z,yaw,pitch>', 'where the camera is, in metres and degrees; default: where most is seen')
  .option('--size <WxH>', 'pixels', '640x480')
  .option('--fov <degrees>', 'field of view from left to right', numberIn(RANGES.fov), 90)
  .option('--map', 'seen from above, cut open below the ceiling')
  .option('--dollhouse', 'seen from above and aside, cut open below the ceiling')
  .addOption(
    new Option('--up <axis>', 'which way is up in a mesh; default: y for glTF, else z').choices(['x', 'y', 'z']),
  )
  .option('--meters-per-unit <n>', 'of a mesh; 0.001 for millimetres, default 1', numberIn(RANGES.metersPerUnit))
  .option('--video <file.mp4>', 'a tour through the scene')
  .option('--export <file.glb>', 'the mesh for other programs')
  .option('--stats', 'sizes, areas and what is in it')
  .option('--no-antialias', 'one sample a pixel')
  .option('-o, --output <file.png>', 'where to write the picture')
  .addOption(json())
  .action(async (file: string, options) => {
    const { parsePose, parseSize, showScene } = await import('./commands/scene.ts')
    const pose = options.pose === undefined ? {} : { pose: parsePose(options.pose) }
    await showScene(file, { ...options, ...pose, size: parseSize(options.size) })
  })

program
  .command('demo')
  .description('a first table in a minute: built-in rooms, built-in players, no key, no network')
  .option('--scenes <n>', 'how many built-in scenes', numberIn(RANGES.scenes), 24)
  .option('--no-view', 'end after the table; by default, in a terminal, the runs can be looked at until Ctrl-C')
  .addOption(logDir())
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))

const vsig = program.command('vsig').description('pointing hand and voice: the built-in clips as files')

vsig
  .command('clips')
  .description('write built-in clips as a data set in the published form: mp4 files, annotations, truth')
  .requiredOption('-o, --output <folder>', 'an empty or new folder')
  .option('--seed <n>', 'seed; the same seed gives the same clips on every machine', numberIn(RANGES.seed), 0)
  .option('--clips <n>', 'how many', numberIn({ min: 1, max: MAX_CLIPS, whole: true }), CLIPS)
  .addOption(new Option('--language <language>', 'spoken language').choices(CLIP_LANGUAGES).default('both'))
  .action(async (options) => (await import('./commands/vsig.ts')).clips(options))

const vbench = program.command('vbench').description('video generation: prompts, sampling, checks, dimensions, totals')
const vbenchSuite = (command: Command): Command =>
  command
    .option('--prompts <where>', 'a checkout of the public prompt suite, or builtin', 'builtin')
    .option('-d, --dimension <names...>', 'only these dimensions, quality or semantic', collect)
    .option('--category <names...>', 'prompts of these categories, or all of them', collect)
    .option('--samples <n>', 'videos per prompt; default 5', numberIn({ min: 1, max: 1000, whole: true }))
    .option(
      '--flickering-samples <n>',
      'videos per prompt of temporal flickering; default 25, or --samples',
      numberIn({ min: 1, max: 1000, whole: true }),
    )
    .addOption(json())
const vbenchVideos = (command: Command): Command =>
  vbenchSuite(command.requiredOption('--videos <folder>', 'where the videos are'))
    .option('--custom', 'videos of your own: prompts are read from their names')
    .option('--prompt-file <file>', 'videos of your own: {"file name": "prompt"}')

vbenchSuite(vbench.command('plan').description('which videos are to be made'))
  .option('--names', 'print the names of the files and nothing else')
  .action(async (options) => (await import('./commands/vbench/plan.ts')).plan(options))

vbenchSuite(
  vbench.command('sample').description('make the videos; the same command continues where it was interrupted'),
)
  .requiredOption(
    '--generator <what>',
    'http://…, cmd:PROGRAM --prompt {prompt} --seed {seed} --out {out}, a name from the config, or built-in',
  )
  .addOption(config())
  .option('-o, --output <folder>', 'where the videos go', 'videos')
  .option('--rewritten <list>', 'sample with rewritten texts: gpt, hunyuan, wan, chinese, or a file')
  .option('--model <name>', 'name of the model, for the server and the manifest')
  .option('--field <key=value>', 'further field of a request; repeat for several', keyValues)
  .option('--seed <n>', 'seed of the whole set; default: drawn and kept', numberIn(RANGES.seed))
  .option('-j, --jobs <n>', 'videos under way at once', numberIn({ min: 1, max: 256, whole: true }))
  .option('--poll <seconds>', 'pause between questions whether a video is done', numberIn({ min: 0.01, max: 3600 }))
  .option('--timeout <seconds>', 'longest wait for one video', numberIn(RANGES.timeout))
  .addOption(logDir())
  .action(async (options) => (await import('./commands/vbench/sample.ts')).sample(options))

vbenchVideos(vbench.command('check').description('missing, extra, ambiguous, colliding, damaged, of wrong length'))
  .option('--all', 'show every finding')
  .action(async (options) => (await import('./commands/vbench/check.ts')).check(options))

vbenchVideos(vbench.command('score').description('measure the dimensions, with intervals'))
  .option('--models <folder>', 'networks as ONNX files, described by models.json in it')
  .option('--judge <provider/model>', 'a vision-language model for the semantic dimensions (tier variant)')
  .option('-M, --model-option <key=value>', 'option of the judge', keyValues)
  .option('--tier <tiers...>', 'only exact, variant or proxy', collect)
  .addOption(
    new Option('--static-filter <kind>', 'filter of temporal flickering; default: raft where given, else flow').choices(
      ['flow', 'raft', 'none'],
    ),
  )
  .option('-o, --output <folder>', 'where results go', 'vbench-results')
  .option('-j, --jobs <n>', 'videos measured at once', numberIn({ min: 1, max: 256, whole: true }))
  .option('--pictures', 'also write a contact sheet with flow pictures for every prompt as PNG')
  .option('--model <name>', 'who made the videos; default: what their manifest says, else the name of their folder')
  .option('--no-run', 'leave no run in the store')
  .addOption(logDir())
  .action(async (options) => (await import('./commands/vbench/score.ts')).score(options))

vbench
  .command('total')
  .description('Quality, Semantic and Total, also from result files or a submission of the published tool')
  .argument('<results...>', '*_eval_results.json, a zip or folder of them, or results.json')
  .addOption(
    new Option('--benchmark <name>', 'which benchmark the results are of: VBench, VBench-I2V or VBench-2.0')
      .choices(['vbench', 'i2v', 'vbench2'])
      .default('vbench'),
  )
  .addOption(
    new Option('--missing <how>', 'what a missing dimension does: refuse a total, or count as 0 as published')
      .choices(['refuse', 'zero'])
      .default('refuse'),
  )
  .option('--zip <file>', 'write all results as one submission for the leaderboard')
  .addOption(json())
  .action(async (results: string[], options) => (await import('./commands/vbench/total.ts')).total(results, options))
