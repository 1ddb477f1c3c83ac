/** Pictures for messages: drawn, kept, and said where they come from. */
import {
  type Bitmap,
  type EncodedVideo,
  encodeJpeg,
  encoderName,
  type Episode,
  type Part,
  videoBackend,
} from '../../../suite.ts'
import { type Camera, isMovable, type Joint, RENDERER, type Robot } from '../../../world.ts'
import type { Box } from '../domain/assembly/box.ts'
import { filmsIn } from '../domain/films.ts'
import { type ArticulatedModel, trueRobot } from '../domain/objects/model.ts'
import type { Profile } from '../domain/profile.ts'
import type { PicturesEvent } from '../events.ts'
import { cameraFor, type PictureSize, type ViewName } from './pictures/cameras.ts'
import { drawStill, drawSweep } from './pictures/draw.ts'
import { type FilmFrames, filmFrames } from './pictures/film.ts'
import { type Look, PLAIN_LOOK } from './pictures/look.ts'
import { type MotionView, motionCamera, motionView, WHOLE } from './pictures/visible.ts'
import { nearBy } from '../prompts/prompts.ts'
import { note } from './record.ts'
import { partFrames, partOfLink, reachedBox } from '../domain/objects/pose.ts'

export interface Showing {
  /** `640x480` */
  size: string
  frames: number
  traces: boolean
  /** Keep sweeps as mp4 too. */
  video: boolean
  /** Folder with films of true motions, shown in place of drawn ones. */
  films?: string | undefined
  /** Of motions whose view is known already, by part. */
  views?: ReadonlyMap<string, MotionView>
  /** Of pictures of the original and of what was built, where they differ. */
  looks?: Readonly<Record<string, Look>> | undefined
}

/** The view that a sample keeps. */
export function shownAs({
  view,
  part,
}: {
  view?: MotionView | undefined
  part: string | null
}): Pick<Showing, 'views'> {
  return view && part !== null ? { views: new Map([[part, view]]) } : {}
}

export function sizeOfPictures({ size }: Pick<Showing, 'size'>): PictureSize {
  const [width, height] = size.split('x').map(Number)
  return { width: width!, height: height! }
}

/** Frames of every motion in a prompt that shows several; below 2, motions share pictures. */
export function framesInBuild(parts: number, { frames, pictures }: { frames: number; pictures: number }): number {
  return Math.min(frames, Math.floor((pictures - 1) / Math.max(1, parts)))
}

const VIDEO_FRAMES = 24
/** Parts in a picture that shows several. */
const SHEET_ROWS = 4

/** Draws one object, truth and predictions, always from the same cameras. */
export class Show {
  readonly #episode: Episode<Profile>
  readonly #model: ArticulatedModel
  readonly #showing: Omit<Showing, 'size'> & { size: PictureSize }
  readonly #box: Box
  /** By part and frames: a true motion is shown once an episode, though player and critic both see it. */
  readonly #true = new Map<string, Promise<Part[]>>()
  readonly #views: Map<string, MotionView>

  constructor(episode: Episode<Profile>, model: ArticulatedModel, showing: Showing) {
    this.#episode = episode
    this.#model = model
    this.#showing = { ...showing, size: sizeOfPictures(showing) }
    this.#box = reachedBox(model, trueRobot(model))
    this.#views = new Map(showing.views)
  }

  /** How the motion of a part is shown: near by where that is needed to see it. The published camera never moves. */
  viewOf(part: string): MotionView {
    if (this.#episode.profile === 'upstream') return WHOLE
    let view = this.#views.get(part)
    if (!view) this.#views.set(part, (view = motionView(this.#model, part)))
    return view
  }

  #cameraOf(part: string, size: PictureSize, look = PLAIN_LOOK): Camera {
    return motionCamera(this.#model, trueRobot(this.#model), part, this.viewOf(part), size, look)
  }

  #lookOf(what: string): Look {
    return this.#showing.looks?.[what] ?? PLAIN_LOOK
  }

