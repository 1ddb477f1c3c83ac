import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UserError } from '../../../src/base/errors.ts'
import { readRegular } from '../../../src/base/regular-file.ts'
import { openVideo } from '../../../src/media/index.ts'
import { importFile } from '../../../src/report/import/index.ts'
import { loadMesh } from '../../../src/world/formats/load.ts'
import { damaged, outcomeOf } from './child.ts'
import { missingPart, READERS } from './readers.ts'

const FILES = 12
/** WebM file 3 made the demuxer loop. */
const SEED = 0

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'sightline-files-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('every reader reads whole files and refuses damaged ones', () => {
  it.each(Object.entries(READERS))('%s', async (name, reader) => {
    if ((await missingPart(reader)) !== null) return
    const own = await mkdtemp(join(folder, 'reader-'))
    const files = await reader.seeds()
    for (const bytes of files) await reader.read(bytes, own)
    for (let index = 0; index < FILES; index++) {
      const outcome = await outcomeOf(reader, damaged(name, reader, files, SEED, index), own)
      expect(outcome, `${name}, file ${index}`).toMatchObject({ kind: expect.stringMatching(/^(read|refused)$/) })
    }
  })
})

it.runIf(process.platform !== 'win32')('a pipe is refused, not waited for', async () => {
  const pipe = join(folder, 'pipe.mp4')
  execFileSync('mkfifo', [pipe])
  for (const read of [readRegular, openVideo, loadMesh, (path: string) => importFile(path, 'inspect')])
    await expect(read(pipe)).rejects.toThrow(UserError)
})
