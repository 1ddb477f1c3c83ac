/** The servers of one model: which of them gets a request, and which are left out because they do not answer. */
import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Limiter } from '../limiter.ts'
import { mediaIn, type Message } from '../types.ts'
import type { Wire } from './wire.ts'

export interface Server {
  /** Base URL, without credentials. */
  readonly url: string
  readonly wire: Wire
  readonly limiter: Limiter
}

/** A server that does not answer gets a request again after this time, and after twice as long each further time. */
const FIRST_PAUSE_MS = 5000
const MAX_PAUSE_MS = 60_000

/** Requests in a row without an answer in time after which a server is left out. */
const MAX_TIMEOUTS = 2

interface State {
  /** It has answered, if only with an error, or taken a request. */
  contacted: boolean
  /** Requests in a row that it took and did not answer in time. */
  timeouts: number
  /** Times in a row that it did not answer. */
  silences: number
  outUntil: number
}

export class Servers {
  readonly #states: ReadonlyMap<Server, State>
  readonly #clock: Clock
  readonly #log: (line: string) => void

  constructor(servers: readonly Server[], clock: Clock, log: (line: string) => void) {
    this.#states = new Map(
      servers.map((server) => [server, { contacted: false, timeouts: 0, silences: 0, outUntil: 0 }]),
    )
    this.#clock = clock
    this.#log = log
  }

  get all(): readonly Server[] {
    return [...this.#states.keys()]
  }

  /** Those that are not left out; all of them if none would be left. */
  get answering(): readonly Server[] {
    const now = this.#clock.now()
    const left = this.all.filter((server) => this.#of(server).outUntil <= now)
    return left.length > 0 ? left : this.all
  }

  get contacted(): boolean {
    return [...this.#states.values()].some(({ contacted }) => contacted)
  }

  /**
   * The server for a request. Requests that start with the same media go to the same one, whose caches know them, unless it
   * has no free connection and another one has.
   * @param tried servers that have failed this request; they come last
   */
  pick(messages: readonly Message[], tried: ReadonlySet<Server>): Server {
    const answering = this.answering
    if (answering.length === 1) return answering[0]!
    const fresh = answering.filter((server) => !tried.has(server))
    const candidates = fresh.length > 0 ? fresh : answering
    // The caches of a server are keyed by what a request starts with.
    const shared = mediaIn(messages)[0]?.sha256
    const ranked = candidates
      .map((server) => ({ server, rank: shared === undefined ? 0 : rankOf(shared, server.url) }))
      .sort((a, b) => b.rank - a.rank || loadOf(a.server) - loadOf(b.server))
      .map(({ server }) => server)
    return ranked.find((server) => loadOf(server) < 1) ?? ranked.reduce((a, b) => (loadOf(b) < loadOf(a) ? b : a))
  }

  answered(server: Server): void {
    const state = this.#of(server)
    state.contacted = true
    if (state.silences > 0 && this.all.length > 1) this.#log(`${server.url} answers again.`)
    state.timeouts = 0
    state.silences = 0
    state.outUntil = 0
  }

  /**
   * It could not be reached, or did not answer in time. Returns whether another one can have the request.
   *
   * @param why without a full stop
   */
  silent(server: Server, kind: string, why: string): boolean {
    const state = this.#of(server)
    if (kind === 'timeout') {
      state.contacted = true
      state.timeouts += 1
    }
    if (this.all.length === 1) return false
    // One long reply says nothing about the server.
    if (kind === 'timeout' && state.timeouts < MAX_TIMEOUTS) return false
    const isNew = state.silences === 0
    // Requests that were in flight when it went silent are one silence.
    if (state.outUntil <= this.#clock.now()) {
      state.outUntil = this.#clock.now() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** state.silences)
      state.silences += 1
    }
    const others = this.all.filter((each) => this.#of(each).outUntil <= this.#clock.now())
    if (isNew) {
      const rest = others.length === 0 ? 'no other server is left' : `${others.length} of ${this.all.length} go on`
      this.#log(`${server.url} does not answer (${why}) and is left out; ${rest}.`)
    }
    return others.length > 0
  }

  #of(server: Server): State {
    return this.#states.get(server)!
  }
}

/** 1 and more: requests would wait. */
function loadOf({ limiter }: Server): number {
  return (limiter.inFlight + limiter.waiting) / limiter.limit
}

/** The highest rank wins: if a server leaves, only its own requests move. */
function rankOf(shared: string, url: string): number {
  return createHash('sha256').update(`${shared} ${url}`).digest().readUInt32BE()
}
