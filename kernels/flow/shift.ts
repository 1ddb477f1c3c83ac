/** The one shift that brings most of a picture onto another: what a camera that pans does. */
import { PAD } from './layout'

/** A shift is believed when it leaves less than this share of the difference that standing still leaves. */
const CONVINCING: f64 = 0.35
/** What going all the way costs, as a share of the same: of shifts that fit alike, the shortest is taken. */
const FAR: f64 = 0.15
/** Mean squared difference below which nothing moves that could be told from noise. */
const STILL: f64 = 4

/** Variance of the difference of two pictures where they overlap when one is shifted by whole pixels. */
function difference(a: usize, b: usize, width: i32, height: i32, dx: i32, dy: i32): f64 {
  const stride = width + 2 * PAD
  const left = max(0, -dx)
  const top = max(0, -dy)
  const columns = (width - abs(dx)) & ~3
  const rows = height - abs(dy)
  let sum = f32x4.splat(0)
  let squares = f32x4.splat(0)
  for (let y = 0; y < rows; y++) {
    let p = a + ((<usize>((y + top + PAD) * stride + left + PAD)) << 2)
    let q = b + ((<usize>((y + top + dy + PAD) * stride + left + dx + PAD)) << 2)
    for (let x = 0; x < columns; x += 4) {
      const d = f32x4.sub(v128.load(q), v128.load(p))
      sum = f32x4.add(sum, d)
      squares = f32x4.add(squares, f32x4.mul(d, d))
      p += 16
      q += 16
    }
  }
  const count = <f64>(columns * rows)
  const mean = total(sum) / count
  return total(squares) / count - mean * mean
}

function total(v: v128): f64 {
  return (
    <f64>f32x4.extract_lane(v, 0) +
    <f64>f32x4.extract_lane(v, 1) +
    <f64>f32x4.extract_lane(v, 2) +
    <f64>f32x4.extract_lane(v, 3)
  )
}

/** The best whole shift within `range` as (dx + 128) · 256 + (dy + 128); −1 when none is convincing. */
export function globalShift(a: usize, b: usize, width: i32, height: i32, range: i32): i32 {
  const still = difference(a, b, width, height, 0, 0)
  if (still < STILL) return -1
  let best = still
  let bestX = 0
  let bestY = 0
  for (let dy = -range; dy <= range; dy++) {
    for (let dx = -range; dx <= range; dx++) {
      const left =
        difference(a, b, width, height, dx, dy) + (still * FAR * sqrt<f64>(<f64>(dx * dx + dy * dy))) / <f64>range
      if (left < best) {
        best = left
        bestX = dx
        bestY = dy
      }
    }
  }
  if (best > CONVINCING * still) return -1
  return (bestX + 128) * 256 + (bestY + 128)
}

/** Fills a flow field with one shift. */
export function fillFlow(flowX: usize, flowY: usize, count: i32, u: f32, v: f32): void {
  for (let i = 0; i < count; i++) {
    store<f32>(flowX + ((<usize>i) << 2), u)
    store<f32>(flowY + ((<usize>i) << 2), v)
  }
}
