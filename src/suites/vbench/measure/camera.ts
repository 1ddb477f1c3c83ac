/** Camera motion from optical flow of our own, a proxy: the middles of the edges are followed from frame to frame. */
import { bilinear, FlowKernel, flowSize } from '../../../suite.ts'
import { nothing, valued } from '../domain/results.ts'
import { cameraMotions, type Edges, type Point, wantedMotion } from './rules/camera.ts'
import type { Measure } from './types.ts'

/** The published tracker follows a grid of ten by ten points within this margin; the sixth counts as the middle. */
const MARGIN = 1 / 64
const MIDDLE = 5 / 9

export function cameraMeasure(): Measure {
  return {
    title: 'optical flow at 256',
    tier: 'proxy',
    outputs: ['camera_motion'],
    version: 'camera-1',
    start({ info, prompt }) {
      const wanted = wantedMotion(prompt.prompt)
      const kernel = new FlowKernel(flowSize(info.width, info.height), 2)
      const at = startOf(kernel.width, kernel.height)
      const first = structuredClone(at)
      let frames = 0
      return {
        frame({ data, width, height }) {
          if (wanted === null) return
          const here = frames % 2
          kernel.load(here, data, width, height)
          if (frames++ === 0) return
          const flow = kernel.flow(1 - here, here)
          for (const point of Object.values(at)) {
            const [x, y] = [clamped(point.x, kernel.width), clamped(point.y, kernel.height)]
            point.x += bilinear(flow, flow.x, x, y)
            point.y += bilinear(flow, flow.y, x, y)
          }
        },
        end() {
          if (wanted === null) return { camera_motion: nothing('the prompt asks for no motion of the camera') }
          if (frames < 2) return { camera_motion: nothing('a single frame has no motion') }
          const moved = (edge: keyof Edges): Point => ({ x: at[edge].x - first[edge].x, y: at[edge].y - first[edge].y })
          const edges = { top: moved('top'), bottom: moved('bottom'), left: moved('left'), right: moved('right') }
          const found = cameraMotions(edges, Math.min(kernel.width, kernel.height))
          const detail = { prompt_type: wanted, predict_type: found }
          return { camera_motion: valued(found.includes(wanted) ? 1 : 0, detail) }
        },
      }
    },
  }
}

/** Beyond the picture, what moves at its edge moves on. */
function clamped(place: number, length: number): number {
  return Math.min(length, Math.max(0, place))
}

function startOf(width: number, height: number): Record<keyof Edges, Point> {
  const margin = width * MARGIN
  const [x, y] = [margin + MIDDLE * (width - 2 * margin), margin + MIDDLE * (height - 2 * margin)]
  return {
    top: { x, y: margin },
    bottom: { x, y: height - margin },
    left: { x: margin, y },
    right: { x: width - margin, y },
  }
}
