/** The replies of a run that was played before, for `replay/<run>`. */
import type { RecordedReplies, RecordedReply } from '../models/deps.ts'
import type { Role } from '../models/types.ts'
import type { RunReader } from '../store/run-reader.ts'

export class RecordedRun implements RecordedReplies {
  readonly #replies: ReadonlyMap<string, RecordedReply>

  private constructor(replies: ReadonlyMap<string, RecordedReply>) {
    this.#replies = replies
  }

  static async read(run: RunReader): Promise<RecordedRun> {
    const replies = new Map<string, RecordedReply>()
    for (const line of await run.episodes()) {
      for (const event of await run.events(line)) {
        if (!isReply(event)) continue
        replies.set(keyOf(line.sample, line.epoch, event.role, event.ordinal), {
          ...event,
          requestKey: event.key ?? '',
        })
      }
    }
    return new RecordedRun(replies)
  }

  find(sampleId: string, epoch: number, role: Role, ordinal: number): RecordedReply | undefined {
    return this.#replies.get(keyOf(sampleId, epoch, role, ordinal))
  }
}

type ReplyEvent = Omit<RecordedReply, 'requestKey'> & { ordinal: number; role: Role; key?: string }

function isReply(event: unknown): event is ReplyEvent {
  return (
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    event.type === 'reply' &&
    'text' in event &&
    typeof event.text === 'string' &&
    'ordinal' in event &&
    'role' in event
  )
}

function keyOf(sampleId: string, epoch: number, role: string, ordinal: number): string {
  return JSON.stringify([sampleId, epoch, role, ordinal])
}
