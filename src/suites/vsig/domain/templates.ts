/** The six instruction templates: what is pointed at, and what is scored. */
import type { Entry, EntryMask } from './annotation.ts'

export type Language = 'zh' | 'en'

export const TEMPLATES = ['指令1', '指令2', '指令3', '指令4', '指令5', '指令6'] as const
export type Template = (typeof TEMPLATES)[number]

export function isTemplate(name: unknown): name is Template {
  return (TEMPLATES as readonly unknown[]).includes(name)
}

/** `指令3`, and how people also write it: `指令三`, `指令３`, `指令 3`, `模板3`, `instruction_3`, `T3`. */
const SPELLING = /^(?:指令|模板|任务|instruction|template|task|t)[\s_-]*(?:([1-6])|([一二三四五六]))$/i
const NUMERALS = '一二三四五六'

/** The template with this name in any spelling, or null. */
export function templateOf(name: unknown): Template | null {
  if (typeof name !== 'string') return null
  const [, digit, numeral] = SPELLING.exec(name.normalize('NFKC').trim()) ?? []
  const number = digit === undefined ? NUMERALS.indexOf(numeral ?? '-') + 1 : Number(digit)
  return TEMPLATES[number - 1] ?? null
}

/** The name of a template in tables and file names, such as `T3`. */
export function shortName(template: Template): string {
  return `T${TEMPLATES.indexOf(template) + 1}`
}

export type SlotKind = 'object' | 'area'

/** The index of a slot in `object_space`, and of the reference object that an area is named after. */
type SlotSource = { entry: number; reference?: number }

interface TemplateShape {
  /** One letter per entry, in annotation order: `o` for an object, `s` for an area. */
  entries: string
  slots: readonly SlotSource[]
}

const PICK: TemplateShape = { entries: 'o', slots: [{ entry: 0 }] }

/** Entries always come in this order. Reference objects are pointed at and annotated, but never scored. */
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

/** The kinds of a template's slots. */
export function slotKinds(template: Template): SlotKind[] {
  const { entries, slots } = SHAPES[template]
  return slots.map(({ entry }) => (entries[entry] === 'o' ? 'object' : 'area'))
}

/** One target: an object with a mask, or an area with points. */
export interface Slot {
  name: string
  /** As annotated; decides between mask and distance. */
  type: string
  points: unknown
  /** Absent and null differ: the first published scorer fails on null. */
  mask?: EntryMask | null
  /** Indices of its entries in `object_space`. */
  entries: readonly number[]
}

/** Matches Chinese text. */
export const HAN = /\p{Script=Han}/u

/** A place next to an object: `杯子的左边`, or `left side of the cup` if neither name is Chinese. */
export function placeName(object: string, place: string): string {
  return HAN.test(object + place) || object === '' ? `${object}的${place}` : `${place} of the ${object}`
}

/** Joins the names as every published generation does, regardless of their language. */
export function publishedPlaceName(object: string, place: string): string {
  return `${object}的${place}`
}

/** The scored slots of an annotation; empty if the template is unknown or entries are missing. */
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

/** The explicit command for a list of slots, for judges and reports. */
export function canonicalCommand(template: Template, names: readonly string[]): string {
  const [first = '', second = '', third = '', fourth = ''] = names
  const zh = HAN.test(names.join(''))
  const pick = (object: string): string => (zh ? `把${object}拿起来` : `pick up the ${object}`)
  const put = (object: string, place: string): string =>
    zh ? `把${object}放到${place}` : `put the ${object} on the ${place}`
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
