/** Boxes along the axes, and turned ones: what placing and checking need to know about overlap. */
import { turnOf } from '../trig.ts'

export interface Box {
  x: readonly [number, number]
  y: readonly [number, number]
  z: readonly [number, number]
}

/** Boxes that only touch do not overlap. */
const TOUCH = 0.0005

export function overlap(a: Box, b: Box, gap = 0): boolean {
  const slack = gap - TOUCH
  return (
    a.x[0] < b.x[1] + slack &&
    b.x[0] < a.x[1] + slack &&
    a.y[0] < b.y[1] + slack &&
    b.y[0] < a.y[1] + slack &&
    a.z[0] < b.z[1] - TOUCH &&
    b.z[0] < a.z[1] - TOUCH
  )
}

/** The box along the axes around a turned object whose base is at `position`. */
export function boundsAt(
  size: readonly [number, number, number],
  position: readonly [number, number, number],
  yaw: number,
): Box {
  const [c, s] = turnOf(yaw)
  const hx = (Math.abs(c) * size[0] + Math.abs(s) * size[1]) / 2
  const hy = (Math.abs(s) * size[0] + Math.abs(c) * size[1]) / 2
  return {
    x: [position[0] - hx, position[0] + hx],
    y: [position[1] - hy, position[1] + hy],
    z: [position[2], position[2] + size[2]],
  }
}

export interface TurnedBox {
  size: readonly [number, number, number]
  position: readonly [number, number, number]
  yaw: number
}

/** Whether two upright turned boxes overlap by more than `tolerance` (separating axes). */
export function turnedOverlap(a: TurnedBox, b: TurnedBox, tolerance: number): boolean {
  if (a.position[2] + a.size[2] - b.position[2] <= tolerance || b.position[2] + b.size[2] - a.position[2] <= tolerance)
    return false
  const dx = b.position[0] - a.position[0]
  const dy = b.position[1] - a.position[1]
  const [ca, sa] = turnOf(a.yaw)
  const [cb, sb] = turnOf(b.yaw)
  for (const [ax, ay] of [
    [ca, sa],
    [-sa, ca],
    [cb, sb],
    [-sb, cb],
  ] as const) {
    const reachA = (Math.abs(ca * ax + sa * ay) * a.size[0] + Math.abs(-sa * ax + ca * ay) * a.size[1]) / 2
    const reachB = (Math.abs(cb * ax + sb * ay) * b.size[0] + Math.abs(-sb * ax + cb * ay) * b.size[1]) / 2
    if (Math.abs(dx * ax + dy * ay) >= reachA + reachB - tolerance) return false
  }
  return true
}
