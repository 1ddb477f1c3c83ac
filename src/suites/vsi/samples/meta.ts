/** The official meta info of scenes: object boxes and counts, for maps and for checking the truth. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, UserError } from '../../../suite.ts'
import type { ScanDataset } from '../../../world.ts'
import type { NamedObject } from '../domain/question.ts'
import type { QuestionType } from '../domain/question-types.ts'
import type { VsiRow } from './rows.ts'

const vec3 = z.tuple([z.number(), z.number(), z.number()])
const sceneInfo = z.object({
  room_size: z.number(),
  object_counts: z.record(z.string(), z.int()),
  object_bbox: z.record(z.string(), z.array(z.object({ min: vec3, max: vec3 }))),
})
const metaFile = z.record(z.string(), sceneInfo)
export type SceneInfo = z.output<typeof sceneInfo>

/** The meta info of a data set, from any of the places where it is usually put; null when it is not there. */
export async function readMeta(root: string, dataset: ScanDataset): Promise<ReadonlyMap<string, SceneInfo> | null> {
  const name = `${dataset}_meta_info_val.json`
  for (const folder of ['', 'meta_info', 'data/meta_info']) {
    const path = join(root, folder, name)
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch {
      continue
    }
    return new Map(Object.entries(parseMeta(text, path)))
  }
  return null
}

function parseMeta(text: string, path: string): z.output<typeof metaFile> {
  const refuse = (why: string): never => {
    throw new UserError(`${path} is not a meta info file of VSI-Bench: ${why}.`, {
      hint: 'Download it again, or move it away: it is used for maps and for checks only.',
    })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return refuse(messageOf(error).slice(0, 200))
  }
  const parsed = metaFile.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  return refuse(`at ${issue.path.join('.') || 'the top'}: ${issue.message}`)
}

/** How the benchmark's questions name their objects. */
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

/** The categories that a question speaks of, by the templates of the benchmark. */
export function categoriesIn(type: QuestionType, question: string): string[] {
  const names = TEMPLATES[type].flatMap((template) => template.exec(question)?.slice(1) ?? [])
  return [...new Set(names.flatMap((name) => name.split(/,\s*/)).map((name) => name.trim()))].filter(Boolean)
}

/** Square metres by which a published room size, which has one decimal, may differ from the meta info. */
const ROOM_SIZE_ROUNDING = 0.0501

/** Whether the published truth is another than the meta info gives: for counts and room sizes, which it has as numbers. */
export function contradicts(
  { question_type: type, question, ground_truth }: Pick<VsiRow, 'question_type' | 'question' | 'ground_truth'>,
  { room_size, object_counts }: SceneInfo,
): boolean {
  if (type === 'room_size_estimation') return Math.abs(Number(ground_truth) - room_size) > ROOM_SIZE_ROUNDING
  if (type !== 'object_counting') return false
  const counted = object_counts[categoriesIn(type, question)[0] ?? '']
  return counted !== undefined && counted !== Number(ground_truth)
}

/** Boxes of a question's objects, along the axes of the scan; null where the meta info does not tell. */
export function objectsIn(type: QuestionType, question: string, info: SceneInfo | undefined): NamedObject[] | null {
  if (info === undefined) return null
  const things = categoriesIn(type, question).flatMap((category) =>
    (info.object_bbox[category] ?? []).map(({ min, max }): NamedObject => {
      const center = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2] as const
      return { category, box: { center, size: [max[0] - min[0], max[1] - min[1], max[2] - min[2]], yaw: 0 } }
    }),
  )
  return things.length === 0 ? null : things
}
