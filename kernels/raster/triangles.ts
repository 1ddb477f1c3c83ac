/**
 * A cluster's triangles, four at a time: which have a pixel at all, their edges and their depth; then each by itself.
 * Loops are tested at their end: only then does V8 keep what they do not change out of them (docs/world/renderer.md).
 */
import * as at from '../../src/world/render/layout'
import { drawClipped } from './clip'
import * as frame from './frame'
import { drawLarge } from './large'
import { isOpen, liveBottom, liveLeft, liveRight, liveTop, touch } from './occlusion'
import { plot } from './plot'

// Places of the four triangles' numbers in scratch.
const LEFT = 0
const TOP = 16
const RIGHT = 32
const BOTTOM = 48
/** Edge functions at the first pixel, then their steps to the right and down. */
const EDGE = 64
const STEP_X = 112
const STEP_Y = 160
/** Closeness: where it is known, its value there, slopes, bounds. */
const PLANE_X = 208
const PLANE_Y = 224
const PLANE_AT = 240
const PER_X = 256
const PER_Y = 272
const LEAST = 288
const GREATEST = 304

/** Of a vertex number in a byte of a word that was shifted to 8 or 16 times it. */
const EIGHTFOLD = 0x3f8
const SIXTEENFOLD = 0x7f0
/** From a tile's first row or column to its last. */
const TILE_LAST = 7
/** Triangles with fewer pixels in a row are drawn as they are: asking tiles takes longer. */
const COLUMNS_WIDTH = 16

