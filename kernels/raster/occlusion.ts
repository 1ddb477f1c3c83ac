/** The coarse depth picture: how far the farthest surface in each tile of 8 × 8 pixels is. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** Least closeness in a tile, looked up again if something was drawn there since. */
export function tileFarthest(x: i32, y: i32): f32 {
  const tile = y * frame.tilesAcross + x
  const atTile = frame.tiles + ((<usize>tile) << 2)
  if (load<u8>(frame.stale + tile) == 0) return load<f32>(atTile)
  const rowBytes = (<usize>frame.stride) << 2
  let row = frame.closeness + ((<usize>(y << at.TILE_SHIFT) * frame.stride + (x << at.TILE_SHIFT)) << 2)
  let least = f32x4.pmin(v128.load(row), v128.load(row, 16))
  for (let i = 1; i < 8; i++) {
    row += rowBytes
    least = f32x4.pmin(least, f32x4.pmin(v128.load(row), v128.load(row, 16)))
  }
  least = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 0, 1))
  const farthest = min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1))
  store<f32>(atTile, farthest)
  store<u8>(frame.stale + tile, 0)
  return farthest
}

/** The same as it was when last looked up: never nearer than it is now. */
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
  const lastX = right >> at.TILE_SHIFT
  const lastY = bottom >> at.TILE_SHIFT
  let firstLiveX = i32.MAX_VALUE
  let lastLiveX = -1
  let firstLiveY = -1
  let lastLiveY = -1
  for (let y = top >> at.TILE_SHIFT; y <= lastY; y++)
    for (let x = left >> at.TILE_SHIFT; x <= lastX; x++) {
      if (tileFarthest(x, y) > nearest) continue
      firstLiveX = min(firstLiveX, x)
      lastLiveX = max(lastLiveX, x)
      if (firstLiveY < 0) firstLiveY = y
      lastLiveY = y
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
