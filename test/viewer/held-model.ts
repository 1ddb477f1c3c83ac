/**
 * A model that replies only when the test releases it, to keep a run in progress at a known point regardless of the
 * machine's speed.
 *
 * @example
 * const model = await startHeldModel()
 * const played = sightline(['run', 'vsi/blind', ...model.args, '-T', 'reasks=0'], { cwd })
 * model.release(2) // two replies, now or when requested
 */
import { startHostileServer } from '../support/models/hostile-server.ts'

export interface HeldModel {
  name: string
  /** `sightline run` arguments for this model. */
  args: readonly string[]
  /** Allows this many more replies. */
  release(replies: number): void
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
    release(replies) {
      allowed += replies
      serve()
    },
    close: () => server.close(),
  }
}
