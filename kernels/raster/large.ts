/** Triangles too large for 32-bit edges, and clipped ones: tile by tile. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'
import { isOpen } from './occlusion'
import { plot } from './plot'

const LAST = 7

/** Corners are offsets into S_CORNERS: x, y, closeness as f32, and snapped x, y from byte 16 on. */
export function drawLarge(cornerA: usize, cornerB: usize, cornerC: usize, id: u32): void {
  const corners = frame.scratch + at.S_CORNERS
  const a = corners + cornerA
  let b = corners + cornerB
  let c = corners + cornerC
  const ax = <i64>load<i32>(a, 16),
    ay = <i64>load<i32>(a, 20)
  let bx = <i64>load<i32>(b, 16),
    by = <i64>load<i32>(b, 20)
  let cx = <i64>load<i32>(c, 16),
    cy = <i64>load<i32>(c, 20)
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
  if (area == 0) return
  if (area > 0 && frame.hideBackFaces) return
  if (area < 0) {
    const keptX = bx
    const keptY = by
    const kept = b
    bx = cx
    by = cy
    b = c
    cx = keptX
    cy = keptY
    c = kept
  }
  const left = max<i32>(0, <i32>((min(ax, min(bx, cx)) + 127) >> at.SUBPIXEL_BITS))
  const right = min<i32>(frame.width - 1, <i32>((max(ax, max(bx, cx)) - 128) >> at.SUBPIXEL_BITS))
  const top = max<i32>(0, <i32>((min(ay, min(by, cy)) + 127) >> at.SUBPIXEL_BITS))
  const bottom = min<i32>(frame.height - 1, <i32>((max(ay, max(by, cy)) - 128) >> at.SUBPIXEL_BITS))
  if (left > right || top > bottom) return

  // As largePlane in reference/raster.ts: double precision, counted from the farthest corner.
  const x0 = <f64>load<f32>(a),
    y0 = <f64>load<f32>(a, 4)
  const k0 = load<f32>(a, 8)
  const k1 = load<f32>(b, 8),
    k2 = load<f32>(c, 8)
  const sx1 = <f64>load<f32>(b) - x0,
    sy1 = <f64>load<f32>(b, 4) - y0,
    sk1 = <f64>k1 - <f64>k0
  const sx2 = <f64>load<f32>(c) - x0,
    sy2 = <f64>load<f32>(c, 4) - y0,
    sk2 = <f64>k2 - <f64>k0
  const screenArea = sx1 * sy2 - sx2 * sy1
  const inverse: f64 = screenArea == 0 ? 0 : 1 / screenArea
  const perX = f32x4.splat(<f32>((sk1 * sy2 - sk2 * sy1) * inverse))
  const perY = <f32>((sx1 * sk2 - sx2 * sk1) * inverse)
  let far = a
  if (k1 < load<f32>(far, 8)) far = b
  if (k2 < load<f32>(far, 8)) far = c
  const planeX = f32x4.splat(load<f32>(far))
  const planeY = load<f32>(far, 4)
  const planeAt = load<f32>(far, 8)
  const least = f32x4.splat(planeAt)
  const nearest = max(k0, max(k1, k2))
  const greatest = f32x4.splat(nearest)

  const stepX0 = ay - by,
    stepX1 = by - cy,
    stepX2 = cy - ay
  const stepY0 = bx - ax,
    stepY1 = cx - bx,
    stepY2 = ax - cx
  const high0 = highest(stepX0, stepY0)
  const high1 = highest(stepX1, stepY1)
  const high2 = highest(stepX2, stepY2)
  const ids = i32x4.splat(id)
  const lanes = i32x4(0, 1, 2, 3)
  const inside = i32x4.splat(0)
  const rowBytes = (<usize>frame.stride) << 2
  const toTriangles = frame.toTriangles
  const toBehind = frame.toBehind
  const firstTileX = left >> at.TILE_SHIFT
  const lastTileX = right >> at.TILE_SHIFT
  const lastTileY = bottom >> at.TILE_SHIFT
  for (let tileY = top >> at.TILE_SHIFT; tileY <= lastTileY; tileY++) {
    const y = tileY << at.TILE_SHIFT
    const py = ((<i64>y) << at.SUBPIXEL_BITS) + 128
    const px = ((<i64>(firstTileX << at.TILE_SHIFT)) << at.SUBPIXEL_BITS) + 128
    let e0 = edgeAt(stepX0, stepY0, px - ax, py - ay)
    let e1 = edgeAt(stepX1, stepY1, px - bx, py - by)
    let e2 = edgeAt(stepX2, stepY2, px - cx, py - cy)
    // Of a long triangle that lies aslant, most tiles of the box around it are empty.
    const skipped = max(missed(e0 + high0, stepX0), max(missed(e1 + high1, stepX1), missed(e2 + high2, stepX2)))
    if (skipped > lastTileX - firstTileX) continue
    e0 += (stepX0 << at.TILE_SHIFT) * skipped
    e1 += (stepX1 << at.TILE_SHIFT) * skipped
    e2 += (stepX2 << at.TILE_SHIFT) * skipped
    for (let tileX = firstTileX + <i32>skipped; tileX <= lastTileX; tileX++) {
      const t0 = e0,
        t1 = e1,
        t2 = e2
      e0 += stepX0 << at.TILE_SHIFT
      e1 += stepX1 << at.TILE_SHIFT
      e2 += stepX2 << at.TILE_SHIFT
      if (t0 + high0 < 0) {
        if (stepX0 <= 0) break
        continue
      }
      if (t1 + high1 < 0) {
        if (stepX1 <= 0) break
        continue
      }
      if (t2 + high2 < 0) {
        if (stepX2 <= 0) break
        continue
      }
      if (!isOpen(tileX, tileY, nearest)) continue
      store<u8>(frame.stale + tileY * frame.tilesAcross + tileX, 1)
      // An edge that the whole tile is inside of is left at 0; the others fit 32 bits.
      const in0 = t0 + lowest(stepX0, stepY0) >= 0
      const in1 = t1 + lowest(stepX1, stepY1) >= 0
      const in2 = t2 + lowest(stepX2, stepY2) >= 0
      const x = tileX << at.TILE_SHIFT
      const centers = f32x4.add(f32x4.convert_i32x4_s(i32x4.add(i32x4.splat(x), lanes)), f32x4.splat(0.5))
      const alongX = f32x4.mul(perX, f32x4.sub(centers, planeX))
      const alongX4 = f32x4.mul(perX, f32x4.sub(f32x4.add(centers, f32x4.splat(4)), planeX))
      let pixel = frame.closeness + ((<usize>y * frame.stride + x) << 2)
      if (in0 && in1 && in2) {
        // Most tiles of a wall.
        const end = pixel + 8 * rowBytes
        let center = <f32>y + 0.5
        do {
          const start = f32x4.splat(planeAt + perY * (center - planeY))
          const near = f32x4.pmin(f32x4.pmax(f32x4.add(start, alongX), least), greatest)
          const near4 = f32x4.pmin(f32x4.pmax(f32x4.add(start, alongX4), least), greatest)
          plot(pixel, toTriangles, toBehind, inside, near, ids)
          plot(pixel + 16, toTriangles, toBehind, inside, near4, ids)
          pixel += rowBytes
          center += 1
        } while (pixel < end)
        continue
      }
      const right0 = in0 ? 0 : <i32>stepX0
      const down0 = i32x4.splat(in0 ? 0 : <i32>stepY0)
      const right1 = in1 ? 0 : <i32>stepX1
      const down1 = i32x4.splat(in1 ? 0 : <i32>stepY1)
      const right2 = in2 ? 0 : <i32>stepX2
      const down2 = i32x4.splat(in2 ? 0 : <i32>stepY2)
      let row0 = i32x4.add(i32x4.splat(in0 ? 0 : <i32>t0), i32x4.mul(i32x4.splat(right0), lanes))
      let row1 = i32x4.add(i32x4.splat(in1 ? 0 : <i32>t1), i32x4.mul(i32x4.splat(right1), lanes))
      let row2 = i32x4.add(i32x4.splat(in2 ? 0 : <i32>t2), i32x4.mul(i32x4.splat(right2), lanes))
      const four0 = i32x4.splat(right0 << 2)
      const four1 = i32x4.splat(right1 << 2)
      const four2 = i32x4.splat(right2 << 2)
      for (let i = 0; i < 8; i++) {
        const start = f32x4.splat(planeAt + perY * (<f32>(y + i) + 0.5 - planeY))
        const outside = v128.or(v128.or(row0, row1), row2)
        if (i32x4.bitmask(outside) != 15)
          plot(
            pixel,
            toTriangles,
            toBehind,
            outside,
            f32x4.pmin(f32x4.pmax(f32x4.add(start, alongX), least), greatest),
            ids,
          )
        const outside4 = v128.or(v128.or(i32x4.add(row0, four0), i32x4.add(row1, four1)), i32x4.add(row2, four2))
        if (i32x4.bitmask(outside4) != 15)
          plot(
            pixel + 16,
            toTriangles,
            toBehind,
            outside4,
            f32x4.pmin(f32x4.pmax(f32x4.add(start, alongX4), least), greatest),
            ids,
          )
        row0 = i32x4.add(row0, down0)
        row1 = i32x4.add(row1, down1)
        row2 = i32x4.add(row2, down2)
        pixel += rowBytes
      }
    }
  }
}

/** The edge function in units of 1/256, one less where 0 is outside. Steps: −dy to the right, dx down. */
function edgeAt(stepX: i64, stepY: i64, x: i64, y: i64): i64 {
  const topOrLeft = stepX > 0 || (stepX == 0 && stepY > 0)
  return (stepX * x + stepY * y - (topOrLeft ? 0 : 1)) >> at.SUBPIXEL_BITS
}

/** How many tiles a row's edge function, at its most, is below 0 before it is not; more than there are if it never grows. */
function missed(value: i64, stepX: i64): i64 {
  if (value >= 0) return 0
  const step = stepX << at.TILE_SHIFT
  return step > 0 ? (step - 1 - value) / step : i32.MAX_VALUE
}

/** The most that an edge function grows within a tile. */
function highest(stepX: i64, stepY: i64): i64 {
  return LAST * (max<i64>(0, stepX) + max<i64>(0, stepY))
}

function lowest(stepX: i64, stepY: i64): i64 {
  return LAST * (min<i64>(0, stepX) + min<i64>(0, stepY))
}
