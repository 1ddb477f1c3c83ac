/** Every reader of files that others wrote, as commands call it. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Random } from '../../../src/base/random.ts'
import { listZip, readZip } from '../../../src/base/foreign/zip.ts'
import { checkSamples } from '../../../src/engine/check.ts'
import { planRun } from '../../../src/engine/plan.ts'
import { makeReport } from '../../../src/engine/reporting.ts'
import { loadSettings } from '../../../src/library/config.ts'
import { loadSuite } from '../../../src/library/suites.ts'
import {
  type BackendName,
  decodeImage16,
  imageSize,
  maskFromImage,
  mediaBackends,
  openGif,
  openVideo,
  readFrames,
  readWav,
} from '../../../src/media/index.ts'
import { loadPrices } from '../../../src/models/prices.ts'
import { importBytes, type ImportFormat } from '../../../src/report/import/index.ts'
import { columnsOf } from '../../../src/server/columns.ts'
import { questionSuiteAt } from '../../../src/questions/suite.ts'
import { scoresFile } from '../../../src/store/run-files.ts'
import { Store } from '../../../src/store/store.ts'
import { loadPartNet } from '../../../src/suites/articulate/domain/objects/partnet.ts'
import { loggedRuns } from '../../../src/suites/articulate/import/logs.ts'
import { spaceOptions } from '../../../src/suites/space/options.ts'
import { sceneFiles } from '../../../src/suites/space/samples/sources.ts'
import { importResults } from '../../../src/suites/vbench/published/results.ts'
import { readManifest } from '../../../src/suites/vbench/samples/manifest.ts'
import { readMeta } from '../../../src/suites/vsi/samples/meta.ts'
import { readTable } from '../../../src/suites/vsi/samples/rows.ts'
import { decodeGray, parsePng, pixelAt } from '../../../src/suites/vsig/domain/mask-png.ts'
import { importer as vsigImporter } from '../../../src/suites/vsig/import.ts'
import { vsigOptions } from '../../../src/suites/vsig/options.ts'
import { scanFolder } from '../../../src/suites/vsig/samples/folder/scan.ts'
import { loadMesh } from '../../../src/world/formats/load.ts'
import { openScene } from '../../../src/world/scene/open-scene.ts'
import { exampleHeader, exampleLine } from '../../../test/support/store.ts'
import { guarded } from './guard.ts'
import { LINK, mutateCsv, mutateRows, mutateSuite, SECRET } from './mutate-questions.ts'
import { mutatePng, mutateZip } from './mutate.ts'
import * as seeds from './seeds.ts'

export interface FileReader {
  /** Small valid files. */
  seeds(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>
  /** Default: `mutate`. */
  mutate?: (files: readonly Uint8Array[], random: Random) => Uint8Array
  /** In a process that cannot make code of texts. */
  withoutEval?: true
  /** Skipped where this does not work. */
  needs?: BackendName
  /** Reads a file completely. `folder` is empty at first and belongs to this reader. */
  read(bytes: Uint8Array, folder: string): Promise<unknown>
}

/** Why a reader cannot run on this machine; null if it can. */
export async function missingPart({ needs }: FileReader): Promise<string | null> {
  const states = needs === undefined ? [] : await mediaBackends()
  return states.find(({ name }) => name === needs)?.problem ?? null
}

/** Writes the file where a command would find it, and reads it. */
function named(name: string, read: (path: string, folder: string) => Promise<unknown>): FileReader['read'] {
  return async (bytes, folder) => {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    return read(path, folder)
  }
}

function log(format: ImportFormat): FileReader['read'] {
  return (bytes) => importBytes(bytes, format, 'log')
}

const mesh = (name: string): FileReader['read'] => named(name, (path) => loadMesh(path, { metersPerUnit: 'guess' }))

async function image(bytes: Uint8Array): Promise<void> {
  await Promise.all([imageSize(bytes), maskFromImage(bytes), decodeImage16(bytes)])
}

/** Small tables and pictures that a suite may name, and files next to them that nothing may read, with links to these. */
async function writeQuestions(outside: string): Promise<string> {
  const folder = join(outside, 'data')
  await mkdir(folder, { recursive: true })
  const image = (await seeds.png())[0]!
  await writeFile(join(folder, 'a.png'), image)
  await writeFile(join(folder, 'rows.jsonl'), seeds.questionsJsonl()[0]!)
  await writeFile(join(folder, 'media.jsonl'), seeds.questionsMedia()[0]!)
  const secrets = {
    '.png': image,
    '.jsonl': seeds.questionsJsonl()[0]!,
    '.csv': seeds.questionsCsv()[0]!,
    '.yaml': seeds.questionsFile()[0]!,
    '.mp4': image,
    '': image,
  }
  for (const [ending, bytes] of Object.entries(secrets)) {
    await writeFile(join(outside, SECRET + ending), bytes)
    await symlink(ending === '' ? outside : join(outside, SECRET + ending), join(folder, LINK + ending)).catch(() => {})
  }
  return folder
}

