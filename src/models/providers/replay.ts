/** `replay/<run>`: the replies of a recorded run, given again to the same questions. */
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
      const { sampleId: caseId, ordinal, role } = request.origin
      const where = `request ${ordinal + 1} to the ${role} for sample ${caseId}, epoch ${request.epoch}`
      const reply = recorded.find(caseId, request.epoch, role, ordinal)
      if (reply === undefined) throw new ModelError('bad-request', `${id} has no recorded reply for ${where}.`)
      const key = requestKey(request)
      if (reply.requestKey !== '' && key !== reply.requestKey && !loose) {
        throw new ModelError(
          'bad-request',
          `${id}: ${where} is not what was asked when the run was recorded: suite, options, prompts or pictures differ. ` +
            'Use -M loose=true to play the recorded reply all the same.',
        )
      }
      const { text, media, reasoning, finish, usage, ms } = reply
      return {
        text,
        ...(media === undefined ? {} : { media }),
        ...(reasoning === undefined ? {} : { reasoning }),
        finish,
        usage,
        ms,
        cached: true,
        key,
      }
    },
    close: () => Promise.resolve(),
  }
}
