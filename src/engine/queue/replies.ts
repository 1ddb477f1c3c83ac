/**
 * The response cache of a cluster. What a worker has paid for is kept beside the queue until its episode is in the journal,
 * so that another worker who takes the episode over does not pay again; and it goes to the coordinator's store, as if
 * the run had been played there.
 */
import type { ReplyStore } from '../../models/deps.ts'
import type { Board } from './board.ts'
import { KEPT_MS } from './board.ts'
import type { Outbox } from './outbox.ts'

const FIRST_LOOK_MS = 10
const LONGEST_LOOK_MS = 100
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
  board: Board
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
    const { run, board, outbox } = this.#settings
    const name = replyName(run, key)
    const [found] = await board.get('reply', [name])
    if (found) return parsed(found)
    if (!this.#settings.mayLookUp()) return undefined
    outbox.write({ type: 'lookup', key })
    await outbox.flush()
    const until = performance.now() + PATIENCE_MS
    for (let wait = FIRST_LOOK_MS; performance.now() < until; wait = Math.min(LONGEST_LOOK_MS, wait * 2)) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      const [answer] = await board.get('reply', [name])
      if (answer) return parsed(answer)
    }
    return undefined
  }

  async put(key: string, value: unknown): Promise<void> {
    const { run, board, outbox } = this.#settings
    await board.set('reply', replyName(run, key), Buffer.from(JSON.stringify(value)), KEPT_MS)
    outbox.write({ type: 'reply', key, reply: value })
  }
}

/** The coordinator looks into its store for a worker. */
export async function answerLookup(run: string, key: string, store: ReplyStore, board: Board): Promise<void> {
  const found = await store.get(key)
  const body = found === undefined ? NO_REPLY : Buffer.from(JSON.stringify(found))
  await board.set('reply', replyName(run, key), body, found === undefined ? NONE_MS : KEPT_MS)
}

function parsed(body: Buffer): unknown {
  if (body.equals(NO_REPLY)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
