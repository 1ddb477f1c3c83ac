/** The ground truth of a clip, prepared for comparison with an answer. */
import type { Annotation, EvalTruth } from './annotation.ts'
import { hasMask, type Size, type Target, targetOf } from './mask.ts'
import { pairsOf, type Point } from './points.ts'
import { mergeSlots, slotKinds, type SlotKind, type Template } from './templates.ts'
import { type SlotWindow, slotWindows } from './windows.ts'

export interface TruthSlot {
  name: string
  /** Other correct names. */
  also: readonly string[]
  kind: SlotKind
  /** The mask of an object, or the region of an area; null if there is none. */
  target: Target | null
  /** x first, 0…1000. */
  points: readonly Point[]
  window: SlotWindow
}

export interface Truth {
  template: Template
  slots: TruthSlot[]
  frame: Size
}

export function truthOf(template: Template, annotation: Annotation, evalTruth: EvalTruth | null, frame: Size): Truth {
  const kinds = slotKinds(template)
  const windows = slotWindows(template, annotation, evalTruth?.answer ?? [])
  const slots = mergeSlots(template, annotation.object_space).map((slot, i): TruthSlot => {
    const kind = kinds[i]!
    const { region, also = [] } = annotation.object_space[slot.entries.at(-1)!]!
    const mask = kind === 'object' ? slot.mask : region
    return {
      name: slot.name,
      also,
      kind,
      target: hasMask(mask) ? targetOf(mask, frame) : null,
      points: (pairsOf(slot.points) ?? []).map(([y, x]): Point => [x, y]),
      window: windows[i]!,
    }
  })
  return { template, slots, frame }
}
