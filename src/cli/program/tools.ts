/** Tools: scenes, the demo, datasets of built-in samples. */
import { type Command, Option } from 'commander'
import { LEVEL_NAMES } from '../../suites/vsi/domain/levels.ts'
import { CLIP_LANGUAGES, CLIPS, MAX_CLIPS } from '../../suites/vsig/samples/clips/set.ts'
import { SCENE_KINDS } from '../../world/rooms/kinds.ts'
import { numberIn, RANGES } from '../options/arguments.ts'
import { logDir, json } from '../options/common.ts'

export function addToolCommands(program: Command): void {
  const scene = program.commandsGroup('Tools:').command('scene').description('generate, render and inspect 3D scenes')

  scene
    .command('new')
    .description('generate a furnished scene as JSON')
    .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
    .addOption(new Option('--kind <kind>', 'kind of scene').choices(SCENE_KINDS).default('living room'))
    .option('--rooms <n>', 'number of rooms in a flat, 2 to 8', numberIn(RANGES.rooms))
    .option('-o, --output <file>', 'output file (default: stdout)')
    .action(async (options) => (await import('../commands/scene.ts')).newScene(options))

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
      const { parsePose, parseSize, showScene } = await import('../commands/scene.ts')
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
    .action(async (options) => (await import('../commands/demo.ts')).demo(options))

  const vsig = program.command('vsig').description('tools for VSIG (pointing and speech)')

  vsig
    .command('clips')
    .description('write the built-in clips as a dataset in the published format')
    .requiredOption('-o, --output <folder>', 'new or empty folder')
    .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
    .option('--clips <n>', 'number of clips', numberIn({ min: 1, max: MAX_CLIPS, whole: true }), CLIPS)
    .addOption(new Option('--language <language>', 'spoken language').choices(CLIP_LANGUAGES).default('both'))
    .action(async (options) => (await import('../commands/vsig.ts')).clips(options))

  const vsi = program.command('vsi').description('tools for VSI (spatial questions)')

  vsi
    .command('dataset')
    .description('write built-in questions, videos and meshes in the layout of VSI-Bench')
    .requiredOption('-o, --output <folder>', 'new or empty folder')
    .option('--seed <n>', 'random seed', numberIn(RANGES.seed), 0)
    .option('--scenes <n>', 'number of scenes, ten questions each', numberIn(RANGES.scenes), 10)
    .addOption(new Option('--look <look>', 'how scenes are drawn').choices(['lit', 'plain', 'rich']).default('lit'))
    .addOption(new Option('--level <level>', 'difficulty').choices([...LEVEL_NAMES, 'mixed']).default('medium'))
    .action(async (options) => (await import('../commands/vsi.ts')).dataset(options))
}
