/** What models write when VSI asks them: for a letter, a number, or the next move. */
import { readAgentReply, readAnswer } from '../../src/suites/vsi/parse.ts'
import { isNumberType, type QuestionType } from '../../src/suites/vsi/domain/question-types.ts'
import type { VsiSample } from '../../src/suites/vsi/samples/sample.ts'
import type { Corpus, ReadReply } from './corpus.ts'
import { type Asked, ASKED, CHOICE_MANNERS, NUMBER_MANNERS } from './vsi-manners.ts'
import { ANSWERS, STEPS } from './vsi-replies.ts'

export const vsiReplies: Corpus = { bar: 0.97, replies }

function* replies(): Generator<ReadReply> {
  for (const [manner, write] of Object.entries(CHOICE_MANNERS)) {
    for (const asked of Object.values(ASKED)) {
      if (asked.options === null) continue
      // Every manner is tried on every question, each time with another answer.
      const index = (manner.length + asked.question.length) % asked.options.length
      const { reply, expected } = write(asked.options[index]!, asked.options)
      yield { manner, reply, expected, read: readNow(asked, reply) }
    }
  }
  for (const [manner, write] of Object.entries(NUMBER_MANNERS)) {
    for (const asked of Object.values(ASKED)) {
      if (asked.options !== null) continue
      const { reply, expected } = write(asked.quantity)
      yield { manner, reply, expected, read: readNow(asked, reply) }
    }
  }
  for (const { manner, asked, reply, expected } of ANSWERS)
    yield { manner, reply, expected, read: readNow(ASKED[asked], reply) }
  for (const { manner, asked, reply, expected } of STEPS) {
    const { move, done, answer } = readAgentReply(reply, sampleOf(ASKED[asked]))
    // Without a move, an answer or the end, there is nothing to go on with.
    const nothing = move === null && !done && answer === null
    const read = nothing ? null : { move: move && Object.values(move), done, answer: typed(ASKED[asked].type, answer) }
    yield { manner, reply, expected, read }
  }
}

function readNow(asked: Asked, reply: string): string | number | null {
  return typed(asked.type, readAnswer(reply, sampleOf(asked)).answer)
}

function typed(type: QuestionType, answer: string | null): string | number | null {
  return answer === null || !isNumberType(type) ? answer : Number(answer)
}

function sampleOf({ type, question, options }: Asked): VsiSample {
  return {
    id: 'q',
    cluster: 'c',
    labels: { type, dataset: 'test' },
    type,
    question,
    options: options?.map((text, i) => `${String.fromCharCode(65 + i)}. ${text}`) ?? null,
    truth: '',
    frequent: '',
    scene: { kind: 'scan', source: 'test', dataset: 'scannet', scene: 'scene0000_00' },
    things: null,
    about: null,
  }
}
