import { fileURLToPath } from 'node:url'
import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startModelServer } from './chaos/model-server.ts'
import { sightline } from './cli/cli.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sightline-trouble-'))
})
afterEach(() => rm(cwd, { recursive: true }))

const QUICK = ['-T', 'questions=1', '-T', 'tasks=dir', '--limit', '5']

async function playedRun(): Promise<{ id: string; journal: string }> {
  await sightline(['run', 'space/text', '--model', 'baseline/oracle', ...QUICK, '--json'], { cwd })
  const [id] = await readdir(join(cwd, '.sightline/runs'))
  return { id: id!, journal: join(cwd, '.sightline/runs', id!, 'episodes.jsonl') }
}

it('drops a partial last line and replays its episode', async () => {
  const { id, journal } = await playedRun()
  const whole = await readFile(journal, 'utf8')
  await truncate(journal, whole.length - 40)
  const resumed = await sightline(['resume', id, '--json'], { cwd })
  expect(resumed.code).toBe(0)
  expect((await readFile(journal, 'utf8')).split('\n').filter(Boolean)).toHaveLength(5)
})

it('reports the line of a damaged journal and changes nothing', async () => {
  const { id, journal } = await playedRun()
  const lines = (await readFile(journal, 'utf8')).split('\n')
  lines[2] = lines[2]!.slice(0, 30)
  const edited = lines.join('\n')
  await writeFile(journal, edited)
  for (const command of [
    ['report', id],
    ['resume', id],
    ['score', id],
  ]) {
    const { code, stderr } = await sightline(command, { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/line 3 of .*episodes\.jsonl/i)
    expect(stderr.trim().split('\n').length).toBeLessThan(4)
  }
  expect(await readFile(journal, 'utf8')).toBe(edited)
})

it('refuses a second process on the same run', async () => {
  const server = await startModelServer(() => 300)
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const args = [
    'run',
    'space/text',
    '--model',
    'vllm/slow',
    '-M',
    `base_url=${server.url}`,
    ...QUICK,
    '--max-connections',
    '1',
  ]
  const first = spawn(process.execPath, [main, ...args], { cwd, stdio: 'ignore' })
  try {
    await expect.poll(() => server.answered.size, { timeout: 30_000 }).toBeGreaterThan(1)
    const second = await sightline(['resume', 'latest'], { cwd })
    expect(second.code).toBe(2)
    expect(second.stderr).toContain(String(first.pid))
    const other = await sightline(['run', 'space/text', '--model', 'baseline/random', ...QUICK], { cwd })
    expect(other.code).toBe(0)
  } finally {
    first.kill('SIGKILL')
    await server.close()
  }
})

it('exits with 130 on Ctrl-C, and resumes without repeating a request', async () => {
  const server = await startModelServer(() => 60)
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const args = [
    'run',
    'space/text',
    '--model',
    'vllm/m',
    '-M',
    `base_url=${server.url}`,
    ...QUICK,
    '--max-connections',
    '2',
  ]
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const code = new Promise((resolve) => child.on('close', resolve))
  await expect.poll(() => server.answered.size, { timeout: 30_000 }).toBeGreaterThan(6)
  child.kill('SIGINT')
  expect(await code).toBe(130)
  expect(stderr).toMatch(/Resume with: sightline resume/)
  const resumed = await sightline(['resume', 'latest'], { cwd })
  await server.close()
  expect(resumed.code).toBe(0)
  expect([...server.answered.values()].every((times) => times === 1)).toBe(true)
})

it('plays to the end when nobody reads its output', async () => {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const args = ['run', 'space/text', '--model', 'baseline/random', ...QUICK, '--fail-under', '100']
  const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  child.stderr.destroy()
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(100)
  expect((await sightline(['list', 'runs'], { cwd })).stdout).toMatch(/baseline\/random +done/)
})

it('prints a clear error if the log folder is a file', async () => {
  await appendFile(join(cwd, '.sightline'), 'not a folder')
  const { code, stderr } = await sightline(['run', 'space/text', '--model', 'baseline/random', ...QUICK], { cwd })
  expect(code).toBe(2)
  expect(stderr).not.toMatch(/\n +at /)
})
