/** Dynamic degree, the static filter and smoothness of motion from optical flow of our own: proxies, no network. */
import { type Bitmap, FlowKernel, flowSize } from '../../../suite.ts'
import { frameInterval } from './rules/frames.ts'
import {
  DYNAMIC_TOP_SHARE,
  dynamicRule,
  isDynamic,
  isStatic,
  meanOfLargest,
  smoothness,
  STATIC_TOP_SHARE,
  staticRule,
  topCount,
} from './rules/motion.ts'
import type { ClipInfo } from '../domain/clip.ts'
import { nothing, type Output, type Results, valued } from '../domain/results.ts'
import type { Measure, Meter } from './types.ts'

/** Slots of the kernel: the first frame, the last three, and the last two of those kept for dynamic degree. */
const FIRST = 0
const RING = [1, 2, 3] as const
const KEPT = [4, 5] as const
const SLOTS = 6
const MAX_IDLE = 4

export function motionMeasure(): Measure {
  const idle: FlowKernel[] = []
  return {
    title: 'optical flow at 256',
    tier: 'proxy',
    outputs: ['dynamic_degree', 'static_filter', 'motion_smoothness'],
    reader: 'opencv',
    version: 'flow-2',
    start({ info }, wanted) {
      const size = flowSize(info.width, info.height)
      const at = idle.findIndex(({ width, height }) => width === size.width && height === size.height)
      const kernel = at < 0 ? new FlowKernel(size, SLOTS) : idle.splice(at, 1)[0]!
      const meter = new MotionMeter(kernel, info, wanted)
      return {
        frame: (bitmap, index) => meter.frame(bitmap, index),
        end() {
          idle.push(kernel)
          if (idle.length > MAX_IDLE) idle.shift()
          return meter.end()
        },
      }
    },
  }
}

class MotionMeter implements Meter {
  readonly #kernel: FlowKernel
  readonly #wanted: ReadonlySet<Output>
  readonly #interval: number
  readonly #dynamic: number[] = []
  readonly #adjacent: number[] = []
  readonly #middles: number[] = []
  #frames = 0
  #kept = 0

  constructor(kernel: FlowKernel, info: ClipInfo, wanted: ReadonlySet<Output>) {
    this.#kernel = kernel
    this.#wanted = wanted
    this.#interval = frameInterval(info.fps)
  }

  frame({ data, width, height }: Bitmap, index: number): void {
    const kernel = this.#kernel
    const here = RING[index % 3]!
    const dynamic = this.#wanted.has('dynamic_degree') && index % this.#interval === 0
    const filter = this.#wanted.has('static_filter')
    const smooth = this.#wanted.has('motion_smoothness')
    const shareFlow = dynamic && this.#interval === 1
    if (filter || smooth || shareFlow) {
      kernel.load(here, data, width, height)
      if (index === 0 && filter) kernel.load(FIRST, data, width, height)
    }
    if (index > 0 && (filter || shareFlow)) {
      kernel.flow(RING[(index + 2) % 3]!, here)
      if (filter) this.#adjacent.push(this.#fastest(STATIC_TOP_SHARE))
      if (shareFlow) this.#dynamic.push(this.#fastest(DYNAMIC_TOP_SHARE))
    }
    if (dynamic && !shareFlow) {
      const slot = KEPT[this.#kept % 2]!
      kernel.load(slot, data, width, height)
      if (this.#kept > 0) {
        kernel.flow(KEPT[(this.#kept + 1) % 2]!, slot)
        this.#dynamic.push(this.#fastest(DYNAMIC_TOP_SHARE))
      }
    }
    if (dynamic) this.#kept++
    // Even frames predict the odd ones between them.
    if (smooth && index >= 2 && index % 2 === 0) {
      this.#middles.push(kernel.midpointError(RING[(index + 1) % 3]!, RING[(index + 2) % 3]!, here))
    }
    this.#frames = index + 1
  }

  #fastest(share: number): number {
    const { width, height } = this.#kernel
    return meanOfLargest(this.#kernel.speeds(), topCount(height, width, share)) ?? 0
  }

  end(): Results {
    const { width, height } = this.#kernel
    const results: Results = {}
    if (this.#wanted.has('dynamic_degree')) {
      const isMoving = isDynamic(this.#dynamic, dynamicRule(height, width, this.#kept))
      results.dynamic_degree =
        this.#frames < 2
          ? nothing('a single frame has no motion')
          : valued(isMoving ? 1 : 0, { pair_scores: rounded(this.#dynamic) })
    }
    if (this.#wanted.has('static_filter')) {
      const ends: number[] = []
      if (this.#frames > 1) {
        const last = RING[(this.#frames - 1) % 3]!
        this.#kernel.flow(FIRST, last)
        ends.push(this.#fastest(STATIC_TOP_SHARE))
        this.#kernel.flow(last, FIRST)
        ends.push(this.#fastest(STATIC_TOP_SHARE))
      }
      const still = isStatic(this.#adjacent, ends, staticRule(height, width, this.#frames))
      results.static_filter =
        this.#frames < 2 ? nothing('a single frame has no motion') : valued(still ? 1 : 0, { ends: rounded(ends) })
    }
    if (this.#wanted.has('motion_smoothness')) {
      results.motion_smoothness = smoothness(this.#middles)
    }
    return results
  }
}

function rounded(values: readonly number[]): number[] {
  return values.map((value) => Math.round(value * 1000) / 1000)
}
