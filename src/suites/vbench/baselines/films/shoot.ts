/** Draws a story frame by frame: the room, what stands still in it, and everything that moves, each as a layer. */
import type { Random } from '../../../../suite.ts'
import {
  bakeLight,
  BoxCaster,
  buildInstance,
  type Camera,
  compose,
  type Frame,
  inverse,
  joinMeshes,
  type Picture,
  prepareScene,
  Renderer,
} from '../../../../world.ts'
import { cameraAt, memberAt, posed } from './motion.ts'
import { contactShadow } from './shadow.ts'
import { openStage, type Stage } from './stage.ts'
import { type Member, paints, type Story } from './story.ts'

/** A frame with what is known of each of its pixels. The arrays are overwritten by the next frame. */
export interface Shot {
  width: number
  height: number
  /** sRGB r, g, b. */
  color: Uint8Array
  /** Meters along the view axis. */
  depth: Float32Array
  /** Which layer is seen: 0 is the room, then one number per layer. */
  owner: Uint8Array
  camera: Camera
  /** From the place where a layer's light was baked to where it is now, in the room; null for what does not move. */
  motions: readonly (Frame | null)[]
}

interface Layer {
  renderer: Renderer
  /** Null where it does not move. */
  motion: ((time: number) => Frame) | null
}

const EXPOSURE = 1.2

/** `frames` pictures at even times. */
export function* shoot(
  story: Story,
  frames: number,
  { width, height }: { width: number; height: number },
  random: Random,
): IterableIterator<Shot> {
  const stage = openStage(story.room, story.set)
  const layers = layersOf(story, stage)
  const options = { width, height, depth: true, exposure: EXPOSURE }
  const shown = {
    width,
    height,
    color: new Uint8Array(width * height * 3),
    depth: new Float32Array(width * height),
    owner: new Uint8Array(width * height),
  }
  const isFixed = story.camera.move === 'still'
  // What neither moves nor is seen from elsewhere is drawn once.
  const drawn = new Map<Renderer, Picture>()
  for (let i = 0; i < frames; i++) {
    const time = (i / Math.max(1, frames - 1)) * story.speed
    const camera = cameraAt(story, stage.place, stage.reach, time, random, { width, height })
    const motions = layers.map(({ motion }) => motion?.(time) ?? null)
    const isFrozen = isFixed && motions.every((motion) => motion === null)
    if (i === 0 || !isFrozen) {
      const draw = (renderer: Renderer, motion: Frame | null): Picture => {
        const before = drawn.get(renderer)
        if (before) return before
        const pose = motion ? posed(inverse(motion), camera.pose) : camera.pose
        const picture = renderer.render({ ...camera, pose }, options)
        if (isFixed && motion === null) drawn.set(renderer, picture)
        return picture
      }
      merge([draw(stage.room, null), ...layers.map(({ renderer }, n) => draw(renderer, motions[n]!))], shown)
      for (const member of story.cast) contactShadow(member, story, stage.place, time, camera, shown)
    }
    yield { ...shown, camera, motions }
  }
}

/** Layers that stand still come first. Nothing has the baked shade of what moves. */
function layersOf(story: Story, stage: Stage): Layer[] {
  const start = (member: Member): Frame => compose(stage.place, memberAt(member, story, 0.5 * story.speed))
  const standing = story.cast.filter(({ action }) => action === null)
  const acting = story.cast.filter(({ action }) => action !== null)
  const rendererOf = (members: readonly Member[]): Renderer => {
    const mesh = joinMeshes(
      members.map((member, i) => ({ mesh: modelOf(member).mesh, instance: i + 1, frame: start(member) })),
    )
    const around = new Set([...standing, ...members])
    const boxes = [...around].flatMap((member) =>
      modelOf(member).occluders.map(({ frame, half }) => ({ frame: compose(start(member), frame), half })),
    )
    const light = bakeLight(mesh, new BoxCaster([...stage.occluders, ...boxes]), stage.lights)
    return new Renderer(prepareScene({ ...mesh, light }))
  }
  return [
    ...(standing.length > 0 ? [{ renderer: rendererOf(standing), motion: null }] : []),
    ...acting.map((member) => {
      const home = inverse(start(member))
      return {
        renderer: rendererOf([member]),
        motion: (time: number) => compose(compose(stage.place, memberAt(member, story, time)), home),
      }
    }),
  ]
}

function modelOf({ category, variant, color }: Member) {
  return buildInstance({ category, variant, colors: paints(color) })
}

/** Of every pixel the nearest layer. */
function merge(
  pictures: readonly Picture[],
  into: { color: Uint8Array; depth: Float32Array; owner: Uint8Array },
): void {
  const { color, depth, owner } = into
  const [room, ...layers] = pictures
  color.set(room!.color)
  depth.set(room!.depth)
  owner.fill(0)
  layers.forEach((layer, n) => {
    for (let i = 0; i < depth.length; i++) {
      const near = layer.depth[i]!
      if (near === 0 || (depth[i] !== 0 && near >= depth[i]!)) continue
      depth[i] = near
      owner[i] = n + 1
      color[i * 3] = layer.color[i * 3]!
      color[i * 3 + 1] = layer.color[i * 3 + 1]!
      color[i * 3 + 2] = layer.color[i * 3 + 2]!
    }
  })
}