  async stills(robot: Robot, views: readonly ViewName[], what: string): Promise<Part[]> {
    const { size } = this.#showing
    const look = this.#lookOf(what)
    const parts: Part[] = []
    for (const view of views) {
      const bitmap = drawStill(this.#model, partFrames(robot), cameraFor(view, this.#box, size, look), size, look)
      parts.push(await this.#keep(bitmap, 'render', what, { view, renderer: RENDERER }))
    }
    this.#note({ shows: 'stills', what, views, pictures: parts })
    return parts
  }

  /** The true motion of a part: from a film where there is one, else drawn. */
  trueSweep(part: string, frames = this.#showing.frames): Promise<Part[]> {
    const key = `${frames} ${part}`
    let shown = this.#true.get(key)
    if (!shown) this.#true.set(key, (shown = this.#trueSweep(part, frames)))
    return shown
  }

  /**
   * True motions of several parts, in a prompt of at most `pictures` pictures, one of which is a still: with fewer frames where there are many parts, and where even
   * both ends of each are too many, several parts in one picture.
   */
  async trueSweeps(parts: readonly string[], pictures: number): Promise<Part[]> {
    const frames = framesInBuild(parts.length, { frames: this.#showing.frames, pictures })
    const shown: Part[] = []
    if (frames >= 2) {
      for (const part of parts)
        shown.push(
          { type: 'text', text: `${part} moves${nearBy(this.viewOf(part))}:` },
          ...(await this.trueSweep(part, frames)),
        )
      return shown
    }
    const rows = Math.max(SHEET_ROWS, Math.ceil(parts.length / Math.max(1, pictures - 1)))
    for (let i = 0; i < parts.length; i += rows) {
      const names = parts.slice(i, i + rows)
      const text = `One row per part, from top to bottom: ${names.join(', ')}. On the left each is at one end of its range, on the right at the other:`
      shown.push({ type: 'text', text }, await this.#sheet(names))
    }
    return shown
  }

  /** Both ends of the true motions of parts, one below the other, at half the size. */
  async #sheet(parts: readonly string[]): Promise<Part> {
    const { size, traces } = this.#showing
    const half = { width: size.width / 2, height: size.height / 2 }
    const robot = trueRobot(this.#model)
    const rows = parts.map((part) => {
      const joint = jointOfPart(robot, part)?.name ?? ''
      return drawSweep(this.#model, robot, joint, this.#cameraOf(part, half), { ...half, frames: 2, traces })
    })
    const picture = await this.#keep(tiled(rows, half), 'render', 'truth', { view: 'parts', renderer: RENDERER })
    this.#note({ shows: 'sweep', what: 'truth', pictures: [picture] })
    return picture
  }

  async #trueSweep(part: string, frames: number): Promise<Part[]> {
    const found = await this.#film(part, frames)
    if (!found) return this.sweep(trueRobot(this.#model), part, 'truth', frames)
    const parts: Part[] = []
    const { sha256: source, decoder } = found
    const traces = this.#showing.traces ? 'flow' : 'none'
    for (const { index: frame, bitmap } of found.frames)
      parts.push(await this.#keep(bitmap, 'video-frame', 'truth', { part, source, decoder, frame, traces }))
    this.#note({ shows: 'film', what: 'truth', part, pictures: parts })
    return parts
  }

  async #film(part: string, frames: number): Promise<FilmFrames | null> {
    const { films } = this.#showing
    const path = films === undefined ? undefined : (await filmsIn(films)).get(`${this.#model.id}-${part}`)
    return path === undefined ? null : filmFrames(path, { ...this.#showing, frames })
  }

  /** The motion of the joint that moves a part; a still when nothing moves it. */
  async sweep(robot: Robot, part: string, what: string, frames = this.#showing.frames): Promise<Part[]> {
    const { size, traces } = this.#showing
    const joint = jointOfPart(robot, part)
    const look = this.#lookOf(what)
    const camera = this.#cameraOf(part, size, look)
    const { view, isClose } = this.viewOf(part)
    const shot = { view: isClose ? `${view} close-up` : view, part, renderer: RENDERER }
    if (this.#showing.video && joint) {
      const film = drawSweep(this.#model, robot, joint.name, camera, { ...size, frames: VIDEO_FRAMES, traces, look })
      const { bytes, encoder } = await sweepVideo(film)
      const provenance = { made: 'render', object: this.#model.id, what, part, renderer: RENDERER, encoder }
      const media = await this.#episode.keep(bytes, 'video/mp4', provenance, size)
      note(this.#episode, { type: 'articulate/video', what, part, media })
    }
    const bitmaps = drawSweep(this.#model, robot, joint?.name ?? '', camera, { ...size, frames, traces, look })
    const parts: Part[] = []
    for (const [frame, bitmap] of bitmaps.entries())
      parts.push(await this.#keep(bitmap, 'render', what, { ...shot, frame }))
    this.#note({ shows: 'sweep', what, part, pictures: parts })
    return parts
  }

  /** What a critic compares: the motion of a part, or the whole object from the front. */
  async compared(robot: Robot, part: string | null): Promise<{ truth: Part[]; predicted: Part[] }> {
    if (part !== null)
      return { truth: await this.trueSweep(part), predicted: await this.sweep(robot, part, 'prediction') }
    return {
      truth: await this.stills(trueRobot(this.#model), ['front'], 'truth'),
      predicted: await this.stills(robot, ['front'], 'prediction'),
    }
  }

  /** Pictures that belong together, in order, for the viewer. */
  #note({ pictures, ...rest }: Omit<PicturesEvent, 'type' | 'pictures'> & { pictures: readonly Part[] }) {
    const media = pictures.flatMap((part) => (part.type === 'media' ? [part.media] : []))
    note(this.#episode, { type: 'articulate/pictures', ...rest, pictures: media })
  }

  async #keep(
    bitmap: Bitmap,
    made: string,
    what: string,
    detail: Readonly<Record<string, string | number>>,
  ): Promise<Part> {
    const { width, height } = bitmap
    const provenance = { made, object: this.#model.id, what, ...detail, encoder: encoderName('image/jpeg') }
    const media = await this.#episode.keep(await encodeJpeg(bitmap), 'image/jpeg', provenance, { width, height })
    return { type: 'media', media }
  }
}

export function jointOfPart(robot: Robot, part: string): Joint | undefined {
  return robot.joints.find((joint) => isMovable(joint) && partOfLink(robot, joint.child) === part)
}

/** Pictures of one size as one, row by row. */
function tiled(rows: readonly (readonly Bitmap[])[], { width, height }: PictureSize): Bitmap {
  const across = width * Math.max(...rows.map((row) => row.length))
  const data = new Uint8Array(across * height * rows.length * 3)
  for (const [j, row] of rows.entries())
    for (const [i, bitmap] of row.entries())
      for (let y = 0; y < height; y++) {
        const line = bitmap.data.subarray(y * width * 3, (y + 1) * width * 3)
        data.set(line, ((j * height + y) * across + i * width) * 3)
      }
  return { width: across, height: height * rows.length, channels: 3, data }
}

/** A sweep as an mp4, for people. */
export async function sweepVideo(frames: readonly Bitmap[], fps = 12): Promise<EncodedVideo> {
  const { width, height } = frames[0]!
  const backend = await videoBackend()
  return backend.encode(frames, { width, height, fps })
}
