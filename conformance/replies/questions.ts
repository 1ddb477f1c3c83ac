/** What models write when a question suite asks them, read with the default rules. */
import { readerFor } from '../../src/questions/parse.ts'
import type { Rules } from '../../src/questions/domain/format.ts'
import type { Reader } from '../../src/suite.ts'
import type { Answer } from '../../src/questions/domain/sample.ts'
import type { Corpus, ReadReply } from './corpus.ts'
import { MANNERS } from './questions-manners.ts'
import { MODERN } from './questions-modern.ts'
import { REMARKS } from './questions-remarks.ts'
import { REVISED } from './questions-revised.ts'
import { CHOICES, LENGTHS, OPTIONS, SAID_NO, TEXTS, YES_NO } from './questions-replies.ts'

export const questionReplies: Corpus = { bar: 0.99, replies }

function* replies(): Generator<ReadReply> {
  yield* readAll(CHOICES, { kind: 'choice' }, OPTIONS)
  yield* readAll(SAID_NO, { kind: 'choice' }, ['yes', 'no'])
  yield* readAll(YES_NO, { kind: 'yes-no' })
  yield* readAll(LENGTHS, { kind: 'number', unit: 'm' })
  for (const { title, rules, options, replies: pairs } of [...MODERN, ...MANNERS, ...REMARKS, ...REVISED])
    yield* read(title, pairs, readerFor({ options }, rules))
  const reader = readerFor({ options: null }, { answer: { kind: 'text' } })
  for (const [manner, pairs] of Object.entries(TEXTS)) {
    for (const [reply, expected] of pairs) {
      const answer = reader.read(reply)
      const isRight = answer !== null && reader.grade!(answer, ['kitchen']) === 1
      yield { manner, reply, expected, read: isRight ? 'kitchen' : null }
    }
  }
}

type Manners = Readonly<Record<string, readonly (readonly [string, Answer | null])[]>>

function* readAll(
  manners: Manners,
  answer: NonNullable<Rules['answer']>,
  options: string[] | null = null,
): Generator<ReadReply> {
  const reader = readerFor({ options }, { answer })
  for (const [manner, pairs] of Object.entries(manners)) yield* read(manner, pairs, reader)
}

function* read(manner: string, pairs: Manners[string], reader: Reader<Answer>): Generator<ReadReply> {
  for (const [reply, expected] of pairs) {
    const found = reader.read(reply)
    yield { manner, reply, expected, read: typeof found === 'number' ? Number(found.toPrecision(9)) : found }
  }
}
