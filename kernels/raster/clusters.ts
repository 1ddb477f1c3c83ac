/** Draws clusters from near to far and leaves out those that are hidden. */
import * as at from '../../src/world/render/layout'
import { findVisible, sortByDepth } from './cull'
import * as frame from './frame'
import { isHidden, liveEverywhere } from './occlusion'
import { drawTriangles } from './triangles'
import { transformVertices } from './vertices'

/** Rounding must not make a cluster seem farther than its vertices are. */
const SAFELY_NEARER: f32 = 1.00002
/** In parallel projection, meters. */
const SAFELY_NEARER_BY: f32 = 0.001
const SAFELY_BEYOND_NEAR: f32 = 1.01
const SAFE_GUARD: f32 = 8000

export function drawClusters(first: i32, last: i32): void {
  const count = findVisible(first, last)
  sortByDepth(count)
  const order = <usize>frame.word(at.F_ORDER)
  for (let i = 0; i < count; i++) drawCluster(load<u32>(order + ((<usize>i) << 2)))
}

function drawCluster(cluster: u32): void {
  liveEverywhere()
  const clipping = needsClipping(cluster)
  if (clipping < 0) return
  const vertices = load<u8>(frame.block(at.H_AT_CLUSTER_COUNTS) + ((<usize>cluster) << 1))
  const first = load<u32>(frame.block(at.H_AT_CLUSTER_VERTEX) + ((<usize>cluster) << 2))
  transformVertices(first, vertices, clipping > 0)
  drawTriangles(cluster, clipping > 0)
}

/** 1 if some triangle of the cluster may have to be clipped, 0 if none has, −1 if the cluster cannot be seen. */
function needsClipping(cluster: u32): i32 {
  const box = frame.block(at.H_AT_BOXES) + ((<usize>cluster) << 2)
  const step = (<usize>frame.header(at.H_BOX_STRIDE)) << 2
  const minX = load<f32>(box),
    minY = load<f32>(box + step),
    minZ = load<f32>(box + 2 * step)
  const maxZ = load<f32>(box + 5 * step)
  const wide = load<f32>(box + 3 * step) - minX
  const deep = load<f32>(box + 4 * step) - minY
  const tall = maxZ - minZ
  const dx = minX - frame.number(at.V_POSITION)
  const dy = minY - frame.number(at.V_POSITION + 1)
  const dz = minZ - frame.number(at.V_POSITION + 2)
  const x = corners(0, dx, dy, dz, wide, deep)
  const y = corners(3, dx, dy, dz, wide, deep)
  const z = corners(6, dx, dy, dz, wide, deep)
  const upX = f32x4.add(x, f32x4.splat(frame.number(2) * tall))
  const upY = f32x4.add(y, f32x4.splat(frame.number(5) * tall))
  const upZ = f32x4.add(z, f32x4.splat(frame.number(8) * tall))
  const nearestZ = least(f32x4.pmin(z, upZ))
  if (nearestZ < frame.number(at.V_NEAR) * SAFELY_BEYOND_NEAR) return 1

  const one = f32x4.splat(1)
  const scale = frame.orthographic ? one : f32x4.div(one, z)
  const upScale = frame.orthographic ? one : f32x4.div(one, upZ)
  const sx = f32x4.mul(x, scale),
    upSx = f32x4.mul(upX, upScale)
  const sy = f32x4.mul(y, scale),
    upSy = f32x4.mul(upY, upScale)
  const left = least(f32x4.pmin(sx, upSx)) * frame.number(at.V_FX)
  const right = most(f32x4.pmax(sx, upSx)) * frame.number(at.V_FX)
  const top = least(f32x4.pmin(sy, upSy)) * frame.number(at.V_FY)
  const bottom = most(f32x4.pmax(sy, upSy)) * frame.number(at.V_FY)
  if (frame.behind == 0) {
    const firstX = max(0, pixel(left + frame.number(at.V_CX)) - 2)
    const lastX = min(frame.width - 1, pixel(right + frame.number(at.V_CX)) + 2)
    const firstY = max(0, pixel(top + frame.number(at.V_CY)) - 2)
    const lastY = min(frame.height - 1, pixel(bottom + frame.number(at.V_CY)) + 2)
    if (firstX > lastX || firstY > lastY) return -1
    const nearest = frame.orthographic ? frame.number(at.V_FAR) - nearestZ + SAFELY_NEARER_BY : SAFELY_NEARER / nearestZ
    if (isHidden(firstX, firstY, lastX, lastY, nearest)) return -1
  }
  const guarded = max(max(-left, right), max(-top, bottom)) < SAFE_GUARD
  return guarded && maxZ < frame.number(at.V_CUT) ? 0 : 1
}

/** Whole pixels, of numbers that may be too large for 32 bits. */
function pixel(value: f32): i32 {
  return <i32>max<f32>(-SAFE_GUARD, min<f32>(SAFE_GUARD, value))
}

/** A camera coordinate of the box's four lower corners; `row` is where the axis stands in the rotation. */
function corners(row: i32, dx: f32, dy: f32, dz: f32, wide: f32, deep: f32): v128 {
  const a = frame.number(row),
    b = frame.number(row + 1),
    c = frame.number(row + 2)
  const start = a * dx + b * dy + c * dz
  const right = a * wide
  const ahead = b * deep
  return f32x4.add(
    f32x4.splat(start),
    f32x4.add(f32x4.mul(f32x4.splat(right), f32x4(0, 1, 0, 1)), f32x4.mul(f32x4.splat(ahead), f32x4(0, 0, 1, 1))),
  )
}

function least(v: v128): f32 {
  const pairs = f32x4.pmin(v, i32x4.shuffle(v, v, 2, 3, 0, 1))
  return min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}

function most(v: v128): f32 {
  const pairs = f32x4.pmax(v, i32x4.shuffle(v, v, 2, 3, 0, 1))
  return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}
