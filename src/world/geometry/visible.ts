import type { OrientedBox } from '../mesh.ts'
import { type Camera, project } from '../render/camera.ts'
import { boxCorners, turnedBox } from './boxes.ts'
import type { Vec3 } from '../vector.ts'

/** What of a thing is seen in a picture. */
export interface SeenThing {
  instance: number
  pixels: number
  /** The tight box of its pixels, last row and column included. */
  x1: number
  y1: number
  x2: number
  y2: number
  /** Whether it may go on beyond the picture. */
  cutByEdge: boolean
}

/** What is seen, from a picture of ids, by falling number of pixels; id 0 is nothing in particular. */
export function seenThings(ids: Uint16Array, width: number): SeenThing[] {
  const height = ids.length / width
  const things = new Map<number, SeenThing>()
  for (let i = 0; i < ids.length; i++) {
    const instance = ids[i]!
    if (instance === 0) continue
    const x = i % width
    const y = (i - x) / width
    const thing = things.get(instance)
    if (!thing) things.set(instance, { instance, pixels: 1, x1: x, y1: y, x2: x, y2: y, cutByEdge: false })
    else {
      thing.pixels++
      if (x < thing.x1) thing.x1 = x
      if (x > thing.x2) thing.x2 = x
      thing.y2 = y
    }
  }
  for (const thing of things.values()) {
    thing.cutByEdge = thing.x1 === 0 || thing.y1 === 0 || thing.x2 === width - 1 || thing.y2 === height - 1
  }
  return [...things.values()].sort((a, b) => b.pixels - a.pixels || a.instance - b.instance)
}

/** How many pixels each id has: `counts[instance]`. `most` is the largest id that counts. */
export function pixelCounts(ids: Uint16Array, most = 65_535): Uint32Array {
  const counts = new Uint32Array(most + 1)
  for (let i = 0; i < ids.length; i++) counts[ids[i]!]!++
  return counts
}

/** Points in the picture: x, y and depth of each; depth is not positive for those behind the camera. */
export function projectPoints(camera: Camera, points: readonly Vec3[]): { x: number; y: number; depth: number }[] {
  return points.map((point) => project(camera, point))
}

/** The part of the picture that a box covers; undefined when none of it is in front of the camera and in the frame. */
export function boxInPicture(
  camera: Camera,
  box: OrientedBox,
  { width, height }: { width: number; height: number },
): { x1: number; y1: number; x2: number; y2: number } | undefined {
  const near = camera.near ?? 0.05
  const corners = boxCorners(turnedBox(box))
  const shown: { x: number; y: number }[] = []
  for (let a = 0; a < 8; a++) {
    const here = project(camera, corners[a]!)
    if (here.depth >= near) shown.push(here)
    // Where an edge goes through the near plane, its picture ends there.
    for (let axis = 0; axis < 3; axis++) {
      const b = a | (1 << axis)
      if (b === a) continue
      const there = project(camera, corners[b]!)
      if (here.depth >= near === there.depth >= near) continue
      const t = (near - here.depth) / (there.depth - here.depth)
      const at = (i: 0 | 1 | 2) => corners[a]![i] + (corners[b]![i] - corners[a]![i]) * t
      shown.push(project(camera, [at(0), at(1), at(2)]))
    }
  }
  if (shown.length === 0) return undefined
  const xs = shown.map(({ x }) => x)
  const ys = shown.map(({ y }) => y)
  const box2 = {
    x1: Math.max(0, Math.min(...xs)),
    y1: Math.max(0, Math.min(...ys)),
    x2: Math.min(width, Math.max(...xs)),
    y2: Math.min(height, Math.max(...ys)),
  }
  return box2.x1 < box2.x2 && box2.y1 < box2.y2 ? box2 : undefined
}
