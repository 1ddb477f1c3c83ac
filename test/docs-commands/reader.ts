/** The environment of a reader: Sightline, keys, a model server, datasets, logs of other tools, a queue. */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROVIDERS } from '../../src/models/providers/providers.ts'
import { writeGlb, writePly } from '../../src/world/formats/index.ts'
import { sightline } from '../cli/cli.ts'
import { POSTGRES, REDIS, startPostgres, startRedis, type TestServer } from '../support/engine/queue.ts'
import { writePartNet } from '../support/suites/articulate/objects.ts'
import { meanColour } from '../support/suites/vbench/small-onnx.ts'
import { coloredRoom } from '../support/suites/vsi.ts'
import { lines, row, writeFiles } from '../support/suites/vsi/source.ts'
import { ROOT } from './collect.ts'
import { startLocalServer } from './local-server.ts'

export const MAIN = join(ROOT, 'dist/cli/main.js')
const SHIM = join(ROOT, 'test/docs-commands/sightline.js')
const RUN_BATCH = join(ROOT, 'test/docs-commands/run-batch.js')
/** Keys and passwords of the pages are `…`. */
export const PASSWORD = 'secret'

export interface Reader {
  /** The reader's home folder; everything is in it. */
  home: string
  env: NodeJS.ProcessEnv
  /** A folder for a page, with Sightline installed. */
  folder(page: string): Promise<string>
  /** The text with the reader's servers and keys, or null where a server is not installed. */
  fill(text: string, page: number): Promise<string | null>
  close(): Promise<void>
}

