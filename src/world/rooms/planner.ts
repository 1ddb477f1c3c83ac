/** Furnishing one room: tries places for things, and keeps only those where they fit. */
import type { Random } from '../../base/random.ts'
import { type Category, VARIANTS, buildObject } from '../objects/catalogue.ts'
import type { ObjectModel } from '../objects/model.ts'
import { turnOf } from '../trig.ts'
import { type Box, type TurnedBox, boundsAt, overlap, turnedOverlap } from './boxes.ts'
import { doorsOn } from './floor-plan.ts'
import {
  type PlacedObject,
  type SceneDoor,
  type SceneRoom,
  type SceneWindow,
  type Side,
  toMillimetres,
} from './scene.ts'
import { sidePlane, sideSpan } from './sides.ts'
import { BODY_RADIUS, reachOf } from './walkable.ts'

export interface Placed extends PlacedObject {
  model: ObjectModel
  bounds: Box
}

export const SIDES: readonly Side[] = ['west', 'south', 'east', 'north']
/** Degrees that something turns to have its back to a wall. */
export const FACING: Readonly<Record<Side, number>> = { west: 0, south: 90, east: 180, north: 270 }

/** Between furniture and wall, and between neighbors. */
const GAP = 0.02
/** Between any two things. */
const NEIGHBOURS = 0.004
const DOOR_CLEAR = 0.8
/** A room keeps at least this much floor to walk on. */
const MIN_FLOOR = 0.9

export interface WallOptions {
  sides?: readonly Side[]
  /** 0…1 along the free part of the wall; random where absent. */
  at?: number
  /** Free floor in front of it, meters. */
  access?: number
  tries?: number
  variant?: number
  gap?: number
}

export class RoomPlanner {
  readonly room: SceneRoom
  readonly height: number
  readonly random: Random
  readonly windows: readonly SceneWindow[]
  readonly doors: readonly SceneDoor[]
  readonly placed: Placed[] = []
  /** Must stay free of furniture: ways through doors, light of windows, places to stand. */
  readonly #kept: Box[] = []
  readonly #views: Box[] = []
  readonly #starts: (readonly [number, number])[] = []
  readonly #next: () => number

  constructor(
    room: SceneRoom,
    height: number,
    doors: readonly SceneDoor[],
    windows: readonly SceneWindow[],
    random: Random,
    next: () => number,
  ) {
    this.room = room
    this.height = height
    this.random = random
    this.doors = doors.filter(({ rooms }) => rooms.includes(room.id))
    this.windows = windows.filter((window) => window.room === room.id)
    this.#next = next
    for (const side of SIDES) {
      for (const { along, width, height: tall } of doorsOn(room, side, this.doors)) {
        this.#kept.push(
          this.#strip(side, along - width / 2 - 0.05, along + width / 2 + 0.05, DOOR_CLEAR, 0, tall + 0.05),
        )
        this.#starts.push(this.#stand(side, along, BODY_RADIUS + 0.15))
      }
      for (const { along, width, sill, height: tall } of this.windows.filter((window) => window.side === side)) {
        this.#views.push(this.#strip(side, along - width / 2, along + width / 2, 0.3, sill, sill + tall))
      }
    }
    if (this.#starts.length === 0) this.#starts.push([(room.x[0] + room.x[1]) / 2, (room.y[0] + room.y[1]) / 2])
  }

  get width(): number {
    return this.room.x[1] - this.room.x[0]
  }

  get depth(): number {
    return this.room.y[1] - this.room.y[0]
  }

  get center(): readonly [number, number] {
    return [(this.room.x[0] + this.room.x[1]) / 2, (this.room.y[0] + this.room.y[1]) / 2]
  }

  get area(): number {
    return this.width * this.depth
  }

  variant(): number {
    return this.random.int(VARIANTS)
  }

  /** Depth, width and height that an object would have. */
  sizesOf(category: Category, variant: number): readonly [number, number, number] {
    return buildObject(category, variant).size
  }

