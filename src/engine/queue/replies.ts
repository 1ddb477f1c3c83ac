/**
 * The response cache of a cluster. A paid reply stays in the shared state until its episode is in the journal, so another
 * worker that takes over the episode does not pay again. It also goes to the store of the coordinator.
 */
import { z } from 'zod'
import type { ReplyStore } from '../../models/deps.ts'
import type { SharedState } from './shared-state.ts'
import { KEEP_MS } from './shared-state.ts'
import type { Outbox } from './outbox.ts'
import type { Seal } from './seal.ts'

const MIN_POLL_MS = 10
const MAX_POLL_MS = 100
/** After this the model is asked. */
const LOOKUP_TIMEOUT_MS = 3000
/** Lifetime of a cache miss. */
const MISS_TTL_MS = 30_000
const NO_REPLY = Buffer.from('null')

export function replyName(run: string, key: string): string {
  return `${run}/${key}`
}

export interface SharedRepliesSettings {
  run: string
  shared: SharedState
  outbox: Outbox
  seal: Seal
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
    const { run, shared, outbox, seal } = this.#settings
    const name = replyName(run, key)
    const [found] = await shared.get('reply', [name])
    if (found) return parseReply(key, found, seal)
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
      if (answer) return parseReply(key, answer, seal)
    }
    return undefined
  }

  async put(key: string, value: unknown): Promise<void> {
    const { run, shared, outbox, seal } = this.#settings
    const text = JSON.stringify(value)
    await shared.set('reply', new Map([[replyName(run, key), seal.close(`reply ${key}`, Buffer.from(text))]]), KEEP_MS)
    outbox.write({ type: 'reply', key, reply: z.json().parse(JSON.parse(text)) })
  }
}

/** Looks up a reply in the store of the coordinator for a worker. */
export async function answerLookup(
  run: string,
  key: string,
  { store, shared, seal }: { store: ReplyStore; shared: SharedState; seal: Seal },
): Promise<void> {
  const found = await store.get(key)
  const body = seal.close(`reply ${key}`, found === undefined ? NO_REPLY : Buffer.from(JSON.stringify(found)))
  await shared.set('reply', new Map([[replyName(run, key), body]]), found === undefined ? MISS_TTL_MS : KEEP_MS)
}

/** A reply that was not signed by this run is a cache miss. */
function parseReply(key: string, sealed: Buffer, seal: Seal): unknown {
  const body = seal.open(`reply ${key}`, sealed)
  if (!body || body.equals(NO_REPLY)) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
