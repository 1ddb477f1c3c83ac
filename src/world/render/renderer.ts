/** Pictures of a prepared scene. */
import type { Camera } from './camera.ts'
import { KernelEngine } from './kernel.ts'
import { copyOf, emptyPicture, planPasses, take } from './passes.ts'
import type { Engine, Picture, RenderOptions } from './picture.ts'
import type { PreparedScene } from './scene.ts'

/** For the provenance of pictures. Its number is raised whenever the same scene, camera and options give other bytes. */
export const RENDERER = 'sightline raster 2'

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
    const picture = emptyPicture(options)
    for (const pass of planPasses(this.scene, camera, options))
      take(picture, pass, copyOf(this.#engine.draw(pass.view, pass.wanted)))
    return picture
  }

  /**
   * What `use` makes of a picture. It is not copied, and holds until the renderer draws again: with large pictures, a copy of
   * each keeps the garbage collector busy.
   */
  lend<T>(camera: Camera, options: RenderOptions, use: (picture: Picture) => T): T {
    const picture = emptyPicture(options)
    for (const [place, pass] of planPasses(this.scene, camera, options).entries())
      take(picture, pass, this.#engine.draw(pass.view, pass.wanted, place))
    return use(picture)
  }

  /** As `lend`, for the colors alone. */
  renderColor<T>(camera: Camera, size: { width: number; height: number }, use: (color: Uint8Array) => T): T {
    return this.lend(camera, size, ({ color }) => use(color))
  }
}
