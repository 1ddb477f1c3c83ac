/** VSI-Bench as published, from a folder: questions, videos, and the meshes of the scans. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, messageOf, UserError } from '../../../base/errors.ts'
import { hashOf } from '../../../base/hash.ts'
import { didYouMean } from '../../../base/nearest.ts'
import type { OpenedSource, SourceKind, SourceSpec } from '../../../engine/suite.ts'
import { findScan, type ScanDataset } from '../../../world/formats/index.ts'
import type { VsiCase } from '../case.ts'
import { typesOf, type VsiOptions } from '../options.ts'
import { registerScans } from '../scene/stages.ts'
import { isNumberType, isQuestionType, type QuestionType, type Way } from '../types.ts'
import doubtful from './doubtful.json' with { type: 'json' }
import { readMeta, type SceneInfo, thingsIn } from './meta.ts'
import { readTable, type VsiRow } from './rows.ts'
import { TINY_IDS } from './tiny.ts'

const SETS = ['full', 'debiased', 'pruned', 'tiny'] as const
type VsiSet = (typeof SETS)[number]

/** Where each set's table may be, best first. Tiny is chosen from the full one by its ids. */
const TABLES: Readonly<Record<VsiSet, readonly string[]>> = {
  full: ['test.jsonl', 'test-00000-of-00001.parquet', 'test.parquet'],
  debiased: ['test_debiased.parquet', 'test_debiased.jsonl'],
  pruned: ['test_pruned.parquet', 'test_pruned.jsonl'],
  tiny: ['test.jsonl', 'test-00000-of-00001.parquet', 'test.parquet'],
}

const ARGUMENTS = ['path', 'set', 'videos', 'meshes', 'exclude'] as const
const USAGE = 'vsi-bench:/data/vsi or vsi-bench:path=/data/vsi,set=tiny,meshes=/data/scans,exclude=/data/doubtful.txt'

export function vsiBenchSource<Options extends VsiOptions>(way: Way): SourceKind<Options, VsiCase> {
  return {
    title: `VSI-Bench as published; sets ${SETS.join(', ')}`,
    usage: USAGE,
    open: (spec, options) => openVsiBench(way, spec, options),
  }
}

interface Places {
  root: string
  set: VsiSet
  videos: string
  meshes: string
  exclude: string | null
}

function placesOf({ path, args }: SourceSpec): Places {
  const strange = Object.keys(args).find((key) => !(ARGUMENTS as readonly string[]).includes(key))
  if (strange !== undefined)
    throw new UserError(`vsi-bench does not know "${strange}".`, { hint: didYouMean(strange, ARGUMENTS, 'It knows') })
  const root = path ?? args['path']
  if (root === undefined || root === '')
    throw new UserError('vsi-bench needs the folder of the data.', { hint: `Write ${USAGE}.` })
  const name = args['set'] ?? 'full'
  const set = SETS.find((each) => each === name)
  if (set === undefined)
    throw new UserError(`VSI-Bench has no set "${name}".`, { hint: didYouMean(name, SETS, 'Sets') })
  return { root, set, videos: args['videos'] ?? root, meshes: args['meshes'] ?? root, exclude: args['exclude'] ?? null }
}

async function openVsiBench(way: Way, spec: SourceSpec, options: VsiOptions): Promise<OpenedSource<VsiCase>> {
  const places = placesOf(spec)
  const { rows, hash } = await rowsOf(places)
  const excluded = places.exclude === null ? new Set<number>() : await readIds(places.exclude)
  const wanted = new Set<string>(typesOf(options))
  const asked = rows.filter((row) => {
    if (excluded.has(row.id) || (options.doubtful === 'leave-out' && isDoubtful(row))) return false
    // An unknown type stays: it is reported as something that cannot be played, not silently dropped.
    if (!isQuestionType(row.question_type)) return true
    return wanted.has(row.question_type) && (way !== 'explore' || row.question_type !== 'obj_appearance_order')
  })
  const fingerprint = `vsi-bench/${places.set}/${hash.slice(0, 16)}/${hashOf([options.types, options.doubtful, [...excluded].sort((a, b) => a - b)]).slice(0, 8)}`
  registerScans(fingerprint, places)
  const meta = await metaOf(places.root, asked)
  const missing = await missingAssets(way, places, asked)
  const frequent = frequentAnswers(rows)
  const unknown = asked.filter(({ question_type }) => !isQuestionType(question_type))
  return {
    fingerprint,
    count: asked.length,
    notes: notesOf(way, asked, missing, unknown),
    *cases() {
      for (const row of asked)
        yield toCase(row, { fingerprint, frequent, info: meta.get(row.dataset)?.get(row.scene_name), missing })
    },
  }
}

async function rowsOf({ root, set }: Places): Promise<{ rows: VsiRow[]; hash: string }> {
  await checkFolder(root)
  const table = await firstFile(root, TABLES[set])
  if (table !== null) {
    const { rows, sha256: hash } = await readTable(table)
    if (set === 'tiny') return { rows: rows.filter(({ id }) => TINY.has(id)), hash }
    if (set === 'full') return { rows, hash }
    return {
      rows: rows.filter(({ pruned }) => pruned === null || pruned === undefined || pruned === (set === 'pruned')),
      hash,
    }
  }
  const ids = join(root, 'pruned_ids.txt')
  const full = await firstFile(root, TABLES.full)
  if (full !== null && (set === 'debiased' || set === 'pruned') && (await exists(ids))) {
    const { rows, sha256: hash } = await readTable(full)
    const pruned = await readIds(ids)
    return { rows: rows.filter(({ id }) => pruned.has(id) === (set === 'pruned')), hash }
  }
  throw new UserError(`There are no questions of the set "${set}" in ${root}: looked for ${TABLES[set].join(', ')}.`, {
    hint: 'Download the tables of nyu-visionx/VSI-Bench into this folder.',
  })
}

