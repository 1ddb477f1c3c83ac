/** Pictures of targets and candidates. */
import { type Bitmap, encodeJpeg, encoderName, type Episode, type Part } from '../../../../suite.ts'
import { RENDERER } from '../../../../world.ts'
import { type ArticulatedModel, type ModelPart, trueRobot, withShelf } from '../../domain/objects/model.ts'
import { partFrames, wholeBox } from '../../domain/objects/pose.ts'
import type { Profile } from '../../domain/profile.ts'
import { cameraFor } from '../pictures/cameras.ts'
import { drawStill, drawSweep } from '../pictures/draw.ts'
import { type Look, PLAIN_LOOK } from '../pictures/look.ts'
import { motionCamera, motionView } from '../pictures/visible.ts'
import { jointOfPart, sizeOfPictures } from '../show.ts'
import type { RetrieveOptions } from './options.ts'

/** Colors that have a name, for parts: those of the published rendering have none. */
const COLORS: readonly (readonly [string, readonly [number, number, number]])[] = [
  ['red', [214, 39, 40]],
  ['green', [44, 160, 44]],
  ['blue', [31, 119, 220]],
  ['yellow', [240, 220, 40]],
  ['purple', [148, 60, 189]],
  ['orange', [255, 127, 14]],
  ['cyan', [23, 190, 207]],
  ['pink', [247, 120, 190]],
  ['brown', [120, 72, 48]],
  ['white', [245, 245, 245]],
  ['gray', [110, 110, 110]],
  ['black', [20, 20, 20]],
]

export class Pictures {
  readonly #episode: Episode<Profile>
  readonly #options: RetrieveOptions

  constructor(episode: Episode<Profile>, options: RetrieveOptions) {
    this.#episode = episode
    this.#options = options
  }

  /** From the front. */
  still(model: ArticulatedModel, what: string, look = PLAIN_LOOK): Promise<Part> {
    return this.#keep(this.#front(model, look), model, what, 'front')
  }

  /** Frames of a true motion. */
  async motion(model: ArticulatedModel, part: string, look: Look): Promise<Part[]> {
    const { frames, traces } = this.#options
    const size = sizeOfPictures(this.#options)
    const robot = trueRobot(model)
    const camera = motionCamera(model, robot, part, motionView(model, part), size, look)
    const joint = jointOfPart(robot, part)?.name ?? ''
    const drawn = drawSweep(model, robot, joint, camera, { ...size, frames, traces, look })
    const parts: Part[] = []
    for (const [i, bitmap] of drawn.entries()) parts.push(await this.#keep(bitmap, model, 'target', `motion ${i}`))
    return parts
  }

  /** Every part in a color of its own, and which. */
  async segmented(model: ArticulatedModel): Promise<{ picture: Part; colors: Record<string, string> }> {
    const colors: Record<string, string> = {}
    const parts = model.parts.map((part, i): ModelPart => {
      const [name, color] = COLORS[i % COLORS.length]!
      colors[part.name] = i < COLORS.length ? name : `${name} ${Math.floor(i / COLORS.length) + 1}`
      const materials = part.mesh.materials.map((material) => ({ name: material.name, color }))
      return { ...part, mesh: { ...part.mesh, materials } }
    })
    const colored = withShelf({ ...model, parts })
    return { picture: await this.#keep(this.#front(colored, PLAIN_LOOK), model, 'segmented', 'front'), colors }
  }

  #front(model: ArticulatedModel, look: Look): Bitmap {
    const size = sizeOfPictures(this.#options)
    const frames = partFrames(trueRobot(model))
    return drawStill(model, frames, cameraFor('front', wholeBox(model, frames), size, look), size, look)
  }

  async #keep(bitmap: Bitmap, model: ArticulatedModel, what: string, view: string): Promise<Part> {
    const { width, height } = bitmap
    const provenance = {
      made: 'render',
      object: model.id,
      what,
      view,
      renderer: RENDERER,
      encoder: encoderName('image/jpeg'),
    }
    const media = await this.#episode.keep(await encodeJpeg(bitmap), 'image/jpeg', provenance, { width, height })
    return { type: 'media', media }
  }
}
