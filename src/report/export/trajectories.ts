/**
 * Episodes for learning from them: a line of JSON each, with the whole conversation, what it earned, and which messages
 * are the player's. Those have a mask of 1, the number of tokens that the provider counted, and the tokens themselves with
 * their log-probabilities where it sent them; the reward is on the last one.
 */
import { inSampleOrder } from '../report.ts'
import { transcriptOf } from './transcript.ts'
import type { ExportInput } from './types.ts'

export async function* trajectories({ header, rows, eventsOf, success }: ExportInput): AsyncGenerator<string> {
  for (const row of inSampleOrder(rows)) {
    const { turns } = transcriptOf(await eventsOf(row))
    const last = turns.findLastIndex(({ reply }) => reply !== undefined)
    const reward = success === null ? 0 : (row.scores[success] ?? 0)
    const messages = turns.map(({ role, content, reply }, i) => ({
      role,
      content,
      mask: reply === undefined ? 0 : 1,
      ...(reply && { ...(reply.reasoning !== null && { reasoning: reply.reasoning }), finish: reply.finish }),
      ...(reply && reply.tokens !== null && { tokens: reply.tokens }),
      ...(reply?.sampled && { sampled: reply.sampled }),
      ...(i === last && { reward }),
    }))
    const { sample, epoch, labels, status, scores } = row
    const line = { run: header.id, suite: header.suite, player: header.models['player'], sample, epoch, labels, status }
    yield `${JSON.stringify({ ...line, reward, scores, messages })}\n`
  }
}