export function drawTriangles(cluster: u32, count: i32, clipping: bool): void {
  const first = load<u32>(frame.block(at.H_AT_CLUSTER_TRIANGLE) + ((<usize>cluster) << 2))
  const index0 = frame.block(at.H_AT_INDEX_0) + first
  const index1 = frame.block(at.H_AT_INDEX_1) + first
  const index2 = frame.block(at.H_AT_INDEX_2) + first
  const four = frame.scratch + at.S_FOUR
  const outside = frame.scratch + at.S_OUTSIDE
  const firstX = i32x4.splat(liveLeft)
  const firstY = i32x4.splat(liveTop)
  const lastX = i32x4.splat(liveRight)
  const lastY = i32x4.splat(liveBottom)
  const small = i32x4.splat(at.SMALL_EXTENT)
  const before = i32x4.splat(127)
  const after = i32x4.splat(128)
  const zero = i32x4.splat(0)
  const hideBackFaces = frame.hideBackFaces
  const solid = frame.behind == 0

  let next = 0
  do {
    const i = next
    next += 4
    let alive = count - i >= 4 ? 15 : (1 << (count - i)) - 1
    const a = load<u32>(index0 + i)
    const b = load<u32>(index1 + i)
    const c = load<u32>(index2 + i)
    if (clipping) {
      for (let lane = 0; lane < 4; lane++) {
        const shift = lane << 3
        const va = (a >> shift) & 127,
          vb = (b >> shift) & 127,
          vc = (c >> shift) & 127
        if ((load<u8>(outside + va) | load<u8>(outside + vb) | load<u8>(outside + vc)) == 0) continue
        if (alive & (1 << lane)) drawClipped(va, vb, vc, (cluster << at.CLUSTER_SHIFT) | (i + lane))
        alive &= ~(1 << lane)
      }
    }
    const a01 = pair((a << 3) & EIGHTFOLD, (a >> 5) & EIGHTFOLD),
      a23 = pair((a >> 13) & EIGHTFOLD, (a >> 21) & EIGHTFOLD)
    const b01 = pair((b << 3) & EIGHTFOLD, (b >> 5) & EIGHTFOLD),
      b23 = pair((b >> 13) & EIGHTFOLD, (b >> 21) & EIGHTFOLD)
    const c01 = pair((c << 3) & EIGHTFOLD, (c >> 5) & EIGHTFOLD),
      c23 = pair((c >> 13) & EIGHTFOLD, (c >> 21) & EIGHTFOLD)
    const ax = i32x4.shuffle(a01, a23, 0, 2, 4, 6),
      ay = i32x4.shuffle(a01, a23, 1, 3, 5, 7)
    let bx = i32x4.shuffle(b01, b23, 0, 2, 4, 6),
      by = i32x4.shuffle(b01, b23, 1, 3, 5, 7)
    let cx = i32x4.shuffle(c01, c23, 0, 2, 4, 6),
      cy = i32x4.shuffle(c01, c23, 1, 3, 5, 7)
    const minX = i32x4.min_s(ax, i32x4.min_s(bx, cx)),
      maxX = i32x4.max_s(ax, i32x4.max_s(bx, cx))
    const minY = i32x4.min_s(ay, i32x4.min_s(by, cy)),
      maxY = i32x4.max_s(ay, i32x4.max_s(by, cy))
    const left = i32x4.max_s(firstX, i32x4.shr_s(i32x4.add(minX, before), at.SUBPIXEL_BITS))
    const right = i32x4.min_s(lastX, i32x4.shr_s(i32x4.sub(maxX, after), at.SUBPIXEL_BITS))
    const top = i32x4.max_s(firstY, i32x4.shr_s(i32x4.add(minY, before), at.SUBPIXEL_BITS))
    const bottom = i32x4.min_s(lastY, i32x4.shr_s(i32x4.sub(maxY, after), at.SUBPIXEL_BITS))
    const hasPixel = v128.and(i32x4.le_s(left, right), i32x4.le_s(top, bottom))
    alive &= i32x4.bitmask(hasPixel)
    if (alive == 0) continue

    const large =
      i32x4.bitmask(v128.or(i32x4.gt_s(i32x4.sub(maxX, minX), small), i32x4.gt_s(i32x4.sub(maxY, minY), small))) & alive
    alive &= ~large
    if (large != 0)
      for (let lane = 0; lane < 4; lane++) {
        if ((large & (1 << lane)) == 0) continue
        const shift = lane << 3
        corner(0, (a >> shift) & 127)
        corner(32, (b >> shift) & 127)
        corner(64, (c >> shift) & 127)
        drawLarge(0, 32, 64, (cluster << at.CLUSTER_SHIFT) | (i + lane))
      }

    const area = i32x4.sub(
      i32x4.mul(i32x4.sub(bx, ax), i32x4.sub(cy, ay)),
      i32x4.mul(i32x4.sub(cx, ax), i32x4.sub(by, ay)),
    )
    const backward = i32x4.lt_s(area, zero)
    alive &= ~i32x4.bitmask(i32x4.eq(area, zero))
    if (hideBackFaces) alive &= i32x4.bitmask(backward)
    if (alive == 0) continue
    const keptX = bx,
      keptY = by
    bx = v128.bitselect(cx, bx, backward)
    by = v128.bitselect(cy, by, backward)
    cx = v128.bitselect(keptX, cx, backward)
    cy = v128.bitselect(keptY, cy, backward)

    const px = i32x4.add(i32x4.shl(left, at.SUBPIXEL_BITS), after)
    const py = i32x4.add(i32x4.shl(top, at.SUBPIXEL_BITS), after)
    // Most of the smallest triangles lie between the pixels' centers.
    const wide = i32x4.sub(right, left)
    const tall = i32x4.sub(bottom, top)
    const missed = v128.or(
      v128.or(edge(four, ax, ay, bx, by, px, py, wide, tall), edge(four + 16, bx, by, cx, cy, px, py, wide, tall)),
      edge(four + 32, cx, cy, ax, ay, px, py, wide, tall),
    )
    alive &= ~i32x4.bitmask(missed)
    if (alive == 0) continue
    plane(four, a, b, c)
    v128.store(four, left, LEFT)
    v128.store(four, top, TOP)
    v128.store(four, right, RIGHT)
    v128.store(four, bottom, BOTTOM)
    if (!solid) {
      // Of glass, only what is touched is shaded.
      touch(
        least(v128.bitselect(left, lastX, hasPixel)),
        least(v128.bitselect(top, lastY, hasPixel)),
        most(v128.and(right, hasPixel)),
        most(v128.and(bottom, hasPixel)),
      )
    }
    const id = (cluster << at.CLUSTER_SHIFT) | i
    do {
      const lane = ctz(alive)
      alive &= alive - 1
      drawSmall(four + ((<usize>lane) << 2), id + lane)
    } while (alive != 0)
  } while (next < count)
}

