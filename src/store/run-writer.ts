import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { AppendLog } from './append-log.ts'
import { explained, syncFolder, writeAtomically } from './disk.ts'
import { episodeKey, readJournal } from './journal.ts'
import { takeLock } from './lock.ts'
import type { Lock } from './lock.ts'
import { Ledger } from './ledger.ts'
import type { EpisodeLine, RunHeader, RunState, Usage } from './records.ts'
import { EPISODES_FILE, EVENTS_FILE, LEDGER_FILE, STATE_FILE, writeHeader } from './run-files.ts'
import { episodeProblem } from './schemas.ts'
import type { StateFile } from './schemas.ts'

/** Characters of events that go into one write at most: bounds memory when many long episodes end together. */
const MAX_BATCH_LENGTH = 16 * 1024 * 1024

/** The one process that may add to a run. */
export interface RunWriter {
  readonly header: RunHeader
  /** What was finished when the run was opened, by `case#epoch`; the last line wins. Does not grow with `append`. */
  readonly finished: ReadonlyMap<string, EpisodeLine>
  /**
   * Appends the episode's events (JSON, one a string) and then its line; resolves once both are on disk. What is
   * appended while a sync is under way shares the next one.
   */
  append(line: Omit<EpisodeLine, 'events'>, events: readonly string[]): Promise<EpisodeLine>
  /** Writes `run.json` again: what is measured and with what has changed. */
  describe(header: RunHeader): Promise<void>
  /** What earlier starts of this run have paid for. */
  readonly paidBefore: Usage
  /** Notes that a reply was paid for. */
  pay(usage: Usage): void
  setStatus(status: { state: RunState; reason: string | null }): Promise<void>
  /** Waits for what was appended and lets others write. A run that is still `running` then counts as interrupted. */
  close(): Promise<void>
}

interface Pending {
  line: Omit<EpisodeLine, 'events'>
  events: string
  resolve: (line: EpisodeLine) => void
  reject: (error: unknown) => void
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
  #queue: Pending[] = []
  #committing: Promise<void> | undefined
  #stateWrites: Promise<void> = Promise.resolve()
  #state: { state: RunState; reason: string | null } = { state: 'running', reason: null }
  #finishedCount: number
  #stateBytes = -1
  #closing: Promise<void> | undefined

  constructor(
    folder: string,
    header: RunHeader,
    finished: ReadonlyMap<string, EpisodeLine>,
    logs: RunLogs,
    lock: Lock,
    ledger: Ledger,
  ) {
    this.#folder = folder
    this.header = header
    this.finished = finished
    this.#finishedCount = finished.size
    this.#logs = logs
    this.#lock = lock
    this.#ledger = ledger
  }

  get paidBefore(): Usage {
    return this.#ledger.before
  }

  pay(usage: Usage): void {
    this.#ledger.add(usage)
  }

