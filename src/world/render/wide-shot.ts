/** Looking around from one place: drawn once, wide enough for all views. */
import { type Call, compileKernel, growTo, kernelCalls, kernelMemory } from '../../base/kernel.ts'
import { addScaled, cross, dot, unit, type Vec3 } from '../vector.ts'
import type { Camera, Pose } from './camera.ts'
import type { Picture, RenderOptions } from './picture.ts'
import type { Renderer } from './renderer.ts'

/** Pixels of the wide picture per pixel of a view, in its middle: with fewer, views would be blurred. */
const FINENESS = 1.25
/** Pixels around what the views show, so that each of theirs lies between four. */
const MARGIN = 2
/** A view reaches no farther to the side than this many times its distance ahead (79°). */
const WIDEST = 5
/** The kernel reads and writes 16 bytes at a time. */
const SPARE = 16

/** Of a pixel x, y: `row[0] x + row[1] y + row[2]`. */
type Row = readonly [number, number, number]

export interface WideShotOptions extends Pick<RenderOptions, 'width' | 'height' | 'exposure'> {
  /** sRGB 0…255 where nothing is. @default [255, 255, 255] */
  background?: readonly [number, number, number]
}

/** A picture with background `none` that lies over a view, and is seen where nothing of the scene is nearer. */
export interface Overlay {
  picture: Picture
  /** Where its upper left pixel is in the view. */
  left: number
  top: number
  /** It is drawn the other way round, and `left` counts from the right. */
  mirrored: boolean
}

let compiled: WebAssembly.Module | undefined

/**
 * A scene as cameras see it that only turn, antialiased. A view costs a small part of drawing the scene again.
 *
 * @example
 * const shot = new WideShot(renderer, cameras, { width: 960, height: 540 })
 * const pictures = cameras.map((camera) => shot.view(camera).slice())
 */
export class WideShot {
  readonly #width: number
  readonly #height: number
  readonly #wide: Camera
  readonly #wideWidth: number
  readonly #wideHeight: number
  readonly #memory = kernelMemory()
  readonly #calls: Readonly<Record<'turn' | 'lay', Call>>
  /** In the kernel's memory, where the wide picture comes first: its depth, a view, and what lies over it. */
  readonly #depths: number
  readonly #out: number
  readonly #over: number

