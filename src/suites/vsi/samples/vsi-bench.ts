/** Reads VSI-Bench as published from a folder: questions, videos and meshes. */
import { z } from 'zod'
import { defineSource, hashOf, type OpenedSource, type SourceRequest, plural, UserError } from '../../../suite.ts'
import { SCAN_DATASETS, type ScanDataset } from '../../../world.ts'
import type { VsiSample } from './sample.ts'
import { selectedTypes, type VsiOptions } from '../options.ts'
import { scanRoots } from '../domain/scene/stages.ts'
import type { Mode } from '../domain/protocol.ts'
import { isNumberType, isQuestionType, type QuestionType } from '../domain/question-types.ts'
import doubtful from './doubtful.json' with { type: 'json' }
import { contentsOf, contradicts, readMeta, type SceneInfo, objectsIn } from './meta.ts'
import { assetsHash, findAssets, missingAssets, missingNotes, rowProblem, sceneKey } from './missing.ts'
import type { VsiRow } from './rows.ts'
import { readIds, readList, rowsOfSet, SETS } from './tables.ts'

const USAGE =
  'vsi-bench:/data/vsi or vsi-bench:path=/data/vsi,set=tiny,datasets=scannet+arkitscenes,meshes=/data/scans,exclude=/data/doubtful.txt'

const args = z.object({
  path: z.string().min(1).describe('dataset folder'),
  set: z.enum(SETS).default('full').describe('set of questions'),
  videos: z.string().optional().describe('folder of the videos; default: path'),
  meshes: z.string().optional().describe('folder of the scans; default: path'),
  capture: z
    .enum(['video', 'frames'])
    .default('video')
    .describe("what vsi/video shows: the benchmark's videos, or the scans' own frames, from the folder of the scans"),
  exclude: z.string().optional().describe('file with ids of questions to exclude, one per line'),
  ids: z.string().optional().describe('file with ids of the questions to ask, one per line'),
  scenes: z.string().optional().describe('file with names of the scenes to ask about, one per line or as a JSON list'),
  datasets: z
    .string()
    .refine(
      (text) => text.split('+').every((name) => isScanDataset(name)),
      `use ${SCAN_DATASETS.join(', ')}, joined by +`,
    )
    .optional()
    .describe(`datasets to ask about, joined by +: ${SCAN_DATASETS.join(', ')}`),
})

function isScanDataset(name: string): name is ScanDataset {
  return SCAN_DATASETS.some((known) => known === name)
}

export function vsiBenchSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: `VSI-Bench as published; sets: ${SETS.join(', ')}`,
    usage: USAGE,
    dataset: {
      name: 'vsi-bench',
      from: { hub: 'nyu-visionx/VSI-Bench', revision: 'd7cb1a3960b79dd3e20d4990b83005e96e1bcd9d' },
      files: ['*.jsonl', '*.parquet', '*.txt', '*.zip', 'README.md'],
      unpack: ['*.zip'],
    },
    args,
    open({
      args: { path, videos = path, meshes = path, ...rest },
      options,
    }: SourceRequest<Options, z.output<typeof args>>) {
      return openVsiBench(mode, { ...rest, root: path, videos, meshes }, options)
    },
  })
}

interface VsiBenchPaths extends Omit<z.output<typeof args>, 'path'> {
  root: string
  videos: string
  meshes: string
}

async function openVsiBench(mode: Mode, paths: VsiBenchPaths, options: VsiOptions): Promise<OpenedSource<VsiSample>> {
  const { rows, hash } = await rowsOfSet(paths.root, paths.set)
  const { excluded, isWanted, filters } = await readFilters(paths)
  const wanted = new Set<string>(selectedTypes(options))
  // Only the video suite shows one, and only another capture than the published one has a name.
  const capture = mode === 'video' && paths.capture === 'frames' ? 'frames' : undefined
  if (capture !== undefined && options.input === 'video')
    throw new UserError('capture=frames has single frames, not a video.', { hint: 'Leave out input=video.' })
  const asked = rows.filter((row) => {
    if (excluded.has(row.id) || !isWanted(row) || (options.doubtful === 'leave-out' && isDoubtful(row))) return false
    // An unknown type stays, so it is reported instead of silently dropped.
    if (!isQuestionType(row.question_type)) return true
    return wanted.has(row.question_type) && (mode !== 'explore' || row.question_type !== 'obj_appearance_order')
  })
  const fingerprint = `vsi-bench/${paths.set}/${hash.slice(0, 16)}/${hashOf([options.types, options.doubtful, [...excluded].sort((a, b) => a - b), ...filters]).slice(0, 8)}${capture === undefined ? '' : `/${capture}`}`
  const meta = await loadMeta(paths.root, asked)
  const assets = await findAssets(mode, paths, asked)
  const missing = missingAssets(assets)
  const frequent = frequentAnswers(rows)
  return {
    fingerprint,
    isScattered: true,
    count: asked.length,
    roots: scanRoots(fingerprint, paths),
    files: () => Promise.resolve(assetsHash(assets)),
    notes: [
      ...missingNotes(mode, asked, missing, paths),
      ...contradictionNotes(asked, meta),
      ...mapNotes(options, asked, meta),
    ],
    *samples() {
      for (const row of asked)
        yield toSample(row, {
          fingerprint,
          frequent,
          info: meta.get(row.dataset)?.get(row.scene_name),
          missing,
          capture,
          hasContents: options.cognitiveMap === 'scene-map',
        })
    },
  }
}

