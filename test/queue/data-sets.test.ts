/** A data set that lies elsewhere on every machine: the same content is played, another one is refused in words. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REDIS, sayWhatIsMissing, startRedis } from '../support/engine/queue.ts'
import { writePartNet } from '../support/suites/articulate/objects.ts'
import { CLI, episodeLines } from '../chaos/chaos.ts'

sayWhatIsMissing()

it.skipIf(REDIS === null)('a data set is found where the worker has it, if it is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-data-'))
  const server = await startRedis()
  const running: ChildProcess[] = []
  /** Starts `sightline` in a folder of its own, as on another machine. */
  const on = async (machine: string, line: string): Promise<{ words: () => string; ended: Promise<number | null> }> => {
    const cwd = join(folder, machine)
    await mkdir(cwd, { recursive: true })
    const child = spawn(process.execPath, [CLI, ...line.split(' ')], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    running.push(child)
    let words = ''
    child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString('utf8')))
    return { words: () => words, ended: new Promise((resolve) => child.on('close', resolve)) }
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
    const other = await on('other', worker)
    const part = await on('part', worker)
    const run = await on(
      'desk',
      `run articulate/joint -m baseline/oracle --source partnet:objects --log-dir store --queue ${server.url}`,
    )
    await expect.poll(other.words).toContain('Its data set is not the same')
    await expect.poll(part.words).toContain('or lacks some')
    expect(await episodeLines(join(folder, 'desk/store'))).toEqual([])
    await on('same', worker)
    expect([await run.ended, run.words()]).toEqual([0, expect.any(String)])
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
