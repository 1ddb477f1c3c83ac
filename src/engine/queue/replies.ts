/**
 * The response cache of a cluster. A paid reply stays in the shared state until its episode is in the journal, so another
 * worker that takes over the episode does not pay again. It also goes to the store of the coordinator.
 */
import type { ReplyStore } from '../../models/deps.ts'
import type { SharedState } from './shared-state.ts'
import { KEEP_MS } from './shared-state.ts'
import type { Outbox } from './outbox.ts'

const MIN_POLL_MS = 10
const MAX_POLL_MS = 100
/** After this the model is asked. */
const LOOKUP_TIMEOUT_MS = 3000
/** Lifetime of a cache miss. */
const MISS_TTL_MS = 30_000
export const NO_REPLY = Buffer.from('null')

export function replyName(run: string, key: string): string {
  return `${run}/${key}`
}

export interface SharedRepliesSettings {
  run: string
  shared: SharedState
  outbox: Outbox
  /** Whether the store of the coordinator may have the reply. */
  mayLookUp(): boolean
  /** Whether a coordinator is there to answer. */
  isCoordinated(): boolean
  isStopped(): boolean
}

export class SharedReplies implements ReplyStore {
  readonly #settings: SharedRepliesSettings

  constructor(settings: SharedRepliesSettings) {
    this.#settings = settings
  }

  async get(key: string): Promise<unknown> {
    const { run, shared, outbox } = this.#settings
    const name = replyName(run, key)
    const [found] = await shared.get('reply', [name])
    if (found) return parseReply(found)
    if (!this.#settings.mayLookUp()) return undefined
    outbox.write({ type: 'lookup', key })
    await outbox.flush()
    let until = performance.now() + LOOKUP_TIMEOUT_MS
    for (
      let wait = MIN_POLL_MS;
      performance.now() < until && !this.#settings.isStopped();
      wait = Math.min(MAX_POLL_MS, wait * 2)
    ) {
      // Without a coordinator the model would not be asked either.
      if (!this.#settings.isCoordinated()) until = performance.now() + LOOKUP_TIMEOUT_MS
      await new Promise((resolve) => setTimeout(resolve, wait))
      const [answer] = await shared.get('reply', [name])
      if (answer) return parseReply(answer)
    }
    return undefined
  }

  async put(key: string, value: unknown): Promise<void> {
    const { run, shared, outbox } = this.#settings
    await shared.set('reply', replyName(run, key), Buffer.from(JSON.stringify(value)), KEEP_MS)
    outbox.write({ type: 'reply', key, reply: value })
  }
}

/** Looks up a reply in the store of the coordinator for a worker. */
export async function answerLookup(run: string, key: string, store: ReplyStore, shared: SharedState): Promise<void> {
  const found = await store.get(key)
  const body = found === undefined ? NO_REPLY : Buffer.from(JSON.stringify(found))
  await shared.set('reply', replyName(run, key), body, found === undefined ? MISS_TTL_MS : KEEP_MS)
}

function parseReply(body: Buffer): unknown {
  if (body.equals(NO_REPLY)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
