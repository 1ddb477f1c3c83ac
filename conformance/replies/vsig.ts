/** Replies to VSIG's question and to its judge's, in the manner of real models. */
import type { Prediction } from '../../src/suites/vsig/domain/prediction.ts'
import { scoreIn } from '../../src/suites/vsig/parse/judge.ts'
import { readReply } from '../../src/suites/vsig/parse/reply.ts'
import type { Corpus, ReadReply } from './corpus.ts'
import { JUDGE_REPLIES } from './vsig-judge.ts'
import { MANNERS, type Reading } from './vsig-manners.ts'
import { SCENES } from './vsig-scenes.ts'

function readingOf(prediction: Prediction | null): Reading | null {
  if (!prediction) return null
  const round = (value: number): number => Math.round(value * 100) / 100
  return {
    command: prediction.command,
    points: prediction.points.map(({ point }) => point && [round(point[0]), round(point[1])]),
    times: prediction.points.map(({ time }) => time),
  }
}

export const vsigAnswers: Corpus = {
  bar: 0.97,
  *replies(): Generator<ReadReply> {
    for (const { manner, convention = 'xy1000', write } of MANNERS) {
      for (const scene of SCENES) {
        const { reply, expected } = write(scene)
        yield { manner, reply, expected, read: readingOf(readReply(reply, convention)) }
      }
    }
  },
}

export const vsigJudges: Corpus = {
  bar: 0.97,
  *replies(): Generator<ReadReply> {
    for (const [manner, reply, expected] of JUDGE_REPLIES) yield { manner, reply, expected, read: scoreIn(reply) }
  },
}
