import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateScene } from '../../suites/space/samples/generate.ts'
import { sceneToJson } from '../../suites/space/domain/grid/scene-json.ts'
import { spaceText } from '../../suites/space/suite.ts'
import { playInFolder } from '../../../test/support/suites/space.ts'
import { exportRun } from './export.ts'

test.each(['inspect', 'lmms-eval', 'csv'] as const)('%s logs do not tell where the data lay', async (to) => {
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
  await exportRun(result.id, { to, logDir, output })
  const text = await wholeFolder(output)
  expect(text.length).toBeGreaterThan(100)
  expect(text).not.toContain(folder)
  await rm(folder, { recursive: true })
})

async function wholeFolder(folder: string): Promise<string> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  return texts.join('\n')
}
