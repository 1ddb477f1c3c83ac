/** When each slot was spoken of: from the words of the transcript to a window of time for every slot. */
import type { Annotation, EvalAnswer, Word } from './annotation.ts'
import { HAN, mergeSlots, SHAPES, type Slot, type Template } from './templates.ts'

/** Milliseconds from the start of the clip, both ends included. */
export type Window = readonly [begin: number, end: number]

interface Markers {
  /** Starts the mention of an object: 把. */
  object: readonly string[]
  /** Starts the mention of where it goes: 放. */
  placement: readonly string[]
  /** Starts the second half: 然后. */
  connective: readonly string[]
  /** What stands for a thing: 这个. The longest wins where several start at the same place. */
  demonstrative: readonly string[]
  /** Words are joined with this: nothing in Chinese, a space in English. */
  between: string
}

const CHINESE: Markers = {
  object: ['把', '将'],
  placement: ['放', '摆', '搁', '移', '挪', '搬'],
  connective: ['然后再', '然后', '接着', '之后', '随后', '最后', '并且', '再'],
  demonstrative: ['这一个', '那一个', '这个', '那个', '它', '这', '那'],
  between: '',
}

/** The built-in clips speak English too: "put this to its right, then pick it up". */
const ENGLISH: Markers = {
  object: [' put ', ' place ', ' move ', ' set ', ' take ', ' pick ', ' grab '],
  // oxfmt-ignore
  placement: [
    ' here ', ' there ', ' to the ', ' to its ', ' in front ', ' behind ', ' on the ', ' on its ', ' left of ',
    ' right of ', ' beside ', ' next to ', ' in the ', ' into ', ' onto ', ' between ',
  ],
  connective: [' and then ', ' then ', ' after that ', ' afterwards ', ' finally '],
  demonstrative: [' this one ', ' that one ', ' this ', ' that ', ' it '],
  between: ' ',
}

/** A transcript as one text, and which word each character came from. */
interface Transcript {
  text: string
  words: readonly TimedWord[]
  /** Index of the first character of each word in `text`. */
  starts: readonly number[]
  markers: Markers
}

interface TimedWord {
  text: string
  begin: number
  end: number
}

/** The words that can be used: with text, and with times that make sense. */
export function usableWords(words: readonly Word[]): TimedWord[] {
  return words.flatMap(({ text, begin_time: begin, end_time: end }) => {
    const folded = text.normalize('NFKC')
    if (folded.trim() === '' || typeof begin !== 'number' || typeof end !== 'number' || !(begin <= end)) return []
    return [{ text: folded, begin, end }]
  })
}

function transcriptOf(words: readonly Word[]): Transcript | null {
  const usable = usableWords(words)
  if (usable.length === 0) return null
  const isChinese = usable.some(({ text }) => HAN.test(text))
  const markers = isChinese ? CHINESE : ENGLISH
  // A space before the first and after the last word lets every English marker be whole words.
  let text = markers.between
  const starts: number[] = []
  const kept = usable.map((word) => ({
    ...word,
    text: isChinese
      ? word.text
      : word.text
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}' ]/gu, ''),
  }))
  for (const word of kept) {
    starts.push(text.length)
    text += word.text + markers.between
  }
  return { text, words: kept, starts, markers }
}

/** The first place at or after `from` where any of these stands, or −1. The space before a word is not part of it. */
function firstMarker(text: string, names: readonly string[], from: number): number {
  let first = -1
  for (const name of names) {
    const lead = name.startsWith(' ') ? 1 : 0
    const at = text.indexOf(name, Math.max(0, from - lead))
    if (at >= 0 && (first < 0 || at + lead < first)) first = at + lead
  }
  return first
}

/** Pieces of the text that speak of each slot, as character ranges; null when a needed marker is missing. */
function slotRanges(template: Template, { text, markers }: Transcript): (readonly [number, number])[] | null {
  const end = text.length
  const object = firstMarker(text, markers.object, 0)
  const start = object < 0 ? 0 : object
  if (template === '指令1') return null
  if (template === '指令2') {
    const at = firstMarker(text, markers.demonstrative, start)
    if (at < 0) return null
    const lead = markers.between.length
    const longest = markers.demonstrative
      .filter((name) => text.startsWith(name, at - lead))
      .reduce((best, name) => Math.max(best, name.trim().length), 0)
    return [[at, at + longest]]
  }
  const placed = firstMarker(text, markers.placement, start)
  if (placed < 0) return null
  if (template === '指令3' || template === '指令4') {
    return [
      [start, placed],
      [placed, end],
    ]
  }
  const connective = firstMarker(text, markers.connective, placed)
  const again = firstMarker(text, markers.object, placed)
  const second = connective < 0 || (again >= 0 && again < connective) ? again : connective
  if (second < 0) return null
  if (template === '指令5') {
    return [
      [start, placed],
      [placed, second],
      [second, end],
    ]
  }
  const placedAgain = firstMarker(text, markers.placement, second)
  if (placedAgain < 0) return null
  return [
    [start, placed],
    [placed, second],
    [second, placedAgain],
    [placedAgain, end],
  ]
}