  /** How much wall it would take. */
  sizeOf(category: Category, variant: number): number {
    return buildObject(category, variant).size[1]
  }

  /** Against a wall, its back to it. */
  wall(
    category: Category,
    { sides = SIDES, at, access = 0, tries = 10, variant = this.variant(), gap = GAP }: WallOptions = {},
  ): Placed | null {
    const model = buildObject(category, variant)
    for (let i = 0; i < tries; i++) {
      const side = this.random.pick(sides)
      const [from, to] = sideSpan(this.room, side)
      const half = model.size[1] / 2
      if (to - from < model.size[1] + 0.04) continue
      const f = i === 0 && at !== undefined ? at : this.random.unit()
      const along = from + half + GAP + (to - from - 2 * half - 2 * GAP) * f
      const placed = this.#onSide(model, side, along, gap, access)
      if (placed) return placed
    }
    return null
  }

  /** In a corner: at either end of a wall. */
  corner(category: Category, options: WallOptions = {}): Placed | null {
    const variant = options.variant ?? this.variant()
    for (const side of this.random.shuffle([...(options.sides ?? SIDES)])) {
      for (const at of this.random.shuffle([0, 1])) {
        const placed = this.wall(category, { ...options, sides: [side], at, tries: 1, variant })
        if (placed) return placed
      }
    }
    return null
  }

  /** At a known place along a wall. */
  wallAt(
    category: Category,
    side: Side,
    along: number,
    { access = 0, variant = this.variant(), gap = GAP }: WallOptions = {},
  ): Placed | null {
    return this.#onSide(buildObject(category, variant), side, along, gap, access)
  }

  /** Next to something that stands at a wall, on its left (−1) or right (1) as seen from its front. */
  beside(
    other: Placed,
    hand: -1 | 1,
    category: Category,
    { variant = this.variant(), gap = 0.04, access = 0 } = {},
  ): Placed | null {
    const model = buildObject(category, variant)
    const distance = other.model.size[1] / 2 + gap + model.size[1] / 2
    const back = other.model.size[0] / 2 - model.size[0] / 2
    return this.relative(other, [-back, -hand * distance], 0, category, { variant, access })
  }

  /** At a place in another thing's frame: x forwards from its middle, y to its left. */
  relative(
    other: Placed,
    [x, y]: readonly [number, number],
    turn: number,
    category: Category,
    { variant = this.variant(), access = 0 } = {},
  ): Placed | null {
    const [c, s] = turnOf(other.yaw)
    return this.stand(
      category,
      [other.position[0] + c * x - s * y, other.position[1] + s * x + c * y],
      other.yaw + turn,
      { variant, access },
    )
  }

  /** On the floor at a place, turned by `yaw`. */
  stand(
    category: Category,
    [x, y]: readonly [number, number],
    yaw: number,
    { variant = this.variant(), access = 0 } = {},
  ): Placed | null {
    return this.#add(buildObject(category, variant), [x, y, 0], yaw, 'floor', access)
  }

  /** Somewhere on the free floor. */
  anywhere(category: Category, { variant = this.variant(), tries = 12, margin = 0.05 } = {}): Placed | null {
    const large = Math.max(...this.sizesOf(category, variant)) > 0.7
    for (let i = 0; i < tries; i++) {
      const x = this.random.range(this.room.x[0] + margin, this.room.x[1] - margin)
      const y = this.random.range(this.room.y[0] + margin, this.room.y[1] - margin)
      const placed = this.stand(category, [x, y], large ? this.random.int(4) * 90 : this.random.int(24) * 15, {
        variant,
      })
      if (placed) return placed
    }
    return null
  }

