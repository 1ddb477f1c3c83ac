import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lines, row, writeFiles } from './support/suites/vsi/source.ts'
import { coloredRoom } from './support/suites/vsi.ts'
import { writePly } from '../src/world/formats/index.ts'
import { sightline } from './cli/cli.ts'

it('exports a run on scans without the damaged and missing ones', async () => {
  const store = await mkdtemp(join(tmpdir(), 'sightline-share-'))
  try {
    const scans = ['scene0001_00', 'scene0002_00', 'scene0003_00']
    const mesh = (scan: string): string => `scannet/${scan}/${scan}_vh_clean_2.ply`
    const ply = writePly(coloredRoom([]))
    const data = await writeFiles(join(store, 'data'), {
      'test.jsonl': lines(
        scans.map((scan, id) => row(id, 'scannet', scan, 'object_counting', 'How many tables are there?', null, '2')),
      ),
      ...Object.fromEntries(scans.map((scan) => [mesh(scan), ply])),
    })
    const played = ['run', 'vsi/explore', '-m', 'baseline/random', '-T', 'steps=1', '--source', `vsi-bench:${data}`]
    expect(await sightline([...played, '--log-dir', store], { cwd: store })).toMatchObject({ code: 0 })
    await writeFile(join(data, mesh(scans[0]!)), 'ply\nnot a mesh any more')
    await rm(join(data, mesh(scans[1]!)))
    const shared = await sightline(['export', 'latest', '--html', '-o', 'shared', '--log-dir', store], { cwd: store })
    expect(shared).toMatchObject({ code: 0, stderr: expect.stringMatching(/3 episodes, .*, 1 scene\./) })
    const files = await readdir(join(store, 'shared', 'data'))
    expect(files.filter((name) => name.startsWith('scene-'))).toHaveLength(1)
    const texts = await Promise.all(files.map((name) => readFile(join(store, 'shared', 'data', name), 'utf8')))
    for (const text of texts) expect(text).not.toContain(store)
  } finally {
    await rm(store, { recursive: true, force: true })
  }
})
