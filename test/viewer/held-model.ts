/**
 * A model that answers only when the test lets it: a run that goes on for as long as somebody wants to look at it,
 * and not a step further, however quick or slow the machine is.
 *
 * @example
 * const model = await startHeldModel()
 * const played = sightline(['run', 'vsi/blind', ...model.args, '-T', 'reasks=0'], { cwd })
 * model.letThrough(2) // two replies, now or as soon as they are asked for
 */
import { startHostileServer } from '../support/models/hostile-server.ts'

export interface HeldModel {
  name: string
  /** What makes `sightline run` ask it. */
  args: readonly string[]
  /** So many more replies may go out. */
  letThrough(replies: number): void
  close(): Promise<void>
}

export async function startHeldModel(): Promise<HeldModel> {
  const waiting: (() => void)[] = []
  let allowed = 0
  const serve = (): void => {
    while (allowed > 0 && waiting.length > 0) {
      allowed -= 1
      waiting.shift()?.()
    }
  }
  const server = await startHostileServer(() => {
    const after = new Promise<void>((resolve) => waiting.push(resolve))
    serve()
    return { do: 'reply', text: '2', after }
  })
  const name = 'openai-compatible/held'
  return {
    name,
    args: ['-m', name, '-M', `base_url=${server.origin}/v1`],
    letThrough(replies) {
      allowed += replies
      serve()
    },
    close: () => server.close(),
  }
}
