/** A picture is one or two drawings of a scene: this says which, and gathers what they give. */
import { UserError } from '../../base/errors.ts'
import type { Camera } from './camera.ts'
import type { Layers, Picture, RenderOptions, Wanted } from './picture.ts'
import type { PreparedScene } from './scene.ts'
import { makeView } from './view.ts'

export interface Pass {
  view: Float32Array
  wanted: Wanted
}

/** With anti-aliasing, color comes from a view twice as large; depth and ids stay those of the pixels' centers. */
export function planPasses(scene: PreparedScene, camera: Camera, options: RenderOptions): Pass[] {
  const { color = true, depth = false, ids = false, triangles = false, antialias = false } = options
  const alpha = options.background === 'none'
  if (triangles && !scene.keepsTriangleNumbers)
    throw new UserError('The scene was prepared without its triangle numbers.', {
      hint: 'Call prepareScene(mesh, { keepTriangleNumbers: true }).',
    })
  const passes: Pass[] = []
  if ((color && !antialias) || depth || ids || triangles) {
    const wanted = { color: color && !antialias, depth, ids, triangles, halve: false, alpha }
    passes.push({ view: makeView(scene, camera, options, 1), wanted })
  }
  if (color && antialias) {
    const wanted = { color: true, depth: false, ids: false, triangles: false, halve: true, alpha }
    passes.push({ view: makeView(scene, camera, options, 2), wanted })
  }
  return passes
}

export function emptyPicture({ width, height }: RenderOptions): Picture {
  return {
    width,
    height,
    color: new Uint8Array(0),
    depth: new Float32Array(0),
    ids: new Uint16Array(0),
    triangles: new Uint32Array(0),
  }
}

/** Puts what a pass was wanted for into its picture. */
export function take(picture: Picture, { wanted }: Pass, { color, depth, ids, triangles }: Layers): void {
  if (wanted.color) picture.color = color
  if (wanted.depth) picture.depth = depth
  if (wanted.ids) picture.ids = ids
  if (wanted.triangles) picture.triangles = triangles
}

/** The next drawing overwrites what was drawn. */
export function copyOf({ color, depth, ids, triangles }: Layers): Layers {
  return {
    color: new Uint8Array(color),
    depth: new Float32Array(depth),
    ids: new Uint16Array(ids),
    triangles: new Uint32Array(triangles),
  }
}
