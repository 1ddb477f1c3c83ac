/** Tools for VBench. */
import { type Command, Option } from 'commander'
import { DEVICES } from '../../suites/vbench/domain/devices.ts'
import { collect, keyValues, numberIn, RANGES } from '../options/arguments.ts'
import { logDir, config, json } from '../options/common.ts'

export function addVbenchCommands(program: Command): void {
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
    .action(async (options) => (await import('../commands/vbench/plan.ts')).plan(options))

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
    .action(async (options) => (await import('../commands/vbench/sample.ts')).sample(options))

  vbench
    .command('vote')
    .description('draw pairs of videos that people vote on in the viewer')
    .argument('<run...>', 'two or more runs with the same prompts: id, part of it, or path')
    .option('-d, --dimension <names>', 'dimensions to ask about, or quality, semantic; repeatable', collect)
    .option('--questions <n>', 'number of questions', numberIn({ min: 1, max: 5000, whole: true }), 100)
    .option('--seed <n>', 'draws questions, order and sides', numberIn(RANGES.seed), 0)
    .addOption(json())
    .addOption(logDir())
    .action(async (runs, options) => (await import('../commands/vbench/vote.ts')).vote(runs, options))

  vbench
    .command('preference')
    .description('what the votes say: win ratios, agreement of people, correlation with the scores')
    .argument('[ballot]', 'id of the ballot (default: the newest)')
    .addOption(json())
    .addOption(logDir())
    .action(async (ballot, options) => (await import('../commands/vbench/vote.ts')).preference(ballot, options))

  vbenchVideos(vbench.command('check').description('find missing, extra, misnamed and damaged videos'))
    .option('--all', 'show every issue')
    .action(async (options) => (await import('../commands/vbench/check.ts')).check(options))

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
    .action(async (options) => (await import('../commands/vbench/score.ts')).score(options))

  vbench
    .command('networks')
    .description('export the published networks for --models; needs Python with PyTorch, onnx and onnxruntime')
    .requiredOption('--published <folder>', 'checkout of Vchitect/VBench')
    .option('--python <program>', 'Python of the environment of the published evaluator', 'python3')
    .option('--checkpoints <folder>', 'its checkpoints (default: $VBENCH_CACHE_DIR or ~/.cache/vbench)')
    .option('--download', 'download the checkpoints that are missing there')
    .option('--dino <folder>', 'checkout of facebookresearch/dino')
    .option('--dinov2 <folder>', 'checkout of facebookresearch/dinov2, for VBench-Long')
    .option('--role <names...>', 'only these roles of models.json', collect)
    .option('--fp16', 'in 16 bits: half the size, faster on a GPU, never exact')
    .option('--random-weights', 'the same graphs without checkpoints, for tests')
    .option('-o, --output <folder>', 'folder for the networks', 'networks')
    .action(async (options) => (await import('../commands/vbench/networks.ts')).networks(options))

  vbench
    .command('total')
    .description('compute Quality, Semantic and Total scores')
    .argument('<results...>', 'results.json, *_eval_results.json, zip or folder')
    .addOption(
      new Option(
        '--benchmark <name>',
        'VBench, VBench-I2V or VBench-2.0 (default: the one whose dimensions the results have)',
      ).choices(['vbench', 'i2v', 'vbench2']),
    )
    .addOption(
      new Option('--missing <how>', 'no total if a dimension is missing, or count it as 0')
        .choices(['refuse', 'zero'])
        .default('refuse'),
    )
    .option('--zip <file>', 'write a submission for the VBench leaderboard')
    .addOption(json())
    .action(async (results: string[], options) => (await import('../commands/vbench/total.ts')).total(results, options))
}