/**
 * Windows of the slots of a template by its words: from the first word that a piece touches to the last. A word that
 * two pieces share is split by its characters. Null when the words do not tell.
 */
export function spokenWindows(template: Template, words: readonly Word[]): Window[] | null {
  const transcript = transcriptOf(words)
  if (!transcript) return null
  const pieces = slotRanges(template, transcript)
  if (!pieces) return null
  const windows = pieces.map((piece) => windowOf(piece, transcript, pieces))
  return windows.every((window) => window !== null) ? windows : null
}

function windowOf(
  [from, to]: readonly [number, number],
  { words, starts }: Transcript,
  pieces: readonly (readonly [number, number])[],
): Window | null {
  let begin: number | null = null
  let end = -Infinity
  for (const [i, word] of words.entries()) {
    const start = starts[i]!
    const stop = start + word.text.length
    const low = Math.max(from, start)
    const high = Math.min(to, stop)
    if (low >= high) continue
    const sharers = pieces.filter(([a, b]) => Math.max(a, start) < Math.min(b, stop)).length
    const perCharacter = (word.end - word.begin) / word.text.length
    const wordBegin = sharers > 1 ? word.begin + (low - start) * perCharacter : word.begin
    const wordEnd = sharers > 1 ? word.begin + (high - start) * perCharacter : word.end
    begin ??= wordBegin
    end = wordEnd
  }
  // Words out of order may end before they begin: such a window says nothing.
  return begin !== null && begin <= end ? [Math.floor(begin), Math.ceil(end)] : null
}

/** What is known about when a slot was meant. */
export type SlotWindow =
  | { kind: 'window'; window: Window; from: 'checked' | 'annotated' | 'words' }
  /** Nobody spoke, or it is the silent template: not measured. */
  | { kind: 'silent' }
  /** Somebody spoke, but the words do not tell which of them belong to the slot: left out, and counted. */
  | { kind: 'unresolved' }

/** Windows for all slots, the best source first: checked by a person, matched in the annotation, read from the words. */
export function slotWindows(
  template: Template,
  annotation: Pick<Annotation, 'object_space' | 'asr_result'>,
  answers: readonly EvalAnswer[] = [],
): SlotWindow[] {
  const slots = mergeSlots(template, annotation.object_space)
  const { asr_result: asr } = annotation
  const speaks = template !== '指令1' && typeof asr?.text === 'string' && asr.text.trim() !== ''
  const spoken = speaks ? spokenWindows(template, asr.words ?? []) : null
  return SHAPES[template].slots.map((_, i): SlotWindow => {
    if (!speaks) return { kind: 'silent' }
    const checked = checkedWindow(answers[i])
    if (checked) return { kind: 'window', window: checked, from: 'checked' }
    const slot = slots[i]
    const annotated = slot ? annotatedWindow(slot, annotation) : null
    if (annotated) return { kind: 'window', window: annotated, from: 'annotated' }
    const window = spoken?.[i]
    return window ? { kind: 'window', window, from: 'words' } : { kind: 'unresolved' }
  })
}

function timesOf(begin: number | null | undefined, end: number | null | undefined): Window | null {
  return typeof begin === 'number' && typeof end === 'number' && begin <= end ? [begin, end] : null
}

/** Words before gestures: the table of the document asks when something was said. */
function checkedWindow(answer: EvalAnswer | undefined): Window | null {
  if (!answer) return null
  return (
    timesOf(answer.asr_begin_time, answer.asr_end_time) ?? timesOf(answer.stroke_begin_time, answer.stroke_end_time)
  )
}

/** The window that the annotation gives to the slot's entries; a merged slot has the union of its two. */
function annotatedWindow({ entries }: Slot, { object_space }: Pick<Annotation, 'object_space'>): Window | null {
  let window: Window | null = null
  for (const at of entries) {
    const entry = object_space[at]!
    if (entry.asr_match_error === true) return null
    const times = timesOf(entry.asr_begin_time, entry.asr_end_time)
    if (times) window = window ? [Math.min(window[0], times[0]), Math.max(window[1], times[1])] : times
  }
  return window
}

/** Intersection over union of two spans of time. */
export function overlap(a: Window, b: Window): number {
  const shared = Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
  const union = a[1] - a[0] + (b[1] - b[0]) - shared
  return union > 0 ? shared / union : 0
}
