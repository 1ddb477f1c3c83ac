/**
 * NeMo Gym's protocol for tasks with one reply: the row of a dataset has the `seed` of its episode, `/verify` gets the
 * row with the response of the model, and returns it with the reward.
 */
import { z } from 'zod'
import { ProtocolError } from './openenv.ts'
import type { Session } from './session.ts'

const output = z.looseObject({
  type: z.string().default('message'),
  content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).optional(),
})
/** As often as suites ask again by default. */
const MAX_REASKS = 2

const request = z.looseObject({
  seed: z.int().min(0).describe('number of the episode'),
  response: z.looseObject({ output: z.array(output) }),
})

/** The request with the reward. The episode must end with the reply. */
export async function verify(session: Session, body: unknown): Promise<object> {
  const read = request.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new ProtocolError('VALIDATION_ERROR', `${issue?.path.join('.') || 'request'}: ${issue?.message}`)
  }
  const { seed, response } = read.data
  const last = response.output.findLast(({ type }) => type === 'message')?.content ?? ''
  const text = typeof last === 'string' ? last : last.map((part) => part.text ?? '').join('')
  await session.reset({ seed })
  let { done, reward, observation } = await session.step(text)
  // A suite that asks again after a reply that it cannot read gets the same one.
  for (let again = 0; again < MAX_REASKS && !done; again++) ({ done, reward, observation } = await session.step(text))
  if (!done)
    throw new ProtocolError('EXECUTION_ERROR', 'The episode goes on after this reply: use /ws, or /reset and /step.')
  return { ...read.data, reward, status: observation.status, scores: observation.scores }
}
