/** Somebody sends a run that is meant to draw keys and passwords out of the person who resumes it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { type HostileServer, startHostileServer } from '../../test/support/models/hostile-server.ts'
import { resume, run } from './run.ts'

const KEY = 'a-key-that-stays-here'
let folder: string
let server: HostileServer
/** Requests before the run was sent. */
let ofAuthor = 0
const ofVictim = () => server.requests.slice(ofAuthor)
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-sent-'))
  server = await startHostileServer({ do: 'reply', text: 'south' })
  vi.stubEnv('VLLM_API_KEY', KEY)
  vi.stubEnv('BACKUP_PASSWORD', KEY)
  vi.stubEnv('SIGHTLINE_QUEUE_PASSWORD', KEY)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
  await rm(folder, { recursive: true })
})

/** A run with everything left to play, as its author made it. */
async function sentRun(modelOptions: Record<string, unknown>): Promise<string> {
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'author'))
  const { id } = await run(compass, {
    model: 'vllm/x',
    store: folder,
    source: 'builtin:samples=2',
    modelOptions,
    threads: 0,
  })
  await writeFile(join(folder, 'runs', id, 'episodes.jsonl'), '')
  await rm(join(folder, 'replies'), { recursive: true })
  ofAuthor = server.requests.length
  return id
}

const victims = (id: string, more: Parameters<typeof resume>[1] = {}) => {
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'victim'))
  return resume(id, { store: folder, suites: [compass], threads: 0, ...more })
}

it('does not get the key at its address, unless its user allows it', async () => {
  const url = `${server.origin}/v1`
  const id = await sentRun({ base_url: url })
  await expect(victims(id)).rejects.toThrow(`at ${url}, an address that nobody on this machine has named`)
  expect(ofVictim()).toEqual([])

  expect(await victims(id, { allowBaseUrl: [url] })).toMatchObject({ state: 'done' })
  expect(ofVictim()[0]!.headers['authorization']).toBe(`Bearer ${KEY}`)
})

it('cannot name variables of the environment for its headers', async () => {
  vi.stubEnv('VLLM_BASE_URL', `${server.origin}/v1`)
  const id = await sentRun({ 'header.X-Note': '$BACKUP_PASSWORD' })
  await expect(victims(id)).rejects.toThrow('would send the environment variable BACKUP_PASSWORD to')
  expect(ofVictim()).toEqual([])

  // On the machine that started it, it is resumed as before.
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'author'))
  const again = await resume(id, { store: folder, suites: [compass], threads: 0 })
  expect(again).toMatchObject({ state: 'done' })
  expect(ofVictim()[0]!.headers['x-note']).toBe(KEY)
})

it('does not get the password of a queue', async () => {
  vi.stubEnv('VLLM_BASE_URL', `${server.origin}/v1`)
  const id = await sentRun({})
  let connections = 0
  const attacker: Server = createServer(() => (connections += 1))
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve))
  const { port } = attacker.address() as { port: number }
  const queue = `redis://127.0.0.1:${port}/0`
  await writeFile(join(folder, 'runs', id, 'queue.json'), JSON.stringify({ on: queue }))
  try {
    await expect(victims(id)).rejects.toThrow(`was played on ${queue}, a queue that nobody on this machine has named`)
    expect(connections).toBe(0)
    expect(await victims(id, { queue: 'here' })).toMatchObject({ state: 'done' })
  } finally {
    attacker.close()
  }
})
