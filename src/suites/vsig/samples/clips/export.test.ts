import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DataFiles } from '../../../../engine/data-files.ts'
import { openClip } from '../../play/clip.ts'
import { checkFolder } from '../folder.ts'
import { writeClips } from './export.ts'
import { clipSample } from '../builtin.ts'

/** A seed whose first clip is one of the shortest: every frame is drawn and encoded. */
const SHORT_CLIP = 34

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-clips-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('writes a dataset without defects and with the ground truth of the built-in clips', async () => {
  await writeClips(folder, { seed: SHORT_CLIP, clips: 1, language: 'both' })
  const { samples, roots, defects } = await checkFolder(folder, { invalid: false, profile: 'seed' })
  expect(defects).toEqual([])
  expect(samples).toHaveLength(1)
  const built = clipSample({ seed: SHORT_CLIP, index: 0, language: 'zh', level: 'medium' })
  const truth = ({ template, frame, evalTruth, annotation }: typeof built) => ({
    template,
    frame,
    evalTruth,
    things: annotation.object_space,
  })
  expect(truth(samples[0]!)).toEqual(truth(built))
  const [read, drawn] = await Promise.all([
    openClip(samples[0]!.origin, new DataFiles(roots)),
    openClip(built.origin, new DataFiles()),
  ])
  const facts = ({ width, height, frames, fps }: typeof read) => ({ width, height, frames, fps: Math.round(fps) })
  expect(facts(read)).toEqual(facts(drawn))
})
