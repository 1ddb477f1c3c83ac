/**
 * Intent by text match: compares the command with the names of the slots, deterministically and without a model. Other words
 * for the same thing count; naming more than what is meant costs.
 */
import { type Mention, namedIn } from './concepts.ts'
import { HAN } from './templates.ts'

/** Particles and filler words, which carry no meaning. */
const CHINESE_FILLER = /[的了呢吧啊呀嘛\p{P}\p{S}\p{Z}]/gu
const ENGLISH_FILLER = new Set('the a an of to its it on in at and is side one this that'.split(' '))
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
const NOT_DIRECTIONS = /然后|之后|随后|最后|放下|一下|拿上|上来|下来|桌上|桌子上|桌面上/gu

const SIDES = 'left|right|front|back|rear|top|bottom|upper|lower|middle|center|centre|far|near'
/** Where something is in the picture or on the table, as opposed to next to a thing. */
const IN_VIEW = new RegExp(
  `\\b(?:${SIDES})(?:[ -](?:${SIDES}))?(?:[ -](?:side|edge|part|half|corner|end|area|portion|hand))* (?:of|in) (?:the |my |your )?` +
    '(?:table(?:top)?|desk|frame|image|picture|photo|scene|view|screen|workbench|surface|camera)\\b' +
    `|\\b(?:${SIDES})most\\b|\\b(?:on|at) the (?:${SIDES})(?! ?-?(?:hand )?(?:side )?of\\b)(?=[ ,.;]|$)` +
    '|(?:桌子|桌面|画面|图像|图片|镜头|视野)(?:上|的|里|中)?最?[左右前后上下中](?:[面边侧方部间央])?(?:角|方|侧|边)?的?',
  'gu',
)

/** The directions in the name of a place; those after the last 的 take precedence. */
export function directionsIn(text: string): Set<string> {
  const folded = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase()
  const placed = directionsOf(folded.replaceAll(IN_VIEW, ' '))
  return placed.size > 0 ? placed : directionsOf(folded)
}

function directionsOf(folded: string): Set<string> {
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
  /** Other correct names. */
  also?: readonly string[]
  kind: 'object' | 'area'
}

/** What is compared: things, colors and places, and of the other words those in English, pairs of characters in Chinese. */
interface Content {
  mentions: readonly Mention[]
  units: ReadonlySet<string>
  /** Directions, of any clause. */
  directions: ReadonlySet<string>
}

function contentOf(text: string): Content {
  const { mentions, rest } = namedIn(text.slice(0, MAX_CHARACTERS))
  return { mentions, units: new Set(rest.flatMap(unitsOf)), directions: directionsSpoken(text) }
}

