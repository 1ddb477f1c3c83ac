/** The six instructions: what is pointed at, and which of it is scored. */
import type { Entry, EntryMask } from './annotation.ts'

export type Language = 'zh' | 'en'

export const TEMPLATES = ['指令1', '指令2', '指令3', '指令4', '指令5', '指令6'] as const
export type Template = (typeof TEMPLATES)[number]

export function isTemplate(name: unknown): name is Template {
  return (TEMPLATES as readonly unknown[]).includes(name)
}

/** `T3`: how tables and file names call a template. */
export function shortName(template: Template): string {
  return `T${TEMPLATES.indexOf(template) + 1}`
}

export type SlotKind = 'object' | 'area'

/** Where a slot is in `object_space`: the entry itself, or an area that is named after the reference object before it. */
type SlotSource = { entry: number; reference?: number }

interface TemplateShape {
  /** `o` an object, `s` an area, in the order of annotation. */
  entries: string
  slots: readonly SlotSource[]
}

const PICK: TemplateShape = { entries: 'o', slots: [{ entry: 0 }] }

/** The order of annotation never varies. Reference objects are pointed at and annotated, but never scored. */
export const SHAPES: Readonly<Record<Template, TemplateShape>> = {
  指令1: PICK,
  指令2: PICK,
  指令3: { entries: 'os', slots: [{ entry: 0 }, { entry: 1 }] },
  指令4: { entries: 'oos', slots: [{ entry: 0 }, { entry: 2, reference: 1 }] },
  指令5: { entries: 'ooso', slots: [{ entry: 0 }, { entry: 2, reference: 1 }, { entry: 3 }] },
  指令6: {
    entries: 'oosoos',
    slots: [{ entry: 0 }, { entry: 2, reference: 1 }, { entry: 3 }, { entry: 5, reference: 4 }],
  },
}

/** What a slot of this template is, by the template alone. */
export function slotKinds(template: Template): SlotKind[] {
  const { entries, slots } = SHAPES[template]
  return slots.map(({ entry }) => (entries[entry] === 'o' ? 'object' : 'area'))
}

/** One thing to be found: an object by its mask, an area by its points. */
export interface Slot {
  name: string
  /** As annotated: chooses mask or distance. */
  type: string
  points: unknown
  /** Absent and null are told apart: the first published scorer falls over null. */
  mask?: EntryMask | null
  /** Entries that it was made of, in `object_space`. */
  entries: readonly number[]
}

/** Whether a text is Chinese. */
export const HAN = /\p{Script=Han}/u

/** A place beside a thing: `杯子的左边`, and `left side of the cup` where neither name is Chinese. */
export function placeName(thing: string, place: string): string {
  return HAN.test(thing + place) || thing === '' ? `${thing}的${place}` : `${place} of the ${thing}`
}

/** The same as every published generation joins the names, whatever their language. */
export function publishedPlaceName(thing: string, place: string): string {
  return `${thing}的${place}`
}

/** The scored slots of an annotation, by place; none when the template is unknown or entries are missing. */
export function mergeSlots(template: unknown, objectSpace: readonly Entry[], nameOf = placeName): Slot[] {
  if (!isTemplate(template)) return []
  const { entries, slots } = SHAPES[template]
  if (objectSpace.length < entries.length) return []
  return slots.map(({ entry: at, reference }): Slot => {
    const entry = objectSpace[at]!
    if (reference !== undefined) {
      const name = nameOf(objectSpace[reference]!.name, entry.name)
      return { name, type: 'space', points: entry.points, entries: [reference, at] }
    }
    return {
      name: entry.name,
      type: entry.type,
      points: entry.points,
      entries: [at],
      ...(entry.mask === undefined ? {} : { mask: entry.mask }),
    }
  })
}

/** The explicit command that a slot list stands for, for judges and reports. */
export function canonicalCommand(template: Template, names: readonly string[]): string {
  const [first = '', second = '', third = '', fourth = ''] = names
  const zh = HAN.test(names.join(''))
  const pick = (thing: string): string => (zh ? `把${thing}拿起来` : `pick up the ${thing}`)
  const put = (thing: string, place: string): string =>
    zh ? `把${thing}放到${place}` : `put the ${thing} on the ${place}`
  const then = zh ? '，然后' : ', then '
  switch (template) {
    case '指令1':
      return first
    case '指令2':
      return pick(first)
    case '指令3':
    case '指令4':
      return put(first, second)
    case '指令5':
      return `${put(first, second)}${then}${pick(third)}`
    case '指令6':
      return `${put(first, second)}${then}${put(third, fourth)}`
  }
}
