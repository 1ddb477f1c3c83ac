/** Finds what a text names: things, colors and free places, in the words that people and models use for them. */
import { HAN } from './templates.ts'

type Kind = 'thing' | 'color' | 'place'

export interface Mention {
  kind: Kind
  /** What the words can mean: a box is a case or a block. */
  concepts: readonly string[]
  /** Named only to say where something else is: the kettle in "the cup next to the kettle". */
  anchor: boolean
}

/** Names of things, each with those that are used instead of it. English nouns match with a plural s or es. */
const THINGS: Readonly<Record<string, string>> = {
  cup: 'cup|mug|teacup|tumbler|drinking glass|杯子|水杯|茶杯|马克杯|杯',
  bottle: 'bottle|flask|瓶子|水瓶|酒瓶|红酒瓶|瓶',
  mouse: 'computer mouse|mouse|mice|鼠标',
  plate: 'plate|dish|saucer|盘子|碟子|餐盘|盘|碟',
  fruit: 'fruit bowl|bowl of fruit|bowl with fruit|fruit basket|fruit plate|bowl|水果盘|果盘|水果碗|水果篮|果篮|碗',
  phone: 'telephone|phone|handset|landline|电话机|电话|座机|话机',
  kettle: 'electric kettle|kettle|teapot|pitcher|jug|烧水壶|电水壶|电热水壶|热水壶|水壶|茶壶|壶',
  paint: 'paint can|paint bucket|paint tin|paint pot|bucket|pail|can|tin|油漆桶|涂料桶|漆桶|油漆罐|桶|罐子|罐',
  books: 'stack of books|pile of books|book stack|book pile|book|一摞书|一叠书|一堆书|书本|书籍|书',
  pot: 'cooking pot|saucepan|stockpot|pot|pan|汤锅|炖锅|锅子|锅',
  cylinder: 'cylindrical block|cylinder|tube|drum|can|圆柱体|圆柱|柱体|柱子|圆筒',
  block: 'cubic block|cube|block|box|立方体|正方体|方块|积木|盒子',
  ring: 'ring|donut|doughnut|torus|annulus|washer|hoop|空心圆环|圆环|环形|环|圈',
  screwdriver: 'screwdriver|screw driver|driver|tool|手柄的螺丝刀|手柄螺丝刀|螺丝刀|改锥|起子|螺丝起子|工具',
  meter: 'digital multimeter|multimeter|multi-meter|meter|tester|voltmeter|外壳的万用表|外壳万用表|万用表|测量仪|仪表',
  tape: 'roll of tape|tape roll|adhesive tape|tape|胶带卷|胶带|胶布|胶纸',
  case: 'carrying case|rectangular box|case|box|container|chest|长方体盒子|长方形盒子|长方体|盒子|箱子|盒|箱',
}
const COLORS: Readonly<Record<string, string>> = {
  red: 'dark red|bright red|red|crimson|红色|红',
  blue: 'dark blue|light blue|navy|blue|深蓝色|蓝色|蓝',
  green: 'dark green|green|绿色|绿',
  yellow: 'yellow|黄色|黄',
  white: 'white|cream|ivory|白色|白',
  black: 'black|dark|黑色|黑',
  orange: 'orange|橙色|橘色|橘黄色|橙',
  gray: 'gray|grey|silver|metallic|银色|灰色|银|灰',
  brown: 'brown|棕色|褐色|咖啡色',
  pink: 'pink|粉色|粉红色',
  purple: 'purple|violet|紫色|紫',
}
const PLACES: Readonly<Record<string, string>> = {
  free: 'free|empty|vacant|open|unoccupied|clear|空闲|空白|空旷|空着|空地|空位|空处|空',
  spot: 'area|space|spot|place|position|location|region|区域|位置|地方|空间|处',
}
/** Words that make the next thing, or in Chinese the previous one, a landmark. */
const RELATION =
  'next to|near|nearby|beside|behind|in front of|left of|right of|side of|front of|back of|rear of|close to|closest to|' +
  'adjacent to|alongside|on top of|above|below|under|around|against|旁边|旁|附近|边上|左边|左侧|左面|左方|右边|右侧|右面|' +
  '右方|前面|前方|前边|后面|后方|后边'
const BETWEEN = 'between|之间|中间'

interface Entry {
  kind: Kind | 'relation' | 'between'
  concept: string
  words: readonly string[]
}

const ENTRIES: readonly Entry[] = [
  ...entries('thing', THINGS),
  ...entries('color', COLORS),
  ...entries('place', PLACES),
  ...entries('relation', { relation: RELATION }),
  ...entries('between', { between: BETWEEN }),
]

function entries(kind: Entry['kind'], table: Readonly<Record<string, string>>): Entry[] {
  return Object.entries(table).map(([concept, words]) => ({ kind, concept, words: words.split('|') }))
}

const MEANINGS = new Map<string, Entry[]>()
for (const entry of ENTRIES) {
  for (const word of entry.words) MEANINGS.set(word, [...(MEANINGS.get(word) ?? []), entry])
}

/** Longer words first: 水果盘 before 盘. */
const WORDS = [...MEANINGS.keys()].toSorted((a, b) => b.length - a.length)
const CHINESE_WORDS = WORDS.filter((word) => HAN.test(word)).join('|')
const ENGLISH_WORDS = WORDS.filter((word) => !HAN.test(word)).join('|')
const NAMED = new RegExp(`${CHINESE_WORDS}|(?<![\\p{L}])(?:${ENGLISH_WORDS})(?:e?s)?(?![\\p{L}])`, 'gu')

export interface Named {
  mentions: Mention[]
  /** The text between them, in lower case. */
  rest: string[]
}

/** What a text names, in order, and the text that is left. */
export function namedIn(text: string): Named {
  const folded = text.normalize('NFKC').toLowerCase()
  const mentions: Mention[] = []
  const rest: string[] = []
  /** How many of the next things are landmarks. */
  let anchors = 0
  let end = 0
  for (const match of folded.matchAll(NAMED)) {
    const found = meaningsOf(match[0])
    const between = folded.slice(end, match.index)
    if (/[,;.，。；]/u.test(between)) anchors = 0
    rest.push(between)
    end = match.index + match[0].length
    const [{ kind }] = found as [Entry]
    const isChinese = HAN.test(match[0])
    if (kind === 'relation' || kind === 'between') {
      const count = kind === 'between' ? 2 : 1
      if (isChinese) markAnchors(mentions, count)
      else anchors = count
      continue
    }
    mentions.push({ kind, concepts: found.map(({ concept }) => concept), anchor: !isChinese && anchors > 0 })
    if (kind === 'thing' && anchors > 0) anchors -= 1
  }
  rest.push(folded.slice(end))
  return { mentions, rest }
}

function meaningsOf(word: string): readonly Entry[] {
  return MEANINGS.get(word) ?? MEANINGS.get(word.replace(/s$/, '')) ?? MEANINGS.get(word.replace(/es$/, '')) ?? []
}

/** The last things, with the colors before each. */
function markAnchors(mentions: Mention[], count: number): void {
  let left = count
  for (let i = mentions.length - 1; i >= 0; i--) {
    const mention = mentions[i]!
    if (mention.kind === 'thing' && --left < 0) return
    if (mention.anchor) return
    mentions[i] = { ...mention, anchor: true }
  }
}
