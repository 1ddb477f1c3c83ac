/**
 * Parses answers for profile `fixed`. The grammar is the one that the questions ask for, relaxed as follows:
 *
 * - case, surrounding quotes, brackets, Markdown marks and a final period are ignored;
 * - underscores in names are spaces, and an article before a name is ignored;
 * - text around the answer is ignored if the answer is unambiguous; otherwise the last line with one unambiguous answer
 *   counts;
 * - lists may be separated by commas, semicolons, arrows or lines, and numbered;
 * - coordinates may be written `(1, -2)`, `[1, -2]`, `1, -2`, `x=1, y=-2`, with a plus sign or decimals;
 * - moves may be in brackets after `Actions:`, with spaces before the parenthesis, a plus or a degree sign.
 *
 * Everything else is a format error, which is counted separately.
 */
import type { Step } from '../domain/answers/question.ts'
import { type LabelKind, labelsIn } from './labels.ts'

/** Only the end of longer answers is parsed, because only hostile ones are that long. */
const MAX_ANSWER_LENGTH = 20_000

function tail(text: string): string {
  return text.length > MAX_ANSWER_LENGTH ? text.slice(-MAX_ANSWER_LENGTH) : text
}

/** What a model marks as its answer: the last `\\boxed{…}`, or the text after the last `answer:` or `answer is`. */
function markedParts(text: string): string[] {
  const parts: string[] = []
  const box = text.lastIndexOf('\\boxed{')
  if (box >= 0) parts.push(boxContent(text, box + '\\boxed{'.length))
  const labels = [...text.matchAll(/\banswer\b(?:\s+is\b)?[\s*_`:]{1,10}/gi)]
  const label = labels.at(-1)
  if (label !== undefined) parts.push(text.slice(label.index + label[0].length))
  return parts
}

/** Up to the brace that closes a box, or to the end where it is cut off. */
function boxContent(text: string, from: number): string {
  let depth = 1
  for (let i = from; i < text.length; i++) {
    if (text[i] === '{') depth += 1
    else if (text[i] === '}' && --depth === 0) return text.slice(from, i)
  }
  return text.slice(from)
}

/** LaTeX around an answer says nothing about it. */
function withoutLatex(text: string): string {
  return text.includes('\\') || text.includes('$')
    ? text.replace(/\\(?:boxed|text(?:bf|it)?|mathrm|left|right|quad|,|;|!)|[$]/g, ' ')
    : text
}

/** Tries what is marked as the answer, then the whole text, then its lines and sentences from the last to the first. */
function clearest<T>(text: string, read: (part: string) => T | null): T | null {
  const whole = tail(text)
  for (const part of [...markedParts(whole).filter((marked) => marked.length < whole.length), whole]) {
    const found = read(withoutLatex(part))
    if (found !== null) return found
  }
  const lines = whole.split('\n')
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = withoutLatex(lines[i]!).trim()
    if (line === '') continue
    const value = lines.length > 1 ? read(line) : null
    if (value !== null) return value
    for (const sentence of line.split(/(?<=[.!?])\s+|\s[—–]\s|:\s/).toReversed()) {
      const said = sentence.length < line.length ? read(sentence) : null
      if (said !== null) return said
    }
  }
  return null
}

export interface ReadRelation {
  /** Null if there is none, or more than one. */
  direction: string | null
  distance: string | null
}

/** Direction and distance, in either order. */
export function readRelation(text: string, frame: Extract<LabelKind, 'ego' | 'cardinal'>): ReadRelation {
  const both = clearest(text, (part) => {
    const relation = relationIn(part, frame)
    return relation.direction !== null && relation.distance !== null ? relation : null
  })
  return both ?? relationIn(tail(text), frame)
}

function relationIn(text: string, frame: LabelKind): ReadRelation {
  const labels = labelsIn(text)
  const only = (kind: LabelKind): string | null => {
    const kinds = new Set(labels.filter((label) => label.kind === kind).map(({ label }) => label))
    return kinds.size === 1 ? [...kinds][0]! : null
  }
  return { direction: only(frame), distance: only('distance') }
}

/** Names in the text, in order of appearance. A name inside a longer one does not count. */
export function namesIn(text: string, names: readonly string[]): string[] {
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  const taken = new Uint8Array(plain.length)
  const found: { at: number; name: string }[] = []
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const wanted = ` ${name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
    // Adjacent names share the space between them, so the search continues one character before the end.
    for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length - 1)) {
      const end = at + wanted.length - 1
      // Longer names come first, so checking the first and last character is enough.
      if (taken[at + 1] === 1 || taken[end - 1] === 1) continue
      taken.fill(1, at + 1, end)
      found.push({ at, name })
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

/** The only name in the text, or on its last unambiguous line. */
export function readName(text: string, names: readonly string[]): string | null {
  return clearest(text, (part) => {
    const found = new Set(namesIn(part, names))
    return found.size === 1 ? [...found][0]! : null
  })
}

/** All of `names`, each once, in the order given. */
export function readOrder(text: string, names: readonly string[]): string[] | null {
  return clearest(text, (part) => {
    const found = namesIn(part, names)
    return found.length === names.length && new Set(found).size === names.length ? found : null
  })
}

const NUMBER = String.raw`[+-]?\d{1,9}(?:\.\d{1,9})?`
const BRACKETED = new RegExp(
  String.raw`[([{<]\s*(?:x\s*[=:]\s*)?(${NUMBER})\s*[,;\s]\s*(?:y\s*[=:]\s*)?(${NUMBER})\s*[)\]}>]`,
  'gi',
)
const NAMED = new RegExp(String.raw`x"?\s*[=:]\s*(${NUMBER})\s*(?:[,;\s]|and)\s*"?y"?\s*[=:]\s*(${NUMBER})`, 'gi')
const BARE = new RegExp(String.raw`(?<![\d.])(${NUMBER})\s*,\s*(${NUMBER})(?![\d.]*\d)`, 'g')

/** All coordinates in a text: those in brackets, else `x=1, y=2`, else bare `1, 2`. */
export function coordinatesIn(text: string): [x: number, y: number][] {
  const plain = text.replace(/[−–]/g, '-').replace(/[ \t]+/g, ' ')
  for (const pattern of [BRACKETED, NAMED, BARE]) {
    const found = [...plain.matchAll(pattern)].map((match): [number, number] => [Number(match[1]), Number(match[2])])
    if (found.length > 0) return found
  }
  return []
}

/** One coordinate for each of `names`, each after its name; null if a name has none. */
export function readNamedCoordinates(text: string, names: readonly string[]): [x: number, y: number][] | null {
  return clearest(text, (part) => {
    const found = new Map<string, [number, number]>()
    let from = 0
    for (const { name, end } of nameSpans(part, names).toSorted((a, b) => a.end - b.end)) {
      if (end < from) continue
      const [place] = coordinatesIn(part.slice(end, end + MAX_NAME_TO_PLACE))
      if (place === undefined) continue
      found.set(name, place)
      from = end
    }
    const places = names.flatMap((name) => (found.has(name) ? [found.get(name)!] : []))
    return places.length === names.length ? places : null
  })
}

/** A coordinate belongs to the name before it if it starts this soon after it. */
const MAX_NAME_TO_PLACE = 60

function nameSpans(text: string, names: readonly string[]): { name: string; end: number }[] {
  const lower = text.toLowerCase().replaceAll('_', ' ')
  return names.flatMap((name) => {
    const at = lower.lastIndexOf(name.toLowerCase())
    return at < 0 ? [] : [{ name, end: at + name.length }]
  })
}

/** Exactly `count` coordinates. If one is asked for, repetitions of it are allowed. */
export function readCoordinates(text: string, count: number): [x: number, y: number][] | null {
  return clearest(text, (part) => {
    const found = coordinatesIn(part)
    if (found.length === count) return found
    if (count !== 1 || found.length === 0) return null
    return found.every(([x, y]) => x === found[0]![0] && y === found[0]![1]) ? [found[0]!] : null
  })
}

const MOVE =
  /(?:(Jump[\s_]?To)\s{0,8}\(([^()]{1,120})\)|(Rotate|Turn)\s{0,8}\(\s{0,8}(?:deg(?:rees)?\s{0,4}=\s{0,4})?["']?([+\-−]?\d{1,6})(?:\.0)?\s{0,8}(?:°|deg(?:rees)?)?["']?\s{0,8}\))/gi
/** Allowed between moves: separators, list numbers, brackets, Markdown, and words that only lead from one to the next. */
const BETWEEN_MOVES =
  /^(?:[\s,;.:>=\-–—→*`'"[\](){}|\\]|\d{1,3}[.)]|(?:step|action|move)s?\b|\d{1,3}\b|(?:first|then|next|and|finally|after|that|i|you|we|will|would|should|to|the|my|is|are|sequence|final|answer|so|use|do|execute|perform|start|with|by|path|route|text|boxed|followed|json|python)\b)*$/i

/** `object="lamp"` means the lamp. */
const ARGUMENT_NAME = /^\s*(?:obj(?:ect)?|name|target)\s*=\s*/i

/** A sequence of moves and nothing else. Names are returned as written. */
export function readMoves(text: string): Step[] | null {
  return clearest(text, (part) => {
    const steps: Step[] = []
    let from = 0
    for (const match of part.matchAll(MOVE)) {
      if (!BETWEEN_MOVES.test(part.slice(from, match.index))) return null
      steps.push(
        match[1] === undefined
          ? { turn: Number(match[4]!.replace('−', '-')) + 0 }
          : { jump: match[2]!.replace(ARGUMENT_NAME, '').replace(/^[\s"'`]+|[\s"'`]+$/g, '') },
      )
      from = match.index + match[0].length
    }
    return steps.length > 0 && BETWEEN_MOVES.test(part.slice(from)) ? steps : null
  })
}

/** Ignores case, underscores, quotes, spaces and an article. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the|a|an) /, '')
}

/** Prepares `matchName` for many lookups. */
export function nameMatcher(names: readonly string[]): (written: string) => string | null {
  const plain = new Map(names.toReversed().map((name) => [plainName(name), name]))
  // Skip text that is longer than any name could be.
  const longest = 2 * Math.max(0, ...names.map(({ length }) => length)) + 20
  return (written) => (written.length > longest ? null : (plain.get(plainName(written)) ?? null))
}

/** Finds a name as written by a player among `names`. */
export function matchName(written: string, names: readonly string[]): string | null {
  return nameMatcher(names)(written)
}
