/** Pictures of a prepared scene. */
import { UserError } from '../../base/errors.ts'
import type { Camera } from './camera.ts'
import { KernelEngine } from './kernel.ts'
import type { Engine, Picture, RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'
import { makeView } from './view.ts'

/** One engine a scene: several renderers of it do not each take memory for a frame. */
const engines = new WeakMap<PreparedScene, KernelEngine>()

function kernelFor(scene: PreparedScene): KernelEngine {
  const engine = engines.get(scene) ?? new KernelEngine(scene)
  engines.set(scene, engine)
  return engine
}

/**
 * Draws a scene from any camera. The same scene, camera and options give the same bytes on every machine.
 *
 * @example
 * const renderer = new Renderer(prepareScene(mesh))
 * const camera = { pose: fromYawPitch([0, 0, 1.5], 90), lens: focalLength(300, 640, 480) }
 * const { color, depth } = renderer.render(camera, { width: 640, height: 480, depth: true })
 */
export class Renderer {
  readonly scene: PreparedScene
  readonly #engine: Engine

  constructor(scene: PreparedScene, engine: Engine = kernelFor(scene)) {
    this.scene = scene
    this.#engine = engine
  }

  render(camera: Camera, options: RenderOptions): Picture {
    const { width, height, color = true, depth = false, ids = false, triangles = false, antialias = false } = options
    if (triangles && !this.scene.keepsTriangleNumbers)
      throw new UserError('The scene was prepared without its triangle numbers.', {
        hint: 'Call prepareScene(mesh, { keepTriangleNumbers: true }).',
      })
    const picture: Picture = {
      width,
      height,
      color: new Uint8Array(0),
      depth: new Float32Array(0),
      ids: new Uint16Array(0),
      triangles: new Uint32Array(0),
    }
    if (!antialias || depth || ids || triangles) {
      const drawn = this.#engine.draw(makeView(this.scene, camera, options, 1), {
        color: color && !antialias,
        depth,
        ids,
        triangles,
        halve: false,
      })
      picture.color = drawn.color.slice()
      picture.depth = drawn.depth.slice()
      picture.ids = drawn.ids.slice()
      picture.triangles = drawn.triangles.slice()
    }
    if (antialias && color) {
      const wanted = { color, depth: false, ids: false, triangles: false, halve: true }
      picture.color = this.#engine.draw(makeView(this.scene, camera, options, 2), wanted).color.slice()
    }
    return picture
  }
}
