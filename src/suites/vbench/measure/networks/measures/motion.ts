/** How a video moves: RAFT for how much, frame interpolation for how smoothly. */
import type { Bitmap } from '../../../../../suite.ts'
import { frameInterval } from '../../rules/frames.ts'
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
} from '../../rules/motion.ts'
import { centredPadding, isTooSmallForMotion } from '../../rules/sizes.ts'
import { nothing, type Output, type Results, valued } from '../../../domain/results.ts'
import type { Measure, Meter } from '../../types.ts'
import { cropPlanes, padPlanes, type Planes, planesOf } from '../resize.ts'
import { type Network, outputOf, type Tensor } from '../runtime.ts'
import { type About, picture } from './shared.ts'

/** Both networks take sizes that are multiples of these. */
const RAFT_MULTIPLE = 8
const AMT_MULTIPLE = 16

const TOO_SMALL = nothing('the published network divides by 0 where a side is below 128 pixels')

/** Sees nothing. */
function tooSmall(outputs: readonly Output[]): Meter {
  return { frame: () => {}, end: () => Object.fromEntries(outputs.map((output) => [output, TOO_SMALL])) }
}

interface Speeds {
  speeds: Float32Array
  width: number
  height: number
}

function topMean({ speeds, width, height }: Speeds, share: number): number {
  return meanOfLargest(speeds.slice(), topCount(height, width, share)) ?? 0
}

/** Dynamic degree and the static filter with RAFT. */
export function raftMeasure(network: Network, about: About): Measure {
  const speedsOf = async (a: Planes, b: Planes): Promise<Speeds> => {
    // Two results may be given: a coarse flow and the one of full size, which is the last.
    const outputs = await network.run(picture(a), picture(b))
    const { dims, data } = outputOf(outputs, Object.keys(outputs).at(-1)!)
    const [height, width] = [dims.at(-2)!, dims.at(-1)!]
    const size = height * width
    const speeds = new Float32Array(size)
    for (let i = 0; i < size; i++) speeds[i] = Math.hypot(data[i]!, data[size + i]!)
    return { speeds, width, height }
  }
  const fastest = async (a: Planes, b: Planes): Promise<number> => topMean(await speedsOf(a, b), STATIC_TOP_SHARE)
  return {
    ...about,
    outputs: ['dynamic_degree', 'static_filter'],
    reader: 'opencv',
    start({ info }, wanted) {
      if (isTooSmallForMotion(RAFT_MULTIPLE, info)) return tooSmall(['dynamic_degree', 'static_filter'])
      const interval = frameInterval(info.fps)
      const dynamic: number[] = []
      const adjacent: number[] = []
      let first: Planes | null = null
      let last: Planes | null = null
      let kept: Planes | null = null
      let keptCount = 0
      let frames = 0
      return {
        async frame(bitmap, index) {
          const planes = planesOf(bitmap)
          const padded = padPlanes(planes, centredPadding(RAFT_MULTIPLE, planes))
          first ??= padded
          const found = wanted.has('static_filter') && last ? await speedsOf(last, padded) : null
          if (found) adjacent.push(topMean(found, STATIC_TOP_SHARE))
          if (wanted.has('dynamic_degree') && index % interval === 0) {
            // Of slow clips, both rules look at the same pairs.
            if (kept)
              dynamic.push(topMean(kept === last && found ? found : await speedsOf(kept, padded), DYNAMIC_TOP_SHARE))
            kept = padded
            keptCount++
          }
          last = padded
          frames++
        },
        async end() {
          if (frames < 2 || !first || !last) {
            const none = nothing('a single frame has no motion')
            return { dynamic_degree: none, static_filter: none }
          }
          const results: Results = {}
          if (wanted.has('dynamic_degree')) {
            const rule = dynamicRule(info.height, info.width, keptCount)
            results.dynamic_degree = valued(isDynamic(dynamic, rule) ? 1 : 0, { pair_scores: dynamic })
          }
          if (wanted.has('static_filter')) {
            const ends = [await fastest(first, last), await fastest(last, first)]
            const rule = staticRule(info.height, info.width, frames)
            results.static_filter = valued(isStatic(adjacent, ends, rule) ? 1 : 0)
          }
          return results
        },
      }
    },
  }
}

/** Smoothness of motion: a frame-interpolation network predicts every odd frame from its even neighbors. */
export function interpolationMeasure(network: Network, about: About): Measure {
  return {
    ...about,
    outputs: ['motion_smoothness'],
    reader: 'opencv',
    start({ info }) {
      if (isTooSmallForMotion(AMT_MULTIPLE, info)) return tooSmall(['motion_smoothness'])
      let before: Planes | null = null
      let middle: Bitmap | null = null
      const errors: number[] = []
      return {
        async frame(bitmap, index) {
          if (index % 2 === 1) {
            middle = { ...bitmap, data: bitmap.data.slice() }
            return
          }
          const bytes = planesOf(bitmap)
          const planes: Planes = { ...bytes, data: new Float32Array(bytes.data.length) }
          for (let i = 0; i < planes.data.length; i++) planes.data[i] = bytes.data[i]! / 255
          const padding = centredPadding(AMT_MULTIPLE, planes)
          const padded = padPlanes(planes, padding)
          if (before && middle) {
            const half: Tensor = { dims: [1, 1, 1, 1], data: Float32Array.of(0.5) }
            const { data } = outputOf(await network.run(picture(before), picture(padded), half))
            const whole = { width: padded.width, height: padded.height, data }
            errors.push(truncatedError(cropPlanes(whole, padding.top, padding.left, planes), middle))
          }
          before = padded
          middle = null
        },
        end: () => ({ motion_smoothness: smoothness(errors) }),
      }
    },
  }
}

/** Mean difference of a predicted frame (0…1, cut off to whole gray values as published) from the real one. */
function truncatedError(predicted: Planes, { data, channels, width, height }: Bitmap): number {
  const size = width * height
  let sum = 0
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < size; i++) {
      const value = Math.trunc(Math.min(1, Math.max(0, predicted.data[c * size + i]!)) * 255)
      sum += Math.abs(value - data[i * channels + c]!)
    }
  }
  return sum / (size * 3)
}
