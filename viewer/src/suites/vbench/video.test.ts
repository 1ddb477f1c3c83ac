import { expect, it } from 'vitest'
import { videoIn } from './video.ts'

const media = { sha256: 'a', type: 'video/mp4', bytes: 7 }
const clip = { width: 64, height: 48, frames: 16, fps: 8, seconds: 2, decoder: 'none' }
const measured = { value: 1, sum: 1, weight: 1, tier: 'proxy', by: 'optical flow at 256' }
const pictures = { frames: { sha256: 'b', type: 'image/jpeg' }, flow: { sha256: 'c', type: 'image/jpeg' } }

it('combines sample, outcome and measurements', () => {
  const dimensions = ['dynamic_degree', 'scene']
  expect(
    videoIn([
      { type: 'sample', sample: { id: 'x', prompt: 'a fox', text: 'a red fox', index: 3, dimensions } },
      { type: 'outcome', status: 'answered', outcome: { media, seed: 7, clip } },
      { type: 'measurement', instrument: 'dynamic_degree', version: '1', value: measured },
      { type: 'measurement', instrument: 'static_filter', version: '1', value: { ...measured, value: 0 } },
      { type: 'measurement', instrument: 'pictures', version: '1', value: pictures },
    ]),
  ).toMatchObject({
    prompt: 'a fox',
    text: 'a red fox',
    index: 3,
    seed: 7,
    media,
    clip,
    ...pictures,
    dimensions: { dynamic_degree: { value: 1, tier: 'proxy' }, scene: { value: null, by: null } },
    still: { value: 0 },
  })
})

it('reads the single event of earlier versions and later measurements', () => {
  const old = {
    type: 'vbench/video',
    prompt: 'a fox',
    text: 'a fox',
    index: 0,
    seed: null,
    media,
    clip,
    frames: null,
    flow: null,
    dimensions: { dynamic_degree: { value: 0, tier: 'proxy', by: 'flow' } },
    still: null,
  }
  const later = {
    type: 'measurement',
    instrument: 'dynamic_degree',
    version: '1',
    value: { ...measured, tier: 'exact' },
  }
  expect(videoIn([old])?.dimensions).toMatchObject({ dynamic_degree: { value: 0, tier: 'proxy' } })
  expect(videoIn([old, later])?.dimensions).toMatchObject({ dynamic_degree: { value: 1, tier: 'exact' } })
  expect(videoIn([{ type: 'outcome', outcome: null }])).toBeNull()
})
