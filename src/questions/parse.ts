/** Reads answers from replies, by the rules of a suite's file. */
import {
  amountReader,
  answerPlaces,
  dropThinking,
  findAnswer,
  findStatedAnswer,
  isObject,
  jsonValues,
  lastObject,
  letterReader,
  lettersOf,
  numbersIn,
  oneOf,
  Pattern,
  pythonFloat,
  type Reader,
  tagged,
  yesOrNo,
  text as textReader,
} from '../suite.ts'
import type { Rules } from './domain/format.ts'
import type { ReadRule } from './domain/rules-format.ts'
import type { Answer, QuestionSample } from './domain/sample.ts'
import { answerText } from './domain/truth.ts'
import { gradeOf } from './score.ts'
import { mmmuLetter } from './domain/mmmu-letter.ts'
import { pointOfMask } from './domain/masks.ts'
import { REFUSED, vlmevalkitLetter } from './domain/vlmevalkit-letter.ts'
import {
  amountOption,
  bracketed,
  countInWords,
  isUnusable,
  joinedUnits,
  partOfOption,
  plainChoice,
  quantifiedOption,
  withOrdinals,
  yesNoOption,
} from './domain/loose-replies.ts'
import { movesIn, strictMoves, writeMoves } from './domain/moves.ts'
import { pointInside } from './domain/regions.ts'
import { rescaled, scalesOf, type Size } from './domain/scale.ts'

/** How answers of one kind are read and written. */
interface Kind {
  /** The answer that a reply ends up with. */
  stated(reply: string): Answer | null
  /** A piece of text that is nothing but the answer. A letter that no option has is a wrong answer. */
  whole(piece: string, ignoreCase?: boolean): Answer | null
  write(answer: Answer): string
  choices?: readonly Answer[]
  /** White space around a piece is part of it. */
  isVerbatim?: boolean
}

/** Raised when the default rules read replies in another way, which makes earlier results incomparable. */
export const READER_VERSION = '3'

type Asked = Pick<QuestionSample, 'options' | 'size'>

/** The reader of a question under the rules that apply to it. */
export function readerFor(sample: Asked, rules: Rules): Reader<Answer> {
  const kind = kindOf(sample, rules)
  const {
    thinking = 'drop',
    drop = [],
    narrow = [],
    rules: order = ['stated'],
    unreadable = 'wrong',
  } = rules.read ?? {}
  const narrowers = narrow.map(({ pattern, ignoreCase }) => new Pattern(pattern, { ignoreCase }))
  const readers = order.map((rule) => readByRule(rule, kind, sample))
  const grade = gradeOf(rules)
  const read = (reply: string): Answer | null => {
    let text = thinking === 'drop' ? dropThinking(reply).text : reply
    for (const piece of drop) text = text.replaceAll(piece, '')
    for (const narrower of narrowers) text = narrower.first(text)?.text ?? text
    for (const each of readers) {
      const answer = each(text)
      if (answer === NOT_AN_ANSWER) return null
      if (answer !== null) return answer
    }
    if (unreadable === 'first') return kind.choices?.[0] ?? null
    return unreadable === 'whole' ? text.trim() : null
  }
  return {
    ...(kind.choices && { choices: kind.choices }),
    read,
    grade,
    // Baselines reply in a form that these rules read.
    write(answer) {
      const plain = kind.write(answer)
      const readable = repliesWith(plain, answer, order, sample).find((reply) => {
        const found = read(reply)
        return found !== null && grade(found, answer) === 1
      })
      return readable ?? plain
    },
  }
}

/** An answer in words for readers. */
export function writtenAnswer(sample: Asked, rules: Rules, answer: Answer): string {
  return kindOf(sample, rules).write(answer)
}

/** Ways to give an answer. */
function repliesWith(plain: string, answer: Answer, rules: readonly ReadRule[], { options }: Asked): string[] {
  const asked = rules.flatMap((rule) => {
    if (rule === 'option') return options?.[lettersOf(options).indexOf(answerText(answer))] ?? []
    if (typeof rule === 'string' || 'pattern' in rule) return []
    if ('tag' in rule) return `<${rule.tag}>${plain}</${rule.tag}>`
    return JSON.stringify(rule.json.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), plain))
  })
  return [
    plain,
    ...asked,
    `(${plain})`,
    `\`${plain}\``,
    `\\boxed{${plain}}`,
    `Answer: ${plain}`,
    `The answer is ${plain}.`,
  ]
}

function without(text: string, signs = ''): string {
  return Array.from(signs).reduce((left, sign) => left.replaceAll(sign, ''), text)
}

/** What a final rule found is none of the answers. */
const NOT_AN_ANSWER = Symbol('not an answer')

