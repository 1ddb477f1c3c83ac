/** Whether the command says what was meant, by comparing words: no model, the same number on every machine. */

/** Particles and filler that carry no meaning of their own. */
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
const HAN = /\p{Script=Han}/u

/** Words for one direction count as the same. */
const DIRECTIONS: readonly (readonly [name: string, chinese: RegExp, english: readonly string[]])[] = [
  ['left', /左(面|边|侧|方|手边)?/gu, ['left']],
  ['right', /右(面|边|侧|方|手边)?/gu, ['right']],
  ['front', /前(面|边|侧|方)?/gu, ['front']],
  ['behind', /后(面|边|侧|方)?/gu, ['behind', 'back', 'rear']],
  ['above', /上(面|边|方)?/gu, ['above', 'top']],
  ['below', /下(面|边|方)?/gu, ['below', 'beneath', 'under', 'underneath']],
  ['middle', /中间|之间|中央/gu, ['between', 'middle']],
]
/** Not directions: 拿起来 and 放下 have 起 and 下, 然后 has 后. */
const NOT_DIRECTIONS = /然后|之后|随后|最后|放下|一下|拿上|上来|下来/gu

/** What two texts are compared by: pairs of characters in Chinese, words in English. */
function units(text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase()
  if (!HAN.test(folded)) {
    return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !ENGLISH_FILLER.has(word)).map(foldEnglish)
  }
  let plain = folded
  for (const [name, chinese] of DIRECTIONS) plain = plain.replaceAll(chinese, MARKS[name]!)
  const characters = Array.from(plain.replaceAll(CHINESE_FILLER, ''))
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

/** One letter for each direction, so that 左边 and 左侧 give the same pairs. */
const MARKS: Readonly<Record<string, string>> = {
  left: '左',
  right: '右',
  front: '前',
  behind: '后',
  above: '上',
  below: '下',
  middle: '中',
}

function foldEnglish(word: string): string {
  return DIRECTIONS.find(([, , english]) => english.includes(word))?.[0] ?? word
}

function counted(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function shared(a: readonly string[], b: readonly string[]): number {
  const counts = counted(b)
  let common = 0
  for (const item of a) {
    const left = counts.get(item) ?? 0
    if (left === 0) continue
    common += 1
    counts.set(item, left - 1)
  }
  return common
}

/** The directions that a text names; what stands after the last 的 decides where it names any. */
export function directionsIn(text: string): Set<string> {
  const folded = text.normalize('NFKC').toLowerCase()
  if (!HAN.test(folded)) {
    const words = new Set(folded.match(/[\p{L}]+/gu) ?? [])
    return new Set(DIRECTIONS.filter(([, , english]) => english.some((word) => words.has(word))).map(([name]) => name))
  }
  const plain = folded.replaceAll(NOT_DIRECTIONS, ' ')
  const named = (part: string): Set<string> =>
    new Set(DIRECTIONS.filter(([, chinese]) => part.search(chinese) >= 0).map(([name]) => name))
  const tail = named(plain.slice(plain.lastIndexOf('的') + 1))
  return tail.size > 0 ? tail : named(plain)
}

export interface NamedSlot {
  name: string
  kind: 'object' | 'area'
}

/** How much of a slot's name is in what the player wrote for it, 0…1. The wrong direction is worth nothing. */
export function slotSimilarity({ name, kind }: NamedSlot, description: string, command: string): number {
  if (kind === 'area') {
    const meant = directionsIn(name)
    const inDescription = directionsIn(description)
    const said = inDescription.size > 0 ? inDescription : directionsIn(command)
    if (meant.size > 0 && said.size > 0 && [...meant].every((direction) => !said.has(direction))) return 0
  }
  const wanted = units(name)
  if (wanted.length === 0) return 0
  const described = units(description)
  const dice = described.length === 0 ? 0 : (2 * shared(wanted, described)) / (wanted.length + described.length)
  return Math.max(dice, shared(wanted, units(command)) / wanted.length)
}

/** The mean over the slots. */
export function intentSimilarity(
  slots: readonly NamedSlot[],
  descriptions: readonly string[],
  command: string,
): number | null {
  if (slots.length === 0) return null
  const total = slots.reduce((sum, slot, i) => sum + slotSimilarity(slot, descriptions[i] ?? '', command), 0)
  return total / slots.length
}
