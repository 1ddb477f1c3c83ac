/** Derives the time window in which each slot is mentioned from the words of the transcript. */
import type { Annotation, EvalAnswer, Word } from './annotation.ts'
import { HAN, mergeSlots, SHAPES, type Slot, type Template } from './templates.ts'

/** Milliseconds from the start of the clip, both ends inclusive. */
export type Window = readonly [begin: number, end: number]

interface Markers {
  /** Starts the mention of an object: 把. */
  object: readonly string[]
  /** Starts the mention of where it goes: 放. */
  placement: readonly string[]
  /** Starts the second half: 然后. */
  connective: readonly string[]
  /** Refers to an object: 这个. The longest wins if several start at the same position. */
  demonstrative: readonly string[]
  /** Separator between words: empty in Chinese, a space in English. */
  between: string
}

const CHINESE: Markers = {
  object: ['把', '将'],
  placement: ['放', '摆', '搁', '移', '挪', '搬'],
  connective: ['然后再', '然后', '接着', '之后', '随后', '最后', '并且', '再'],
  demonstrative: ['这一个', '那一个', '这个', '那个', '它', '这', '那'],
  between: '',
}

/** Built-in clips are also in English: "put this to its right, then pick it up". */
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

/** A transcript as one text, with the position of each word. */
interface Transcript {
  text: string
  words: readonly TimedWord[]
  /** Index of each word's first character in `text`. */
  starts: readonly number[]
  markers: Markers
}

interface TimedWord {
  text: string
  begin: number
  end: number
}

/** Words with text and valid times. */
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
  // Spaces around the text let English markers match whole words at both ends.
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

/** Position of the first of these markers at or after `from`, without its leading space; −1 if there is none. */
function firstMarker(text: string, names: readonly string[], from: number): number {
  let first = -1
  for (const name of names) {
    const lead = name.startsWith(' ') ? 1 : 0
    const at = text.indexOf(name, Math.max(0, from - lead))
    if (at >= 0 && (first < 0 || at + lead < first)) first = at + lead
  }
  return first
}

/** Character ranges of the text that mention each slot; null if a required marker is missing. */
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
 * Windows of a template's slots, each from the first to the last word of its piece of the text. A word shared by two
 * pieces is split by characters. Null if the words do not determine the windows.
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
  // Words out of order can give a window that ends before it begins, which is useless.
  return begin !== null && begin <= end ? [Math.floor(begin), Math.ceil(end)] : null
}

/** The window of a slot, or why there is none. */
export type SlotWindow =
  | { kind: 'window'; window: Window; from: 'checked' | 'annotated' | 'words' }
  /** The person does not speak, by design of the template: not measured. */
  | { kind: 'silent' }
  /** The person speaks, but the data does not say what: not measured. */
  | { kind: 'no transcript' }
  /** There is speech, but the slot's words cannot be determined: excluded and counted. */
  | { kind: 'unresolved' }

/** Whether there is a transcript and, if not, whether the person speaks: a missing transcript is not silence. */
export function speechOf(
  template: Template,
  { asr_result: asr }: Pick<Annotation, 'asr_result'>,
): 'spoken' | 'silent' | 'no transcript' {
  if (template === '指令1') return 'silent'
  return asr?.text?.trim() ? 'spoken' : 'no transcript'
}

/** Windows of all slots, from the best source: checked by a person, matched in the annotation, or read from the words. */
export function slotWindows(
  template: Template,
  annotation: Pick<Annotation, 'object_space' | 'asr_result'>,
  answers: readonly EvalAnswer[] = [],
): SlotWindow[] {
  const slots = mergeSlots(template, annotation.object_space)
  const { asr_result: asr } = annotation
  const speech = speechOf(template, annotation)
  const spoken = speech === 'spoken' ? spokenWindows(template, asr?.words ?? []) : null
  return SHAPES[template].slots.map((_, i): SlotWindow => {
    if (speech !== 'spoken') return { kind: speech }
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

/** Prefers words over gestures: the published document's table asks when something was said. */
function checkedWindow(answer: EvalAnswer | undefined): Window | null {
  if (!answer) return null
  return (
    timesOf(answer.asr_begin_time, answer.asr_end_time) ?? timesOf(answer.stroke_begin_time, answer.stroke_end_time)
  )
}

/** The annotated window of the slot's entries; the union for a merged slot. */
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

/** Intersection over union of two time windows. */
export function overlap(a: Window, b: Window): number {
  const shared = Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
  const union = a[1] - a[0] + (b[1] - b[0]) - shared
  return union > 0 ? shared / union : 0
}
