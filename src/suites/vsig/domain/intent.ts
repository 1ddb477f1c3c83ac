/** Intent by text match: compares the command with the slot names, deterministically and without a model. */
import { HAN } from './templates.ts'

/** Particles and filler words, which carry no meaning. */
const CHINESE_FILLER = /[的了呢吧啊呀嘛\p{P}\p{S}\p{Z}]/gu
const ENGLISH_FILLER = new Set([
  'the',
  'a',
  'an',
  'of',
  'to',
  'its',
  'it',
  'on',
  'in',
  'at',
  'and',
  'is',
  'side',
  'area',
])
/** Commands are shorter; any further text is ignored. */
const MAX_CHARACTERS = 4000

/** Synonyms of each direction: the first character of the Chinese word, and English words. */
const DIRECTIONS: readonly (readonly [name: string, chinese: string, english: readonly string[]])[] = [
  ['left', '左', ['left']],
  ['right', '右', ['right']],
  ['front', '前', ['front']],
  ['behind', '后', ['behind', 'back', 'rear']],
  ['above', '上', ['above', 'top']],
  ['below', '下', ['below', 'beneath', 'under', 'underneath']],
  ['middle', '中', ['between', 'middle']],
]
const CHINESE_DIRECTION = /[左右](?:[面边侧方]|手边)?|[前后](?:[面边侧方])?|[上下](?:[面边方])?|中间|之间|中央/gu
const letterOf = (word: string): string => (word === '之间' ? '中' : word[0]!)
/** Words that contain a direction character but are not directions, such as 然后 (后) and 放下 (下). */
const NOT_DIRECTIONS = /然后|之后|随后|最后|放下|一下|拿上|上来|下来/gu

/** The units of comparison: character pairs in Chinese, words in English. */
function units(text: string): string[] {
  const folded = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase()
  if (!HAN.test(folded)) {
    return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !ENGLISH_FILLER.has(word)).map(foldEnglish)
  }
  const plain = folded.replaceAll(CHINESE_DIRECTION, letterOf)
  const characters = Array.from(plain.replaceAll(CHINESE_FILLER, ''))
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

function foldEnglish(word: string): string {
  return DIRECTIONS.find(([, , english]) => english.includes(word))?.[0] ?? word
}

function countItems(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function commonCount(a: readonly string[], b: readonly string[]): number {
  const counts = countItems(b)
  let common = 0
  for (const item of a) {
    const left = counts.get(item) ?? 0
    if (left === 0) continue
    common += 1
    counts.set(item, left - 1)
  }
  return common
}

/** The directions in the name of a place; those after the last 的 take precedence. */
export function directionsIn(text: string): Set<string> {
  const folded = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase()
  if (!HAN.test(folded)) {
    const words = new Set(folded.match(/[\p{L}]+/gu) ?? [])
    return new Set(DIRECTIONS.filter(([, , english]) => english.some((word) => words.has(word))).map(([name]) => name))
  }
  const plain = folded.replaceAll(NOT_DIRECTIONS, ' ')
  const named = (part: string): Set<string> => {
    const letters = new Set((part.match(CHINESE_DIRECTION) ?? []).map(letterOf))
    return new Set(DIRECTIONS.filter(([, chinese]) => letters.has(chinese)).map(([name]) => name))
  }
  const tail = named(plain.slice(plain.lastIndexOf('的') + 1))
  return tail.size > 0 ? tail : named(plain)
}

const CLAUSES = /[，。；！？,.;!?\n]|然后|接着|再把/u

/** All directions in a sentence; each clause may name its own place. */
export function directionsSpoken(sentence: string): Set<string> {
  return new Set(
    sentence
      .slice(0, MAX_CHARACTERS)
      .split(CLAUSES)
      .flatMap((clause) => [...directionsIn(clause)]),
  )
}

export interface NamedSlot {
  name: string
  kind: 'object' | 'area'
}

/** How much of a slot's name is in the player's description or command, 0…1. A wrong direction scores 0. */
export function slotSimilarity(
  { name, kind }: NamedSlot,
  description: string,
  command: string,
  commandUnits: readonly string[] = units(command),
): number {
  if (kind === 'area') {
    const meant = directionsIn(name)
    const inDescription = directionsIn(description)
    const said = inDescription.size > 0 ? inDescription : directionsSpoken(command)
    if (meant.size > 0 && said.size > 0 && [...meant].every((direction) => !said.has(direction))) return 0
  }
  const wanted = units(name)
  if (wanted.length === 0) return 0
  const described = units(description)
  const dice = described.length === 0 ? 0 : (2 * commonCount(wanted, described)) / (wanted.length + described.length)
  return Math.max(dice, commonCount(wanted, commandUnits) / wanted.length)
}

/** The mean over the slots. */
export function intentSimilarity(
  slots: readonly NamedSlot[],
  descriptions: readonly string[],
  command: string,
): number | null {
  if (slots.length === 0) return null
  const said = units(command)
  const total = slots.reduce((sum, slot, i) => sum + slotSimilarity(slot, descriptions[i] ?? '', command, said), 0)
  return total / slots.length
}