/** Snapped x, y of two vertices; `first` and `second` are 8 times their numbers. */
function pair(first: u32, second: u32): v128 {
  const snapped = frame.scratch + at.S_SNAPPED
  return v128.load64_lane(snapped + <usize>second, v128.load64_zero(snapped + <usize>first), 1)
}

/** Negative where all centers of a triangle's pixels, from the first one to `wide` and `tall` further, are outside. */
function edge(four: usize, ax: v128, ay: v128, bx: v128, by: v128, px: v128, py: v128, wide: v128, tall: v128): v128 {
  const dx = i32x4.sub(bx, ax)
  const dy = i32x4.sub(by, ay)
  const zero = i32x4.splat(0)
  const topOrLeft = v128.or(i32x4.lt_s(dy, zero), v128.and(i32x4.eq(dy, zero), i32x4.gt_s(dx, zero)))
  const value = i32x4.sub(i32x4.mul(dx, i32x4.sub(py, ay)), i32x4.mul(dy, i32x4.sub(px, ax)))
  // One less where 0 is outside. Steps are multiples of 256, so that the low 8 bits never decide a sign.
  const biased = i32x4.add(value, v128.not(topOrLeft))
  const first = i32x4.shr_s(biased, at.SUBPIXEL_BITS)
  const right = i32x4.neg(dy)
  v128.store(four, first, EDGE)
  v128.store(four, right, STEP_X)
  v128.store(four, dx, STEP_Y)
  const across = i32x4.mul(i32x4.max_s(right, zero), wide)
  return i32x4.add(first, i32x4.add(across, i32x4.mul(i32x4.max_s(dx, zero), tall)))
}

