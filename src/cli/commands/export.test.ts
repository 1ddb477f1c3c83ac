import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateScene } from '../../suites/space/samples/generate.ts'
import { sceneToJson } from '../../suites/space/domain/grid/scene-json.ts'
import { spaceText } from '../../suites/space/suite.ts'
import { playInFolder } from '../../../test/support/suites/space.ts'
import { writeImported } from '../../engine/imported.ts'
import { makeReport } from '../../engine/reporting.ts'
import { openEnvironment } from '../../library/environment.ts'
import { suiteFinder } from '../../library/suites.ts'
import type { RunHeader } from '../../store/records.ts'
import { importFile } from '../../report/import/index.ts'
import { exportRun } from './export.ts'

test.each(['inspect', 'lmms-eval', 'csv', 'every-eval-ever'] as const)(
  '%s logs contain no local paths and no addresses',
  async (to) => {
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    const scene = join(folder, 'scene.json')
    const output = join(folder, 'logs')
    await writeFile(scene, JSON.stringify(sceneToJson(generateScene({ seed: 'export' }))))
    const logDir = join(folder, 'store')
    const options = { questions: 0, steps: 1 }
    const { result } = await playInFolder(logDir, {
      suite: spaceText,
      model: 'baseline/random',
      source: `scenes:${scene}`,
      options,
    })
    const file = join(logDir, 'runs', result.id, 'run.json')
    const header = JSON.parse(await readFile(file, 'utf8')) as RunHeader
    const modelOptions = { base_url: 'https://gpu7.lab.example/v1', 'header.X-Team': 'vision-lab' }
    const parts = { ...header.fingerprint.parts, 'modelOption.base_url': '"https://gpu7.lab.example/v1"' }
    const fingerprint = { ...header.fingerprint, parts }
    await writeFile(file, JSON.stringify({ ...header, modelOptions, fingerprint }))
    await exportRun(result.id, { to, logDir, output })
    const text = await wholeFolder(output)
    expect(text.length).toBeGreaterThan(100)
    expect(text).not.toContain(folder)
    expect(text).not.toMatch(/lab\.example|vision-lab/)
    await rm(folder, { recursive: true })
  },
)

test('an Inspect log of our own is imported with its scenes, targets and table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  const logDir = join(folder, 'store')
  const { result, report } = await playInFolder(logDir, {
    suite: spaceText,
    model: 'baseline/random',
    source: 'builtin:scenes=3',
    options: { questions: 1, steps: 1 },
  })
  await exportRun(result.id, { to: 'inspect', logDir, output: join(folder, 'log.json') })
  const log = await importFile(join(folder, 'log.json'), 'inspect')
  expect(log.rows.every(({ target }) => target !== '')).toBe(true)
  const environment = await openEnvironment(logDir)
  const reader = await environment.store.openRun(await writeImported(log, environment))
  const again = await makeReport(reader, await suiteFinder().ofRun(reader))
  expect(again).toMatchObject({ headline: report.headline, rows: report.rows, clusters: report.clusters })
  const foreign = await environment.store.openRun(
    await writeImported({ ...log, exported: { ...log.exported!, suiteVersion: 999 } }, environment),
  )
  expect((await makeReport(foreign, await suiteFinder().ofRun(foreign))).clusters).toBe(report.clusters)
  await rm(folder, { recursive: true })
})

async function wholeFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))
  return texts.join('\n')
}
