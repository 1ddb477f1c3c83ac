/** Generates the speech of a clip, with the time of every word. */
import type { Random } from '../../../../suite.ts'
import type { Word } from '../../domain/annotation.ts'
import type { Language, Template } from '../../domain/templates.ts'

export const DIRECTIONS = ['left', 'right', 'front', 'behind'] as const
export type Direction = (typeof DIRECTIONS)[number]

export interface Phrase {
  words: string[]
  /** Punctuation after the last word. */
  mark: string
}

const CHINESE_SIDES: Readonly<Record<Direction, readonly string[]>> = {
  left: ['左边', '左侧', '左面'],
  right: ['右边', '右侧', '右面'],
  front: ['前面', '前边'],
  behind: ['后面', '后边'],
}
const ENGLISH_SIDES: Readonly<Record<Direction, readonly string[][]>> = {
  left: [
    ['to', 'the', 'left', 'of', 'it'],
    ['to', 'its', 'left'],
  ],
  right: [
    ['to', 'the', 'right', 'of', 'it'],
    ['to', 'its', 'right'],
  ],
  front: [['in', 'front', 'of', 'it']],
  behind: [['behind', 'it']],
}

/** The name of a side in annotations. */
export function sideName(direction: Direction, language: Language): string {
  return language === 'zh'
    ? CHINESE_SIDES[direction][0]!
    : { left: 'left side', right: 'right side', front: 'front side', behind: 'back side' }[direction]
}

const SAID: Readonly<Record<string, Direction>> = { 左: 'left', 右: 'right', 前: 'front', 后: 'behind' }

/** The sides in a transcript, in the order in which they are said. */
export function directionsSaid(text: string): Direction[] {
  const said = text.match(/[左右前]|(?<!然)后|left|right|front|behind/g) ?? []
  return said.flatMap((word) => SAID[word] ?? DIRECTIONS.find((direction) => direction === word) ?? [])
}

/** The sentence as phrases, one per gesture. The wording varies between clips, the order does not. */
export function phrases(template: Template, sides: readonly Direction[], language: Language, random: Random): Phrase[] {
  const zh = language === 'zh'
  const [first, second] = sides
  const take = zh
    ? random.pick([['把', '这个'], ['把这个'], ['将', '这个']])
    : random.pick([
        ['put', 'this'],
        ['place', 'this'],
        ['put', 'this', 'one'],
      ])
  const sidePhrase = (side: Direction): string[] =>
    zh
      ? [
          ...random.pick([
            ['放到', '它的'],
            ['放在', '它的'],
          ]),
          random.pick(CHINESE_SIDES[side]),
        ]
      : [...random.pick(ENGLISH_SIDES[side])]
  const then = zh ? random.pick([['然后'], ['然后再'], ['接着']]) : random.pick([['then'], ['and', 'then']])
  const end = zh ? '。' : '.'
  const comma = zh ? '，' : ','
  switch (template) {
    case '指令1':
      return []
    case '指令2':
      return [
        {
          words: zh
            ? [...take, '拿起来']
            : random.pick([
                ['pick', 'this', 'up'],
                ['take', 'this', 'one'],
              ]),
          mark: end,
        },
      ]
    case '指令3':
      return [
        { words: take, mark: '' },
        {
          words: zh
            ? random.pick([
                ['放到', '这里'],
                ['放在', '这里'],
                ['放', '这儿'],
              ])
            : ['here'],
          mark: end,
        },
      ]
    case '指令4':
      return [
        { words: take, mark: '' },
        { words: sidePhrase(first!), mark: end },
      ]
    case '指令5':
      return [
        { words: take, mark: '' },
        { words: sidePhrase(first!), mark: comma },
        {
          words: zh ? [...then, '把', random.pick(['它', '这个']), '拿起来'] : [...then, 'pick', 'this', 'up'],
          mark: end,
        },
      ]
    case '指令6':
      return [
        { words: take, mark: '' },
        { words: sidePhrase(first!), mark: comma },
        { words: zh ? [...then, '把', random.pick(['它', '这个'])] : [...then, 'put', 'this'], mark: '' },
        { words: sidePhrase(second!), mark: end },
      ]
  }
}

/** Duration of a word in milliseconds, by its length, at a calm pace. */
export function wordMs(word: string, language: Language, random: Random): number {
  const beats = language === 'zh' ? word.length : 0.6 + word.length * 0.22
  return Math.round((140 + beats * 130) * random.range(0.85, 1.2))
}

/** How fast people speak, compared with a calm pace. */
const PACE = [0.8, 1.2] as const
/** Speakers sometimes hesitate between two words of a phrase. */
const HESITATION = { chance: 0.12, ms: [120, 320] } as const

/** Times the phrases, each after its silence. */
export function timePhrases(
  pieces: readonly Phrase[],
  silences: readonly number[],
  language: Language,
  random: Random,
): Word[] {
  const pace = random.range(...PACE)
  let now = 0
  return pieces.flatMap(({ words, mark }, piece) => {
    now += silences[piece]!
    return words.map((text, i): Word => {
      if (i > 0 && random.chance(HESITATION.chance)) now += Math.round(random.range(...HESITATION.ms))
      const begin = now
      now += Math.round(wordMs(text, language, random) * pace)
      return { text, begin_time: begin, end_time: now, punctuation: i === words.length - 1 ? mark : '' }
    })
  })
}

/** The transcript as text. */
export function spokenText(words: readonly Word[], language: Language): string {
  return words
    .map(({ text, punctuation }, i) => `${i > 0 && language === 'en' ? ' ' : ''}${text}${punctuation ?? ''}`)
    .join('')
}