/** As smallPlane in reference/raster.ts. Exchanging b and c changes no bit of it. */
function plane(four: usize, a: u32, b: u32, c: u32): void {
  const a0 = onScreen((a << 4) & SIXTEENFOLD),
    a1 = onScreen((a >> 4) & SIXTEENFOLD),
    a2 = onScreen((a >> 12) & SIXTEENFOLD),
    a3 = onScreen((a >> 20) & SIXTEENFOLD)
  const b0 = onScreen((b << 4) & SIXTEENFOLD),
    b1 = onScreen((b >> 4) & SIXTEENFOLD),
    b2 = onScreen((b >> 12) & SIXTEENFOLD),
    b3 = onScreen((b >> 20) & SIXTEENFOLD)
  const c0 = onScreen((c << 4) & SIXTEENFOLD),
    c1 = onScreen((c >> 4) & SIXTEENFOLD),
    c2 = onScreen((c >> 12) & SIXTEENFOLD),
    c3 = onScreen((c >> 20) & SIXTEENFOLD)
  const axy01 = i32x4.shuffle(a0, a1, 0, 4, 1, 5),
    axy23 = i32x4.shuffle(a2, a3, 0, 4, 1, 5)
  const bxy01 = i32x4.shuffle(b0, b1, 0, 4, 1, 5),
    bxy23 = i32x4.shuffle(b2, b3, 0, 4, 1, 5)
  const cxy01 = i32x4.shuffle(c0, c1, 0, 4, 1, 5),
    cxy23 = i32x4.shuffle(c2, c3, 0, 4, 1, 5)
  const ak01 = i32x4.shuffle(a0, a1, 2, 6, 2, 6),
    ak23 = i32x4.shuffle(a2, a3, 2, 6, 2, 6)
  const bk01 = i32x4.shuffle(b0, b1, 2, 6, 2, 6),
    bk23 = i32x4.shuffle(b2, b3, 2, 6, 2, 6)
  const ck01 = i32x4.shuffle(c0, c1, 2, 6, 2, 6),
    ck23 = i32x4.shuffle(c2, c3, 2, 6, 2, 6)
  const ax = i32x4.shuffle(axy01, axy23, 0, 1, 4, 5),
    ay = i32x4.shuffle(axy01, axy23, 2, 3, 6, 7)
  const ak = i32x4.shuffle(ak01, ak23, 0, 1, 4, 5)
  const bk4 = i32x4.shuffle(bk01, bk23, 0, 1, 4, 5)
  const ck4 = i32x4.shuffle(ck01, ck23, 0, 1, 4, 5)
  const bx = f32x4.sub(i32x4.shuffle(bxy01, bxy23, 0, 1, 4, 5), ax)
  const by = f32x4.sub(i32x4.shuffle(bxy01, bxy23, 2, 3, 6, 7), ay)
  const cx = f32x4.sub(i32x4.shuffle(cxy01, cxy23, 0, 1, 4, 5), ax)
  const cy = f32x4.sub(i32x4.shuffle(cxy01, cxy23, 2, 3, 6, 7), ay)
  const bk = f32x4.sub(bk4, ak)
  const ck = f32x4.sub(ck4, ak)
  const area = f32x4.sub(f32x4.mul(bx, cy), f32x4.mul(cx, by))
  const inverse = v128.andnot(f32x4.div(f32x4.splat(1), area), f32x4.eq(area, f32x4.splat(0)))
  v128.store(four, ax, PLANE_X)
  v128.store(four, ay, PLANE_Y)
  v128.store(four, ak, PLANE_AT)
  v128.store(four, f32x4.mul(f32x4.sub(f32x4.mul(bk, cy), f32x4.mul(ck, by)), inverse), PER_X)
  v128.store(four, f32x4.mul(f32x4.sub(f32x4.mul(bx, ck), f32x4.mul(cx, bk)), inverse), PER_Y)
  v128.store(four, f32x4.pmin(ak, f32x4.pmin(bk4, ck4)), LEAST)
  v128.store(four, f32x4.pmax(ak, f32x4.pmax(bk4, ck4)), GREATEST)
}

/** x, y and closeness of a vertex; `vertex` is 16 times its number. */
function onScreen(vertex: u32): v128 {
  return v128.load(frame.scratch + at.S_SCREEN + <usize>vertex)
}

/** Copies a vertex to where drawLarge takes its corners. */
function corner(to: usize, vertex: u32): void {
  const corners = frame.scratch + at.S_CORNERS + to
  v128.store(corners, onScreen(vertex << 4))
  store<u64>(corners, load<u64>(frame.scratch + at.S_SNAPPED + ((<usize>vertex) << 3)), 16)
}

/** `four` is the address of the triangle's lane. */
function drawSmall(four: usize, id: u32): void {
  const wide = load<i32>(four, RIGHT) - load<i32>(four, LEFT)
  if (wide >= COLUMNS_WIDTH) {
    drawMedium(four, id)
    return
  }
  let column = 0
  do {
    drawColumn(four, id, column)
    column += 4
  } while (column <= wide)
}

