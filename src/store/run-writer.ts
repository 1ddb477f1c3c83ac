import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { type AppendLog, openLog } from './append-log.ts'
import { withDiskErrors, statIfExists, syncFolder, writeAtomically } from './disk.ts'
import { checkEvidence, eventsHash, hasKnownEvents } from './evidence.ts'
import { episodeKey, type Journal, readJournal } from './journal.ts'
import { takeLock } from './lock.ts'
import type { Lock } from './lock.ts'
import { Ledger, type Receipt } from './ledger.ts'
import type { EpisodeLine, RunHeader, RunState, Usage } from './records.ts'
import { EPISODES_FILE, EVENTS_FILE, LEDGER_FILE, STATE_FILE, writeHeader } from './run-files.ts'
import { episodeProblem } from './schemas.ts'
import type { StateFile } from './schemas.ts'

/** Maximum characters of events per write, to bound memory when many long episodes finish together. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024

/** What the writer adds is where the events are. */
type NewLine = Omit<EpisodeLine, 'events' | 'hash'>

/** Writes a run. Only one process can have it open. */
export interface RunWriter {
  readonly header: RunHeader
  /** Episodes that were finished when the run was opened, by `sample#epoch`. `append` does not change it. */
  readonly finished: ReadonlyMap<string, EpisodeLine>
  /**
   * Appends the events of an episode (one JSON string each), then its line. Resolves when both are on disk. Episodes
   * appended during a sync share the next one.
   */
  append(line: NewLine, events: readonly string[]): Promise<void>
  /** Replaces `run.json`, after measuring with other instruments or options. */
  rewriteHeader(header: RunHeader): Promise<void>
  /** Usage paid for by earlier processes of this run. */
  readonly paidBefore: Usage
  /** Records that a request is about to be sent, with its estimated cost. Resolves when that is on disk. */
  intendPayment(estimate: Usage, batched?: string): Promise<Receipt>
  /** As of `Ledger`. */
  takeBatchedPayment(key: string): Usage | null
  /** Records a payment of a worker, which recorded its intent on the queue. */
  recordPayment(usage: Usage): Promise<void>
  setStatus(status: { state: RunState; reason: string | null }): Promise<void>
  /** Waits for pending writes and releases the lock. A run that is still `running` then counts as interrupted. */
  close(): Promise<void>
}

/** Episodes that are written together. */
class Batch {
  readonly episodes: { line: NewLine; events: string }[] = []
  characters = 0
  written!: () => void
  failed!: (error: unknown) => void
  /** Resolves when all are on disk. */
  readonly whenWritten = new Promise<void>((resolve, reject) => {
    this.written = resolve
    this.failed = reject
  })
}

export interface RunLogs {
  episodes: AppendLog
  events: AppendLog
}

export class JournalWriter implements RunWriter {
  header: RunHeader
  readonly finished: ReadonlyMap<string, EpisodeLine>
  readonly #folder: string
  readonly #logs: RunLogs
  readonly #lock: Lock
  readonly #ledger: Ledger
  readonly #queue: Batch[] = []
  #committing: Promise<void> | undefined
  #stateWrites: Promise<void> = Promise.resolve()
  #state: { state: RunState; reason: string | null } = { state: 'running', reason: null }
  #finishedCount: number
  #stateBytes = -1
  readonly #isIntact: boolean
  #closing: Promise<void> | undefined

  constructor(
    folder: string,
    header: RunHeader,
    finished: ReadonlyMap<string, EpisodeLine>,
    logs: RunLogs,
    lock: Lock,
    ledger: Ledger,
    isIntact: boolean,
  ) {
    this.#folder = folder
    this.header = header
    this.finished = finished
    this.#finishedCount = finished.size
    this.#logs = logs
    this.#lock = lock
    this.#ledger = ledger
    this.#isIntact = isIntact
  }

  get paidBefore(): Usage {
    return this.#ledger.before
  }

  intendPayment(estimate: Usage, batched?: string): Promise<Receipt> {
    return this.#ledger.intend(estimate, batched)
  }

  takeBatchedPayment(key: string): Usage | null {
    return this.#ledger.takeBatched(key)
  }

  recordPayment(usage: Usage): Promise<void> {
    return this.#ledger.record(usage)
  }

