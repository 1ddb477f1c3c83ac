/** VBench-I2V: motion of the camera, and likeness with the image. */
import { describe, expect, test } from 'vitest'
import type { Bitmap } from '../../../suite.ts'
import { cameraMeasure } from './camera.ts'
import { imageMeasure } from './networks/measures/images.ts'
import type { Network } from './networks/runtime.ts'
import { cameraMotions, wantedMotion } from './rules/camera.ts'
import type { MeterContext } from './types.ts'

const none = { ask: () => Promise.reject(new Error('none')), keep: () => Promise.reject(new Error('none')) }
const SIDE = 128

function contextOf(prompt: string, more: Partial<MeterContext> = {}): MeterContext {
  const info = { width: SIDE, height: SIDE, frames: 6, fps: 8, seconds: 1 }
  return { path: '', info, prompt: { prompt, facts: {} }, episode: none, ...more }
}

/** Smooth waves, so that motion shows everywhere. */
function wavesAt(place: (x: number, y: number) => readonly [number, number]): Bitmap {
  const data = new Uint8Array(SIDE * SIDE * 3)
  for (let i = 0; i < SIDE * SIDE; i++) {
    const [x, y] = place(i % SIDE, Math.floor(i / SIDE))
    data.fill(128 + 60 * Math.sin(x / 5) + 60 * Math.sin(y / 6 + x / 17), i * 3, i * 3 + 3)
  }
  return { width: SIDE, height: SIDE, channels: 3, data }
}

async function motionOf(prompt: string, place: (t: number) => (x: number, y: number) => readonly [number, number]) {
  const meter = cameraMeasure().start(contextOf(prompt), new Set(['camera_motion']))
  for (let t = 0; t < 6; t++) await meter.frame(wavesAt(place(t)), t)
  return (await meter.end()).camera_motion!
}

describe('camera motion', () => {
  test('is told from the middles of the edges', () => {
    const still = { x: 0.1, y: 0 }
    const [left, right, up, down] = [
      { x: -9, y: 0 },
      { x: 9, y: 0 },
      { x: 0, y: -9 },
      { x: 0, y: 9 },
    ]
    expect(cameraMotions({ top: still, bottom: still, left: still, right: still }, 100)).toEqual(['static'])
    expect(cameraMotions({ top: up, bottom: down, left, right }, 100)).toEqual(['zoom_in'])
    expect(cameraMotions({ top: left, bottom: left, left: still, right: still }, 100)).toEqual(['pan_right'])
    expect(cameraMotions({ top: left, bottom: right, left: up, right: down }, 100)).toEqual([])
    const oblique = { x: 9, y: -9 }
    expect(cameraMotions({ top: oblique, bottom: oblique, left: up, right: up }, 100)).toEqual([
      'pan_left',
      'tilt_down',
    ])
    expect(wantedMotion('a lake, camera tilts up')).toBe('tilt_up')
  })

  test('is followed by optical flow', async () => {
    // What moves to the left in the picture is a pan to the right.
    const panned = await motionOf('a lake, camera pans right', (t) => (x, y) => [x + 3 * t, y])
    expect(panned).toMatchObject({ value: 1, detail: { predict_type: ['pan_right'] } })
    expect((await motionOf('a lake, camera pans left', (t) => (x, y) => [x + 3 * t, y])).value).toBe(0)
    const center = SIDE / 2
    const zoomed = await motionOf('a lake, camera zooms in', (t) => (x, y) => {
      const scale = 1 - 0.02 * t
      return [center + (x - center) * scale, center + (y - center) * scale]
    })
    expect(zoomed.value).toBe(1)
    expect((await motionOf('a lake, camera static', () => (x, y) => [x, y])).value).toBe(1)
    expect((await motionOf('a lake', () => (x, y) => [x, y])).reason).toContain('no motion')
  })
})

test('a video is like its image if one frame is, and if frames are like each other', async () => {
  const levels: Readonly<Record<number, number[]>> = { 10: [1, 0], 20: [1, 0], 30: [0, 1], 40: [-1, 0] }
  const gray = (level: number): Bitmap => ({ width: 8, height: 8, channels: 3, data: new Uint8Array(192).fill(level) })
  const network: Network = {
    run(pixels) {
      const level = Math.round(Number(pixels.data[0]) * 255)
      return Promise.resolve({ features: { dims: [1, 2], data: Float32Array.from(levels[level]!) } })
    },
  }
  const measure = imageMeasure('i2v_background', network, { title: 't', tier: 'exact', version: '1' })
  const valueOf = async (frames: readonly number[], image: number | null) => {
    const given = image === null ? {} : { image: () => Promise.resolve(gray(image)) }
    const meter = measure.start(contextOf('p', given), new Set(['i2v_background']))
    for (const [i, level] of frames.entries()) await meter.frame(gray(level), i)
    return (await meter.end()).i2v_background!
  }
  expect((await valueOf([20, 20, 20], 10)).value).toBeCloseTo(1, 12)
  // One frame like the image, neighbors alike once of twice, least 0, and never below 0.
  expect((await valueOf([20, 20, 30, 40], 10)).value).toBeCloseTo(0.4 + 0.3 / 3, 12)
  expect((await valueOf([20], 10)).reason).toContain('single frame')
  expect((await valueOf([20, 20], null)).reason).toContain('--images')
})
