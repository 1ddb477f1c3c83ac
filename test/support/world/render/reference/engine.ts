/**
 * The rasteriser in plain words: no clusters culled, nothing sorted, one pixel at a time. It defines what the kernel
 * must draw, bit by bit. Slow, and good for reading and testing.
 */
import * as at from '../../../../../src/world/render/layout.ts'
import { type Engine, NO_TRIANGLE, type Picture, type Wanted } from '../../../../../src/world/render/picture.ts'
import { type PreparedScene, type SceneViews, sceneViews } from '../../../../../src/world/render/scene.ts'
import { clip, clipPlanes } from './clip.ts'
import { type Fragment, rasterize } from './raster.ts'
import { makeSurface, shade, type Shaded, type Surface, toByte } from './shade.ts'
import { f, toCamera, toScreen } from './vertex.ts'

export class ReferenceEngine implements Engine {
  readonly #scene: PreparedScene

  constructor(scene: PreparedScene) {
    this.#scene = scene
  }

  draw(view: Float32Array, wanted: Wanted): Omit<Picture, 'width' | 'height'> {
    const scene = sceneViews(this.#scene.memory)
    const words = new Int32Array(view.buffer)
    const width = words[at.V_WIDTH]!
    const height = words[at.V_HEIGHT]!
    const stride = words[at.V_STRIDE]!
    const orthographic = (words[at.V_FLAGS]! & at.VIEW_ORTHOGRAPHIC) !== 0
    const closeness = new Float32Array(stride * height)
    const triangle = new Uint32Array(stride * height)

    let id = 0
    const nearest: Fragment = (pixel, near) => {
      if (near > closeness[pixel]! || (near === closeness[pixel]! && id < triangle[pixel]!)) {
        closeness[pixel] = near
        triangle[pixel] = id
      }
    }
    for (let cluster = 0; cluster < this.#scene.solidClusters; cluster++)
      drawCluster(view, orthographic, scene, cluster, nearest, (next) => (id = next))

    const pixels = width * height
    const depth = new Float32Array(wanted.depth ? pixels : 0)
    const ids = new Uint16Array(wanted.ids ? pixels : 0)
    const triangles = new Uint32Array(wanted.triangles ? pixels : 0)
    const far = view[at.V_FAR]!
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const [from, to] = [y * stride + x, y * width + x]
        const near = closeness[from]!
        const number = numberOf(scene, triangle[from]!)
        if (wanted.depth) depth[to] = near === 0 ? 0 : orthographic ? f(far - near) : f(1 / near)
        if (wanted.ids) ids[to] = near === 0 ? 0 : scene.triangleInstance[number]!
        if (wanted.triangles) triangles[to] = near === 0 || !scene.source ? NO_TRIANGLE : scene.source[number]!
      }
    if (!wanted.color) return { color: new Uint8Array(0), depth, ids, triangles }

    const halved = wanted.halve
    const channels = wanted.alpha ? 4 : 3
    const full = new Uint8Array(pixels * channels)
    const background = [0, 1, 2].map((c) => Math.floor(view[at.V_BACKGROUND + c]! + 0.5))
    if (!wanted.alpha) for (let i = 0; i < full.length; i++) full[i] = background[i % 3]!
    const solid = (near: number): boolean => near > 0
    shadePixels(view, orthographic, scene, closeness, triangle, solid, halved, (to, { r, g, b }) =>
      full.set([r, g, b, 255].slice(0, channels), to * channels),
    )
    if (this.#scene.solidClusters < this.#scene.clusters)
      this.#drawGlass(view, orthographic, scene, closeness, full, channels, halved)
    return { color: halved ? halve(full, width, height, channels) : full, depth, ids, triangles }
  }

  /** Layer by layer from the back: each pass finds the farthest pane in front of what was drawn, and lays it over. */
  #drawGlass(
    view: Float32Array,
    orthographic: boolean,
    scene: SceneViews,
    behind: Float32Array,
    color: Uint8Array,
    channels: number,
    halve: boolean,
  ) {
    const farthest = new Float32Array(behind.length)
    const triangle = new Uint32Array(behind.length)
    for (let layer = 0; layer < at.MAX_GLASS_LAYERS; layer++) {
      farthest.fill(Infinity)
      let id = 0
      let found = false
      const next: Fragment = (pixel, near) => {
        if (near <= behind[pixel]!) return
        if (near < farthest[pixel]! || (near === farthest[pixel]! && id < triangle[pixel]!)) {
          farthest[pixel] = near
          triangle[pixel] = id
          found = true
        }
      }
      for (let cluster = this.#scene.solidClusters; cluster < this.#scene.clusters; cluster++)
        drawCluster(view, orthographic, scene, cluster, next, (number) => (id = number))
      if (!found) return
      const glass = (near: number): boolean => near < Infinity
      shadePixels(view, orthographic, scene, farthest, triangle, glass, halve, (to, { r, g, b, opacity }) => {
        for (const [c, over] of [r, g, b, 255].slice(0, channels).entries()) {
          const under = color[to * channels + c]!
          color[to * channels + c] = toByte(f(under + f(f(over - under) * opacity)))
        }
      })
      for (let i = 0; i < behind.length; i++) if (farthest[i]! < Infinity) behind[i] = farthest[i]!
    }
  }
}

function drawCluster(
  view: Float32Array,
  orthographic: boolean,
  scene: SceneViews,
  cluster: number,
  fragment: Fragment,
  begin: (id: number) => void,
): void {
  const first = scene.clusterTriangle[cluster]!
  const base = scene.clusterVertex[cluster]!
  const planes = clipPlanes(view, orthographic)
  for (let local = 0; local < scene.clusterCounts[cluster * 2 + 1]!; local++) {
    begin((cluster << at.CLUSTER_SHIFT) | local)
    const corners = [scene.index0, scene.index1, scene.index2].map((index) => {
      const v = base + index[first + local]!
      return toCamera(view, scene.x[v]!, scene.y[v]!, scene.z[v]!)
    })
    const clipped = !planes.every((distance) => corners.every((corner) => distance(corner) >= 0))
    const polygon = (clipped ? clip(corners, planes) : corners).map((corner) => toScreen(view, orthographic, corner))
    for (let i = 2; i < polygon.length; i++)
      rasterize(view, [polygon[0]!, polygon[i - 1]!, polygon[i]!], clipped, fragment)
  }
}

function numberOf(scene: SceneViews, id: number): number {
  return scene.clusterTriangle[id >>> at.CLUSTER_SHIFT]! + (id & (at.CLUSTER_TRIANGLES - 1))
}

/** Calls `put` with the place of each pixel that has something to shade. */
function shadePixels(
  view: Float32Array,
  orthographic: boolean,
  scene: SceneViews,
  closeness: Float32Array,
  triangle: Uint32Array,
  has: (closeness: number) => boolean,
  halve: boolean,
  put: (to: number, shaded: Shaded) => void,
): void {
  const words = new Int32Array(view.buffer)
  const width = words[at.V_WIDTH]!
  const stride = words[at.V_STRIDE]!
  const step = halve ? 2 : 1
  let surface: Surface | null = null
  let current = -1
  for (let y = 0; y < words[at.V_HEIGHT]!; y += step)
    for (let x = 0; x < width; x += step) {
      const samples = halve
        ? ([
            [x, y],
            [x + 1, y],
            [x, y + 1],
            [x + 1, y + 1],
          ] as const)
        : ([[x, y]] as const)
      const covered = samples.filter(([column, row]) => has(closeness[row * stride + column]!))
      const winner = ([column, row]: readonly [number, number]): number => triangle[row * stride + column]!
      for (const id of new Set(covered.map(winner))) {
        const won = covered.filter((sample) => winner(sample) === id)
        if (surface === null || id !== current) {
          current = id
          surface = makeSurface(view, orthographic, scene, id)
        }
        // Where a picture is halved, a triangle is shaded once in each of its pixels, in the middle of the samples it won.
        const right = f(f(middle(won.map(([column]) => column)) - view[at.V_CX]!) * view[at.V_INVERSE_FX]!)
        const down = f(f(middle(won.map(([, row]) => row)) - view[at.V_CY]!) * view[at.V_INVERSE_FY]!)
        const shaded = shade(view, scene, surface, right, down, halve ? at.SMOOTH_TEXELS : 1)
        for (const [column, row] of won) put(row * width + column, shaded)
      }
    }
}

/** Of the centers of the first and the last one. */
function middle(places: readonly number[]): number {
  return (Math.min(...places) + Math.max(...places) + 1) / 2
}

/** The mean of each two by two pixels. */
function halve(color: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const half = new Uint8Array((width * height * channels) / 4)
  let to = 0
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2)
      for (let c = 0; c < channels; c++) {
        const i = (y * width + x) * channels + c
        const below = i + width * channels
        half[to++] = (color[i]! + color[i + channels]! + color[below]! + color[below + channels]! + 2) >> 2
      }
  return half
}
