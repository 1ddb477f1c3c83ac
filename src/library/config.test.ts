import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { compass } from '../../test/support/compass.ts'
import { startHostileServer } from '../../test/support/models/hostile-server.ts'
import { loadSettings } from './config.ts'
import { run } from './run.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-config-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('accepts nested model options, which are sent as they are', async () => {
  const file = join(folder, 'config.json')
  const options = { chat_template_kwargs: { enable_thinking: false, tools: [{ name: 'a' }] }, top_k: 20 }
  await writeFile(file, JSON.stringify({ models: { ours: { model: 'vllm/x', options } } }))
  const { models } = await loadSettings(file)
  const server = await startHostileServer({ do: 'reply', text: 'south' })
  try {
    const modelOptions = { ...models?.['ours']?.options, base_url: server.origin }
    await run(compass, { model: 'vllm/x', store: folder, limit: 1, threads: 0, modelOptions })
  } finally {
    await server.close()
  }
  expect(server.requests[0]!.body).toMatchObject(options)
})

it('refuses a secret in nested options, whatever the model', async () => {
  const modelOptions = { chat_template_kwargs: { gateway: { api_key: 'sk-1' } } }
  await expect(run(compass, { model: 'baseline/random', store: folder, modelOptions })).rejects.toThrow(
    '-M api_key=… is not allowed',
  )
})

it('writes no secret of a header to disk, even if the server repeats it', async () => {
  vi.stubEnv('OUR_GATEWAY', 'gw-very-secret-0123')
  const server = await startHostileServer({ do: 'echo-headers', status: 400 })
  try {
    const modelOptions = { base_url: server.origin, 'header.X-Gateway-Key': '$OUR_GATEWAY' }
    const how = { store: folder, limit: 1, threads: 0, maxRetries: 0, failFast: false, modelOptions }
    const { report } = await run(compass, { model: 'vllm/x', ...how })
    expect(server.requests[0]!.headers['x-gateway-key']).toBe('gw-very-secret-0123')
    expect(JSON.stringify(report)).not.toContain('gw-very-secret-0123')
  } finally {
    await server.close()
  }
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  )
  expect(texts.join('\n')).toContain('$OUR_GATEWAY')
  expect(texts.join('\n')).not.toContain('gw-very-secret-0123')
})