/** The four pixels of each row from a column on; that of the triangle's first pixel is 0. */
function drawColumn(four: usize, id: u32, column: i32): void {
  const top = load<i32>(four, TOP)
  const left = load<i32>(four, LEFT) + column
  const end = <f32>load<i32>(four, BOTTOM) + 1
  let y = <f32>top + 0.5
  const lanes = i32x4(0, 1, 2, 3)
  const right = i32x4.add(i32x4.splat(column), lanes)
  let edge0 = i32x4.add(v128.load32_splat(four, EDGE), i32x4.mul(v128.load32_splat(four, STEP_X), right))
  let edge1 = i32x4.add(v128.load32_splat(four, EDGE + 16), i32x4.mul(v128.load32_splat(four, STEP_X + 16), right))
  let edge2 = i32x4.add(v128.load32_splat(four, EDGE + 32), i32x4.mul(v128.load32_splat(four, STEP_X + 32), right))
  const stepY0 = v128.load32_splat(four, STEP_Y)
  const stepY1 = v128.load32_splat(four, STEP_Y + 16)
  const stepY2 = v128.load32_splat(four, STEP_Y + 32)
  const centers = f32x4.add(f32x4.convert_i32x4_s(i32x4.add(i32x4.splat(left), lanes)), f32x4.splat(0.5))
  const alongX = f32x4.mul(v128.load32_splat(four, PER_X), f32x4.sub(centers, v128.load32_splat(four, PLANE_X)))
  const planeY = load<f32>(four, PLANE_Y)
  const planeAt = load<f32>(four, PLANE_AT)
  const perY = load<f32>(four, PER_Y)
  const least = v128.load32_splat(four, LEAST)
  const greatest = v128.load32_splat(four, GREATEST)
  const ids = i32x4.splat(id)
  const rowBytes = (<usize>frame.stride) << 2
  const toTriangles = frame.toTriangles
  const toBehind = frame.toBehind
  let pixel = frame.closeness + ((<usize>top * frame.stride + left) << 2)
  do {
    // No test for an empty row: a wrong guess would cost more than the row.
    const outside = v128.or(v128.or(edge0, edge1), edge2)
    const row = planeAt + perY * (y - planeY)
    const near = f32x4.pmin(f32x4.pmax(f32x4.add(f32x4.splat(row), alongX), least), greatest)
    plot(pixel, toTriangles, toBehind, outside, near, ids)
    edge0 = i32x4.add(edge0, stepY0)
    edge1 = i32x4.add(edge1, stepY1)
    edge2 = i32x4.add(edge2, stepY2)
    pixel += rowBytes
    y += 1
  } while (y < end)
}

