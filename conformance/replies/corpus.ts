/** Replies in the manner of real models, each with the reading of a careful person. */
import { firstDifference } from '../agreement/check.ts'

export interface ReadReply {
  /** How the reply is written: `thinks aloud`, `boxed`, `cut off`. Misread replies are counted by manner. */
  manner: string
  reply: string
  /** What a careful person reads in the reply; null where there is no answer in it. */
  expected: unknown
  /** What the suite's own reader makes of it. */
  read: unknown
}

export interface Corpus {
  /** The share that must be read right. */
  bar: number
  replies: () => Iterable<ReadReply> | AsyncIterable<ReadReply>
}

export interface CorpusResult {
  total: number
  right: number
  misread: readonly (ReadReply & { difference: string })[]
  holds: boolean
}

export async function readCorpus({ bar, replies }: Corpus): Promise<CorpusResult> {
  let total = 0
  const misread: (ReadReply & { difference: string })[] = []
  for await (const reply of replies()) {
    total += 1
    const difference = firstDifference(reply.read, reply.expected)
    if (difference !== null) misread.push({ ...reply, difference })
  }
  const right = total - misread.length
  return { total, right, misread, holds: total > 0 && right >= bar * total }
}
