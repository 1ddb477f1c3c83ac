/** The soft shade under things. Light is baked without what moves, so the floor must get it frame by frame. */
import { type Camera, compose, type Frame, moved, project, type Vec3 } from '../../../../world.ts'
import { memberAt } from './motion.ts'
import type { Member, Story } from './story.ts'

/** How much light is taken away below a thing that touches the ground. */
const DARKEST = 0.55
const SOFT_METERS = 0.05
/** What is nearer to the ground than this is ground. */
const SKIN = 0.012
/** A thing so far up has lost most of its shade. */
const LOST_METERS = 0.35

export interface Shaded {
  width: number
  height: number
  color: Uint8Array
  depth: Float32Array
}

export function contactShadow(
  member: Member,
  story: Story,
  place: Frame,
  time: number,
  { pose, lens }: Camera,
  { width, height, color, depth }: Shaded,
): void {
  const { size, at } = member
  const frame = compose(place, memberAt(member, story, time))
  // A rolling ball turns over: its shade lies under its middle, not at its base.
  const middle = moved(frame, [0, 0, size[2] / 2])
  const ground = place[11]! + at[2]
  const up = Math.max(0, middle[2] - size[2] / 2 - ground)
  const strength = DARKEST * Math.exp(-up / LOST_METERS)
  if (strength < 0.03) return
  const soft = SOFT_METERS + Math.min(size[0], size[1]) * 0.15 + up * 0.5
  const turn = Math.hypot(frame[0]!, frame[4]!) || 1
  const [cos, sin] = [frame[0]! / turn, frame[4]! / turn]
  const [halfX, halfY] = [
    size[0] / 2 - 0.3 * Math.min(size[0], size[1]),
    size[1] / 2 - 0.3 * Math.min(size[0], size[1]),
  ]
  const round = 0.25 * Math.min(size[0], size[1])
  const box = screenBox({ pose, lens }, middle, Math.hypot(size[0], size[1]) / 2 + soft, ground, width, height)
  const { position, right, down, forward } = pose
  for (let v = box.top; v < box.bottom; v++) {
    const dv = (v + 0.5 - lens.cy) / lens.fy
    for (let u = box.left; u < box.right; u++) {
      const i = v * width + u
      const away = depth[i]!
      if (away === 0) continue
      const du = (u + 0.5 - lens.cx) / lens.fx
      const z = position[2] + away * (forward[2] + du * right[2] + dv * down[2])
      if (Math.abs(z - ground) > SKIN) continue
      const x = position[0] + away * (forward[0] + du * right[0] + dv * down[0]) - middle[0]
      const y = position[1] + away * (forward[1] + du * right[1] + dv * down[1]) - middle[1]
      const ownX = Math.max(0, Math.abs(cos * x + sin * y) - Math.max(0, halfX))
      const ownY = Math.max(0, Math.abs(cos * y - sin * x) - Math.max(0, halfY))
      const out = Math.max(0, Math.sqrt(ownX * ownX + ownY * ownY) - round) / soft
      if (out >= 1) continue
      const light = 1 - strength * (1 - out * out * (3 - 2 * out))
      for (let c = i * 3; c < i * 3 + 3; c++) color[c] = color[c]! * light
    }
  }
}

/** The pixels that a disc on the ground may cover. */
function screenBox(camera: Camera, [x, y]: Vec3, radius: number, ground: number, width: number, height: number) {
  const box = { left: width, right: 0, top: height, bottom: 0 }
  for (const dx of [-radius, radius]) {
    for (const dy of [-radius, radius]) {
      const seen = project(camera, [x + dx, y + dy, ground])
      // Behind the camera: everything may be covered.
      if (seen.depth < 0.05) return { left: 0, right: width, top: 0, bottom: height }
      box.left = Math.min(box.left, Math.floor(seen.x))
      box.right = Math.max(box.right, Math.ceil(seen.x))
      box.top = Math.min(box.top, Math.floor(seen.y))
      box.bottom = Math.max(box.bottom, Math.ceil(seen.y))
    }
  }
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
  return {
    left: within(box.left, width),
    right: within(box.right, width),
    top: within(box.top, height),
    bottom: within(box.bottom, height),
  }
}