function readByRule(
  rule: ReadRule,
  kind: Kind,
  { options }: Asked,
): (text: string) => Answer | typeof NOT_AN_ANSWER | null {
  if (rule === 'stated') return (text) => kind.stated(text)
  if (rule === 'whole') return (text) => kind.whole(kind.isVerbatim ? text : text.trim())
  if (rule === 'mmmu') return (text) => mmmuLetter(text.trim(), lettersOf(options ?? []))
  if (rule === 'vlmevalkit') {
    return (text) => {
      const found = vlmevalkitLetter(text, lettersOf(options ?? []), options ?? [])
      return found === REFUSED ? NOT_AN_ANSWER : found
    }
  }
  if (rule === 'option') {
    const named = (options ?? []).filter((option) => option !== '')
    const words = oneOf(...named)
    return (text) => {
      const option = words.read(text)
      return option === null ? null : lettersOf(options!)[options!.indexOf(option)]!
    }
  }
  if ('pattern' in rule) {
    const pattern = new Pattern(rule.pattern, { ignoreCase: rule.ignoreCase })
    const isVerbatim = kind.isVerbatim === true || rule.without !== undefined
    return (text) => {
      const found = rule.take === 'last' ? pattern.last(text) : pattern.first(text)
      if (found === null) return null
      const piece = without(isVerbatim ? found.text : found.text.trim(), rule.without)
      return kind.whole(piece, rule.ignoreCase) ?? (rule.final ? NOT_AN_ANSWER : null)
    }
  }
  if ('tag' in rule) {
    return (text) => {
      const inside = tagged(text, rule.tag).at(-1)
      return inside === undefined ? null : kind.stated(inside)
    }
  }
  return (text) => {
    const value = rule.json
      .split('.')
      .reduce<unknown>(
        (object, name) => (isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined),
        lastObject(jsonValues(text), () => true)?.value,
      )
    if (value === undefined || value === null) return null
    return kind.stated(typeof value === 'string' ? value : JSON.stringify(value))
  }
}

function kindOf({ options, size: known }: Asked, rules: Rules): Kind {
  const size = known ?? null
  const { answer } = rules
  switch (answer?.kind ?? 'choice') {
    case 'choice': {
      const letters = lettersOf(options ?? [])
      const reader = letterReader(options ?? [])
      return {
        choices: letters,
        write: String,
        stated: (reply) =>
          isUnusable(reply)
            ? findStatedAnswer(reply, reader)
            : (findAnswer(withOrdinals(plainChoice(reply, options ?? [], reader), options ?? []), reader) ??
              partOfOption(reply, options ?? []) ??
              quantifiedOption(reply, options ?? []) ??
              yesNoOption(reply, options ?? []) ??
              amountOption(reply, options ?? [])),
        whole: (piece, ignoreCase = true) =>
          /^[A-Z]$/i.test(piece) ? (ignoreCase ? piece.toUpperCase() : piece) : null,
      }
    }
    case 'number': {
      const reader = amountReader(answer?.unit ?? 'any')
      return {
        write: String,
        stated: (reply) =>
          findAnswer(joinedUnits(reply), reader)?.value ?? (answer?.unit === undefined ? countInWords(reply) : null),
        whole: (piece) => {
          const value = pythonFloat(piece)
          return value !== null && Number.isFinite(value) ? value : null
        },
      }
    }
    case 'yes-no': {
      const reader = yesOrNo()
      return {
        choices: [true, false],
        write: (each) => (each === true ? 'yes' : 'no'),
        stated: (reply) => reader.read(reply),
        whole: (piece) => (/^(?:yes|true)$/i.test(piece) ? true : /^(?:no|false)$/i.test(piece) ? false : null),
      }
    }
    case 'text': {
      const reader = textReader()
      return {
        write: answerText,
        stated: (reply) => reader.read(reply),
        whole: (piece) => piece || null,
      }
    }
    case 'point':
      return {
        ...coordinates(2, rules, size),
        write: (each) => {
          const { replies, data } = scalesOf(rules)
          const point = isObject(each)
            ? rescaled(pointOfMask(each) ?? [0, 0], { from: 'pixels', to: replies, size: [each.width, each.height] })
            : rescaled(pointInside(numbersOf(each)), { from: data, to: replies, size })
          return `(${written(point)})`
        },
      }
    case 'box':
      return {
        ...coordinates(4, rules, size),
        write: (each) => {
          const { replies, data } = scalesOf(rules)
          return `[${written(rescaled(numbersOf(each), { from: data, to: replies, size }))}]`
        },
      }
    case 'moves': {
      const axes = answer?.axes ?? []
      return {
        write: (each) => writeMoves(numbersOf(each), axes),
        whole: (piece) => strictMoves(piece, axes),
        stated: (reply) => movesIn(reply, axes),
        isVerbatim: true,
      }
    }
  }
}

function numbersOf(answer: Answer): number[] {
  return Array.isArray(answer) ? answer.map(Number) : []
}

const DIGITS = 12

/** Without the last digits, where computers round. */
function written(numbers: readonly number[]): string {
  return numbers.map((each) => String(Number(each.toPrecision(DIGITS)))).join(', ')
}

/** The first numbers of the place where a reply gives its answer: `(0.5, 0.7)`, `{"x": 12, "y": 40}`, in the scale of the data. */
function coordinates(count: number, rules: Rules, size: Size | null): Pick<Kind, 'stated' | 'whole'> {
  const { replies, data } = scalesOf(rules)
  const scaled = (found: readonly number[]): number[] | null =>
    found.length < count ? null : rescaled(found.slice(0, count), { from: replies, to: data, size })
  const plain = (piece: string): number[] | null => scaled(numbersIn(piece).map(({ value }) => value))
  const read = (piece: string): number[] | null => scaled(bracketed(piece, count) ?? []) ?? plain(piece)
  return {
    whole: plain,
    stated: (reply) => {
      for (const place of answerPlaces(reply)) {
        const found = read(place)
        if (found !== null) return found
      }
      return null
    },
  }
}
