import type { Bounds } from '../geometry/bounds.ts'
import type { TriangleMesh } from '../mesh.ts'
import type { Pose, Vec3 } from '../render/camera.ts'
import { clampToBounds, levelAxes, type Margins, type Move, turnPose } from './move.ts'
import { Obstacles } from './obstacles.ts'
import { distanceToEdges, sweepDisc } from './sweep.ts'

export interface WalkerOptions {
  /** Height of the floor that the body stands on. */
  floor: number
  /** Default 0.2 m. */
  radius?: number
  /** What the feet step over. Default 0.25 m. */
  step?: number
  /** From the eye to the top of the head. Default 0.1 m. */
  headroom?: number
  /** The lowest that the eye can go above the floor: kneeling. Default 0.3 m. */
  lowestEye?: number
  /** At an obstacle: go on along it, or stand still. Default `stop`. */
  atObstacles?: 'stop' | 'slide'
  /** The body does not leave these, whatever the mesh says: scans have holes. */
  bounds?: Bounds
  margins?: Margins
}

export interface MoveReport {
  asked: Move
  /** What came of it, in the directions after the turn. */
  done: Move
  pose: Pose
  /** Whether less, or other, was done than asked. */
  blocked: boolean
  /** What was in the way first. */
  stoppedBy: 'obstacle' | 'bounds' | 'ceiling' | 'floor' | null
  /** The thing that was run into, by its number in `triangleInstances`; 0 for walls and unknown things. */
  obstacle: number
}

/** The body keeps this far from what stopped it, so that it can turn and leave again. */
const SKIN = 0.001
const SLIDES = 4
/** Less than this is no movement, and no difference from what was asked. */
const NOTICEABLE = 0.002
const CEILING_STEPS = 14

/**
 * A body that walks through a scene: a cylinder from the step height up to above the eye. It turns first, then goes.
 * When the eye is lowered the body becomes shorter, so that it gets under things, as a person would.
 *
 * @example
 * const walker = new Walker(mesh, { floor: 0 })
 * const { pose, done, blocked } = walker.move(start, { turnDegrees: 30, forwardMeters: 0.8, leftMeters: 0, upMeters: 0 })
 */
export class Walker {
  readonly #obstacles: Obstacles
  readonly #options: Required<Omit<WalkerOptions, 'bounds' | 'margins'>> & Pick<WalkerOptions, 'bounds' | 'margins'>

  constructor(mesh: Pick<TriangleMesh, 'positions' | 'indices' | 'triangleInstances'>, options: WalkerOptions) {
    this.#obstacles = new Obstacles(mesh)
    this.#options = { radius: 0.2, step: 0.25, headroom: 0.1, lowestEye: 0.3, atObstacles: 'stop', ...options }
  }

  move(pose: Pose, asked: Move): MoveReport {
    if (!Object.values(asked).every(Number.isFinite)) throw new RangeError('a movement needs four finite numbers')
    const turned = turnPose(pose, asked.turnDegrees)
    const { ahead, left } = levelAxes(turned)
    const start = pose.position
    const { bounds, margins } = this.#options
    const wanted: Vec3 = [
      start[0] + asked.forwardMeters * ahead[0] + asked.leftMeters * left[0],
      start[1] + asked.forwardMeters * ahead[1] + asked.leftMeters * left[1],
      start[2] + asked.upMeters,
    ]
    const target = bounds ? clampToBounds(wanted, bounds, margins) : wanted
    let stoppedBy: MoveReport['stoppedBy'] = isNear(target, wanted) ? null : 'bounds'

    let eye = start[2]
    if (target[2] < eye) {
      // Down before going, up after: so a body gets under a table and out again.
      const lowest = this.#options.floor + this.#options.lowestEye
      eye = Math.max(target[2], Math.min(eye, lowest))
      if (eye > target[2] + NOTICEABLE) stoppedBy ??= 'floor'
    }
    const { x, y, hit } = this.#go(start[0], start[1], target[0] - start[0], target[1] - start[1], eye)
    if (hit !== null) stoppedBy = 'obstacle'
    if (target[2] > eye) {
      const raised = this.#rise(x, y, eye, target[2])
      if (raised < target[2] - NOTICEABLE) stoppedBy ??= 'ceiling'
      eye = raised
    }

    const [dx, dy] = [x - start[0], y - start[1]]
    const done: Move = {
      turnDegrees: asked.turnDegrees,
      forwardMeters: dx * ahead[0] + dy * ahead[1],
      leftMeters: dx * left[0] + dy * left[1],
      upMeters: eye - start[2],
    }
    const position: Vec3 = [x, y, eye]
    const blocked = !isNear(position, wanted)
    return {
      asked,
      done,
      pose: { ...turned, position },
      blocked,
      stoppedBy: blocked ? stoppedBy : null,
      obstacle: blocked ? (hit ?? 0) : 0,
    }
  }

