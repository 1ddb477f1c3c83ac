/** A clip and what is known about it. Plain JSON: no paths, no pixels but the masks as published. */
import { z } from '../../../suite.ts'
import { type Annotation, annotationSchema, type EvalTruth, evalTruthSchema } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import { HAN, mergeSlots, shortName, type Template, TEMPLATES } from '../domain/templates.ts'
import { slotWindows } from '../domain/windows.ts'

const LANGUAGES = ['zh', 'en'] as const

const originSchema = z.union([
  /** A file of an opened folder, looked up when it is played. */
  z.object({ kind: z.literal('file'), source: z.string(), file: z.string() }),
  /** Built in; `attempt` is the layout in which everything is seen. */
  z.object({
    kind: z.literal('clip'),
    seed: z.number(),
    index: z.number(),
    language: z.enum(LANGUAGES),
    attempt: z.number(),
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
      /** Slots, and slots with a window of time, as digits: what means are pooled by. */
      slots: z.string(),
      windows: z.string(),
      /** Alias of the data set: folder names carry people's names. */
      dataset: z.string(),
    })
    .catchall(z.string()),
  template: z.enum(TEMPLATES),
  language: z.enum(LANGUAGES),
  annotation: annotationSchema,
  /** Option letters and checked windows, where the data has them. */
  evalTruth: evalTruthSchema.nullable(),
  /** Size of the last frame, upright. */
  frame: z.object({ width: z.number(), height: z.number() }),
  origin: originSchema,
  /** Why it cannot be scored, found when the source was opened: it is left out, and coverage shows it. */
  problem: z.string().exactOptional(),
})
export type VsigSample = z.output<typeof sampleSchema>

/** From an annotation to a sample, the same for every source. */
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
