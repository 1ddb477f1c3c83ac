/** Clears the frame before drawing, and brings what was drawn into the shape that is asked for. */
import * as at from '../../src/world/render/layout'
import * as frame from './frame'

/** Nothing is drawn yet. What is outside the picture is infinitely near: it never counts as far in a tile. */
export function clearSolid(): void {
  const rows = (frame.height + 7) & ~7
  const rowBytes = (<usize>frame.stride) << 2
  const drawnBytes = (<usize>frame.width) << 2
  for (let y = 0; y < rows; y++) {
    const row = frame.closeness + <usize>y * rowBytes
    const drawn = y < frame.height ? drawnBytes : 0
    memory.fill(row, 0, drawn)
    for (let x = drawn; x < rowBytes; x += 4) store<f32>(row + x, f32.POSITIVE_INFINITY)
  }
  const tiles = <usize>(frame.tilesAcross * (rows >> at.TILE_SHIFT))
  memory.fill(frame.tiles, 0, tiles << 2)
  memory.fill(frame.stale, 0, tiles)
}

/** What each layer draws, its shading takes away again. */
export function clearGlass(): void {
  memory.fill(frame.stale, 0, <usize>(frame.tilesAcross * ((frame.height + 7) >> at.TILE_SHIFT)))
  const bytes = (<usize>(frame.stride * ((frame.height + 7) & ~7))) << 2
  const far = f32x4.splat(f32.POSITIVE_INFINITY)
  for (let i: usize = 0; i < bytes; i += 16) v128.store(frame.closeness + i, far)
}

export function writeDepth(): void {
  for (let y = 0; y < frame.height; y++) writeDepthRow(y)
}

/** Runs over the row's end by up to three pixels, into the next row, which is written afterwards. */
export function writeDepthRow(y: i32): void {
  const far = f32x4.splat(frame.number(at.V_FAR))
  const orthographic = frame.orthographic
  const from = frame.closeness + ((<usize>(y * frame.stride)) << 2)
  const to = <usize>frame.word(at.F_DEPTH) + ((<usize>(y * frame.width)) << 2)
  const bytes = (<usize>frame.width) << 2
  for (let x: usize = 0; x < bytes; x += 16) {
    const near = v128.load(from + x)
    const there = f32x4.gt(near, f32x4.splat(0))
    const value = orthographic ? f32x4.sub(far, near) : f32x4.div(f32x4.splat(1), near)
    v128.store(to + x, v128.and(value, there))
  }
}

/** The number of the thing in each pixel. */
export function writeIds(): void {
  let ids = <usize>frame.word(at.F_IDS)
  let current: u32 = 0xffffffff
  let instance: u16 = 0
  for (let y = 0; y < frame.height; y++) {
    const row = (<usize>(y * frame.stride)) << 2
    for (let x = 0; x < frame.width; x++) {
      const offset = row + ((<usize>x) << 2)
      const there = load<f32>(frame.closeness + offset) > 0
      const id = load<u32>(frame.triangles + offset)
      if (there && id != current) {
        current = id
        instance = instanceOf(id)
      }
      store<u16>(ids, there ? instance : 0)
      ids += 2
    }
  }
}

/** The number that the mesh gives to the triangle in each pixel. */
export function writeTriangles(): void {
  const sources = frame.block(at.H_AT_SOURCE)
  let out = <usize>frame.word(at.F_TRIANGLES)
  for (let y = 0; y < frame.height; y++) {
    const row = (<usize>(y * frame.stride)) << 2
    for (let x = 0; x < frame.width; x++) {
      const offset = row + ((<usize>x) << 2)
      const there = load<f32>(frame.closeness + offset) > 0
      const id = load<u32>(frame.triangles + offset)
      store<u32>(out, there ? load<u32>(sources + ((<usize>numberOf(id)) << 2)) : 0xffffffff)
      out += 4
    }
  }
}

/** A triangle's place among all triangles of the scene. */
function numberOf(id: u32): u32 {
  const first = load<u32>(frame.block(at.H_AT_CLUSTER_TRIANGLE) + ((<usize>(id >> at.CLUSTER_SHIFT)) << 2))
  return first + (id & (at.CLUSTER_TRIANGLES - 1))
}

export function instanceOf(id: u32): u16 {
  return load<u16>(frame.block(at.H_AT_TRIANGLE_INSTANCE) + ((<usize>numberOf(id)) << 1))
}

export function writeColor(): void {
  const rgba = <usize>frame.word(at.F_RGBA)
  for (let y = 0; y < frame.height; y++) writeColorRow(rgba + ((<usize>(y * frame.width)) << 2), y)
}

/** r, g, b of each pixel of a row, without the fourth byte. Runs over the row's end, as depth does. */
export function writeColorRow(from: usize, y: i32): void {
  const width = <usize>frame.width
  const to = <usize>frame.word(at.F_COLOR) + <usize>y * width * 3
  const keep = i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)
  for (let i: usize = 0; i < width; i += 4) v128.store(to + i * 3, i8x16.swizzle(v128.load(from + (i << 2)), keep))
}

/** The mean of each two by two pixels, in three or four bytes. */
export function writeHalvedColor(bytes: usize): void {
  const from = <usize>frame.word(at.F_RGBA)
  let to = <usize>frame.word(at.F_COLOR)
  const rowBytes = (<usize>frame.width) << 2
  for (let y = 0; y < frame.height; y += 2) {
    let above = from + <usize>y * rowBytes
    for (let x = 0; x < frame.width; x += 2) {
      const upper = i16x8.extend_low_i8x16_u(v128.load64_zero(above))
      const lower = i16x8.extend_low_i8x16_u(v128.load64_zero(above + rowBytes))
      const sums = i16x8.add(upper, lower)
      const sum = i16x8.add(i16x8.add(sums, v128.shuffle<i64>(sums, sums, 1, 0)), i16x8.splat(2))
      const mean = i16x8.shr_u(sum, 2)
      store<u32>(to, i32x4.extract_lane(i8x16.narrow_i16x8_u(mean, mean), 0))
      above += 8
      to += bytes
    }
  }
}
