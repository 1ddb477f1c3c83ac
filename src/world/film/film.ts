import { type BackendName, videoBackend } from '../../media/backends.ts'
import type { Bitmap } from '../../media/image.ts'
import type { Pose } from '../render/camera.ts'
import type { Tour, TourFrame } from './tour.ts'

export interface FilmOptions {
  width: number
  height: number
  /** H.264 quantiser, lower is better. Default 20. */
  quantizer?: number
  backend?: BackendName
  /** Frames that are drawn at once, where `render` has threads to draw them. Default 1. */
  atOnce?: number
  signal?: AbortSignal
  /** Called after each frame. */
  onFrame?: (done: number, of: number) => void
}

export interface Film {
  /** mp4, H.264. */
  bytes: Uint8Array<ArrayBuffer>
  /** What each frame of the file shows and when: the frame's number is its place here. */
  frames: readonly TourFrame[]
  /** For the provenance. */
  encoder: string
}

/** Renders a tour to a video. `render` draws one pose: r, g, b in the size of the film. */
export async function film(
  tour: Tour,
  render: (pose: Pose, index: number) => Bitmap | Promise<Bitmap>,
  { backend, onFrame, atOnce = 1, ...options }: FilmOptions,
): Promise<Film> {
  async function* pictures(): AsyncGenerator<Bitmap> {
    const drawing: (Bitmap | Promise<Bitmap>)[] = []
    let next = 0
    for (let done = 1; done <= tour.frames.length; done++) {
      while (drawing.length < atOnce && next < tour.frames.length) drawing.push(render(tour.frames[next]!.pose, next++))
      yield await drawing.shift()!
      onFrame?.(done, tour.frames.length)
    }
  }
  const coder = await videoBackend(backend)
  const { bytes, encoder } = await coder.encode(pictures(), { ...options, fps: tour.fps })
  return { bytes, encoder, frames: tour.frames }
}
