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

/** Whether all that is drawn in a rectangle of pixels is nearer than `nearest`. */
export function isHidden(left: i32, top: i32, right: i32, bottom: i32, nearest: f32): bool {
  const lastX = right >> at.TILE_SHIFT
  const lastY = bottom >> at.TILE_SHIFT
  let hidden = true
  // Looks at all tiles, though one is enough to know: the triangles that are drawn next want them up to date.
  for (let y = top >> at.TILE_SHIFT; y <= lastY; y++)
    for (let x = left >> at.TILE_SHIFT; x <= lastX; x++) if (tileFarthest(x, y) <= nearest) hidden = false
  return hidden
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