/** Tile by tile: a tile that the triangle misses, or in which all is nearer than it, is left out as a whole. */
function drawMedium(four: usize, id: u32): void {
  const left = load<i32>(four, LEFT)
  const right = load<i32>(four, RIGHT)
  const top = load<i32>(four, TOP)
  const bottom = load<i32>(four, BOTTOM)
  const lanes = i32x4(0, 1, 2, 3)
  const stepX0 = load<i32>(four, STEP_X)
  const stepX1 = load<i32>(four, STEP_X + 16)
  const stepX2 = load<i32>(four, STEP_X + 32)
  const stepY0 = load<i32>(four, STEP_Y)
  const stepY1 = load<i32>(four, STEP_Y + 16)
  const stepY2 = load<i32>(four, STEP_Y + 32)
  const lanes0 = i32x4.mul(i32x4.splat(stepX0), lanes)
  const lanes1 = i32x4.mul(i32x4.splat(stepX1), lanes)
  const lanes2 = i32x4.mul(i32x4.splat(stepX2), lanes)
  const stepsX = i32x4(stepX0, stepX1, stepX2, 0)
  const stepsY = i32x4(stepY0, stepY1, stepY2, 0)
  const zero = i32x4.splat(0)
  const highest = i32x4.mul(i32x4.add(i32x4.max_s(stepsX, zero), i32x4.max_s(stepsY, zero)), i32x4.splat(TILE_LAST))
  const down0 = v128.load32_splat(four, STEP_Y)
  const down1 = v128.load32_splat(four, STEP_Y + 16)
  const down2 = v128.load32_splat(four, STEP_Y + 32)
  const perX = v128.load32_splat(four, PER_X)
  const planeX = v128.load32_splat(four, PLANE_X)
  const planeY = load<f32>(four, PLANE_Y)
  const planeAt = load<f32>(four, PLANE_AT)
  const perY = load<f32>(four, PER_Y)
  const least = v128.load32_splat(four, LEAST)
  const nearest = load<f32>(four, GREATEST)
  const greatest = f32x4.splat(nearest)
  const ids = i32x4.splat(id)
  const rowBytes = (<usize>frame.stride) << 2
  const toTriangles = frame.toTriangles
  const toBehind = frame.toBehind
  const firstTileX = left >> at.TILE_SHIFT
  const lastTileX = right >> at.TILE_SHIFT
  const lastTileY = bottom >> at.TILE_SHIFT
  const start = i32x4(load<i32>(four, EDGE), load<i32>(four, EDGE + 16), load<i32>(four, EDGE + 32), 0)
  const acrossTile = i32x4.shl(stepsX, at.TILE_SHIFT)
  let tileY = top >> at.TILE_SHIFT
  do {
    const tileTop = tileY << at.TILE_SHIFT
    const firstY = max(top, tileTop)
    const endY = <f32>min(bottom, tileTop + TILE_LAST) + 1
    let edges = i32x4.add(
      start,
      i32x4.add(
        i32x4.mul(stepsX, i32x4.splat((firstTileX << at.TILE_SHIFT) - left)),
        i32x4.mul(stepsY, i32x4.splat(tileTop - top)),
      ),
    )
    let nextTileX = firstTileX
    do {
      const tileX = nextTileX
      nextTileX++
      const corner = edges
      edges = i32x4.add(edges, acrossTile)
      if (i32x4.bitmask(i32x4.add(corner, highest)) != 0) continue
      if (!isOpen(tileX, tileY, nearest)) continue
      store<u8>(frame.stale + tileY * frame.tilesAcross + tileX, 1)
      const inRow = i32x4.add(corner, i32x4.mul(stepsY, i32x4.splat(firstY - tileTop)))
      let x = tileX << at.TILE_SHIFT
      const tileLeft = x
      if (x + 3 < left) x += 4
      const lastX = min(right, tileLeft + TILE_LAST)
      do {
        const begin = i32x4.add(inRow, i32x4.mul(stepsX, i32x4.splat(x - tileLeft)))
        let edge0 = i32x4.add(i32x4.shuffle(begin, begin, 0, 0, 0, 0), lanes0)
        let edge1 = i32x4.add(i32x4.shuffle(begin, begin, 1, 1, 1, 1), lanes1)
        let edge2 = i32x4.add(i32x4.shuffle(begin, begin, 2, 2, 2, 2), lanes2)
        const centers = f32x4.add(f32x4.convert_i32x4_s(i32x4.add(i32x4.splat(x), lanes)), f32x4.splat(0.5))
        const alongX = f32x4.mul(perX, f32x4.sub(centers, planeX))
        let pixel = frame.closeness + ((<usize>firstY * frame.stride + x) << 2)
        let y = <f32>firstY + 0.5
        do {
          const outside = v128.or(v128.or(edge0, edge1), edge2)
          const row = planeAt + perY * (y - planeY)
          const near = f32x4.pmin(f32x4.pmax(f32x4.add(f32x4.splat(row), alongX), least), greatest)
          plot(pixel, toTriangles, toBehind, outside, near, ids)
          edge0 = i32x4.add(edge0, down0)
          edge1 = i32x4.add(edge1, down1)
          edge2 = i32x4.add(edge2, down2)
          pixel += rowBytes
          y += 1
        } while (y < endY)
        x += 4
      } while (x <= lastX)
    } while (nextTileX <= lastTileX)
    tileY++
  } while (tileY <= lastTileY)
}

function least(v: v128): i32 {
  return min(
    min(i32x4.extract_lane(v, 0), i32x4.extract_lane(v, 1)),
    min(i32x4.extract_lane(v, 2), i32x4.extract_lane(v, 3)),
  )
}

function most(v: v128): i32 {
  return max(
    max(i32x4.extract_lane(v, 0), i32x4.extract_lane(v, 1)),
    max(i32x4.extract_lane(v, 2), i32x4.extract_lane(v, 3)),
  )
}
