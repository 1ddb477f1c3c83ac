/** The frame that is being drawn: addresses and numbers that all parts of the kernel read. */
import * as at from '../../src/world/render/layout'

export let view: usize = 0
export let scene: usize = 0
export let scratch: usize = 0

export let width: i32 = 0
export let height: i32 = 0
export let stride: i32 = 0
export let orthographic: bool = false
export let hideBackFaces: bool = false

export let closeness: usize = 0
export let triangles: usize = 0
/** In the glass pass: the surfaces behind, which closeness must exceed. 0 in the solid pass. */
export let behind: usize = 0

/** From a pixel's closeness to its triangle, and to what is behind the glass there (0 in the solid pass). */
export let toTriangles: usize = 0
export let toBehind: usize = 0

export let tiles: usize = 0
export let stale: usize = 0
export let farPixels: usize = 0
export let tilesAcross: i32 = 0

export function loadFrame(address: usize): void {
  view = address
  scene = at.SCENE_START
  scratch = word(at.F_SCRATCH)
  width = word(at.V_WIDTH)
  height = word(at.V_HEIGHT)
  stride = word(at.V_STRIDE)
  const flags = word(at.V_FLAGS)
  orthographic = (flags & at.VIEW_ORTHOGRAPHIC) != 0
  hideBackFaces = (flags & at.VIEW_HIDE_BACK_FACES) != 0
  tiles = word(at.F_TILES)
  stale = word(at.F_STALE)
  farPixels = word(at.F_FAR_PIXELS)
  tilesAcross = stride >> at.TILE_SHIFT
  drawSolid()
}

export function drawSolid(): void {
  closeness = word(at.F_CLOSENESS)
  triangles = word(at.F_TRIANGLE)
  behind = 0
  toTriangles = triangles - closeness
  toBehind = 0
}

export function drawGlass(): void {
  closeness = word(at.F_GLASS_CLOSENESS)
  triangles = word(at.F_GLASS_TRIANGLE)
  behind = word(at.F_CLOSENESS)
  toTriangles = triangles - closeness
  toBehind = behind - closeness
}

/** A number of the view. */
export function number(index: i32): f32 {
  return load<f32>(view + (index << 2))
}

/** A whole number of the view. */
export function word(index: i32): i32 {
  return load<i32>(view + (index << 2))
}

/** A word of the scene's header. */
export function header(index: i32): u32 {
  return load<u32>(scene + (index << 2))
}

/** Address of a block of the scene, from the header's word that has its offset. */
export function block(index: i32): usize {
  return scene + load<u32>(scene + (index << 2))
}
