/**
 * Episodes for learning from them: a line of JSON for each conversation, as the player saw it, with what the episode
 * earned, and which messages are the player's replies in it. Those have a mask of 1, the number of tokens that the provider
 * counted, and the tokens themselves with their log-probabilities where it sent them; the reward is on the last one.
 */
import { inSampleOrder } from '../report.ts'
import { conversationsOf } from './transcript.ts'
import type { ExportInput } from './types.ts'

export async function* trajectories({ header, rows, eventsOf, success }: ExportInput): AsyncGenerator<string> {
  for (const row of inSampleOrder(rows)) {
    const reward = success === null ? 0 : (row.scores[success] ?? 0)
    const { sample, epoch, labels, status, scores } = row
    const line = { run: header.id, suite: header.suite, player: header.models['player'], sample, epoch, labels, status }
    const conversations = conversationsOf(await eventsOf(row))
    for (const [at, turns] of conversations.entries()) {
      const last = turns.findLastIndex(({ reply }) => reply !== undefined)
      const messages = turns.map(({ role, content, reply }, i) => ({
        role,
        content,
        mask: reply === undefined ? 0 : 1,
        ...(reply && { ...(reply.reasoning !== null && { reasoning: reply.reasoning }), finish: reply.finish }),
        ...(reply && reply.tokens !== null && { tokens: reply.tokens }),
        ...(reply?.sampled && { sampled: reply.sampled }),
        ...(i === last && { reward }),
      }))
      yield `${JSON.stringify({ ...line, conversation: at + 1, reward, scores, messages })}\n`
    }
  }
}
