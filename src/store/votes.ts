/**
 * Votes of people, in `votes/` of the store: a folder per ballot with `ballot.json`, which never changes, and one
 * append-only file per person.
 */
import { constants } from 'node:fs'
import { appendFile, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { codeOf, UserError } from '../base/errors.ts'
import { readRegularText } from '../base/regular-file.ts'
import { makeFolder, statIfExists, withDiskErrors, writeAtomically } from './disk.ts'

const BALLOT_FILE = 'ballot.json'
const BALLOT_ID = /^votes-[0-9a-f]{12}$/
const RATER_FILE = /^rater-([0-9a-f]+)\.jsonl$/
const MAX_BALLOT_BYTES = 64 * 1024 * 1024
const MAX_VOTES_BYTES = 64 * 1024 * 1024

/** A link in a store from others must not lead elsewhere. Windows has no such flag. */
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

const video = z.object({
  run: z.string(),
  media: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), type: z.string().max(100) }),
})
const question = z.object({ key: z.string(), dimension: z.string(), prompt: z.string(), a: video, b: video })
const ballotSchema = z.object({
  version: z.literal(1),
  id: z.string().regex(BALLOT_ID),
  suite: z.string(),
  created: z.string(),
  seed: z.number().int(),
  runs: z.array(z.object({ id: z.string(), player: z.string() })).min(2),
  questions: z.array(question),
})
export type Ballot = z.infer<typeof ballotSchema>
export type BallotQuestion = z.infer<typeof question>

const voteSchema = z.union([
  z.object({ key: z.string(), choice: z.enum(['a', 'b', 'tie', 'skip']), at: z.string() }),
  z.object({ undo: z.string(), at: z.string() }),
])
/** A line of a person's file: a vote, or the withdrawal of one. */
export type VoteLine = z.infer<typeof voteSchema>

export class VoteStore {
  readonly #dir: string

  constructor(storeDir: string) {
    this.#dir = join(storeDir, 'votes')
  }

  async ids(): Promise<string[]> {
    const names = await readdir(this.#dir).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    return names.filter((name) => BALLOT_ID.test(name)).sort((a, b) => a.localeCompare(b))
  }

  /** Keeps a ballot; one of the same id stays as it is. */
  async create(ballot: Ballot): Promise<void> {
    const path = this.#path(ballot.id, BALLOT_FILE)
    if (await statIfExists(path)) return
    await makeFolder(dirname(path))
    await writeAtomically(path, `${JSON.stringify(ballot, null, 1)}\n`)
  }

  async ballot(id: string): Promise<Ballot> {
    const path = this.#path(id, BALLOT_FILE)
    const text = await readRegularText(path, MAX_BALLOT_BYTES).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw new UserError(`There is no ballot ${id} in the store.`)
      throw error
    })
    const read = ballotSchema.safeParse(tryJson(text))
    if (!read.success) throw new UserError(`${path} is not a ballot.`, { hint: 'Restore it from a backup.' })
    return read.data
  }

  async raters(id: string): Promise<string[]> {
    const names = await readdir(this.#path(id, '.'))
    return names
      .flatMap((name) => RATER_FILE.exec(name)?.[1] ?? [])
      .map((hex) => Buffer.from(hex, 'hex').toString('utf8'))
      .sort((a, b) => a.localeCompare(b))
  }

  /** Lines in order. A line that was not written to its end does not count. */
  async votes(id: string, rater: string): Promise<VoteLine[]> {
    const text = await readRegularText(this.#raterPath(id, rater), MAX_VOTES_BYTES).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return ''
      throw error
    })
    return text.split('\n').flatMap((line) => voteSchema.safeParse(tryJson(line)).data ?? [])
  }

  /** Returns when the vote is on disk. */
  async add(id: string, rater: string, line: VoteLine): Promise<void> {
    const path = this.#raterPath(id, rater)
    // Begins a line of its own, whatever a crash left behind.
    await withDiskErrors(path, () => appendFile(path, `\n${JSON.stringify(line)}\n`, { flag: APPEND, flush: true }))
  }

  #raterPath(id: string, rater: string): string {
    return this.#path(id, `rater-${Buffer.from(rater, 'utf8').toString('hex')}.jsonl`)
  }

  #path(id: string, file: string): string {
    if (!BALLOT_ID.test(id))
      throw new UserError(`"${id}" is not the id of a ballot.`, { hint: 'Ids look like votes-0123456789ab.' })
    return join(this.#dir, id, file)
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
