/** A clip with its annotation. Plain JSON: no paths, and no pixels except the published masks. */
import { sha256, z } from '../../../suite.ts'
import { type Annotation, annotationSchema, type EvalTruth, evalTruthSchema } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { HAN, mergeSlots, shortName, type Template, TEMPLATES } from '../domain/templates.ts'
import { slotWindows } from '../domain/windows.ts'
import { LEVEL_NAMES } from './clips/levels.ts'

const LANGUAGES = ['zh', 'en'] as const

const originSchema = z.union([
  /** A file of an opened folder, resolved at play time. */
  z.object({ kind: z.literal('file'), source: z.string(), file: z.string() }),
  /** A clip without a video, from a published result file. */
  z.object({ kind: z.literal('results'), video: z.string() }),
  /** A built-in clip. Those without a level are from an earlier generator, and cannot be made again. */
  z.object({
    kind: z.literal('clip'),
    seed: z.number(),
    index: z.number(),
    language: z.enum(LANGUAGES),
    attempt: z.number(),
    level: z.enum(LEVEL_NAMES).default('medium'),
  }),
])
export type Origin = z.output<typeof originSchema>

export const sampleSchema = z.object({
  id: z.string(),
  cluster: z.string(),
  labels: z
    .object({
      /** `T1` … `T6`. */
      template: z.string(),
      /** Number of slots, and of slots with a time window, for pooling. */
      slots: z.string(),
      windows: z.string(),
      /** Alias of the dataset, because folder names contain people's names. */
      dataset: z.string(),
    })
    .catchall(z.string()),
  template: z.enum(TEMPLATES),
  language: z.enum(LANGUAGES),
  annotation: annotationSchema,
  /** Option letters and checked windows, if the data has them. */
  evalTruth: evalTruthSchema.nullable(),
  /** Size of the last frame, after rotation. */
  frame: z.object({ width: z.number(), height: z.number() }),
  origin: originSchema,
  /** Built-in clips: the frames that show the hand pointing at each slot, first and last; one of them must be seen. */
  evidence: z.array(z.tuple([z.int(), z.int()]).readonly()).exactOptional(),
  /** How many clips before this one (or after the last one) were left out: the frames of the run do not answer them. */
  leftOut: z.int().exactOptional(),
  /** Why the clip cannot be scored, found when the source was opened. It ends as a missing asset, which coverage shows. */
  problem: z.string().exactOptional(),
})
export type VsigSample = z.output<typeof sampleSchema>

/** A stable id without people's names: the annotation's id, else a hash of the video's name. */
export function clipId(
  dataset: string,
  template: Template | null,
  { id, video_name: video }: Annotation,
  where: string,
): string {
  const name = id && /^[\w.-]+$/.test(id) ? id : sha256(video ?? where).slice(0, 12)
  return `${dataset}-${template ? shortName(template) : 'T0'}-${name}`
}

/** Different clips with the same id are numbered, in the order of the files. */
export function uniqueId(id: string, taken: ReadonlySet<string>): string {
  let unique = id
  for (let number = 2; taken.has(unique); number++) unique = `${id}-${number}`
  return unique
}

/** Creates a sample from an annotation, for every source. */
export function sampleOf(
  id: string,
  dataset: string,
  template: Template,
  annotation: Annotation,
  evalTruth: EvalTruth | null,
  frame: Size,
  origin: Origin,
): VsigSample {
  const slots = mergeSlots(template, annotation.object_space)
  const windows = slotWindows(template, annotation, evalTruth?.answer ?? [])
  const names = slots.map(({ name }) => name).join('')
  const language = origin.kind === 'clip' ? origin.language : HAN.test(names) || names === '' ? 'zh' : 'en'
  return {
    id,
    cluster: id,
    labels: {
      template: shortName(template),
      slots: String(slots.length),
      windows: String(windows.filter(({ kind }) => kind === 'window').length),
      dataset,
      language,
    },
    template,
    language,
    annotation,
    evalTruth,
    frame,
    origin,
  }
}