  async rewriteHeader(header: RunHeader): Promise<void> {
    await writeHeader(this.#folder, header)
    this.header = header
  }

  append(line: NewLine, events: readonly string[]): Promise<void> {
    if (this.#closing) return Promise.reject(new Error('Cannot append: the run is closed.'))
    // Reject what could not be read back: JSON turns NaN into null, and a newline would split an event.
    const text = joinEvents(events)
    const problem = text === null ? 'an event is not a single line of JSON' : episodeProblem(line, false)
    if (text === null || problem !== null) {
      return Promise.reject(new TypeError(`Cannot record episode ${episodeKey(line)}: ${problem}.`))
    }
    let batch = this.#queue.at(-1)
    if (!batch || batch.characters >= MAX_BATCH_LENGTH) this.#queue.push((batch = new Batch()))
    batch.episodes.push({ line, events: text })
    batch.characters += text.length
    this.#committing ??= this.#commitAll()
    return batch.whenWritten
  }

  async #commitAll(): Promise<void> {
    // Wait one tick, so episodes that finish together share a sync.
    await Promise.resolve()
    for (let batch = this.#queue.shift(); batch; batch = this.#queue.shift()) {
      await this.#commit(batch.episodes).then(batch.written, batch.failed)
    }
    this.#committing = undefined
  }

  /** Syncs the events before the lines that point to them, so a line on disk always has its events on disk. */
  async #commit(batch: Batch['episodes']): Promise<void> {
    const { episodes, events } = this.#logs
    const eventsStart = events.size
    await this.#lock.check()
    let offset = eventsStart
    let eventsText = ''
    let linesText = ''
    for (const { line, events: text } of batch) {
      const length = Buffer.byteLength(text)
      linesText += `${JSON.stringify(line).slice(0, -1)},"events":[${offset},${length}],"hash":"${eventsHash(text)}"}\n`
      eventsText += text
      offset += length
    }
    if (offset > eventsStart) await events.append(Buffer.from(eventsText))
    try {
      await episodes.append(Buffer.from(linesText))
    } catch (error) {
      // Lines that could not be removed may be read by the next process, so their events must stay.
      if (!episodes.hasLeftovers) await events.truncateTo(eventsStart)
      throw error
    }
    for (const { line } of batch) {
      if (this.finished.size === 0 || !this.finished.has(episodeKey(line))) this.#finishedCount += 1
    }
  }

  setStatus(status: { state: RunState; reason: string | null }): Promise<void> {
    this.#state = { state: status.state, reason: status.reason }
    const written = this.#stateWrites.then(() => this.#writeState())
    this.#stateWrites = written.catch(() => {})
    return written
  }

  async #writeState(): Promise<void> {
    const journalBytes = this.#logs.episodes.size
    const file: StateFile = {
      ...this.#state,
      updated: new Date().toISOString(),
      pid: this.#state.state === 'running' ? process.pid : null,
      finished: this.#finishedCount,
      journalBytes,
      eventsModified: this.#isIntact ? await this.#logs.events.modified() : null,
    }
    const path = join(this.#folder, STATE_FILE)
    await withDiskErrors(path, () => writeAtomically(path, `${JSON.stringify(file, null, 2)}\n`))
    this.#stateBytes = journalBytes
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#committing
    await this.#stateWrites
    // This only saves `listRuns` some counting, so ignore errors.
    if (this.#stateBytes !== this.#logs.episodes.size) await this.#writeState().catch(() => {})
    await Promise.all([this.#logs.episodes.close(), this.#logs.events.close(), this.#ledger.close()])
    await this.#lock.release()
  }
}

/** Null if one is not a single line. */
function joinEvents(events: readonly string[]): string | null {
  let text = ''
  for (const event of events) {
    const end = event.indexOf('\n')
    if (end !== -1 && end !== event.length - 1) return null
    text += end === -1 ? `${event}\n` : event
  }
  return text
}

/** Opens a run for writing: takes the lock, truncates incomplete ends and reads the finished episodes. */
export async function openForWriting(folder: string, header: RunHeader): Promise<RunWriter> {
  const opened: { close(): Promise<void> }[] = []
  const lock = await withDiskErrors(folder, () => takeLock(folder))
  try {
    const episodesPath = join(folder, EPISODES_FILE)
    const eventsPath = join(folder, EVENTS_FILE)
    const journal = await readJournal(episodesPath)
    await checkEvents(journal, episodesPath, eventsPath)
    const isIntact =
      (await hasKnownEvents(folder)) ||
      (await checkEvidence(eventsPath, journal.episodes.values())).damaged.length === 0
    const events = await openLog(eventsPath, journal.eventsEnd)
    opened.push(events)
    const episodes = await openLog(episodesPath, journal.completeBytes)
    opened.push(episodes)
    if (journal.lacksNewline) await episodes.append(Buffer.from('\n'))
    await withDiskErrors(folder, () => syncFolder(folder))
    const ledger = await Ledger.open(join(folder, LEDGER_FILE), lock)
    const writer = new JournalWriter(folder, header, journal.episodes, { episodes, events }, lock, ledger, isIntact)
    await writer.setStatus({ state: 'running', reason: null })
    return writer
  } catch (error) {
    await Promise.allSettled([...opened.map((file) => file.close()), lock.release()])
    throw error
  }
}

/** What the journal does not point to is cut off when a run is opened, so a damaged pair of files must not be opened. */
async function checkEvents(journal: Journal, episodesPath: string, eventsPath: string): Promise<void> {
  const [episodes, found] = await Promise.all([statIfExists(episodesPath), statIfExists(eventsPath)])
  const events = found?.size ?? 0
  if (!episodes && events > 0) {
    throw new UserError(`${episodesPath} is missing, but ${EVENTS_FILE} next to it has ${events} bytes.`, {
      hint: `Nothing was changed. Restore it from a backup, or delete ${EVENTS_FILE} to play every episode again.`,
    })
  }
  if (journal.eventsEnd > events) {
    throw new UserError(
      `Line ${journal.eventsEndLine} of ${episodesPath} points to byte ${journal.eventsEnd} of ${EVENTS_FILE}, ` +
        `which has only ${events}.`,
      { hint: `Nothing was changed. Restore ${EVENTS_FILE} from a backup, or start a new run.` },
    )
  }
}