  async describe(header: RunHeader): Promise<void> {
    await writeHeader(this.#folder, header)
    this.header = header
  }

  async append(line: Omit<EpisodeLine, 'events'>, events: readonly string[]): Promise<EpisodeLine> {
    if (this.#closing) throw new Error('The run is closed; nothing can be appended.')
    // What could not be read back must not get in: JSON turns NaN into null, and a line end would split an event.
    const problem = episodeProblem(line, false)
    if (problem !== null) throw new TypeError(`Episode ${episodeKey(line)} cannot be recorded: ${problem}.`)
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, events: joinEvents(events), resolve, reject })
      this.#committing ??= this.#commitAll()
    })
  }

  async #commitAll(): Promise<void> {
    // A moment for others that end in the same turn, so that they share a sync.
    await Promise.resolve()
    while (this.#queue.length > 0) await this.#commit(this.#nextBatch())
    this.#committing = undefined
  }

  #nextBatch(): Pending[] {
    let characters = 0
    let count = 0
    while (count < this.#queue.length && (count === 0 || characters < MAX_BATCH_LENGTH)) {
      characters += this.#queue[count]!.events.length
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  /** Events first, synced, then the lines that point to them: a line on disk always has its events on disk. */
  async #commit(batch: readonly Pending[]): Promise<void> {
    const { episodes, events } = this.#logs
    const eventsStart = events.size
    try {
      let offset = eventsStart
      const lines = batch.map(({ line, events: text }): EpisodeLine => {
        const length = Buffer.byteLength(text)
        offset += length
        return { ...line, events: [offset - length, length] }
      })
      if (offset > eventsStart) await events.append(Buffer.from(batch.map((pending) => pending.events).join('')))
      try {
        await episodes.append(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
      } catch (error) {
        // Lines that could not be taken back may be found by the next process: their events must be there then.
        if (!episodes.hasLeftovers) await events.cutBack(eventsStart)
        throw error
      }
      for (const [i, line] of lines.entries()) {
        if (!this.finished.has(episodeKey(line))) this.#finishedCount += 1
        batch[i]!.resolve(line)
      }
    } catch (error) {
      for (const pending of batch) pending.reject(error)
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
    }
    const path = join(this.#folder, STATE_FILE)
    await explained(path, () => writeAtomically(path, `${JSON.stringify(file, null, 2)}\n`))
    this.#stateBytes = journalBytes
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#committing
    await this.#stateWrites
    // Only spares `listRuns` some counting, so a full disk is no reason to fail here.
    if (this.#stateBytes !== this.#logs.episodes.size) await this.#writeState().catch(() => {})
    await Promise.all([this.#logs.episodes.close(), this.#logs.events.close(), this.#ledger.close()])
    await this.#lock.release()
  }
}

function joinEvents(events: readonly string[]): string {
  let text = ''
  for (const event of events) {
    const line = event.endsWith('\n') ? event.slice(0, -1) : event
    if (line.includes('\n')) throw new TypeError('An event must be one line of JSON.')
    text += `${line}\n`
  }
  return text
}

/** Opens the journal of a run's folder for writing: takes the lock, cuts off what is torn, reads what is finished. */
export async function openForWriting(folder: string, header: RunHeader): Promise<RunWriter> {
  const opened: { close(): Promise<void> }[] = []
  const lock = await explained(folder, () => takeLock(folder))
  try {
    const episodesPath = join(folder, EPISODES_FILE)
    const journal = await readJournal(episodesPath)
    const events = await openLog(join(folder, EVENTS_FILE))
    opened.push(events.file)
    const episodes = await openLog(episodesPath)
    opened.push(episodes.file)
    if (journal.eventsEnd > events.size) {
      throw new UserError(
        `Line ${journal.eventsEndLine} of ${episodesPath} points to byte ${journal.eventsEnd} of ${EVENTS_FILE}, ` +
          `which has only ${events.size}.`,
        { hint: `Nothing was changed. Bring ${EVENTS_FILE} back from a copy, or start a new run.` },
      )
    }
    await explained(episodesPath, async () => {
      await events.file.truncate(journal.eventsEnd)
      await episodes.file.truncate(journal.completeBytes)
      if (journal.lacksLineEnd) await episodes.file.write('\n', journal.completeBytes)
      await Promise.all([events.file.datasync(), episodes.file.datasync()])
      await syncFolder(folder)
    })
    const logs: RunLogs = {
      episodes: new AppendLog(episodesPath, episodes.file, journal.completeBytes + (journal.lacksLineEnd ? 1 : 0)),
      events: new AppendLog(events.path, events.file, journal.eventsEnd),
    }
    const ledger = await Ledger.open(join(folder, LEDGER_FILE))
    const writer = new JournalWriter(folder, header, journal.episodes, logs, lock, ledger)
    await writer.setStatus({ state: 'running', reason: null })
    return writer
  } catch (error) {
    await Promise.allSettled([...opened.map((file) => file.close()), lock.release()])
    throw error
  }
}

async function openLog(path: string): Promise<{ path: string; file: FileHandle; size: number }> {
  return explained(path, async () => {
    // 'a' would ignore positions and 'r+' needs the file: make it, then open it.
    await (await open(path, 'a')).close()
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    return { path, file, size }
  })
}