  /** Whether the body can be with its eye at a place: nothing in it, nothing over its feet. */
  fits([x, y, eye]: Vec3): boolean {
    const { radius } = this.#options
    const { low, high } = this.#extent(eye)
    if (this.#obstacles.covers(x, y, low, high)) return false
    const edges = this.#obstacles.edges(x - radius, y - radius, x + radius, y + radius, low, high)
    return distanceToEdges(edges, x, y) >= radius - SKIN
  }

  #extent(eye: number): { low: number; high: number } {
    const { floor, step, headroom } = this.#options
    return { low: Math.min(floor + step, eye), high: eye + headroom }
  }

  #go(x: number, y: number, dx: number, dy: number, eye: number): { x: number; y: number; hit: number | null } {
    const { radius, atObstacles } = this.#options
    const { low, high } = this.#extent(eye)
    const asked = Math.hypot(dx, dy)
    if (asked < 1e-9) return { x, y, hit: null }
    // Sliding can lead anywhere within the length of the way.
    const reach = radius + SKIN + (atObstacles === 'slide' ? asked : 0)
    const edges = this.#obstacles.edges(
      Math.min(x, x + dx) - reach,
      Math.min(y, y + dy) - reach,
      Math.max(x, x + dx) + reach,
      Math.max(y, y + dy) + reach,
      low,
      high,
    )
    const walls: [number, number][] = []
    let hit: number | null = null
    for (let slide = 0; slide < SLIDES; slide++) {
      const way = Math.hypot(dx, dy)
      if (way < SKIN) break
      const contact = sweepDisc(edges, x, y, dx, dy, radius)
      if (!contact) return { x: x + dx, y: y + dy, hit }
      hit ??= contact.owner
      const free = Math.max(0, contact.fraction - SKIN / way)
      x += dx * free
      y += dy * free
      if (atObstacles === 'stop') break
      // What is left of the way, along the obstacle.
      dx *= 1 - contact.fraction
      dy *= 1 - contact.fraction
      const into = dx * contact.normalX + dy * contact.normalY
      dx -= contact.normalX * into
      dy -= contact.normalY * into
      walls.push([contact.normalX, contact.normalY])
      // In a corner, along the one wall is into the other.
      if (walls.some(([nx, ny]) => dx * nx + dy * ny < -1e-9)) break
    }
    return { x, y, hit }
  }

  /** The highest that the eye gets on its way to `target`, by halving. */
  #rise(x: number, y: number, eye: number, target: number): number {
    const { radius, headroom } = this.#options
    const free = (height: number) => {
      const [low, high] = [eye + headroom, height + headroom]
      if (this.#obstacles.covers(x, y, low, high)) return false
      const edges = this.#obstacles.edges(x - radius, y - radius, x + radius, y + radius, low, high)
      return distanceToEdges(edges, x, y) >= radius - SKIN
    }
    if (free(target)) return target
    let low = eye
    let high = target
    for (let i = 0; i < CEILING_STEPS; i++) {
      const middle = (low + high) / 2
      if (free(middle)) low = middle
      else high = middle
    }
    return low
  }
}

function isNear(a: Vec3, b: Vec3): boolean {
  return a.every((value, i) => Math.abs(value - b[i]!) <= NOTICEABLE)
}