  /** Hung on a wall with its lower edge between the given heights. */
  hang(
    category: Category,
    {
      sides = SIDES,
      low = 1.3,
      high = 1.5,
      tries = 14,
      variant = this.variant(),
      at,
    }: { sides?: readonly Side[]; low?: number; high?: number; tries?: number; variant?: number; at?: number } = {},
  ): Placed | null {
    const model = buildObject(category, variant)
    for (let i = 0; i < tries; i++) {
      const side = this.random.pick(sides)
      const [from, to] = sideSpan(this.room, side)
      if (to - from < model.size[1] + 0.2) continue
      const f = i === 0 && at !== undefined ? at : this.random.range(0.05, 0.95)
      const along = from + model.size[1] / 2 + 0.05 + (to - from - model.size[1] - 0.1) * f
      const placed = this.hangAt(category, side, along, this.random.range(low, high), variant)
      if (placed) return placed
    }
    return null
  }

  hangAt(category: Category, side: Side, along: number, z: number, variant = this.variant()): Placed | null {
    const model = buildObject(category, variant)
    if (z + model.size[2] > this.height - 0.03) return null
    const [x, y] = this.#stand(side, along, model.size[0] / 2 + 0.002)
    return this.#add(model, [x, y, z], FACING[side], 'wall', 0)
  }

  /** Above something at the wall, in the middle of it. */
  hangAbove(other: Placed, category: Category, rise: number, variant = this.variant()): Placed | null {
    const side = SIDES.find((name) => FACING[name] === other.yaw)
    if (!side) return null
    const along = side === 'north' || side === 'south' ? other.position[0] : other.position[1]
    return this.hangAt(category, side, along, other.position[2] + other.model.size[2] + rise, variant)
  }

  ceiling(category: Category, [x, y]: readonly [number, number], yaw = 0, variant = this.variant()): Placed | null {
    const model = buildObject(category, variant)
    return this.#add(model, [x, y, this.height - model.size[2]], yaw, 'ceiling', 0)
  }

  /**
   * On top of something. `at` is a place on its surface, each 0…1 from back to front and from its right to its left;
   * random where absent.
   */
  on(
    other: Placed | null,
    category: Category,
    {
      at,
      turn,
      variant = this.variant(),
      tries = 8,
    }: { at?: readonly [number, number]; turn?: number; variant?: number; tries?: number } = {},
  ): Placed | null {
    if (!other) return null
    const model = buildObject(category, variant)
    const [c, s] = turnOf(other.yaw)
    for (let i = 0; i < tries; i++) {
      for (const surface of other.model.surfaces) {
        if (surface.clear !== undefined && model.size[2] > surface.clear) continue
        const yaw = turn ?? (model.facing === null ? this.random.int(24) * 15 : this.random.between(-2, 2) * 6)
        const flat = boundsAt(model.size, [0, 0, 0], yaw)
        const roomX = surface.x[1] - surface.x[0] - (flat.x[1] - flat.x[0])
        const roomY = surface.y[1] - surface.y[0] - (flat.y[1] - flat.y[0])
        if (roomX < 0 || roomY < 0) continue
        const fx = i === 0 && at ? at[0] : this.random.unit()
        const fy = i === 0 && at ? at[1] : this.random.unit()
        const lx = surface.x[0] + roomX * fx + (flat.x[1] - flat.x[0]) / 2
        const ly = surface.y[0] + roomY * fy + (flat.y[1] - flat.y[0]) / 2
        const x = other.position[0] + c * lx - s * ly
        const y = other.position[1] + s * lx + c * ly
        const placed = this.#add(model, [x, y, other.position[2] + surface.z], other.yaw + yaw, other.instance, 0)
        if (placed) return placed
      }
    }
    return null
  }

  /** Takes a thing away again, with all that stands on it. */
  remove(thing: Placed): void {
    const at = this.placed.indexOf(thing)
    if (at >= 0) this.placed.splice(at, 1)
    for (const other of this.placed.filter(({ support }) => support === thing.instance)) this.remove(other)
  }

