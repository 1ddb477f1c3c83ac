/** From an annotation to a case, the same for every source. */
import type { Annotation, EvalTruth } from './domain/annotation.ts'
import type { Origin, VsigSample } from './cases/sample.ts'
import type { Size } from './domain/mask.ts'
import { mergeSlots, shortName, type Template } from './domain/templates.ts'
import { slotWindows } from './domain/windows.ts'

const HAN = /\p{Script=Han}/u

export function caseOf(
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
