/** How everything in a film really moves: from depth, the camera and the motion of each layer, pixel by pixel. */
import { CLIP, shotsOf } from '../../src/suites/vbench/baselines/films/film.ts'
import type { Shot } from '../../src/suites/vbench/baselines/films/shoot.ts'
import {
  DYNAMIC_TOP_SHARE,
  dynamicRule,
  isDynamic,
  meanOfLargest,
  topCount,
} from '../../src/suites/vbench/measure/rules/motion.ts'
import { flowSize } from '../../src/media/flow/index.ts'
import { compose, inverse, moved } from '../../src/world/frames.ts'
import { project, unproject } from '../../src/world/render/index.ts'

export interface TrueMotion {
  /** Mean speed of the fastest pixels of each pair of frames, at the size that flow is measured at. */
  pairs: number[]
  /** What the published rule makes of it. */
  dynamic: boolean
}

export function trueMotion(prompt: string, seed: number): TrueMotion {
  const { width, height, frames } = CLIP
  const size = flowSize(width, height)
  const pairs: number[] = []
  let before: Shot | null = null
  for (const shot of shotsOf(prompt, seed, CLIP)) {
    if (before) pairs.push(fastest(before, shot) * (size.width / width))
    before = { ...shot, depth: shot.depth.slice(), owner: shot.owner.slice() }
  }
  return { pairs, dynamic: isDynamic(pairs, dynamicRule(size.height, size.width, frames)) }
}

/** Pixels, at the size of the shots. */
function fastest(from: Shot, to: Shot): number {
  const { width, height, depth, owner } = from
  const speeds = new Float64Array(width * height)
  const moves = from.motions.map((motion, n) => (motion ? compose(to.motions[n]!, inverse(motion)) : null))
  for (let i = 0; i < speeds.length; i++) {
    if (depth[i] === 0) continue
    const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5]
    const point = unproject(from.camera, x, y, depth[i]!)
    const move = owner[i]! > 0 ? moves[owner[i]! - 1] : null
    const seen = project(to.camera, move ? moved(move, point) : point)
    speeds[i] = Math.hypot(seen.x - x, seen.y - y)
  }
  return meanOfLargest(speeds, topCount(height, width, DYNAMIC_TOP_SHARE)) ?? 0
}
