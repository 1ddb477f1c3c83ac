/** The coarse depth picture: how far the farthest surface in each tile of 8 × 8 pixels is at most. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

// The pixels of the tiles in which a cluster may still be seen, from the last `findLive`. Its triangles are cut to them.
export let liveLeft: i32 = 0
export let liveTop: i32 = 0
export let liveRight: i32 = 0
export let liveBottom: i32 = 0

/** Anything may be seen anywhere in the picture. */
export function liveEverywhere(): void {
  liveLeft = 0
  liveTop = 0
  liveRight = frame.width - 1
  liveBottom = frame.height - 1
}

/** Nothing is drawn yet: the first pixel of each tile is as far as any. */
export function openTiles(): void {
  const rowBytes = (<usize>frame.stride) << (at.TILE_SHIFT + 2)
  let tile = frame.farPixels
  for (let y = 0; y < frame.height; y += 8) {
    let pixel = frame.closeness + (<usize>(y >> at.TILE_SHIFT)) * rowBytes
    for (let x = 0; x < frame.tilesAcross; x++) {
      store<u32>(tile, <u32>pixel)
      tile += 4
      pixel += 32
    }
  }
}

/** Whether some pixel of a tile is farther than `nearest`, or at it. */
export function isOpen(x: i32, y: i32, nearest: f32): bool {
  const tile = (<usize>(y * frame.tilesAcross + x)) << 2
  // A tile only ever comes nearer: what was hidden by what it was is hidden.
  if (load<f32>(frame.tiles + tile) > nearest) return false
  if (load<f32>(<usize>load<u32>(frame.farPixels + tile)) <= nearest) return true
  return look(x, y, nearest)
}

/** Looks for a pixel of the tile that is farther than `nearest`, and notes it or how far the farthest is. */
function look(x: i32, y: i32, nearest: f32): bool {
  const tile = (<usize>(y * frame.tilesAcross + x)) << 2
  const rowBytes = (<usize>frame.stride) << 2
  const solid = frame.behind == 0 ? frame.closeness : frame.behind
  const first = solid + (<usize>(y << at.TILE_SHIFT)) * rowBytes + ((<usize>x) << (at.TILE_SHIFT + 2))
  const limit = f32x4.splat(nearest)
  let least = f32x4.splat(f32.POSITIVE_INFINITY)
  let row = first
  let left = 8
  do {
    const a = v128.load(row)
    const b = v128.load(row, 16)
    const far = i32x4.bitmask(f32x4.le(a, limit)) | (i32x4.bitmask(f32x4.le(b, limit)) << 4)
    if (far != 0) {
      store<u32>(frame.farPixels + tile, <u32>(row + ((<usize>ctz(far)) << 2)))
      return true
    }
    least = f32x4.pmin(least, f32x4.pmin(a, b))
    row += rowBytes
    left--
  } while (left > 0)
  const pairs = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 0, 1))
  store<f32>(frame.tiles + tile, min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1)))
  return false
}

/** Whether all that is drawn where a box is on the screen is nearer than it. */
export function isHidden(onScreen: usize): bool {
  const nearest = load<f32>(onScreen, at.O_NEAREST)
  const firstX = <i32>load<i16>(onScreen, at.O_LEFT) >> at.TILE_SHIFT
  const lastX = <i32>load<i16>(onScreen, at.O_RIGHT) >> at.TILE_SHIFT
  const lastY = <i32>load<i16>(onScreen, at.O_BOTTOM) >> at.TILE_SHIFT
  for (let y = <i32>load<i16>(onScreen, at.O_TOP) >> at.TILE_SHIFT; y <= lastY; y++)
    for (let x = firstX; x <= lastX; x++) if (isOpen(x, y, nearest)) return false
  return true
}

/** Finds the tiles in which something on the screen may be seen; false if there are none. */
export function findLive(onScreen: usize): bool {
  const nearest = load<f32>(onScreen, at.O_NEAREST)
  const firstX = <i32>load<i16>(onScreen, at.O_LEFT) >> at.TILE_SHIFT
  const lastX = <i32>load<i16>(onScreen, at.O_RIGHT) >> at.TILE_SHIFT
  const lastY = <i32>load<i16>(onScreen, at.O_BOTTOM) >> at.TILE_SHIFT
  let y = <i32>load<i16>(onScreen, at.O_TOP) >> at.TILE_SHIFT
  if (lastX < firstX || lastY < y) return false
  let left = firstOpen(firstX, lastX + 1, y, nearest)
  while (left > lastX) {
    if (++y > lastY) return false
    left = firstOpen(firstX, lastX + 1, y, nearest)
  }
  let right = lastOpen(lastX, left, y, nearest)
  const top = y
  // From below, and then only what is further to the left or right.
  y = lastY
  while (y > top) {
    const x = firstOpen(firstX, lastX + 1, y, nearest)
    if (x <= lastX) {
      left = min(left, x)
      right = lastOpen(lastX, max(x, right), y, nearest)
      break
    }
    y--
  }
  const bottom = y
  for (y = top + 1; y < bottom; y++) {
    left = firstOpen(firstX, left, y, nearest)
    right = lastOpen(lastX, right, y, nearest)
  }
  liveLeft = left << at.TILE_SHIFT
  liveTop = top << at.TILE_SHIFT
  liveRight = min(frame.width - 1, (right << at.TILE_SHIFT) + 7)
  liveBottom = min(frame.height - 1, (bottom << at.TILE_SHIFT) + 7)
  return true
}

/** The first open tile of a row from `x` on; `end` if there is none before it. */
function firstOpen(x: i32, end: i32, y: i32, nearest: f32): i32 {
  while (x < end && !isOpen(x, y, nearest)) x++
  return x
}

/** The last open tile of a row up to `x`; `end` if there is none behind it. */
function lastOpen(x: i32, end: i32, y: i32, nearest: f32): i32 {
  while (x > end && !isOpen(x, y, nearest)) x--
  return x
}

/** Notes that glass was drawn in a rectangle of pixels. */
export function touch(left: i32, top: i32, right: i32, bottom: i32): void {
  const firstX = left >> at.TILE_SHIFT
  const lastX = right >> at.TILE_SHIFT
  const lastY = bottom >> at.TILE_SHIFT
  // A call to fill memory would take longer than these few bytes.
  for (let y = top >> at.TILE_SHIFT; y <= lastY; y++) {
    const row = frame.stale + y * frame.tilesAcross
    for (let x = firstX; x <= lastX; x++) store<u8>(row + x, 1)
  }
}
