import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { knownAddresses, rememberAddresses } from './known-addresses.ts'
import { stateFile } from './known-suites.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-addresses-'))
  vi.stubEnv('XDG_STATE_HOME', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

it('remembers addresses and the variables that went there, each once', async () => {
  const gateway = { id: 'openai/gpt-5.2', address: 'http://gateway/v1' }
  await rememberAddresses([{ ...gateway, variables: [] }])
  await rememberAddresses([{ ...gateway, variables: ['TOKEN', 'TEAM'] }])
  await rememberAddresses([{ ...gateway, variables: ['TEAM'] }])
  await rememberAddresses([
    { id: 'generator/http://videos/v1/videos', address: 'http videos/v1/videos', variables: [] },
    { id: 'baseline/random', address: null, variables: [] },
  ])
  expect(await knownAddresses()).toEqual([
    { provider: 'openai', url: 'http://gateway/v1', variables: [] },
    { provider: 'openai', url: 'http://gateway/v1', variables: ['TOKEN', 'TEAM'] },
    { provider: 'generator', url: 'http://videos/v1/videos', variables: [] },
  ])
})

it('reads a file from before, and skips what is not an address', async () => {
  await rememberAddresses([{ id: 'vllm/q', address: 'http://gpu/v1', variables: [] }])
  await appendFile(stateFile('base-urls'), 'nonsense\n\nvllm not-a-url TOKEN\n')
  expect(await knownAddresses()).toEqual([{ provider: 'vllm', url: 'http://gpu/v1', variables: [] }])
})
