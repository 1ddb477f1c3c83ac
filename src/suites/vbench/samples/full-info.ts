/** The file that the published evaluator reads: which prompt serves which dimensions, and what is known of it. */
import { z } from 'zod'
import { UserError } from '../../../suite.ts'
import { type Dimension, DIMENSIONS, I2V_DIMENSIONS, isDimension } from '../domain/dimensions.ts'
import type { PromptEntry, PromptFacts } from '../domain/prompts.ts'

/** Facts nest differently from dimension to dimension; this is how they are published. */
const auxiliary = z.looseObject({
  object_class: z.looseObject({ object: z.string() }).optional(),
  multiple_objects: z.looseObject({ object: z.string() }).optional(),
  color: z.looseObject({ color: z.string() }).optional(),
  appearance_style: z.looseObject({ appearance_style: z.string() }).optional(),
  spatial_relationship: z
    .looseObject({
      spatial_relationship: z.looseObject({
        object_a: z.string(),
        object_b: z.string(),
        relationship: z.string(),
      }),
    })
    .optional(),
  scene: z.looseObject({ scene: z.looseObject({ scene: z.string() }) }).optional(),
})

const entry = z.looseObject({
  prompt_en: z.string(),
  dimension: z.array(z.string()),
  auxiliary_info: auxiliary.nullish(),
  image_name: z.string().optional(),
})
const fullInfo = z.array(entry)

export function readFullInfo(value: unknown, where: string): PromptEntry[] {
  const parsed = fullInfo.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new UserError(`${where} is not a VBench list of prompts: ${issue.path.join('.')}: ${issue.message}`, {
      hint: 'Expected is VBench_full_info.json: a list of {"prompt_en": …, "dimension": […]}.',
    })
  }
  return parsed.data.map(({ prompt_en, dimension, auxiliary_info, image_name: image }) => {
    const known = image === undefined ? DIMENSIONS : I2V_DIMENSIONS
    return {
      prompt: prompt_en.trim().normalize('NFC'),
      dimensions: dimension.filter((name) => isDimension(name)).filter((name) => known.includes(name)),
      facts: { ...(auxiliary_info && factsOf(auxiliary_info)), ...(image !== undefined && { image }) },
    }
  })
}

function factsOf(info: z.infer<typeof auxiliary>): PromptFacts {
  const object = info.object_class?.object ?? info.multiple_objects?.object
  const spatial = info.spatial_relationship?.spatial_relationship
  return {
    ...(object === undefined ? {} : { object }),
    ...(info.color ? { color: info.color.color } : {}),
    ...(info.appearance_style ? { style: info.appearance_style.appearance_style } : {}),
    ...(info.scene ? { scene: info.scene.scene.scene } : {}),
    ...(spatial ? { relation: { a: spatial.object_a, b: spatial.object_b, relation: spatial.relationship } } : {}),
  }
}

/** The same file again, with the videos that were found: what the published tool writes next to its results. */
export function writeFullInfo(
  entries: readonly PromptEntry[],
  videosOf: (entry: PromptEntry) => readonly string[] | null,
): string {
  const rows = entries.map((entry) => {
    const auxiliary_info = auxiliaryOf(entry)
    const video_list = videosOf(entry)
    return {
      prompt_en: entry.prompt,
      dimension: entry.dimensions,
      ...(entry.facts.image !== undefined && { image_name: entry.facts.image }),
      ...(Object.keys(auxiliary_info).length === 0 ? {} : { auxiliary_info }),
      ...(video_list === null ? {} : { video_list }),
    }
  })
  return `${JSON.stringify(rows, null, 4)}\n`
}

function auxiliaryOf({ dimensions, facts }: PromptEntry): Record<string, unknown> {
  const { object, color, style, scene, relation } = facts
  const objects = object === undefined ? null : { object }
  const known: Readonly<Partial<Record<Dimension, object | null>>> = {
    object_class: objects,
    multiple_objects: objects,
    color: color === undefined ? null : { color },
    appearance_style: style === undefined ? null : { appearance_style: style },
    scene: scene === undefined ? null : { scene: { scene } },
    spatial_relationship: relation
      ? { spatial_relationship: { object_a: relation.a, object_b: relation.b, relationship: relation.relation } }
      : null,
  }
  return Object.fromEntries(dimensions.flatMap((name) => (known[name] ? [[name, known[name]]] : [])))
}
