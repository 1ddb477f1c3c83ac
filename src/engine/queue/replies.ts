/**
 * The response cache of a cluster. What a worker has paid for is kept beside the queue until its episode is in the journal,
 * so that another worker who takes the episode over does not pay again; and it goes to the coordinator's store, as if
 * the run had been played there.
 */
import type { ReplyStore } from '../../models/deps.ts'
import type { SharedState } from './shared-state.ts'
import { KEEP_MS } from './shared-state.ts'
import type { Outbox } from './outbox.ts'

const FIRST_LOOK_MS = 10
const MAX_LOOK_MS = 100
/** Longer than any answer takes; then the model is asked. */
const PATIENCE_MS = 3000
/** How long the coordinator's "I have none" holds. */
const NONE_MS = 30_000
export const NO_REPLY = Buffer.from('null')

export function replyName(run: string, key: string): string {
  return `${run}/${key}`
}

export interface SharedRepliesSettings {
  run: string
  shared: SharedState
  outbox: Outbox
  /** May the coordinator's store have the reply, and is the coordinator there to look? */
  mayLookUp(): boolean
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
    if (found) return parsed(found)
    if (!this.#settings.mayLookUp()) return undefined
    outbox.write({ type: 'lookup', key })
    await outbox.flush()
    const until = performance.now() + PATIENCE_MS
    for (let wait = FIRST_LOOK_MS; performance.now() < until; wait = Math.min(MAX_LOOK_MS, wait * 2)) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      const [answer] = await shared.get('reply', [name])
      if (answer) return parsed(answer)
    }
    return undefined
  }

  async put(key: string, value: unknown): Promise<void> {
    const { run, shared, outbox } = this.#settings
    await shared.set('reply', replyName(run, key), Buffer.from(JSON.stringify(value)), KEEP_MS)
    outbox.write({ type: 'reply', key, reply: value })
  }
}

/** The coordinator looks into its store for a worker. */
export async function answerLookup(run: string, key: string, store: ReplyStore, shared: SharedState): Promise<void> {
  const found = await store.get(key)
  const body = found === undefined ? NO_REPLY : Buffer.from(JSON.stringify(found))
  await shared.set('reply', replyName(run, key), body, found === undefined ? NONE_MS : KEEP_MS)
}

function parsed(body: Buffer): unknown {
  if (body.equals(NO_REPLY)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
