/** `replay/<run>`: returns the replies of a recorded run to the same requests. */
import type { RecordedReplies } from '../deps.ts'
import { requestKey } from '../key.ts'
import { ModelError, type Model } from '../types.ts'

const LOCAL_CONNECTIONS = 16

export function replayModel(id: string, recorded: RecordedReplies, loose: boolean): Model {
  return {
    id,
    local: true,
    connections: () => LOCAL_CONNECTIONS,
    async ask(request, signal) {
      signal.throwIfAborted()
      const { sampleId, ordinal, role } = request.origin
      const where = `request ${ordinal + 1} to the ${role} for sample ${sampleId}, epoch ${request.epoch}`
      const reply = recorded.find(sampleId, request.epoch, role, ordinal)
      if (reply === undefined) throw new ModelError('bad-request', `${id} has no recorded reply for ${where}.`)
      const key = requestKey(request)
      if (reply.requestKey !== '' && key !== reply.requestKey && !loose) {
        throw new ModelError(
          'bad-request',
          `${id}: ${where} differs from the recorded request: the suite, options, prompts or images have changed. ` +
            'Use -M loose=true to return the recorded reply anyway.',
        )
      }
      const { requestKey: _, ...given } = reply
      return { ...given, cached: true, key }
    },
    close: () => Promise.resolve(),
  }
}