  /** Draws all that the cameras see. They stand in one place. */
  constructor(renderer: Renderer, cameras: readonly Camera[], { width, height, ...look }: WideShotOptions) {
    const wide = around(cameras, width, height)
    const { color, depth } = renderer.render(wide.camera, {
      ...look,
      width: wide.width,
      height: wide.height,
      antialias: true,
      depth: true,
    })
    this.#width = width
    this.#height = height
    this.#wide = wide.camera
    this.#wideWidth = wide.width
    this.#wideHeight = wide.height
    const pixels = wide.width * wide.height
    this.#depths = (pixels + wide.width + SPARE) * 4
    this.#out = this.#depths + depth.byteLength
    this.#over = aligned(this.#out + width * height * 3 + SPARE)
    growTo(this.#memory, Math.max(this.#over, this.#out + color.length + SPARE))
    compiled ??= compileKernel(new URL('turn-kernel.wasm', import.meta.url))
    const { widen, turn, lay } = kernelCalls(compiled, this.#memory, ['widen', 'turn', 'lay'])
    new Uint8Array(this.#memory.buffer, this.#out).set(color)
    widen(this.#out, pixels, 0)
    new Float32Array(this.#memory.buffer, this.#depths).set(depth)
    this.#calls = { turn, lay }
  }

  /** sRGB r, g, b of each pixel, rows from top to bottom. They are only valid until the next view. */
  view(camera: Camera, overlay: Overlay | null = null): Uint8Array {
    const rows = this.#raysOf(camera)
    this.#calls.turn(0, this.#wideWidth, this.#wideHeight, this.#out, this.#width, this.#height, ...rows.flat())
    if (overlay) this.#lay(overlay, rows)
    return new Uint8Array(this.#memory.buffer, this.#out, this.#width * this.#height * 3)
  }

  /** Where the ray of a view's pixel meets the wide picture: across and down, each times how far ahead, and how far ahead. */
  #raysOf({ pose, lens }: Camera): [Row, Row, Row] {
    const { pose: wide, lens: wideLens } = this.#wide
    // Along the axes of the wide picture, of rays that are one long along the view's own axis.
    const along = (axis: Vec3): Row => {
      const [x, y] = [dot(axis, pose.right) / lens.fx, dot(axis, pose.down) / lens.fy]
      return [x, y, dot(axis, pose.forward) + x * (0.5 - lens.cx) + y * (0.5 - lens.cy)]
    }
    const ahead = along(wide.forward)
    const inPixels = (row: Row, focal: number, center: number): Row => {
      const at = (k: 0 | 1 | 2): number => row[k] * focal + ahead[k] * (center - 0.5)
      return [at(0), at(1), at(2)]
    }
    return [
      inPixels(along(wide.right), wideLens.fx, wideLens.cx),
      inPixels(along(wide.down), wideLens.fy, wideLens.cy),
      ahead,
    ]
  }

  #lay({ picture, left, top, mirrored }: Overlay, rays: readonly Row[]): void {
    const { width, height, color, depth } = picture
    const nearness = this.#over + color.length
    growTo(this.#memory, nearness + depth.byteLength + width * 4)
    new Uint8Array(this.#memory.buffer, this.#over).set(color)
    new Float32Array(this.#memory.buffer, nearness).set(depth)
    const [first, step] = mirrored ? [this.#width - 1 - left, -1] : [left, 1]
    const moved = rays.flatMap(([a, b, c]) => [a * step, b, a * first + b * top + c])
    const to = this.#out + (top * this.#width + first) * 3
    this.#calls.lay(this.#over, nearness, width, height, to, this.#width, step, this.#depths, this.#wideWidth, ...moved)
  }
}

function aligned(address: number): number {
  return Math.ceil(address / 16) * 16
}

/** A camera for one picture of all that the cameras see, and the size of that picture. */
function around(
  cameras: readonly Camera[],
  width: number,
  height: number,
): { camera: Camera; width: number; height: number } {
  const [first] = cameras
  if (!first) throw new RangeError('A wide shot needs a camera.')
  const { position } = first.pose
  if (cameras.some(({ pose }) => pose.position.some((value, axis) => value !== position[axis])))
    throw new RangeError('The cameras of a wide shot stand in one place.')
  const forward = unit(cameras.reduce<Vec3>((sum, { pose }) => addScaled(sum, pose.forward, 1), [0, 0, 0]))
  const right = unit(cross(first.pose.down, forward))
  const pose: Pose = { position, right, down: cross(forward, right), forward }
  let [left, top, end, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { pose: own, lens } of cameras) {
    for (const x of [0, width]) {
      for (const y of [0, height]) {
        const aside = addScaled(own.forward, own.right, (x - lens.cx) / lens.fx)
        const ray = addScaled(aside, own.down, (y - lens.cy) / lens.fy)
        const ahead = dot(ray, forward)
        const [across, down] = [dot(ray, right) / ahead, dot(ray, pose.down) / ahead]
        if (!(ahead > 0 && Math.max(Math.abs(across), Math.abs(down)) < WIDEST))
          throw new RangeError('The views of a wide shot are too far apart.')
        left = Math.min(left, across)
        end = Math.max(end, across)
        top = Math.min(top, down)
        bottom = Math.max(bottom, down)
      }
    }
  }
  const fx = FINENESS * Math.max(...cameras.map(({ lens }) => lens.fx))
  const fy = FINENESS * Math.max(...cameras.map(({ lens }) => lens.fy))
  return {
    camera: { pose, lens: { fx, fy, cx: MARGIN - left * fx, cy: MARGIN - top * fy } },
    width: Math.ceil((end - left) * fx) + 2 * MARGIN,
    height: Math.ceil((bottom - top) * fy) + 2 * MARGIN,
  }
}