export async function prepareReader(texts: readonly string[]): Promise<Reader> {
  const home = await mkdtemp(join(tmpdir(), 'sightline-docs-'))
  const needs = (what: RegExp): boolean => texts.some((text) => what.test(text))
  const data = join(home, 'data')
  const clips = join(data, 'vsig')
  if (needs(/\bvsig:|\bvsi-bench:|\/videos\b/))
    await must(['vsig', 'clips', '-o', clips, '--clips', '1', '--language', 'en'], home)
  const video = async (): Promise<Uint8Array> => {
    const files = await readdir(clips, { recursive: true })
    return readFile(
      join(
        clips,
        files.find((name) => name.endsWith('.mp4'))!,
      ),
    )
  }
  const server = await startLocalServer(video)
  const sources = {
    partnet: join(data, 'partnet'),
    'vsi-bench': join(data, 'vsi'),
    vsig: clips,
    vbench: join(data, 'vbench'),
    scenes: join(ROOT, 'conformance/oracle/space/rooms.json'),
  }
  await writePartNet(sources.partnet)
  if (needs(/\bvsi-bench:/)) await writeVsiBench(sources['vsi-bench'], await video())
  await writePrompts(sources.vbench)
  const files = await writeReaderFiles(join(home, 'files'), sources.vbench)
  const store = join(home, 'store')
  const models = ['-m', 'baseline/random', '-m', 'baseline/constant']
  await must(['run', 'space/text', ...models, '--limit', '3', '-T', 'questions=1', '--log-dir', store], home)
  const readerFile = join(home, 'reader.json')
  await writeFile(readerFile, JSON.stringify({ main: MAIN, store, sources, files }))
  const bin = await writePrograms(join(home, 'bin'))

  const servers = new Map<string, Promise<TestServer>>()
  const serverOf = (kind: 'redis' | 'postgres'): Promise<TestServer> => {
    const started = servers.get(kind) ?? (kind === 'redis' ? startRedis({ password: PASSWORD }) : startPostgres())
    servers.set(kind, started)
    return started
  }

  return {
    home,
    env: { ...process.env, ...keysFor(server.origin), ...environment(home, bin), DOCS_READER: readerFile },
    async folder(page) {
      const folder = join(home, 'pages', page.replaceAll(/\W+/g, '-'))
      await mkdir(join(folder, 'node_modules'), { recursive: true })
      await symlink(ROOT, join(folder, 'node_modules/sightline'))
      await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n')
      return folder
    },
    async fill(text, page) {
      let filled = text.replaceAll(/(\w=)(?:…|\.{3})/g, `$1${PASSWORD}`)
      filled = filled.replaceAll(/https?:\/\/[\w.-]+(?::\d+)?(?=\/v1)/g, server.origin)
      if (/\brediss?:\/\//.test(filled)) {
        if (REDIS === null) return null
        const { port } = await serverOf('redis')
        filled = filled.replaceAll(/\brediss?:\/\/[^\s"'`]+/g, `redis://127.0.0.1:${port}/${page % 16}`)
      }
      if (/\bpostgres(?:ql)?:\/\//.test(filled)) {
        if (POSTGRES === null) return null
        const { url } = await serverOf('postgres')
        filled = filled.replaceAll(/\bpostgres(?:ql)?:\/\/[^\s"'`]+/g, url)
      }
      return filled
    },
    async close() {
      await server.close()
      for (const started of servers.values()) await (await started).stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function must(args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await sightline(args, { cwd })
  if (code !== 0) throw new Error(`sightline ${args.join(' ')} ended with ${code}:\n${stderr}`)
}

/** Keys of every provider, all at the local server, and the password of the queue. */
function keysFor(origin: string): Record<string, string> {
  const env: Record<string, string> = { GENERATOR_API_KEY: PASSWORD, SIGHTLINE_QUEUE_PASSWORD: PASSWORD }
  for (const { keyNames, baseUrlName } of PROVIDERS) {
    env[keyNames[0]] = PASSWORD
    env[baseUrlName] = origin
  }
  return env
}

function environment(home: string, bin: string): Record<string, string> {
  return { PATH: `${bin}:${process.env['PATH']}`, HOME: home, XDG_STATE_HOME: join(home, 'state'), NO_COLOR: '1' }
}

/** `sightline`, `npx` and `npm` as far as the pages use them. */
async function writePrograms(bin: string): Promise<string> {
  const programs = {
    sightline: `exec "${process.execPath}" "${SHIM}" "$@"`,
    npx: 'while [[ "$1" == -* ]]; do shift; done\n[[ "$1" == sightline* ]] || { echo "npx $1 is not available here" >&2; exit 127; }\nshift\nexec sightline "$@"',
    npm: [
      '[ "$1" = install ] && exit 0 # The package is already linked.',
      '[ "$1 $2" = "run demo" ] && shift 2 && [ "${1:---}" = -- ] && shift $(( $# > 0 )) && exec sightline demo "$@"',
      '[ "$1 $2 $3" = "run sightline --" ] && shift 3 && exec sightline "$@"',
      'echo "npm $* is not available here" >&2; exit 127',
    ].join('\n'),
    vllm: `exec "${process.execPath}" "${RUN_BATCH}" "$@"`,
    python: 'while [ $# -gt 0 ]; do [ "$1" = --out ] && out="$2"; shift; done\nexec cp "$DOCS_VIDEO" "$out"',
  }
  await mkdir(bin, { recursive: true })
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/usr/bin/env bash\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  return bin
}

/** Ids of the tiny set, so that `set=tiny` finds them. */
const TINY = [3, 9]

async function writeVsiBench(folder: string, video: Uint8Array): Promise<void> {
  const scene = 'scene0001_00'
  const counting = (id: number) =>
    row(id, 'scannet', scene, 'object_counting', 'How many table(s) are in this room?', null, '2')
  await writeFiles(folder, {
    'test.jsonl': lines(TINY.map(counting)),
    [`scannet/${scene}.mp4`]: video,
    [`scannet/${scene}/${scene}_vh_clean_2.ply`]: writePly(coloredRoom([])),
    'exclude.txt': '',
  })
}

/** A prompt suite with the layout of a VBench checkout, in two prompts. */
async function writePrompts(folder: string): Promise<void> {
  const info = [
    { prompt_en: 'A person is juggling balls', dimension: ['human_action'] },
    { prompt_en: 'A cat walks', dimension: ['dynamic_degree', 'subject_consistency', 'motion_smoothness'] },
  ]
  await writeFiles(folder, { 'vbench/VBench_full_info.json': JSON.stringify(info) })
}

async function writeReaderFiles(folder: string, prompts: string): Promise<Record<string, string>> {
  const room = coloredRoom([])
  const log = { version: 2, status: 'success', eval: { task: 'vsi', model: 'm', created: '2026-01-01' } }
  const sample = {
    id: 1,
    epoch: 1,
    input: 'Q',
    target: 'A',
    messages: [],
    output: { model: 'm', choices: [], completion: 'A' },
    scores: { match: { value: 'C' } },
  }
  const place = { name: 'cup', type: 'object', points: [[500, 500]], mask: null }
  const answer = { choice: 'A', points: [[500, 500]], asr_begin_time: 0, asr_end_time: 900 }
  const clip = {
    video_name: 'a.mp4',
    task_template: '指令2',
    object_space: [place],
    asr_result: null,
    _gt_speech_temporal: [answer],
  }
  const prediction = { video_name: 'a.mp4', selected_options: ['A'], point_list: [{ point: [500, 500], timestamp: 5 }] }
  const old = { doc_id: 0, target: 'A', filtered_resps: ['A'], doc_hash: 'h', input: 'Q', exact_match: 1 }
  await writeFiles(folder, {
    'room.ply': writePly(room),
    'room.obj': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
    'room.glb': await writeGlb(room),
    'part.stl':
      'solid part\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n',
    'robot.urdf':
      '<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>\n',
    'inspect.json': JSON.stringify({ ...log, samples: [sample] }),
    'lmms-eval.jsonl': `${JSON.stringify(old)}\n`,
    'vsig.json': JSON.stringify({ model_name: 'm', predictions: [prediction], ground_truths: [clip] }),
    'vlmevalkit.csv': 'index,question,answer,prediction,hit\n1,Q,A,A,1\n',
    'models/models.json': JSON.stringify({ dino: { file: 'dino.onnx', network: 'dino-vitb16' } }),
    'models/dino.onnx': meanColour('picture', 'feature'),
    'articulate/45001/joint_actor/iter_0/seed_0/config.json': 'targetted_semantic_part: door\n',
    'articulate/45001/joint_actor/iter_0/seed_0/error.txt': 'NameError\n',
    'prices.json': '{ "models": {} }\n',
  })
  const at = (name: string): string => join(folder, name)
  return {
    prompts,
    suite: join(ROOT, 'examples/bearings.ts'),
    ply: at('room.ply'),
    obj: at('room.obj'),
    glb: at('room.glb'),
    stl: at('part.stl'),
    urdf: at('robot.urdf'),
    inspect: at('inspect.json'),
    'lmms-eval': at('lmms-eval.jsonl'),
    vsig: at('vsig.json'),
    vlmevalkit: at('vlmevalkit.csv'),
    'articulate/joint': at('articulate'),
    models: at('models'),
    prices: at('prices.json'),
  }
}