const TINY = new Set(TINY_IDS)

async function checkFolder(root: string): Promise<void> {
  try {
    await readdir(root)
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'it does not exist' : messageOf(error)
    throw new UserError(`The folder ${root} cannot be read: ${why}.`, { hint: `Write ${USAGE}.` })
  }
}

async function firstFile(root: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await exists(join(root, name))) return join(root, name)
  return null
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** One id a line; what follows a # is a remark. */
async function readIds(path: string): Promise<Set<number>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError(`The list ${path} cannot be read: ${messageOf(error)}`)
  })
  const ids = new Set<number>()
  for (const [i, line] of text.split('\n').entries()) {
    const word = line.replace(/#.*/, '').trim()
    if (word === '') continue
    if (!/^\d+$/.test(word)) throw new UserError(`${path}, line ${i + 1}: "${word.slice(0, 40)}" is not an id.`)
    ids.add(Number(word))
  }
  return ids
}

/** Questions whose published truth users have shown to be wrong. */
function isDoubtful({ question_type, scene_name }: VsiRow): boolean {
  return Object.entries(doubtful).some(([type, scenes]) => type === question_type && scenes.includes(scene_name))
}

async function metaOf(
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

/** By scene, what it lacks for this way of playing: absent, or empty. */
async function missingAssets(
  way: Way,
  { videos, meshes }: Places,
  rows: readonly VsiRow[],
): Promise<Map<string, string>> {
  const missing = new Map<string, string>()
  if (way === 'blind') return missing
  const what = way === 'explore' ? 'mesh' : 'video'
  for (const { dataset, scene_name } of new Map(
    rows.map((row) => [`${row.dataset}/${row.scene_name}`, row]),
  ).values()) {
    const key = `${dataset}/${scene_name}`
    try {
      const scan = await findScan(what === 'mesh' ? meshes : videos, dataset, scene_name)
      const path = scan[what]
      if (path === undefined)
        missing.set(key, scan.missing.find((each) => each.startsWith(what)) ?? `${what} of ${scene_name}`)
      else if ((await stat(path)).size === 0) missing.set(key, `${what} of ${scene_name}: ${path} is empty (0 bytes)`)
    } catch (error) {
      missing.set(key, messageOf(error))
    }
  }
  if (missing.size > 0 && rows.every((row) => missing.has(`${row.dataset}/${row.scene_name}`))) {
    const shown = [...missing.values()].slice(0, 5)
    throw new UserError(
      `No scene has its ${what}:\n  ${shown.join('\n  ')}${missing.size > 5 ? `\n  … and ${missing.size - 5} more` : ''}`,
      {
        hint:
          way === 'explore'
            ? 'Say where the scans are: vsi-bench:path=…,meshes=/data/scans'
            : 'Unpack the video archives into this folder.',
      },
    )
  }
  return missing
}

const SHOWN = 20

function notesOf(
  way: Way,
  rows: readonly VsiRow[],
  missing: ReadonlyMap<string, string>,
  unknown: readonly VsiRow[],
): string[] {
  const notes: string[] = []
  if (missing.size > 0) {
    const lost = rows.filter((row) => missing.has(`${row.dataset}/${row.scene_name}`)).length
    notes.push(
      `${missing.size} scenes lack their ${way === 'explore' ? 'mesh' : 'video'}; their ${lost} questions are left out as missing:`,
    )
    notes.push(...[...missing.values()].slice(0, SHOWN).map((line) => `  ${line}`))
    if (missing.size > SHOWN) notes.push(`  … and ${missing.size - SHOWN} more`)
  }
  if (unknown.length > 0) {
    const types = [...new Set(unknown.map(({ question_type }) => question_type))]
    notes.push(
      `${unknown.length} questions are of unknown types and are left out as missing: ${types.slice(0, 5).join(', ')}`,
    )
  }
  return notes
}

/** The answer that is right most often, by type; the first of equals in the data. */
function frequentAnswers(rows: readonly VsiRow[]): ReadonlyMap<string, string> {
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

interface CaseContext {
  fingerprint: string
  frequent: ReadonlyMap<string, string>
  info: SceneInfo | undefined
  missing: ReadonlyMap<string, string>
}

function toCase(row: VsiRow, { fingerprint, frequent, info, missing }: CaseContext): VsiCase {
  const { id, dataset, scene_name, question_type, question, ground_truth } = row
  const options = row.options && row.options.length > 0 ? row.options : null
  // Something must stand for a type that is not known; the case is never played.
  const type: QuestionType = isQuestionType(question_type)
    ? question_type
    : options
      ? 'object_rel_distance'
      : 'object_counting'
  const problem = !isQuestionType(question_type)
    ? `the question type "${question_type}" is not known`
    : !isNumberType(type) && options === null
      ? `question ${id} has no options`
      : missing.get(`${dataset}/${scene_name}`)
  return {
    id: String(id),
    cluster: `${dataset}/${scene_name}`,
    labels: { type: question_type, dataset, doubtful: isDoubtful(row) ? 'yes' : 'no' },
    type,
    question,
    options: isNumberType(type) ? null : options,
    truth: ground_truth,
    frequent: frequent.get(question_type) ?? ground_truth,
    scene: { kind: 'scan', source: fingerprint, dataset, scene: scene_name },
    things: thingsIn(type, question, info),
    about: null,
    ...(problem !== undefined && { problem }),
  }
}