  #onSide(model: ObjectModel, side: Side, along: number, gap: number, access: number): Placed | null {
    const [x, y] = this.#stand(side, along, model.size[0] / 2 + gap)
    return this.#add(model, [x, y, 0], FACING[side], 'floor', access)
  }

  /** The point `inwards` meters from a wall. */
  #stand(side: Side, along: number, inwards: number): readonly [number, number] {
    const plane = sidePlane(this.room, side)
    const across = side === 'west' || side === 'south' ? plane + inwards : plane - inwards
    return side === 'west' || side === 'east' ? [across, along] : [along, across]
  }

  #strip(side: Side, from: number, to: number, deep: number, z0: number, z1: number): Box {
    const plane = sidePlane(this.room, side)
    const inner = side === 'west' || side === 'south' ? plane + deep : plane - deep
    const across = plane < inner ? ([plane, inner] as const) : ([inner, plane] as const)
    return side === 'west' || side === 'east'
      ? { x: across, y: [from, to], z: [z0, z1] }
      : { x: [from, to], y: across, z: [z0, z1] }
  }

  #add(
    model: ObjectModel,
    position: readonly [number, number, number],
    yaw: number,
    support: Placed['support'],
    access: number,
  ): Placed | null {
    const place = [toMillimetres(position[0]), toMillimetres(position[1]), toMillimetres(position[2])] as [
      number,
      number,
      number,
    ]
    const turned = ((yaw % 360) + 360) % 360
    const bounds = boundsAt(model.size, place, turned)
    const flat = model.size[2] < 0.03 && support === 'floor'
    if (
      !this.#fits(
        { size: model.size, position: place, yaw: turned },
        bounds,
        support,
        flat,
        model.category === 'curtain',
      )
    )
      return null
    const front = access > 0 ? this.#front(model, place, turned, access) : null
    if (front && !this.#standable(front)) return null
    const thing: Placed = {
      instance: 0,
      category: model.category,
      variant: model.variant,
      position: place,
      yaw: turned,
      room: this.room.id,
      support,
      model,
      bounds,
    }
    // What hangs on a wall may be in the way as much as what stands.
    if ((support === 'wall' || place[2] < 0.05) && !flat) {
      this.placed.push(thing)
      const { joined, area } = reachOf(
        this.room,
        this.placed.map((other) => other.bounds),
        this.#starts,
      )
      this.placed.pop()
      if (!joined || area < MIN_FLOOR) return null
    }
    thing.instance = this.#next()
    this.placed.push(thing)
    if (front) this.#kept.push(front)
    return thing
  }

  #fits(thing: TurnedBox, bounds: Box, support: Placed['support'], flat: boolean, curtain: boolean): boolean {
    const { room } = this
    const slack = 0.0005
    if (
      bounds.x[0] < room.x[0] - slack ||
      bounds.x[1] > room.x[1] + slack ||
      bounds.y[0] < room.y[0] - slack ||
      bounds.y[1] > room.y[1] + slack
    )
      return false
    if (bounds.z[1] > this.height + slack) return false
    if (!flat && this.#kept.some((box) => overlap(bounds, box))) return false
    if (!flat && !curtain && this.#views.some((box) => overlap(bounds, box))) return false
    return !this.placed.some(
      (other) =>
        other.instance !== support &&
        overlap(bounds, other.bounds, NEIGHBOURS) &&
        turnedOverlap(thing, { size: other.model.size, position: other.position, yaw: other.yaw }, -NEIGHBOURS),
    )
  }

  /** The floor in front of a thing that its user stands on. */
  #front(model: ObjectModel, [x, y]: readonly [number, number, number], yaw: number, access: number): Box {
    const [c, s] = turnOf(yaw)
    const reach = model.size[0] / 2 + access / 2
    return boundsAt([access, model.size[1] * 0.9, 1.5], [x + c * reach, y + s * reach, 0.03], yaw)
  }

  #standable(front: Box): boolean {
    const { room } = this
    if (front.x[0] < room.x[0] || front.x[1] > room.x[1] || front.y[0] < room.y[0] || front.y[1] > room.y[1])
      return false
    return !this.placed.some((other) => overlap(front, other.bounds))
  }
}
