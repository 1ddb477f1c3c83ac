/**
 * Our optical flow on the motions that OpenCV's was measured on. The file holds no published results but what is true
 * of each motion and how another implementation fares, so what is checked is what the protocol needs: speeds within a
 * tenth, still noise below both thresholds, even motion ranked above jitter and stutter.
 */
import { z } from 'zod'
import { Random } from '../../src/base/random.ts'
import { FlowKernel } from '../../src/media/flow/index.ts'
import {
  DYNAMIC_SPEED,
  DYNAMIC_TOP_SHARE,
  meanOfLargest,
  STATIC_SPEED,
  STATIC_TOP_SHARE,
  topCount,
} from '../../src/suites/vbench/measure/rules/motion.ts'
import { type Check, eachCase, listed, type Verdict } from '../agreement/check.ts'

const SIDE = 256
/** Translations up to here must come back within `NEAR`; of larger ones only the decision must be right. */
const FARTHEST = 32
const NEAR = 0.1
/** Things that cover less of the picture than the share that is averaged cannot be told. */
const SMALLEST_COVER = 5
const NEAR_THING = 0.16
/** Even motion may be predicted worse than by the other implementation by this much. */
const WORSE = 0.005

const wave = z.object({ kx: z.number(), ky: z.number(), phase: z.number(), amp: z.number() })
const row = z.object({ id: z.string(), true_top5: z.number() })
const flowFile = z.object({
  texture: z.object({ waves: z.array(wave) }),
  rows: listed,
  motion_smoothness_proxy: z.record(z.string(), z.object({ dis_midpoint: z.number() })),
})

type Texture = (dx: number, dy?: number) => Float32Array

function textureOf(waves: readonly z.infer<typeof wave>[]): Texture {
  return (dx, dy = 0) => {
    const out = new Float32Array(SIDE * SIDE)
    for (let i = 0; i < out.length; i++) {
      const [x, y] = [(i % SIDE) - dx, Math.floor(i / SIDE) - dy]
      let value = 128
      for (const { kx, ky, phase, amp } of waves) value += amp * Math.sin(kx * x + ky * y + phase)
      out[i] = Math.min(255, Math.max(0, Math.floor(value + 0.5)))
    }
    return out
  }
}

const THING_AT = 80

/** The texture with a square of another part of it, moved by `shift`. */
function withThing(texture: Texture, side: number, shift: number): Float32Array {
  const out = texture(0)
  const thing = texture(37 + shift, 11)
  for (let y = THING_AT; y < THING_AT + side; y++) {
    for (let x = THING_AT + shift; x < THING_AT + side + shift; x++) out[y * SIDE + x] = thing[y * SIDE + x]!
  }
  return out
}

export const flowProxy: Check = function* (file) {
  const { texture: given, rows, motion_smoothness_proxy: smooth } = flowFile.parse(file)
  const texture = textureOf(given.waves)
  const kernel = new FlowKernel({ width: SIDE, height: SIDE }, 3)
  const random = new Random('vbench/flow-proxy')
  const speed = (a: Float32Array, b: Float32Array, share: number): number => {
    kernel.loadGrey(0, a)
    kernel.loadGrey(1, b)
    kernel.flow(0, 1)
    return meanOfLargest(kernel.speeds(), topCount(SIDE, SIDE, share))!
  }
  const noisy = (sigma: number) =>
    texture(0).map((value) => Math.min(255, Math.max(0, Math.round(value + sigma * random.normal()))))
  yield* eachCase('rows', rows, row, function* ({ id, true_top5: truth }) {
    const shift = /^translate_([\d.]+)$/.exec(id)
    const thing = /^object_side(\d+)_d(\d+)_cover([\d.]+)%$/.exec(id)
    const noise = /^noise_([\d.]+)$/.exec(id)
    const brightness = /^bright\w*_(-?[\d.]+)$/.exec(id)
    if (shift) {
      const measured = speed(texture(0), texture(Number(shift[1])), DYNAMIC_TOP_SHARE)
      const fits = truth <= FARTHEST ? Math.abs(measured - truth) <= NEAR * truth + 0.05 : measured > DYNAMIC_SPEED
      yield judged(id, fits, measured, truth)
    } else if (thing) {
      const [side, by] = [Number(thing[1]), Number(thing[2])]
      const measured = speed(withThing(texture, side, 0), withThing(texture, side, by), DYNAMIC_TOP_SHARE)
      const fits = Number(thing[3]) < SMALLEST_COVER || Math.abs(measured - truth) <= NEAR_THING * truth
      yield judged(id, fits, measured, truth)
    } else if (noise) {
      const [a, b] = [noisy(Number(noise[1])), noisy(Number(noise[1]))]
      const [top5, top2] = [speed(a, b, DYNAMIC_TOP_SHARE), speed(a, b, STATIC_TOP_SHARE)]
      yield judged(id, top5 < DYNAMIC_SPEED && top2 < STATIC_SPEED, Math.max(top5, top2), truth)
    } else if (brightness) {
      const brighter = texture(0).map((value) => Math.min(255, Math.max(0, value + Number(brightness[1]))))
      const measured = speed(texture(0), brighter, DYNAMIC_TOP_SHARE)
      yield judged(id, measured < STATIC_SPEED, measured, truth)
    }
  })
  yield* smoothness(kernel, texture, smooth)
}

function judged(id: string, fits: boolean, measured: number, truth: number): Verdict {
  return fits
    ? { where: id, agrees: true }
    : { where: id, agrees: false, detail: `measured ${measured.toFixed(3)}, true ${truth}` }
}

const FRAMES = 13

function* smoothness(
  kernel: FlowKernel,
  texture: Texture,
  given: Readonly<Record<string, { dis_midpoint: number }>>,
): Generator<Verdict> {
  const score = (positions: readonly number[]): number => {
    let sum = 0
    let count = 0
    for (let i = 0; i + 2 < positions.length; i += 2) {
      for (const slot of [0, 1, 2]) kernel.loadGrey(slot, texture(positions[i + slot]!))
      sum += kernel.midpointError(0, 1, 2)
      count++
    }
    return 1 - sum / count / 255
  }
  const along = (at: (i: number) => number) => score(Array.from({ length: FRAMES }, (_, i) => at(i)))
  let worstEven = 1
  for (const [id, { dis_midpoint }] of Object.entries(given)) {
    const even = /^linear_([\d.]+)$/.exec(id)
    if (!even) continue
    const ours = along((i) => i * Number(even[1]))
    worstEven = Math.min(worstEven, ours)
    yield judged(`smoothness.${id}`, ours >= dis_midpoint - WORSE, ours, dis_midpoint)
  }
  for (const [id, { dis_midpoint }] of Object.entries(given)) {
    const jitter = /^linear([\d.]+)_jitter([\d.]+)$/.exec(id)
    const stutter = /^stutter_([\d.]+)$/.exec(id)
    if (!jitter && !stutter) continue
    const random = new Random(`vbench/flow-proxy/${id}`)
    const ours = jitter
      ? along((i) => i * Number(jitter[1]) + Number(jitter[2]) * random.normal())
      : along((i) => Math.floor(i / 2) * 2 * Number(stutter![1]))
    yield judged(`smoothness.${id}`, ours < worstEven, ours, dis_midpoint)
  }
}