/**
 * Asks all questions of a damaged suite, or of a suite with damaged rows, as `sightline check` does.
 *
 * @param file what is damaged
 * @param suite which of the suites reads the rows
 */
function questions(file: string, suite?: number): FileReader['read'] {
  return async (bytes, outside) => {
    const folder = await writeQuestions(outside)
    const path = join(folder, 'suite.yaml')
    if (suite !== undefined) {
      const text = Buffer.from(seeds.questionsFile()[suite]!).toString()
      await writeFile(path, text.replace('rows.jsonl', file))
    }
    await writeFile(join(folder, file), bytes)
    await guarded(folder, async () => {
      const read = await questionSuiteAt(path, 'suite.yaml')
      await checkSamples(await planRun({ suite: read, models: { player: 'baseline/oracle' } }))
    })
  }
}

/** Reads a video with a backend, from a seed that either backend can write. */
function video(name: string, files: FileReader['seeds'], backend: BackendName): FileReader {
  const read = async (path: string): Promise<void> => {
    const opened = await openVideo(path, { backend })
    try {
      const { frames } = opened.info
      await readFrames(opened, [0, frames >> 1, frames - 1])
    } finally {
      await opened.close()
    }
  }
  return { seeds: files, needs: backend, read: named(name, read) }
}

const RUN = 'fuzz'
const PROFILE = 'fixed'

/** A run of this version with everything that a run can have. */
async function writeRun(folder: string): Promise<string> {
  const store = await Store.open(folder)
  const header = exampleHeader({ id: RUN, suite: 'vsi/blind', options: {}, planned: 6 })
  const writer = await store.createRun({ ...header, source: 'builtin', profile: 'official' })
  for (let index = 0; index < 6; index++)
    await writer.append(exampleLine(index), [`{"type":"reply","text":"${index}"}`, '{"type":"end"}'])
  await writer.setStatus({ state: 'done', reason: null })
  await writer.close()
  const run = await store.openRunById(RUN)
  const rows = (await run.episodes()).map(({ sample, epoch, scores }) => ({ sample, epoch, scores }))
  await run.writeScores(PROFILE, { suiteVersion: 1, journalBytes: await run.journalSize() }, rows)
  return run.dir
}