function unitsOf(text: string): string[] {
  const undirected = text.replaceAll(CHINESE_DIRECTION, '')
  if (!HAN.test(undirected)) {
    const words = undirected.match(/[\p{L}\p{N}]+/gu) ?? []
    return words.filter((word) => !ENGLISH_FILLER.has(word) && !DIRECTIONS.some(([, , each]) => each.includes(word)))
  }
  const characters = Array.from(undirected.replaceAll(CHINESE_FILLER, ''))
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

/** A slot with the content of all its names. */
interface WantedSlot {
  kind: NamedSlot['kind']
  names: readonly Content[]
  /** All directions in its name: parts of a name can sound like one, as in 中间镂空. */
  directions: ReadonlySet<string>
}

function wantedOf({ name, also = [], kind }: NamedSlot): WantedSlot {
  const names = [name, ...also].map((each): Content => ({ ...contentOf(each), directions: directionsIn(each) }))
  return { kind, names, directions: new Set(name.split('的').flatMap((part) => [...directionsIn(part)])) }
}

/** How much the parts of a name count. */
const WEIGHTS = { thing: 2, color: 1, place: 1, unit: 1, direction: 2 } as const

const isMeant = (wanted: Mention, { concepts }: Mention): boolean =>
  concepts.some((concept) => wanted.concepts.includes(concept))

/** Share of a name's parts that a text has. Landmarks do not name an object, only places next to them. */
function recall(wanted: Content, isArea: boolean, said: Content, directions: ReadonlySet<string>): number {
  const named = said.mentions.filter(({ anchor }) => isArea || !anchor)
  let all = 0
  let found = 0
  for (const each of wanted.mentions) {
    all += WEIGHTS[each.kind]
    if (named.some((mention) => isMeant(each, mention))) found += WEIGHTS[each.kind]
  }
  for (const unit of wanted.units) {
    all += WEIGHTS.unit
    if (said.units.has(unit)) found += WEIGHTS.unit
  }
  if (isArea && wanted.directions.size > 0) {
    all += WEIGHTS.direction
    if (directions.size > 0) {
      if ([...wanted.directions].every((direction) => !directions.has(direction))) return 0
      found += WEIGHTS.direction
    }
  }
  return all === 0 ? 0 : found / all
}

/** A place is known if only its direction is named; each further one divides the score. */
function certainty(meant: ReadonlySet<string>, said: ReadonlySet<string>): number {
  const wrong = [...said].filter((direction) => !meant.has(direction)).length
  return 1 / (1 + wrong)
}

/** How much of a slot's name is in the player's description or command, 0…1. A wrong direction scores 0. */
function slotRecall(slot: WantedSlot, described: Content, said: Content, meant: ReadonlySet<string>): number {
  const { names } = slot
  const isArea = slot.kind === 'area'
  const isOwn = described.directions.size > 0
  const directions = isOwn ? described.directions : said.directions
  const sure = isArea && meant.size > 0 ? certainty(isOwn ? slot.directions : meant, directions) : 1
  const best = (content: Content): number => Math.max(...names.map((name) => recall(name, isArea, content, directions)))
  // A description that names a thing is what the player means, whatever else the command names.
  const isNamed = described.mentions.some((mention) => mention.kind === 'thing' && (isArea || !mention.anchor))
  return sure * (isNamed ? best(described) : Math.max(best(described), best(said)))
}

/** Landmarks cost less than things that are said to be meant. */
const ANCHOR_COST = 0.25
const COLOR_COST = 0.5
/** Other words that are free, and what each further one costs. */
const FREE_WORDS = 80
const WORD_COST = 0.02

/** 1 if the answer names only what is meant; less, the more other things it names. */
function precision(slots: readonly WantedSlot[], texts: readonly Content[]): number {
  const wanted = slots.flatMap(({ names }) => names.flatMap(({ mentions }) => mentions))
  const others = new Map<string, number>()
  const colors = new Set<string>()
  const words = new Set<string>()
  for (const { mentions, units } of texts) {
    for (const unit of units) words.add(unit)
    for (const mention of mentions) {
      if (mention.kind === 'place' || wanted.some((each) => isMeant(each, mention))) continue
      const key = mention.concepts.join()
      if (mention.kind === 'color') colors.add(key)
      else others.set(key, Math.max(others.get(key) ?? 0, mention.anchor ? ANCHOR_COST : 1))
    }
  }
  // Things have more than one color, so one more for each is free.
  const cost =
    [...others.values()].reduce((sum, each) => sum + each, 0) +
    COLOR_COST * Math.max(0, colors.size - slots.length) +
    WORD_COST * Math.max(0, words.size - FREE_WORDS)
  return slots.length / (slots.length + cost)
}

/** The mean over the slots of how much is named, times how little else is. Null without slots. */
export function intentSimilarity(
  slots: readonly NamedSlot[],
  descriptions: readonly string[],
  command: string,
): number | null {
  if (slots.length === 0) return null
  const wanted = slots.map(wantedOf)
  const meant = new Set(wanted.flatMap(({ kind, directions }) => (kind === 'area' ? [...directions] : [])))
  const said = contentOf(command)
  const described = descriptions.map(contentOf)
  const nothing = contentOf('')
  const total = wanted.reduce((sum, slot, i) => sum + slotRecall(slot, described[i] ?? nothing, said, meant), 0)
  return (total / slots.length) * precision(wanted, [said, ...described])
}
