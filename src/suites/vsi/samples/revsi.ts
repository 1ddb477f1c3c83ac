/** Reads ReVSI: the questions of VSI-Bench, annotated anew for the frames that are shown. Its ground truth depends on their number. */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import {
  defineSource,
  hashOf,
  type OpenedSource,
  readParquet,
  readRegular,
  sha256,
  type SourceRequest,
  UserError,
} from '../../../suite.ts'
import { SCAN_DATASETS } from '../../../world.ts'
import type { Mode } from '../domain/protocol.ts'
import { isQuestionType, type QuestionType } from '../domain/question-types.ts'
import { scanRoots } from '../domain/scene/stages.ts'
import { selectedTypes, type VsiOptions } from '../options.ts'
import { assetsHash, findAssets, missingAssets, missingNotes } from './missing.ts'
import { jsonLines, type VsiRow } from './rows.ts'
import type { VsiSample } from './sample.ts'
import { frequentAnswers, toSample } from './vsi-bench.ts'

const BUDGETS = ['16', '32', '64', 'all'] as const
type Budget = (typeof BUDGETS)[number]
const MAX_TABLE_BYTES = 1024 ** 3

const args = z.object({
  path: z.string().min(1).describe('dataset folder, with video.zip unpacked'),
  budget: z
    .enum(BUDGETS)
    .optional()
    .describe('frames that the ground truth is for; default: those that are shown, or all if there is none for these'),
})

/** Unknown columns are ignored. */
const revsiRow = z.object({
  scene_id: z.string().min(1),
  question_type: z.string().min(1),
  question: z.string().min(1),
  options: z.array(z.string()).nullish(),
  ground_truth: z.union([z.string(), z.number().transform(String), z.bigint().transform(String)]),
})

/** What its types are in VSI-Bench; all others have the same name. */
const TYPES: readonly (readonly [RegExp, QuestionType])[] = [
  [/^object_counting_/, 'object_counting'],
  [/^room_size_estimation_/, 'room_size_estimation'],
  [/^object_rel_distance_/, 'object_rel_distance'],
  [/^object_rel_direction_\w+_easy$/, 'object_rel_direction_easy'],
  [/^object_rel_direction_\w+_hard$/, 'object_rel_direction_hard'],
]

/** Names of scenes tell where they are from. */
const DATASETS: Readonly<Record<(typeof SCAN_DATASETS)[number], RegExp>> = {
  scannet: /^scene\d{4}_\d{2}$/,
  arkitscenes: /^\d{8}$/,
  scannetpp: /^[0-9a-z]{10}$/,
}

export function revsiSource<Options extends VsiOptions>(mode: Mode) {
  return defineSource({
    title: 'ReVSI, with ground truth for the frames that are shown',
    usage: 'revsi:/data/revsi or revsi:path=/data/revsi,budget=32',
    dataset: { name: 'revsi', from: { hub: '3dlg-hcvc/ReVSI' }, unpack: ['**/*.zip'] },
    args,
    open: ({ args: { path, budget }, options }: SourceRequest<Options, z.output<typeof args>>) =>
      openRevsi(mode, path, budget ?? budgetFor(options), options),
  })
}

function budgetFor(options: VsiOptions & { frames?: unknown }): Budget {
  const frames = options.input === 'video' ? null : String(options.frames)
  return BUDGETS.find((budget) => budget === frames) ?? 'all'
}

async function openRevsi(
  mode: Mode,
  root: string,
  budget: Budget,
  options: VsiOptions,
): Promise<OpenedSource<VsiSample>> {
  const { rows, hash } = await readRows(root, budget)
  const wanted = new Set<string>(selectedTypes(options))
  const asked = rows.filter(({ row }) => !isQuestionType(row.question_type) || wanted.has(row.question_type))
  const fingerprint = `revsi/${budget}/${hash.slice(0, 16)}/${hashOf([options.types]).slice(0, 8)}`
  const folder = join(root, `${budget}_frame`)
  const roots = { videos: folder, meshes: folder, capture: 'video' as const }
  const plain = asked.map(({ row }) => row)
  const assets = await findAssets(mode, roots, plain)
  const missing = missingAssets(assets)
  const frequent = frequentAnswers(rows.map(({ row }) => row))
  return {
    fingerprint,
    isScattered: true,
    count: asked.length,
    roots: scanRoots(fingerprint, roots),
    files: () => Promise.resolve(assetsHash(assets)),
    notes: [
      `The ground truth is for ${budget === 'all' ? 'all frames' : `${budget} frames`}.`,
      ...missingNotes(mode, plain, missing, roots),
    ],
    *samples() {
      for (const { row, subtype } of asked) {
        const context = { fingerprint, frequent, info: undefined, missing, capture: undefined, hasContents: false }
        const sample = toSample(row, context)
        yield { ...sample, labels: { type: row.question_type, dataset: row.dataset, subtype } }
      }
    },
  }
}

interface RevsiRow {
  row: VsiRow
  /** Its name in ReVSI. */
  subtype: string
}

async function readRows(root: string, budget: Budget): Promise<{ rows: RevsiRow[]; hash: string }> {
  const tables = await tablesOf(root, `${budget}_frame`)
  const contents = await Promise.all(tables.map((table) => readRegular(table, MAX_TABLE_BYTES)))
  const rows: RevsiRow[] = []
  for (const [i, bytes] of contents.entries()) {
    const name = basename(tables[i]!)
    const raw = name.endsWith('.parquet')
      ? await readParquet(bytes, name)
      : jsonLines(tables[i]!, bytes.toString('utf8'))
    for (const value of raw) rows.push(toRow(value, rows.length, name))
  }
  return { rows, hash: hashOf(contents.map((bytes) => sha256(bytes))) }
}

function toRow(value: unknown, id: number, table: string): RevsiRow {
  const parsed = revsiRow.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new UserError(`${table}, row ${id + 1}: ${issue.path.join('.') || 'row'}: ${issue.message}`, {
      hint: 'The file is not a table of ReVSI, or it was modified. Download it again.',
    })
  }
  const { scene_id: scene, question_type: subtype, ...rest } = parsed.data
  const dataset = SCAN_DATASETS.find((each) => DATASETS[each].test(scene)) ?? 'scannetpp'
  const type = TYPES.find(([pattern]) => pattern.test(subtype))?.[1] ?? subtype
  return { row: { ...rest, id, dataset, scene_name: scene, question_type: type }, subtype }
}

/** The tables of a budget, where the Hub puts a configuration and its split. */
async function tablesOf(root: string, config: string): Promise<string[]> {
  for (const folder of [config, join('data', config), 'data', '.']) {
    const names = await readdir(join(root, folder)).catch((): string[] => [])
    const isHere = folder.endsWith(config)
    const found = names
      .filter((name) => /\.(?:parquet|jsonl)$/.test(name) && name.startsWith(isHere ? 'test' : config))
      .sort()
    if (found.length > 0) return found.map((name) => join(root, folder, name))
  }
  throw new UserError(`No table of ${config} in ${root}.`, {
    hint: 'Download it with "sightline data get revsi", or use --source revsi:/data/revsi.',
  })
}
