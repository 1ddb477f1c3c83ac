/** From the world to the screen, for one vertex at a time. */
import * as at from '../../../../../src/world/render/layout.ts'

/** Rounds to single precision. Each sum and product does, as the kernel's do: that makes the two equal bit by bit. */
export const f = Math.fround

/** A vertex in camera coordinates. */
export interface CameraVertex {
  x: number
  y: number
  z: number
  /** How far above the cut it is. */
  above: number
}

/** A vertex on the screen. */
export interface ScreenVertex {
  /** In pixels. */
  x: number
  y: number
  /** The nearer the greater, and linear on the screen: 1/depth, or far − depth in parallel projection. */
  closeness: number
  /** In 1/256 of a pixel. */
  snappedX: number
  snappedY: number
}

export function toCamera(view: Float32Array, x: number, y: number, z: number): CameraVertex {
  const dx = f(x - view[at.V_POSITION]!)
  const dy = f(y - view[at.V_POSITION + 1]!)
  const dz = f(z - view[at.V_POSITION + 2]!)
  return { ...turn(view, dx, dy, dz), above: f(z - view[at.V_CUT]!) }
}

/** Turns a direction of the world into camera axes. */
export function turn(view: Float32Array, dx: number, dy: number, dz: number): { x: number; y: number; z: number } {
  const row = (r: number): number => f(f(f(view[r]! * dx) + f(view[r + 1]! * dy)) + f(view[r + 2]! * dz))
  return { x: row(0), y: row(3), z: row(6) }
}

export function toScreen(view: Float32Array, orthographic: boolean, v: CameraVertex): ScreenVertex {
  const closeness = orthographic ? f(view[at.V_FAR]! - v.z) : f(1 / v.z)
  const scale = orthographic ? 1 : closeness
  const x = f(f(f(v.x * scale) * view[at.V_FX]!) + view[at.V_CX]!)
  const y = f(f(f(v.y * scale) * view[at.V_FY]!) + view[at.V_CY]!)
  return { x, y, closeness, snappedX: snap(x), snappedY: snap(y) }
}

function snap(pixels: number): number {
  return Math.floor(f(f(pixels * 256) + 0.5))
}
