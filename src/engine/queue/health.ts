/**
 * Whether the server of a queue does what it is asked. A server that is unreachable, full or read-only is asked again, so
 * coordinators and workers recover on their own; as long as it does not work, no model is asked.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf, messageOf, trimFullStop, UserError } from '../../base/errors.ts'
import type { QueueAddress } from './address.ts'

const MAX_RETRY_DELAY_MS = 2000

/** The queue cannot be used. Its data stays where it is, so the run can be resumed. */
export class QueueFault extends UserError {}

export interface HealthSettings {
  /** How long refused work is retried; work that fails for good is retried only if this is infinite. Default: 0. */
  patienceMs?: number
  /** Called when the queue stops working, with the reason, and when it works again, with null. */
  onChange?(trouble: string | null): void
}

interface Fault {
  kind: 'unreachable' | 'refused' | 'broken'
  hint: string
}

export class QueueHealth {
  readonly #address: QueueAddress
  readonly #settings: HealthSettings
  readonly #closed = new AbortController()
  #stuck = 0
  #trouble: string | null = null
  #givenUp = false

  constructor(address: QueueAddress, settings: HealthSettings) {
    this.#address = address
    this.#settings = settings
  }

  /** Why the queue does not work right now; null while it does. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Does idempotent work, again and again if the server cannot do it yet. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let refusedAt: number | null = null
    let isStuck = false
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await work()
        } catch (error) {
          const fault = faultOf(error)
          if (!fault || this.#closed.signal.aborted) throw error
          if (fault.kind !== 'unreachable') refusedAt ??= performance.now()
          if (this.#isOver(fault, refusedAt)) throw this.#sentence(error, fault)
          if (!isStuck) this.#stuck += 1
          isStuck = true
          this.#change(trimFullStop(this.#address.redact(messageOf(error))))
          await this.#wait(Math.min(MAX_RETRY_DELAY_MS, 50 * 2 ** Math.min(attempt, 6)))
        }
      }
    } finally {
      if (isStuck) this.#stuck -= 1
      if (isStuck && this.#stuck === 0) this.#change(null)
    }
  }

  /** Work that the server cannot do fails from now on instead of being retried. */
  giveUp(): void {
    this.#givenUp = true
  }

  close(): void {
    this.#closed.abort()
  }

  #isOver({ kind }: Fault, refusedAt: number | null): boolean {
    if (this.#givenUp) return true
    const { patienceMs = 0 } = this.#settings
    if (kind === 'unreachable') return false
    if (kind === 'broken' && patienceMs !== Infinity) return true
    return performance.now() - (refusedAt ?? 0) >= patienceMs
  }

  #sentence(error: unknown, { hint }: Fault): QueueFault {
    const why = trimFullStop(this.#address.redact(messageOf(error)))
    return new QueueFault(`The queue at ${this.#address.shown} does not work: ${why}.`, { hint, cause: error })
  }

  #change(trouble: string | null): void {
    const wasWorking = this.#trouble === null
    this.#trouble = trouble
    if (wasWorking !== (trouble === null)) this.#settings.onChange?.(trouble)
  }

  async #wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#closed.signal }).catch(() => undefined)
  }
}

export function describeTrouble(trouble: string | null): string {
  return trouble === null
    ? 'The queue works again.'
    : `The queue does not work: ${trouble}. Nothing is asked until it works again.`
}

/** Every call of `target` through `health`. */
export function retried<T extends object>(target: T, health: QueueHealth): T {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function' || name === 'close')
        return typeof member === 'function' ? member.bind(target) : member
      return (...args: unknown[]) => health.run(() => Reflect.apply(member, target, args) as Promise<unknown>)
    },
  })
}

/** Temporary by nature: full, read-only, replicating, loading. */
const REDIS_REFUSES = /^(OOM|EXECABORT|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|LOADING|BUSY|TRYAGAIN)\b/
const REDIS_LOGIN = /\b(NOAUTH|WRONGPASS|NOPERM)\b/
/** Read-only, out of resources, canceled, deadlock, lock not available, disk error, a table dropped at this moment. */
const POSTGRES_REFUSES = /^(25006|53|57014|40|55P03|58|XX000)/
const POSTGRES_LOGIN = /^(28|42501)/
/** PostgreSQL classes 08 and 57P0x: connection lost, server starting or stopping. */
const UNREACHABLE = /^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/
const CONNECTION_LOST =
  /Connection terminated|timeout (expired|exceeded)|Query read timeout|aborted due to connection close|Connection is closed/i

const HINTS = {
  memory: 'Raise its maxmemory, or use fewer workers. Then resume the run.',
  writes: 'Make it writable again. Then resume the run.',
  login:
    'Set the right user and password (SIGHTLINE_QUEUE_PASSWORD), or grant the role what it needs. Then resume the run.',
  data: 'Its data was changed by something else. Check it with `sightline doctor --queue`, then resume the run.',
}

/** Null for errors that are not about the server. */
function faultOf(error: unknown): Fault | null {
  const code = codeOf(error) ?? ''
  const message = messageOf(error)
  if (UNREACHABLE.test(code) || CONNECTION_LOST.test(message)) return { kind: 'unreachable', hint: HINTS.writes }
  if (REDIS_LOGIN.test(message) || POSTGRES_LOGIN.test(code)) return { kind: 'broken', hint: HINTS.login }
  if (error instanceof Error && error.name === 'ReplyError') {
    if (message.startsWith('OOM')) return { kind: 'refused', hint: HINTS.memory }
    return REDIS_REFUSES.test(message) ? { kind: 'refused', hint: HINTS.writes } : { kind: 'broken', hint: HINTS.data }
  }
  const isPostgres = error instanceof Error && 'severity' in error && /^[0-9A-Z]{5}$/.test(code)
  // BullMQ raises its own errors, such as a job that is gone, with codes that start with BM.
  if (!isPostgres || code.startsWith('BM')) return null
  return POSTGRES_REFUSES.test(code) ? { kind: 'refused', hint: HINTS.writes } : { kind: 'broken', hint: HINTS.data }
}
