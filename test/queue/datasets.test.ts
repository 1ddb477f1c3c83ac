/** A dataset at a different path on every machine: workers with the same content play, others are rejected. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REDIS, reportMissingServers, startRedis } from '../support/engine/queue.ts'
import { writePartNet } from '../support/suites/articulate/objects.ts'
import { CLI, episodeLines } from '../chaos/trial.ts'

reportMissingServers()

it.skipIf(REDIS === null)('uses the dataset at the path of the worker if the content is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-data-'))
  const server = await startRedis()
  const running: ChildProcess[] = []
  /** Starts `sightline` in its own folder, as on another machine. */
  const startOn = async (
    machine: string,
    line: string,
  ): Promise<{ stderr: () => string; ended: Promise<number | null> }> => {
    const cwd = join(folder, machine)
    await mkdir(cwd, { recursive: true })
    const child = spawn(process.execPath, [CLI, ...line.split(' ')], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    running.push(child)
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    return { stderr: () => stderr, ended: new Promise((resolve) => child.on('close', resolve)) }
  }
  try {
    await writePartNet(join(folder, 'desk/objects'))
    await writePartNet(join(folder, 'same/disk'))
    await writePartNet(join(folder, 'other/disk'))
    const changed = join(folder, 'other/disk/45001/mobility.urdf')
    await writeFile(changed, (await readFile(changed, 'utf8')).replace('upper="1.57"', 'upper="1.2"'))
    await writePartNet(join(folder, 'part/disk'))
    await rm(join(folder, 'part/disk/45001/textured_objs/door.obj'))

    const worker = `worker --queue ${server.url} --threads 1 --source partnet:disk --log-dir store`
    const other = await startOn('other', worker)
    const part = await startOn('part', worker)
    const run = await startOn(
      'desk',
      `run articulate/joint -m baseline/oracle --source partnet:objects --log-dir store --queue ${server.url}`,
    )
    await expect.poll(other.stderr).toContain('Use the same dataset')
    await expect.poll(part.stderr).toContain('its dataset files differ')
    expect(await episodeLines(join(folder, 'desk/store'))).toEqual([])
    await startOn('same', worker)
    expect([await run.ended, run.stderr()]).toEqual([0, expect.any(String)])
    const lines = await episodeLines(join(folder, 'desk/store'))
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { status: 'answered', scores: { success: 1 } },
    ])
  } finally {
    for (const child of running) child.kill('SIGKILL')
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
