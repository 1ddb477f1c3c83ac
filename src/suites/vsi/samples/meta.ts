/** The official meta info of scenes: object boxes and counts, for maps and for checking the ground truth. */
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, readRegular, UserError, parseForeignJson } from '../../../suite.ts'
import type { ScanDataset } from '../../../world.ts'
import type { NamedObject } from '../domain/question.ts'
import { isDirectionType, type QuestionType } from '../domain/question-types.ts'
import type { VsiRow } from './rows.ts'

const vec3 = z.tuple([z.number(), z.number(), z.number()])
const sceneInfo = z.object({
  room_size: z.number(),
  object_counts: z.record(z.string(), z.int()),
  object_bbox: z.record(z.string(), z.array(z.object({ min: vec3, max: vec3 }))),
})
const metaFile = z.record(z.string(), sceneInfo)
export type SceneInfo = z.output<typeof sceneInfo>

const MAX_META_BYTES = 500 * 1024 ** 2

/** The meta info of a dataset, from any of its usual locations; null if there is none. */
export async function readMeta(root: string, dataset: ScanDataset): Promise<ReadonlyMap<string, SceneInfo> | null> {
  const name = `${dataset}_meta_info_val.json`
  for (const folder of ['', 'meta_info', 'data/meta_info']) {
    const path = join(root, folder, name)
    let text: string
    try {
      text = (await readRegular(path, MAX_META_BYTES)).toString('utf8')
    } catch {
      continue
    }
    return new Map(Object.entries(parseMeta(text, path)))
  }
  return null
}

function parseMeta(text: string, path: string): z.output<typeof metaFile> {
  const reject = (reason: string): never => {
    throw new UserError(`${path} is not a VSI-Bench meta info file: ${reason}.`, {
      hint: 'Download it again, or remove it: it is only used for maps and checks.',
    })
  }
  let json: unknown
  try {
    json = parseForeignJson(text)
  } catch (error) {
    return reject(messageOf(error).slice(0, 200))
  }
  const parsed = metaFile.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  return reject(`at ${issue.path.join('.') || 'the top level'}: ${issue.message}`)
}

/** Patterns of object names in the benchmark's question templates. */
const TEMPLATES: Readonly<Record<QuestionType, readonly RegExp[]>> = {
  object_counting: [/How many (.+?)\(s\)/],
  object_abs_distance: [/between the (.+?) and the (.+?)(?: \(in meters\))?\?/],
  object_size_estimation: [/height\) of the (.+?), measured/],
  room_size_estimation: [],
  object_rel_distance: [/closest to the (.+?)\?/, /these objects \((.+?)\)/],
  object_rel_direction_easy: [/standing by the (.+?) and facing the (.+?), is the (.+?) to/],
  object_rel_direction_medium: [/standing by the (.+?) and facing the (.+?), is the (.+?) to/],
  object_rel_direction_hard: [/standing by the (.+?) and facing the (.+?), is the (.+?) to/],
  route_planning: [],
  obj_appearance_order: [/in the video: (.+?)\?/],
}

/** The categories a question names. */
export function categoriesIn(type: QuestionType, question: string): string[] {
  const names = TEMPLATES[type].flatMap((template) => template.exec(question)?.slice(1) ?? [])
  return [...new Set(names.flatMap((name) => name.split(/,\s*/)).map((name) => name.trim()))].filter(Boolean)
}

/** The categories of the published cognitive map, in its order; null for types that it is not drawn for. */
export function mapCategories({ type, question }: { type: QuestionType; question: string }): string[] | null {
  if (isDirectionType(type)) return categoriesIn(type, question)
  if (type !== 'object_rel_distance') return null
  const [reference, ...choices] = categoriesIn(type, question)
  return reference === undefined ? null : [...choices, reference]
}

/** Square meters by which a published room size, rounded to one decimal, may differ from the meta info. */
const ROOM_SIZE_ROUNDING = 0.0501

/** Whether the published ground truth contradicts the meta info, which has counts and room sizes. */
export function contradicts(
  { question_type: type, question, ground_truth }: Pick<VsiRow, 'question_type' | 'question' | 'ground_truth'>,
  { room_size, object_counts }: SceneInfo,
): boolean {
  if (type === 'room_size_estimation') return Math.abs(Number(ground_truth) - room_size) > ROOM_SIZE_ROUNDING
  if (type !== 'object_counting') return false
  const counted = object_counts[categoriesIn(type, question)[0] ?? '']
  return counted !== undefined && counted !== Number(ground_truth)
}

/** Axis-aligned boxes of a question's objects; null if the meta info has none. */
export function objectsIn(type: QuestionType, question: string, info: SceneInfo | undefined): NamedObject[] | null {
  if (info === undefined) return null
  const things = boxesOf(categoriesIn(type, question), info)
  return things.length === 0 ? null : things
}

/** All objects of a scene. */
export function contentsOf(info: SceneInfo): NamedObject[] {
  return boxesOf(Object.keys(info.object_bbox), info)
}

function boxesOf(categories: readonly string[], { object_bbox }: SceneInfo): NamedObject[] {
  return categories.flatMap((category) =>
    (object_bbox[category] ?? []).map(({ min, max }): NamedObject => {
      const center = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2] as const
      return { category, box: { center, size: [max[0] - min[0], max[1] - min[1], max[2] - min[2]], yaw: 0 } }
    }),
  )
}
