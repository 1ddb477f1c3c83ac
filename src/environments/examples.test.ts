/** The trainings of `examples/train`, a minute of each on the CPU, where PyTorch is installed. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import bearings from '../../examples/bearings.ts'
import { Environment } from './environment.ts'
import { serveEnvironments } from './server.ts'
import { builtinSuite } from '../suites/index.ts'
import { makeData } from '../training/make.ts'

const run = promisify(execFile)
const here = join(import.meta.dirname, '../../examples/train')
const hasTorch = (python: string): boolean =>
  spawnSync(python, ['-c', 'import importlib.util as u, sys; sys.exit(u.find_spec("torch") is None)']).status === 0
const python = ['python3', '/usr/bin/python3'].find(hasTorch)
const title = python === undefined ? 'the trainings (skipped: PyTorch is not installed)' : 'the trainings'

describe.skipIf(python === undefined)(title, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-trainings-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('reinforcement learns which way one turn leads', async () => {
    const environment = await Environment.open({ suite: bearings, options: { turns: 1 } })
    const limits = { maxSessions: 100, idleMs: 60_000, version: '0', onFault: console.error }
    const server = await serveEnvironments({ environments: [environment], host: '127.0.0.1', port: 0, ...limits })
    const csv = join(folder, 'rewards.csv')
    const script = [join(here, 'reinforce.py'), server.url, '--episodes', '1600', '--batch', '32', '--output', csv]
    try {
      await run(python!, script)
    } finally {
      await server.close()
    }
    const rewards = (await readFile(csv, 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[1]))
    const mean = (part: readonly number[]): number => part.reduce((sum, reward) => sum + reward, 0) / part.length
    expect(mean(rewards.slice(0, 5))).toBeLessThan(0.5)
    expect(mean(rewards.slice(-5))).toBeGreaterThan(0.8)
  })

  it('seeing is trained on pictures, and answers as a model does', async () => {
    const data = join(folder, 'data')
    await makeData({
      suite: await builtinSuite('vsi/video'),
      loadFrom: null,
      options: { size: '192x144', unanswerable: 'ask', types: 'room_size_estimation' },
      source: 'builtin:look=plain',
      player: 'baseline/oracle',
      rejected: null,
      examples: 2,
      isBalanced: false,
      reasons: false,
      images: { type: 'jpeg', quality: 90, maxSide: 96 },
      format: 'sharegpt',
      folder: data,
      version: '1.0',
      signal: new AbortController().signal,
      onProgress: () => {},
      threads: 1,
    })
    const weights = join(folder, 'seeing.pt')
    const small = ['--scenes', '2', '--warmup', '8', '--width', '64', '--layers', '1']
    const { stdout } = await run(python!, [join(here, 'see.py'), data, '--seconds', '5', ...small, '--output', weights])
    expect(stdout).toMatch(/^2 questions about 2 scenes/)
    const [row] = JSON.parse(await readFile(join(data, 'train-00000.json'), 'utf8')) as [Row]
    const pictures = await Promise.all(row.images.map((path) => readFile(join(data, path), 'base64')))
    const content = [
      ...pictures.map((bytes) => ({ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${bytes}` } })),
      { type: 'text', text: row.conversations[0]!.value.replaceAll('<image>\n', '') },
    ]
    const endpoint = spawn(python!, ['-u', join(here, 'serve_seeing.py'), weights, '--port', '0'])
    onTestFinished(() => void endpoint.kill())
    const body = JSON.stringify({ model: 'seeing', messages: [{ role: 'user', content }] })
    const response = await fetch(`${await addressOf(endpoint)}/chat/completions`, { method: 'POST', body })
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    expect(JSON.parse(choices[0]!.message.content)).toEqual({ reasoning: '', answer: expect.any(Number) })
  })
})

interface Row {
  images: string[]
  conversations: { value: string }[]
}

/** The address that a server prints when it listens. */
function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    stdout!.on('data', (text: Buffer) => {
      said += text.toString()
      const [address] = /http:\S+/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
    stderr!.on('data', (text: Buffer) => (said += text.toString()))
    stdout!.on('close', () => reject(new Error(said)))
  })
}
