/** Reads result files of the published code: predictions next to the ground truth they were scored against. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  fileErrorReason,
  type ImportedEpisode,
  type Importer,
  messageOf,
  type OpenedSource,
  parsePythonJson,
  plural,
  UserError,
  z,
  readRegularText,
} from '../../suite.ts'
import { type Annotation, annotationSchema, type EvalTruth, evalTruthSchema } from './domain/annotation.ts'
import { maskBytes, type Size } from './domain/mask.ts'
import { parsePng } from './domain/mask-png.ts'
import type { Profile } from './domain/profiles.ts'
import { mergeSlots, SHAPES, type Template, templateOf } from './domain/templates.ts'
import type { VsigOptions } from './options.ts'
import { aliasOf } from './samples/folder/scan.ts'
import { clipId, sampleOf, uniqueId, type VsigSample } from './samples/sample.ts'

const TITLE = 'result files of the published code: results_*.json, or a folder of them'

export const importer: Importer<VsigOptions, VsigSample, Profile> = {
  title: TITLE,
  async read(path, { source }) {
    const results = await Promise.all((await resultFiles(path)).map(readResults))
    const models = [...new Set(results.map(({ model }) => model))]
    if (models.length > 1) {
      throw new UserError(`${path} has results of ${models.length} models: ${models.slice(0, 10).join(', ')}.`, {
        hint: 'Import them one at a time.',
      })
    }
    const found = results.flatMap(predictionsOf)
    const { episodes, notes } = source ? await pairWithSource(found, source) : withOwnTruth(found)
    return { model: models[0] ?? null, notes, episodes }
  },
}

/** A published file is at most a few hundred megabytes of masks. */
const MAX_BYTES = 500_000_000
const MAX_DEPTH = 4

/** The file itself, or all result files in a folder. Summaries repeat the others, and count only if there are none. */
async function resultFiles(path: string): Promise<string[]> {
  const about = await stat(path).catch((error: unknown) => {
    throw new UserError(`Cannot read ${path}: ${fileErrorReason(error)}.`)
  })
  if (!about.isDirectory()) return [path]
  const all = (await filesIn(path, MAX_DEPTH)).filter((file) => /^results_.*\.json$/.test(basename(file)))
  const single = all.filter((file) => !file.endsWith('_summary.json'))
  const files = single.length > 0 ? single : all
  if (files.length === 0) throw new UserError(`No result files in ${path}.`, { hint: `vsig reads ${TITLE}.` })
  return files
}

async function filesIn(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const nested = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return depth > 0 ? filesIn(path, depth - 1) : []
      return entry.isFile() ? [path] : []
    })
  return (await Promise.all(nested)).flat()
}

const resultsSchema = z.object({
  model_name: z.string().nullish(),
  dataset: z.string().nullish(),
  instruction: z.string().nullish(),
  predictions: z.array(z.record(z.string(), z.unknown())),
  ground_truths: z.array(z.record(z.string(), z.unknown())).nullish(),
})

type Results = z.output<typeof resultsSchema> & { file: string; model: string }

