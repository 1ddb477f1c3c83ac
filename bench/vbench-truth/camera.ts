/** Which way the camera moved, as our optical flow sees it: all of the picture goes the other way. */
import { selectInPlace } from '../../src/base/numbers.ts'
import type { Bitmap } from '../../src/media/index.ts'
import { FlowKernel, flowSize } from '../../src/media/flow/index.ts'
import type { CameraMove } from '../../src/suites/vbench/baselines/films/words.ts'

/** Pixels per pair at the size of the flow; growth of the picture per pair. */
const MOVES = 0.5
const GROWS = 0.008

export function seenMove(frames: readonly Bitmap[]): CameraMove {
  const [first] = frames
  const kernel = new FlowKernel(flowSize(first!.width, first!.height), 2)
  const right: number[] = []
  const down: number[] = []
  const growth: number[] = []
  frames.forEach(({ data, width, height }, i) => {
    kernel.load(i % 2, data, width, height)
    if (i === 0) return
    const flow = kernel.flow((i + 1) % 2, i % 2)
    right.push(middle([...flow.x]))
    down.push(middle([...flow.y]))
    growth.push(growthOf(flow))
  })
  const [x, y, grows] = [middle(right), middle(down), middle(growth)]
  const swings = middle(right.map(Math.abs)) + middle(down.map(Math.abs))
  if (Math.abs(grows) > GROWS) return grows > 0 ? 'zoom in' : 'zoom out'
  if (Math.max(Math.abs(x), Math.abs(y)) > 0.6 * swings && swings > MOVES) {
    if (Math.abs(x) > Math.abs(y)) return x > 0 ? 'pan left' : 'pan right'
    return y > 0 ? 'tilt up' : 'tilt down'
  }
  return swings > MOVES ? 'shaking' : 'still'
}

/** Median over the outer half of the picture of how fast pixels leave its middle, by how far they are from it. */
function growthOf({
  width,
  height,
  x,
  y,
}: {
  width: number
  height: number
  x: Float32Array
  y: Float32Array
}): number {
  const rates: number[] = []
  for (let v = 0; v < height; v += 4) {
    for (let u = 0; u < width; u += 4) {
      const [dx, dy] = [u - width / 2, v - height / 2]
      const away = dx * dx + dy * dy
      if (away < (height * height) / 16) continue
      const i = v * width + u
      rates.push((x[i]! * dx + y[i]! * dy) / away)
    }
  }
  return middle(rates)
}

function middle(values: readonly number[]): number {
  return selectInPlace(Float64Array.from(values), values.length >> 1)
}
