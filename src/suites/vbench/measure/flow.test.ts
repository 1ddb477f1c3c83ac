import { beforeAll, describe, expect, test } from 'vitest'
import { Random } from '../../../base/random.ts'
import { DYNAMIC_TOP_SHARE, meanOfLargest, STATIC_TOP_SHARE, topCount } from './rules/motion.ts'
import { DifferenceKernel, FlowKernel, flowSize } from '../../../media/flow/index.ts'

const SIDE = 256
const random = new Random('vbench/flow/test')

/** A scene without repeating parts: smooth random bumps of all sizes, known at every point. */
const bumps = Array.from({ length: 400 }, () => ({
  x: random.range(-80, SIDE + 80),
  y: random.range(-80, SIDE + 80),
  radius: 3 + 30 * random.unit() ** 3,
  height: random.range(-45, 45),
}))

const drawn = new Map<string, Float32Array>()

/** The scene, shifted. Not to be written to. */
function scene(dx: number, dy: number): Float32Array {
  const key = `${dx}/${dy}`
  const known = drawn.get(key)
  if (known) return known
  const picture = drawScene(dx, dy)
  drawn.set(key, picture)
  return picture
}

function drawScene(dx: number, dy: number): Float32Array {
  const out = new Float32Array(SIDE * SIDE).fill(128)
  for (const { x, y, radius, height } of bumps) {
    const [cx, cy, reach] = [x + dx, y + dy, 3 * radius]
    for (let v = Math.max(0, Math.ceil(cy - reach)); v < Math.min(SIDE, cy + reach); v++) {
      for (let u = Math.max(0, Math.ceil(cx - reach)); u < Math.min(SIDE, cx + reach); u++) {
        out[v * SIDE + u]! += height * Math.exp(-((u - cx) ** 2 + (v - cy) ** 2) / (2 * radius * radius))
      }
    }
  }
  return out.map((value) => Math.min(255, Math.max(0, Math.round(value))))
}

function noisy(picture: Float32Array, sigma: number): Float32Array {
  return picture.map((value) => Math.min(255, Math.max(0, Math.round(value + sigma * random.normal()))))
}

let kernel: FlowKernel
beforeAll(() => {
  kernel = new FlowKernel({ width: SIDE, height: SIDE }, 3)
})

function fastest(a: Float32Array, b: Float32Array, share = DYNAMIC_TOP_SHARE): number {
  kernel.loadGrey(0, a)
  kernel.loadGrey(1, b)
  kernel.flow(0, 1)
  return meanOfLargest(kernel.speeds(), topCount(SIDE, SIDE, share))!
}

describe('known motions', () => {
  test.each([2, 3, 5.5, 6.5, 8, 12, 16, 24, 32])('recovers a shift of %d pixels within a tenth', (distance) => {
    for (const angle of [0, 0.7, 2.5, 4.4]) {
      const measured = fastest(scene(0, 0), scene(distance * Math.cos(angle), distance * Math.sin(angle)))
      expect(Math.abs(measured / distance - 1)).toBeLessThan(0.1)
    }
  })

  test('static noise stays below both thresholds', () => {
    for (const sigma of [0, 5, 10, 20]) {
      const [a, b] = [noisy(scene(0, 0), sigma), noisy(scene(0, 0), sigma)]
      expect(fastest(a, b)).toBeLessThan(6)
      expect(fastest(a, b, STATIC_TOP_SHARE)).toBeLessThan(3)
    }
  })

  test('ignores a change of brightness', () => {
    const darker = scene(0, 0).map((value) => value * 0.5 + 20)
    const brighter = darker.map((value) => value + 25)
    expect(fastest(darker, brighter)).toBeLessThan(0.1)
  })

  test('recovers direction, and confines motion to a small moving object', () => {
    const paste = (at: number) => {
      const out = scene(0, 0).slice()
      const thing = scene(60 + at, 33)
      for (let y = 90; y < 160; y++) for (let x = 90 + at; x < 160 + at; x++) out[y * SIDE + x] = thing[y * SIDE + x]!
      return out
    }
    kernel.loadGrey(0, paste(0))
    kernel.loadGrey(1, paste(8))
    const { x, y } = kernel.flow(0, 1)
    expect(x[125 * SIDE + 125]).toBeCloseTo(8, 0)
    expect(Math.abs(y[125 * SIDE + 125]!)).toBeLessThan(0.5)
    expect(Math.abs(x[30 * SIDE + 30]!)).toBeLessThan(0.5)
  })
})

describe('smoothness of motion', () => {
  function smoothness(positions: readonly number[]): number {
    const errors: number[] = []
    for (let i = 0; i + 2 < positions.length; i += 2) {
      for (const slot of [0, 1, 2]) kernel.loadGrey(slot, scene(positions[i + slot]!, 0))
      errors.push(kernel.midpointError(0, 1, 2))
    }
    return 1 - errors.reduce((sum, error) => sum + error, 0) / errors.length / 255
  }
  const frames = (of: (i: number) => number) => Array.from({ length: 5 }, (_, i) => of(i))
  const jittered = (sigma: number) => {
    const draw = new Random(`jitter/${sigma}`)
    return smoothness(frames((i) => 3 * i + sigma * draw.normal()))
  }

  test('ranks jitter and stutter below even motion, more jitter lower', () => {
    const even = [1, 3, 6].map((speed) => smoothness(frames((i) => speed * i)))
    expect(smoothness(frames(() => 0))).toBe(1)
    for (const score of even) expect(score).toBeGreaterThan(0.997)
    const jitter = [0.5, 1, 2, 4].map((sigma) => jittered(sigma))
    expect(jitter).toEqual(jitter.toSorted((a, b) => b - a))
    expect(jitter[0]!).toBeLessThan(Math.min(...even))
    expect(smoothness(frames((i) => 6 * Math.floor(i / 2)))).toBeLessThan(jitter[0]!)
  })
})

describe('color frames of other sizes', () => {
  test('are resized to 256 along the shorter side, motion included', () => {
    expect(flowSize(1280, 720)).toEqual({ width: 455, height: 256 })
    const at = (shift: number) => {
      const rgb = new Uint8Array(640 * 512 * 3)
      for (let y = 0; y < 512; y++) {
        for (let x = 0; x < 640; x++) {
          const value = 128 + 60 * Math.sin((x - shift) / 17) + 50 * Math.sin(y / 13 + (x - shift) / 41)
          rgb.fill(value, (y * 640 + x) * 3, (y * 640 + x) * 3 + 3)
        }
      }
      return rgb
    }
    const wide = new FlowKernel(flowSize(640, 512), 2)
    wide.load(0, at(0), 640, 512)
    wide.load(1, at(12), 640, 512)
    const { x } = wide.flow(0, 1)
    expect(x[128 * wide.width + 160]).toBeCloseTo(6, 0)
  })

  test('match differences counted one by one', () => {
    const kernel = new DifferenceKernel()
    for (const length of [3, 16, 33, 4096 * 3 + 5, 100_000]) {
      const [a, b] = [0, 1].map(() => Uint8Array.from({ length }, () => random.int(256))) as [Uint8Array, Uint8Array]
      const sum = a.reduce((total, value, i) => total + Math.abs(value - b[i]!), 0)
      kernel.reset()
      expect(kernel.next(a)).toBeNull()
      expect(kernel.next(b)).toBeCloseTo(sum / length, 9)
    }
  })
})