async function readResults(file: string): Promise<Results> {
  let json: unknown
  try {
    json = parsePythonJson(await readRegularText(file, MAX_BYTES), { parseConstant: () => null })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${file}: not valid JSON (${messageOf(error)}).`)
  }
  const read = resultsSchema.safeParse(json)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue === undefined || issue.path.length === 0 ? '' : ` ${issue.path.join('.')}:`
    throw new UserError(`${file}:${where} ${issue?.message ?? 'unreadable'}.`, { hint: `vsig reads ${TITLE}.` })
  }
  const { predictions, ground_truths: truths } = read.data
  // The published code pairs them by position.
  if (truths && truths.length !== predictions.length) {
    throw new UserError(
      `${file}: ${plural(predictions.length, 'prediction')}, but ${plural(truths.length, 'ground truth')}.`,
    )
  }
  return { ...read.data, file, model: read.data.model_name ?? 'unknown' }
}

interface FoundPrediction {
  reply: string
  video: string
  /** Alias of the dataset, because its name contains people's names; null if unknown. */
  dataset: string | null
  template: Template | null
  truth: Readonly<Record<string, unknown>> | null
  /** File and position, for messages. */
  where: string
}

function predictionsOf({ predictions, ground_truths: truths, dataset, instruction, file }: Results): FoundPrediction[] {
  return predictions.map((prediction, i) => {
    const where = `${file}, prediction ${i + 1}`
    const truth = truths?.[i] ?? null
    const video = prediction['video_name'] ?? truth?.['video_name']
    if (typeof video !== 'string' || video === '') throw new UserError(`${where}: no "video_name".`)
    if (truth && truth['video_name'] !== undefined && truth['video_name'] !== video) {
      throw new UserError(`${where} is about ${video}, its ground truth about ${JSON.stringify(truth['video_name'])}.`)
    }
    const folder = truth?.['_video_dir']
    const name = dataset ?? (typeof folder === 'string' ? basename(dirname(folder.replaceAll('\\', '/'))) : null)
    return {
      reply: replyOf(prediction),
      video,
      dataset: name === null ? null : aliasOf(name),
      template: templateOf(truth?.['task_template']) ?? templateOf(instruction),
      truth,
      where,
    }
  })
}

/** What the published code adds to a parsed reply. */
const ADDED = new Set(['video_name', 'visualization_rel_path', '_model_input', '_model_output'])
/** Written instead of a command if there was no reply. */
const FAILED = 'FAILED_INFERENCE'

function replyOf(prediction: Readonly<Record<string, unknown>>): string {
  if (prediction['explicit_command'] === FAILED) return ''
  return JSON.stringify(Object.fromEntries(Object.entries(prediction).filter(([key]) => !ADDED.has(key))))
}

interface Paired {
  episodes: ImportedEpisode<VsigSample>[]
  notes: string[]
}

/** Samples without videos, from the ground truth in the files. */
function withOwnTruth(found: readonly FoundPrediction[]): Paired {
  const ids = new Set<string>()
  let renamed = 0
  const episodes = found.map((each): ImportedEpisode<VsigSample> => {
    const { truth, template, video, where } = each
    if (!truth) {
      throw new UserError(`${where}: the file has no ground truth.`, {
        hint: 'Give the dataset with --source vsig:FOLDER.',
      })
    }
    const annotation = annotationSchema.parse(truth)
    const dataset = each.dataset ?? 'results'
    const named = clipId(dataset, template, annotation, where)
    const id = uniqueId(named, ids)
    if (id !== named) renamed += 1
    ids.add(id)
    const shape = template ?? '指令1'
    const origin = { kind: 'results', video } as const
    const options = optionsIn(truth, shape, annotation)
    const sample = sampleOf(id, dataset, shape, annotation, options, frameOf(truth, annotation), origin)
    const problem = problemOf(template, annotation)
    return { sample: problem === null ? sample : { ...sample, problem }, replies: { player: [each.reply] } }
  })
  const notes =
    renamed === 0
      ? []
      : [`${plural(renamed, 'clip')} with the id of another clip ${renamed === 1 ? 'was' : 'were'} numbered.`]
  return { episodes, notes }
}

function problemOf(template: Template | null, { task_template, object_space }: Annotation): string | null {
  if (template === null) return `unknown template, ${JSON.stringify(task_template ?? null)}`
  const wanted = SHAPES[template].entries.length
  return object_space.length < wanted ? `too few entries, ${object_space.length} of ${wanted} for ${template}` : null
}

/** The size of the frame: as recorded, else of a mask, else what the published code assumes. */
function frameOf(truth: Readonly<Record<string, unknown>>, { object_space }: Annotation): Size {
  const { _video_width: width, _video_height: height } = truth
  if (isLength(width) && isLength(height)) return { width, height }
  for (const { mask } of object_space) {
    const png = mask ? parsePng(maskBytes(mask.mask_base64)) : 'no mask'
    if (typeof png !== 'string') return { width: png.width, height: png.height }
  }
  return { width: 1920, height: 1080 }
}

const MAX_SIDE = 20_000

function isLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_SIDE
}

/** Option letters: with their targets and windows in later files, else with those of the annotation. */
function optionsIn(
  truth: Readonly<Record<string, unknown>>,
  template: Template,
  annotation: Annotation,
): EvalTruth | null {
  const { _gt_speech_temporal: answers, _correct_options: letters } = truth
  const choices = { object_choices: truth['_object_choices'], space_choices: truth['_space_choices'] }
  const complete = evalTruthSchema.safeParse({ ...choices, answer: answers })
  if (complete.success && complete.data.answer?.length) return complete.data
  const slots = mergeSlots(template, annotation.object_space)
  if (!Array.isArray(letters) || letters.length !== slots.length) return null
  const answer = slots.map(({ points, mask, entries }, i) => {
    const { asr_begin_time, asr_end_time } = annotation.object_space[entries.at(-1)!]!
    return {
      choice: letters[i] as unknown,
      points,
      asr_begin_time,
      asr_end_time,
      ...(mask === undefined ? {} : { mask }),
    }
  })
  const partial = evalTruthSchema.safeParse({ answer })
  return partial.success ? partial.data : null
}

/** Pairs predictions with the clips of a dataset by video, template and, where there are several, dataset. */
async function pairWithSource(found: readonly FoundPrediction[], source: OpenedSource<VsigSample>): Promise<Paired> {
  const clips = new Map<string, VsigSample[]>()
  const keyOf = (video: string): string => video.normalize('NFC').toLowerCase()
  for await (const sample of source.samples()) {
    const key = keyOf(sample.annotation.video_name ?? sample.id)
    clips.set(key, [...(clips.get(key) ?? []), sample])
  }
  const episodes = new Map<string, ImportedEpisode<VsigSample>>()
  const unknown: string[] = []
  let repeated = 0
  for (const { video, template, dataset, reply } of found) {
    const named = (clips.get(keyOf(video)) ?? []).filter((clip) => template === null || clip.template === template)
    const sample = named.find(({ labels }) => labels.dataset === dataset) ?? (named.length === 1 ? named[0] : undefined)
    if (!sample) unknown.push(video)
    else if (episodes.has(sample.id)) repeated += 1
    else episodes.set(sample.id, { sample, replies: { player: [reply] } })
  }
  const list = unknown.slice(0, 5).join(', ') + (unknown.length > 5 ? ' …' : '')
  if (episodes.size === 0) {
    throw new UserError(`None of the ${plural(found.length, 'prediction')} is about a clip of the source: ${list}.`, {
      hint: 'Without --source, the ground truth in the files is used.',
    })
  }
  const notes: string[] = []
  if (unknown.length > 0) notes.push(`Skipped ${plural(unknown.length, 'prediction')} about other clips: ${list}.`)
  if (repeated > 0) notes.push(`Skipped ${plural(repeated, 'prediction')} about a clip that has one already.`)
  return { episodes: [...episodes.values()], notes }
}
