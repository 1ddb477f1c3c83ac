/** The coarse depth picture: how far the farthest surface in each tile of 8 × 8 pixels is. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** Least closeness in the tile whose first pixel is at `row`. */
function farthestIn(row: usize, rowBytes: usize): f32 {
  const below = row + 4 * rowBytes
  let upper = f32x4.pmin(v128.load(row), v128.load(row, 16))
  let lower = f32x4.pmin(v128.load(below), v128.load(below, 16))
  for (let i: usize = 1; i < 4; i++) {
    const inUpper = row + i * rowBytes
    const inLower = below + i * rowBytes
    upper = f32x4.pmin(upper, f32x4.pmin(v128.load(inUpper), v128.load(inUpper, 16)))
    lower = f32x4.pmin(lower, f32x4.pmin(v128.load(inLower), v128.load(inLower, 16)))
  }
  const least = f32x4.pmin(upper, lower)
  const pairs = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 0, 1))
  return min(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1))
}

/** Least closeness in a tile as it was when last looked up: never nearer than it is now. */
export function tileFarthestBefore(x: i32, y: i32): f32 {
  return load<f32>(frame.tiles + ((<usize>(y * frame.tilesAcross + x)) << 2))
}

// The pixels of the tiles in which a cluster may still be seen, from the last `isHidden`. Its triangles are cut to them.
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

/** Whether all that is drawn in a rectangle of pixels is nearer than `nearest`; where it is not is live. */
export function isHidden(left: i32, top: i32, right: i32, bottom: i32, nearest: f32): bool {
  const firstX = left >> at.TILE_SHIFT
  const lastX = right >> at.TILE_SHIFT
  const lastY = bottom >> at.TILE_SHIFT
  const rowBytes = (<usize>frame.stride) << 2
  let firstLiveX = i32.MAX_VALUE
  let lastLiveX = -1
  let firstLiveY = -1
  let lastLiveY = -1
  for (let y = top >> at.TILE_SHIFT; y <= lastY; y++) {
    const row = y * frame.tilesAcross
    const stale = frame.stale + row
    const tiles = frame.tiles + ((<usize>row) << 2)
    const pixels = frame.closeness + (<usize>(y << at.TILE_SHIFT)) * rowBytes
    for (let x = firstX; x <= lastX; x++) {
      const tile = tiles + ((<usize>x) << 2)
      // A tile only ever comes nearer: what was hidden by what it was is hidden.
      if (load<f32>(tile) > nearest) continue
      if (load<u8>(stale + x) != 0) {
        const farthest = farthestIn(pixels + ((<usize>x) << (at.TILE_SHIFT + 2)), rowBytes)
        store<f32>(tile, farthest)
        store<u8>(stale + x, 0)
        if (farthest > nearest) continue
      }
      firstLiveX = min(firstLiveX, x)
      lastLiveX = max(lastLiveX, x)
      if (firstLiveY < 0) firstLiveY = y
      lastLiveY = y
    }
  }
  if (lastLiveY < 0) return true
  liveLeft = firstLiveX << at.TILE_SHIFT
  liveTop = firstLiveY << at.TILE_SHIFT
  liveRight = min(frame.width - 1, (lastLiveX << at.TILE_SHIFT) + 7)
  liveBottom = min(frame.height - 1, (lastLiveY << at.TILE_SHIFT) + 7)
  return false
}

/** Notes that something was drawn in a rectangle of pixels. */
export function touch(left: i32, top: i32, right: i32, bottom: i32): void {
  const firstX = left >> at.TILE_SHIFT
  const count = (right >> at.TILE_SHIFT) - firstX + 1
  if (count <= 0) return
  const lastY = bottom >> at.TILE_SHIFT
  for (let y = top >> at.TILE_SHIFT; y <= lastY; y++)
    memory.fill(frame.stale + y * frame.tilesAcross + firstX, 1, count)
}
