/** The process of `run.ts`: reads damaged files one after the other, and says which before it starts. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MissingAssetError, UserError } from '../../../src/base/errors.ts'
import { Random } from '../../../src/base/random.ts'
import { mutate } from './mutate.ts'
import { type FileReader, READERS } from './readers.ts'

/** `read`: it was read anyway. `refused`: with an error for people. `failed`: with anything else. */
export type Outcome = { kind: 'read' | 'refused' } | { kind: 'failed'; error: string }

export type ChildMessage =
  | { type: 'ready' }
  | { type: 'start'; index: number }
  | { type: 'end'; outcome: Outcome; ms: number; peakMb: number }
  | { type: 'uncaught'; error: string }

/** The damaged file of a number: the same on every machine. */
export function damaged(
  name: string,
  reader: FileReader,
  files: readonly Uint8Array[],
  seed: number,
  index: number,
): Uint8Array {
  return (reader.mutate ?? mutate)(files, new Random(`files/${name}/${seed}/${index}`))
}

export async function outcomeOf(reader: FileReader, bytes: Uint8Array, folder: string): Promise<Outcome> {
  try {
    await reader.read(bytes, folder)
    return { kind: 'read' }
  } catch (error) {
    if (error instanceof UserError || error instanceof MissingAssetError) return { kind: 'refused' }
    return { kind: 'failed', error: textOf(error) }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

if (process.send) {
  const [name = '', seed = '0', from = '0', to = '0'] = process.argv.slice(2)
  const send = (message: ChildMessage): void => void process.send!(message)
  process.on('uncaughtException', (error) => send({ type: 'uncaught', error: textOf(error) }))
  const reader = READERS[name]!
  const files = await reader.seeds()
  const folder = await mkdtemp(join(tmpdir(), 'sightline-fuzz-'))
  send({ type: 'ready' })
  for (let index = Number(from); index < Number(to); index++) {
    const bytes = damaged(name, reader, files, Number(seed), index)
    send({ type: 'start', index })
    const before = process.cpuUsage()
    const outcome = await outcomeOf(reader, bytes, folder)
    const { user, system } = process.cpuUsage(before)
    send({
      type: 'end',
      outcome,
      ms: (user + system) / 1000,
      peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
    })
  }
  await rm(folder, { recursive: true, force: true })
  // Ends the process after the last message is sent.
  process.once('disconnect', () => process.exit())
  process.disconnect()
}
