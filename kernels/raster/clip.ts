/** Triangles that cross the near plane, the cut, or the guard band. As reference/clip.ts. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { drawLarge } from './large'

const PLANES = 6
const CORNER = 16

/** How far a corner (camera x, y, z, height above the cut) is inside a plane. */
function distance(plane: i32, corner: usize): f32 {
  const z = load<f32>(corner, 8)
  if (plane == 0) return z - frame.number(at.V_NEAR)
  if (plane == 1) return -load<f32>(corner, 12)
  const depth: f32 = frame.orthographic ? 1 : z
  if (plane == 2) return depth * frame.number(at.V_GUARD_X) + load<f32>(corner)
  if (plane == 3) return depth * frame.number(at.V_GUARD_X) - load<f32>(corner)
  if (plane == 4) return depth * frame.number(at.V_GUARD_Y) + load<f32>(corner, 4)
  return depth * frame.number(at.V_GUARD_Y) - load<f32>(corner, 4)
}

export function drawClipped(vertexA: u32, vertexB: u32, vertexC: u32, id: u32): void {
  const camera = frame.scratch + at.S_CAMERA
  let from = frame.scratch + at.S_POLYGON
  let to = frame.scratch + at.S_POLYGON_2
  v128.store(from, v128.load(camera + ((<usize>vertexA) << 4)))
  v128.store(from, v128.load(camera + ((<usize>vertexB) << 4)), CORNER)
  v128.store(from, v128.load(camera + ((<usize>vertexC) << 4)), 2 * CORNER)
  let count = 3
  for (let plane = 0; plane < PLANES; plane++) {
    let outside = 0
    for (let i = 0; i < count; i++) outside += i32(!(distance(plane, from + i * CORNER) >= 0))
    if (outside == 0) continue
    if (outside == count) return
    let kept = 0
    for (let i = 0; i < count; i++) {
      const a = from + (i == 0 ? count - 1 : i - 1) * CORNER
      const b = from + i * CORNER
      const da = distance(plane, a)
      const db = distance(plane, b)
      if (da >= 0 != db >= 0) {
        // Always from inside to outside: both triangles at an edge then find the same point on it.
        const start = v128.load(da >= 0 ? a : b)
        const end = v128.load(da >= 0 ? b : a)
        const part = da >= 0 ? da / (da - db) : db / (db - da)
        v128.store(to + kept * CORNER, f32x4.add(start, f32x4.mul(f32x4.sub(end, start), f32x4.splat(part))))
        kept++
      }
      if (db >= 0) {
        v128.store(to + kept * CORNER, v128.load(b))
        kept++
      }
    }
    const swapped = from
    from = to
    to = swapped
    count = kept
  }
  toScreen(0, from)
  toScreen(32, from + CORNER)
  for (let i = 2; i < count; i++) {
    // The middle corner alternates between two places: the last one is the next triangle's second.
    const last: usize = i & 1 ? 32 : 64
    toScreen(last, from + i * CORNER)
    drawLarge(0, 96 - last, last, id)
  }
}

function toScreen(to: usize, corner: usize): void {
  const out = frame.scratch + at.S_CORNERS + to
  const z = load<f32>(corner, 8)
  const near: f32 = frame.orthographic ? frame.number(at.V_FAR) - z : 1 / z
  const scale: f32 = frame.orthographic ? 1 : near
  const x = load<f32>(corner) * scale * frame.number(at.V_FX) + frame.number(at.V_CX)
  const y = load<f32>(corner, 4) * scale * frame.number(at.V_FY) + frame.number(at.V_CY)
  store<f32>(out, x)
  store<f32>(out, y, 4)
  store<f32>(out, near, 8)
  store<i32>(out, <i32>floor<f32>(x * 256 + 0.5), 16)
  store<i32>(out, <i32>floor<f32>(y * 256 + 0.5), 20)
}