/** A file of a store that was sent by somebody, read as list, view, report and verify do. */
function stored(file: string): FileReader {
  let written: Promise<string> | undefined
  return {
    async seeds() {
      const folder = await mkdtemp(join(tmpdir(), 'sightline-seed-'))
      try {
        return [await readFile(join(await writeRun(folder), file))]
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async read(bytes, folder) {
      const whole = await (written ??= writeRun(join(folder, 'whole')))
      const damaged = join(folder, 'runs', RUN)
      await cp(whole, damaged, { recursive: true })
      await writeFile(join(damaged, file), bytes)
      const store = await Store.open(folder)
      await store.listRuns({ onProblem: () => {} })
      const run = await store.openRunById(RUN)
      await Promise.all([run.status(), run.report(), run.finishedCount(), run.scores(PROFILE)])
      const episodes = await run.episodes()
      const suite = await loadSuite('vsi/blind', null)
      columnsOf(episodes, suite, run.header)
      await run.verify()
      await makeReport(run, suite)
      for (const line of episodes) await run.events(line)
    },
  }
}

export const READERS: Readonly<Record<string, FileReader>> = {
  'inspect-eval': { seeds: seeds.inspectEval, mutate: mutateZip, read: log('inspect') },
  'inspect-json': { seeds: seeds.inspectJson, read: log('inspect') },
  'lmms-eval-jsonl': { seeds: seeds.lmmsEval, read: log('lmms-eval') },
  'vlmevalkit-xlsx': { seeds: seeds.xlsx, mutate: mutateZip, read: log('vlmevalkit') },
  'vlmevalkit-table': { seeds: seeds.vlmTable, read: log('vlmevalkit') },
  'vlmevalkit-json': { seeds: seeds.vlmJson, read: log('vlmevalkit') },
  'vsi-parquet': { seeds: seeds.vsiParquet, read: named('test.parquet', readTable) },
  'vsi-jsonl': { seeds: seeds.vsiJsonl, read: named('test.jsonl', readTable) },
  'vsi-meta': {
    seeds: seeds.vsiMeta,
    read: named('scannet_meta_info_val.json', (_, folder) => readMeta(folder, 'scannet')),
  },
  'vsig-annotations': {
    seeds: seeds.vsigAnnotations,
    read: named('T1/annotations.json', (_, folder) => scanFolder(folder)),
  },
  'vsig-results': {
    seeds: seeds.vsigResults,
    read: named('results_a.json', (path) =>
      vsigImporter.read(path, { options: vsigOptions.parse({}), source: null, profile: 'ecog-v4' }),
    ),
  },
  'articulate-log': {
    seeds: seeds.urdf,
    read: named('45001/link_placement/iter_0/seed_0/mobility.urdf', (_, folder) => loggedRuns(folder, 'place')),
  },
  'articulate-partnet': {
    seeds: seeds.partnet,
    read: named('mobility.urdf', async (_, folder) => {
      await writeFile(join(folder, 'a.obj'), seeds.obj()[0]!)
      return loadPartNet(folder)
    }),
  },
  'vbench-results': {
    seeds: seeds.vbenchResults,
    mutate: mutateZip,
    read: (bytes) =>
      Promise.resolve(
        importResults([...readZip(bytes, listZip(bytes, 'a.zip'), 'a.zip')].map(([path, text]) => ({ path, text }))),
      ),
  },
  'vbench-manifest': { seeds: seeds.vsiJsonl, read: named('manifest.jsonl', (_, folder) => readManifest(folder)) },
  'space-scene': {
    seeds: seeds.spaceScene,
    read: named('scene.json', async (path) =>
      sceneFiles().open?.({
        args: { path },
        options: spaceOptions.parse({}),
        seed: 0,
        random: new Random('fuzz'),
        profile: 'fixed',
      }),
    ),
  },
  'world-scene': { seeds: seeds.worldScene, read: named('scene.json', (path) => openScene(path)) },
  glb: { seeds: seeds.glb, read: mesh('a.glb') },
  'glb-draco': { seeds: seeds.draco, read: mesh('a.glb') },
  'glb-meshopt': { seeds: seeds.meshopt, read: mesh('a.glb') },
  gltf: { seeds: seeds.gltf, read: mesh('a.gltf') },
  obj: { seeds: seeds.obj, read: mesh('a.obj') },
  mtl: {
    seeds: seeds.mtl,
    read: named('a.mtl', async (_, folder) => {
      await writeFile(join(folder, 'a.obj'), seeds.obj()[0]!)
      return loadMesh(join(folder, 'a.obj'))
    }),
  },
  ply: { seeds: seeds.ply, read: mesh('a.ply') },
  stl: { seeds: seeds.stl, read: mesh('a.stl') },
  dae: { seeds: seeds.dae, read: mesh('a.dae') },
  urdf: { seeds: seeds.urdf, read: mesh('a.urdf') },
  png: { seeds: seeds.png, mutate: mutatePng, read: image },
  'mask-png': {
    seeds: seeds.png,
    mutate: mutatePng,
    read: (bytes) => {
      const png = parsePng(bytes)
      return Promise.resolve(
        typeof png === 'string' ? png : [pixelAt(png, png.width - 1, png.height - 1), decodeGray(png)],
      )
    },
  },
  jpeg: { seeds: seeds.jpeg, read: image },
  webp: { seeds: seeds.webp, read: image },
  tiff: { seeds: seeds.tiff, read: image },
  gif: {
    seeds: seeds.gif,
    read: named('a.gif', async (path) => {
      const opened = await openGif(path)
      return readFrames(opened, [0, opened.info.frames - 1])
    }),
  },
  ktx2: {
    seeds: seeds.ktx2,
    read: named('a.ktx2', async (_, folder) => {
      await writeFile(join(folder, 'a.mtl'), 'newmtl a\nmap_Kd a.ktx2\n')
      await writeFile(join(folder, 'a.obj'), seeds.obj()[0]!)
      return loadMesh(join(folder, 'a.obj'))
    }),
  },
  mp4: video('a.mp4', seeds.mp4, 'mediabunny'),
  webm: video('a.webm', seeds.webm, 'mediabunny'),
  'mp4-ffmpeg': video('a.mp4', seeds.mp4, 'ffmpeg'),
  wav: { seeds: seeds.wav, read: (bytes) => Promise.resolve(readWav(bytes)) },
  'questions-file': {
    seeds: seeds.questionsFile,
    mutate: mutateSuite,
    withoutEval: true,
    read: questions('suite.yaml'),
  },
  'questions-jsonl': {
    seeds: seeds.questionsJsonl,
    mutate: mutateRows,
    withoutEval: true,
    read: questions('rows.jsonl', 0),
  },
  'questions-media': {
    seeds: seeds.questionsMedia,
    mutate: mutateRows,
    withoutEval: true,
    read: questions('media.jsonl', 1),
  },
  'questions-csv': {
    seeds: seeds.questionsCsv,
    mutate: mutateCsv,
    withoutEval: true,
    read: questions('rows.csv', 0),
  },
  'questions-parquet': { seeds: seeds.questionsParquet, withoutEval: true, read: questions('rows.parquet', 0) },
  config: { seeds: seeds.settings, read: named('sightline.config.json', loadSettings) },
  prices: { seeds: seeds.prices, read: named('prices.json', (path) => loadPrices({ file: path })) },
  'store-run': stored('run.json'),
  'store-episodes': stored('episodes.jsonl'),
  'store-events': stored('events.jsonl'),
  'store-state': stored('state.json'),
  'store-scores': stored(scoresFile(PROFILE)),
}
