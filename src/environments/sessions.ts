/** All sessions of a server. Those of clients without a connection have names, and end when nobody asks for them. */
import type { Environment } from './environment.ts'
import { ProtocolError } from './openenv.ts'
import { Session } from './session.ts'

export interface Served {
  environment: Environment
  nextSeed: () => number
}

export class Sessions {
  readonly #all = new Set<Session>()
  readonly #named = new Map<string, { session: Session; idle: NodeJS.Timeout }>()
  readonly #closing = new Set<Promise<void>>()
  readonly #limits: { maxSessions: number; idleMs: number }

  constructor(limits: { maxSessions: number; idleMs: number }) {
    this.#limits = limits
  }

  get size(): number {
    return this.#all.size
  }

  open({ environment, nextSeed }: Served, address: string): Session {
    const { maxSessions } = this.#limits
    if (this.#all.size >= maxSessions)
      throw new ProtocolError('CAPACITY_REACHED', `All ${maxSessions} sessions are in use.`)
    const session = new Session(environment, nextSeed, address)
    this.#all.add(session)
    return session
  }

  close(session: Session): void {
    this.#all.delete(session)
    const closing = session.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  /** Gives a session a name, under which another one ends. */
  name(id: string, session: Session): void {
    this.end(id)
    const idle = setTimeout(() => this.end(id), this.#limits.idleMs).unref()
    this.#named.set(id, { session, idle })
  }

  get(id: string | undefined): Session | null {
    const found = id === undefined ? undefined : this.#named.get(id)
    found?.idle.refresh()
    return found?.session ?? null
  }

  find(id: string | undefined): Session {
    const session = this.get(id)
    if (session !== null) return session
    throw new ProtocolError('SESSION_ERROR', 'No such episode. Name it with the episode_id of its observation.')
  }

  /** Work in a named session, which may take longer than a client may be silent. */
  async during<T>(id: string, work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.find(id)
    const busy = setInterval(() => this.get(id), this.#limits.idleMs / 2)
    return work(session).finally(() => clearInterval(busy))
  }

  end(id: string): void {
    const known = this.#named.get(id)
    if (known === undefined) return
    clearTimeout(known.idle)
    this.#named.delete(id)
    this.close(known.session)
  }

  /** A picture or video of an episode in progress. */
  media(hash: string): { bytes: Uint8Array; type: string } | undefined {
    for (const session of this.#all) {
      const found = session.media(hash)
      if (found) return found
    }
    return undefined
  }

  /** Resolves when nothing of them is left. */
  async closeAll(): Promise<void> {
    for (const id of this.#named.keys()) this.end(id)
    for (const session of this.#all) this.close(session)
    await Promise.all(this.#closing)
  }
}