/** Which rows to ask, and what that adds to the fingerprint: nothing without filters. */
async function readFilters({ exclude, ids, scenes, datasets }: VsiBenchPaths) {
  const excluded = exclude === undefined ? new Set<number>() : await readIds(exclude)
  const wantedIds = ids === undefined ? null : await readIds(ids)
  const wantedScenes = scenes === undefined ? null : await readList(scenes)
  const wantedDatasets = datasets === undefined ? null : new Set<string>(datasets.split('+'))
  const isWanted = ({ id, scene_name, dataset }: VsiRow): boolean =>
    (wantedIds?.has(id) ?? true) && (wantedScenes?.has(scene_name) ?? true) && (wantedDatasets?.has(dataset) ?? true)
  const filters = Object.entries({ ids: wantedIds, scenes: wantedScenes, datasets: wantedDatasets }).flatMap(
    ([name, wanted]) => (wanted === null ? [] : [[name, ...[...wanted].map(String).sort()]]),
  )
  return { excluded, isWanted, filters }
}

/** Questions whose published ground truth users have shown to be wrong. */
function isDoubtful({ question_type, scene_name }: VsiRow): boolean {
  return Object.entries(doubtful).some(([type, scenes]) => type === question_type && scenes.includes(scene_name))
}

async function loadMeta(
  root: string,
  rows: readonly VsiRow[],
): Promise<Map<ScanDataset, ReadonlyMap<string, SceneInfo>>> {
  const meta = new Map<ScanDataset, ReadonlyMap<string, SceneInfo>>()
  for (const dataset of new Set(rows.map((row) => row.dataset))) {
    const found = await readMeta(root, dataset)
    if (found) meta.set(dataset, found)
  }
  return meta
}

/** Lists ground truth that contradicts the official meta info; the questions are still asked. */
function contradictionNotes(
  rows: readonly VsiRow[],
  meta: ReadonlyMap<ScanDataset, ReadonlyMap<string, SceneInfo>>,
): string[] {
  const contradicted = rows.filter((row) => {
    const info = meta.get(row.dataset)?.get(row.scene_name)
    return info !== undefined && contradicts(row, info)
  })
  const { length } = contradicted
  if (length === 0) return []
  const ids = contradicted.slice(0, MAX_IDS_SHOWN).map(({ id }) => id)
  const more = length > ids.length ? ' …' : ''
  return [`The ground truth of ${plural(length, 'question')} contradicts the meta info: ${ids.join(', ')}${more}`]
}

const MAX_IDS_SHOWN = 20

/** Reports questions without a map: maps need object positions, which come from the meta info. */
function mapNotes(
  options: VsiOptions,
  rows: readonly VsiRow[],
  meta: ReadonlyMap<ScanDataset, ReadonlyMap<string, SceneInfo>>,
): string[] {
  const isScene = options.cognitiveMap === 'scene-map'
  if (!isScene && (!('map' in options) || options.map !== true)) return []
  const without = rows.filter((row) => !meta.get(row.dataset)?.has(row.scene_name)).length
  if (without === 0) return []
  return [
    `${isScene ? 'cognitiveMap=scene-map: skips' : 'map=true: no map for'} ${without} of ${rows.length} questions, because the meta info of their scenes is missing (meta_info/<dataset>_meta_info_val.json).`,
  ]
}

/** The most frequent ground truth of each type; the first one in the data on a tie. */
export function frequentAnswers(rows: readonly VsiRow[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { question_type, ground_truth } of rows) {
    const answers = counts.get(question_type) ?? new Map<string, number>()
    answers.set(ground_truth, (answers.get(ground_truth) ?? 0) + 1)
    counts.set(question_type, answers)
  }
  return new Map(
    [...counts].map(([type, answers]) => [
      type,
      [...answers].reduce((best, each) => (each[1] > best[1] ? each : best))[0],
    ]),
  )
}

interface SampleContext {
  fingerprint: string
  frequent: ReadonlyMap<string, string>
  info: SceneInfo | undefined
  missing: ReadonlyMap<string, string>
  capture: 'frames' | undefined
  /** Whether samples list all objects of their scene. */
  hasContents: boolean
}

export function toSample(
  row: VsiRow,
  { fingerprint, frequent, info, missing, capture, hasContents }: SampleContext,
): VsiSample {
  const { id, dataset, scene_name, question_type, question, ground_truth, pruned } = row
  const options = row.options && row.options.length > 0 ? row.options : null
  // A placeholder for an unknown type; the sample is never played.
  const type: QuestionType = isQuestionType(question_type)
    ? question_type
    : options
      ? 'object_rel_distance'
      : 'object_counting'
  const problem = rowProblem(row) ?? missing.get(sceneKey(row))
  return {
    id: String(id),
    cluster: sceneKey(row),
    labels: {
      type: question_type,
      dataset,
      doubtful: isDoubtful(row) ? 'yes' : 'no',
      ...(typeof pruned === 'boolean' && { pruned: pruned ? 'yes' : 'no' }),
    },
    type,
    question,
    options: isNumberType(type) ? null : options,
    truth: ground_truth,
    frequent: frequent.get(question_type) ?? ground_truth,
    scene: { kind: 'scan', source: fingerprint, dataset, scene: scene_name, ...(capture && { capture }) },
    things: objectsIn(type, question, info),
    ...(hasContents && info && { contents: contentsOf(info) }),
    about: null,
    ...(problem !== undefined && { problem }),
  }
}
