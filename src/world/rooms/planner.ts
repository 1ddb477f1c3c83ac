/** Furnishing one room: tries places for things, and keeps only those where they fit. */
import type { Random } from '../../base/random.ts'
import { type Category, buildObject } from '../objects/catalogue.ts'
import { buildInstance } from '../objects/instance.ts'
import type { ObjectModel } from '../objects/model.ts'
import { turnOf } from '../trig.ts'
import { solidsOf } from './solids.ts'
import { roomArea } from './blocks.ts'
import { type Box, boundsAt, overlap } from './boxes.ts'
import { isEssential } from './essentials.ts'
import { intersect } from './parts.ts'
import {
  type PlacedObject,
  type SceneDoor,
  type SceneRoom,
  type SceneWindow,
  type Side,
  toMillimetres,
} from './scene.ts'
import { doorsOn, FACING, SIDES, sidePlane, sideSpan } from './sides.ts'
import { type Look, drawLook } from './variation.ts'
import { BODY_RADIUS, reachOf } from './walkable.ts'

export interface Placed extends PlacedObject {
  model: ObjectModel
  bounds: Box
}

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
  look?: Look
  gap?: number
}

export interface PlannerOptions {
  /** 0…1: how often a thing looks almost like another of its category in the room. */
  lookAlikes: number
  /** 0…1: how far into their ranges the sizes of things reach. */
  large: number
  /** No more things than this find a place, but for what makes the room what it is. */
  most: number
}

/** A look-alike is as good as equal: of one making, cut and dyed by hand. */
const ALIKE_SIZE = 0.03
const ALIKE_COLOR = 7

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
  /** Blocks of the building and open doors: nothing can be where they are. */
  readonly #solid: Box[]
  readonly #starts: (readonly [number, number])[] = []
  readonly #next: () => number
  readonly #options: PlannerOptions
  most: number

  constructor(
    room: SceneRoom,
    height: number,
    doors: readonly SceneDoor[],
    windows: readonly SceneWindow[],
    random: Random,
    next: () => number,
    options: PlannerOptions,
  ) {
    this.#options = options
    this.most = options.most
    this.room = room
    this.height = height
    this.random = random
    this.doors = doors.filter(({ rooms }) => rooms.includes(room.id))
    this.windows = windows.filter((window) => window.room === room.id)
    this.#next = next
    this.#solid = solidsOf(room, height, doors)
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
    return roomArea(this.room)
  }

  /**
   * How the next thing of a category looks: sometimes almost like one that is there already. A few draws are made for
   * a size that is `wanted`.
   */
  look(category: Category, wanted: (size: Look['size']) => boolean = () => true): Look {
    const { random } = this
    const like = this.placed.findLast((placed) => placed.category === category)
    if (!like || !random.chance(this.#options.lookAlikes)) {
      let look = drawLook(category, random, this.#options.large)
      for (let i = 0; i < 4 && !wanted(look.size); i++) look = drawLook(category, random, this.#options.large)
      return look
    }
    const near = (side: number): number => toMillimetres(side * random.range(1 - ALIKE_SIZE, 1 + ALIKE_SIZE))
    const shade = (level: number): number =>
      Math.min(255, Math.max(0, level + random.between(-ALIKE_COLOR, ALIKE_COLOR)))
    const [d, w, h] = like.model.size
    return {
      variant: like.variant,
      size: [near(d), near(w), near(h)],
      colors: (like.colors ?? []).map(([r, g, b]) => [shade(r), shade(g), shade(b)]),
    }
  }

  /** Depth, width and height that a variant has in the catalogue. */
  defaultSize(category: Category, variant: number): readonly [number, number, number] {
    return buildObject(category, variant).size
  }

  /** Against a wall, its back to it. */
  wall(
    category: Category,
    { sides = SIDES, at, access = 0, tries = 10, look = this.look(category), gap = GAP }: WallOptions = {},
  ): Placed | null {
    const model = buildInstance({ category, ...look })
    for (let i = 0; i < tries; i++) {
      const side = this.random.pick(sides)
      const [from, to] = sideSpan(this.room, side)
      const half = model.size[1] / 2
      if (to - from < model.size[1] + 0.04) continue
      const f = i === 0 && at !== undefined ? at : this.random.unit()
      const along = from + half + GAP + (to - from - 2 * half - 2 * GAP) * f
      const placed = this.#onSide(model, look, side, along, gap, access)
      if (placed) return placed
    }
    return null
  }

  /** In a corner: at either end of a wall. */
  corner(category: Category, options: WallOptions = {}): Placed | null {
    const look = options.look ?? this.look(category)
    for (const side of this.random.shuffle([...(options.sides ?? SIDES)])) {
      for (const at of this.random.shuffle([0, 1])) {
        const placed = this.wall(category, { ...options, sides: [side], at, tries: 1, look })
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
    { access = 0, look = this.look(category), gap = GAP }: WallOptions = {},
  ): Placed | null {
    return this.#onSide(buildInstance({ category, ...look }), look, side, along, gap, access)
  }

  /** Next to something that stands at a wall, on its left (−1) or right (1) as seen from its front. */
  beside(
    other: Placed,
    hand: -1 | 1,
    category: Category,
    { look = this.look(category), gap = 0.04, access = 0 } = {},
  ): Placed | null {
    const model = buildInstance({ category, ...look })
    const distance = other.model.size[1] / 2 + gap + model.size[1] / 2
    const back = other.model.size[0] / 2 - model.size[0] / 2
    return this.relative(other, [-back, -hand * distance], 0, category, { look, access })
  }

  /** At a place in another thing's frame: x forwards from its middle, y to its left. */
  relative(
    other: Placed,
    [x, y]: readonly [number, number],
    turn: number,
    category: Category,
    { look = this.look(category), access = 0 } = {},
  ): Placed | null {
    const [c, s] = turnOf(other.yaw)
    return this.stand(
      category,
      [other.position[0] + c * x - s * y, other.position[1] + s * x + c * y],
      other.yaw + turn,
      { look, access },
    )
  }

  /** On the floor at a place, turned by `yaw`. */
  stand(
    category: Category,
    [x, y]: readonly [number, number],
    yaw: number,
    { look = this.look(category), access = 0 } = {},
  ): Placed | null {
    return this.#add(buildInstance({ category, ...look }), look, [x, y, 0], yaw, 'floor', access)
  }

  /** Somewhere on the free floor. */
  anywhere(category: Category, { look = this.look(category), tries = 12, margin = 0.05 } = {}): Placed | null {
    const large = Math.max(...look.size) > 0.7
    for (let i = 0; i < tries; i++) {
      const x = this.random.range(this.room.x[0] + margin, this.room.x[1] - margin)
      const y = this.random.range(this.room.y[0] + margin, this.room.y[1] - margin)
      const placed = this.stand(category, [x, y], large ? this.random.int(4) * 90 : this.random.int(24) * 15, {
        look,
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
      look = this.look(category),
      at,
    }: { sides?: readonly Side[]; low?: number; high?: number; tries?: number; look?: Look; at?: number } = {},
  ): Placed | null {
    const model = buildInstance({ category, ...look })
    for (let i = 0; i < tries; i++) {
      const side = this.random.pick(sides)
      const [from, to] = sideSpan(this.room, side)
      if (to - from < model.size[1] + 0.2) continue
      const f = i === 0 && at !== undefined ? at : this.random.range(0.05, 0.95)
      const along = from + model.size[1] / 2 + 0.05 + (to - from - model.size[1] - 0.1) * f
      const placed = this.hangAt(category, side, along, this.random.range(low, high), look)
      if (placed) return placed
    }
    return null
  }

  hangAt(category: Category, side: Side, along: number, z: number, look = this.look(category)): Placed | null {
    const model = buildInstance({ category, ...look })
    if (z + model.size[2] > this.height - 0.03) return null
    const [x, y] = this.#stand(side, along, model.size[0] / 2 + 0.002)
    return this.#add(model, look, [x, y, z], FACING[side], 'wall', 0)
  }

  /** Above something at the wall, in the middle of it. */
  hangAbove(other: Placed, category: Category, rise: number, look = this.look(category)): Placed | null {
    const side = SIDES.find((name) => FACING[name] === other.yaw)
    if (!side) return null
    const along = side === 'north' || side === 'south' ? other.position[0] : other.position[1]
    return this.hangAt(category, side, along, other.position[2] + other.model.size[2] + rise, look)
  }

  ceiling(category: Category, [x, y]: readonly [number, number], yaw = 0, look = this.look(category)): Placed | null {
    const model = buildInstance({ category, ...look })
    return this.#add(model, look, [x, y, this.height - model.size[2]], yaw, 'ceiling', 0)
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
      look = this.look(category),
      tries = 8,
    }: { at?: readonly [number, number]; turn?: number; look?: Look; tries?: number } = {},
  ): Placed | null {
    if (!other) return null
    const model = buildInstance({ category, ...look })
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
        const placed = this.#add(model, look, [x, y, other.position[2] + surface.z], other.yaw + yaw, other.instance, 0)
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

  #onSide(model: ObjectModel, look: Look, side: Side, along: number, gap: number, access: number): Placed | null {
    const [x, y] = this.#stand(side, along, model.size[0] / 2 + gap)
    return this.#add(model, look, [x, y, 0], FACING[side], 'floor', access)
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
    look: Look,
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
    const thing: Placed = {
      instance: 0,
      category: model.category,
      ...look,
      position: place,
      yaw: turned,
      room: this.room.id,
      support,
      model,
      bounds,
    }
    if (this.placed.length >= this.most && !isEssential(this.room.kind, thing)) return null
    if (!this.#fits(thing, flat)) return null
    const front = access > 0 ? this.#front(model, place, turned, access) : null
    if (front && !this.#standable(front)) return null
    // What hangs may be in the way as much as what stands.
    if ((typeof support !== 'number' || place[2] < 0.05) && !flat) {
      this.placed.push(thing)
      const { joined, area } = reachOf(
        this.room,
        [...this.#solid, ...this.placed.map((other) => other.bounds)],
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

  #fits(thing: Placed, flat: boolean): boolean {
    const { room } = this
    const { bounds, support } = thing
    const slack = 0.0005
    if (
      bounds.x[0] < room.x[0] - slack ||
      bounds.x[1] > room.x[1] + slack ||
      bounds.y[0] < room.y[0] - slack ||
      bounds.y[1] > room.y[1] + slack
    )
      return false
    if (bounds.z[1] > this.height + slack) return false
    if (this.#solid.some((box) => overlap(bounds, box))) return false
    if (!flat && this.#kept.some((box) => overlap(bounds, box))) return false
    if (!flat && thing.category !== 'curtain' && this.#views.some((box) => overlap(bounds, box))) return false
    return !this.placed.some(
      (other) =>
        other.instance !== support && overlap(bounds, other.bounds, NEIGHBOURS) && intersect(thing, other, -NEIGHBOURS),
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
    return ![...this.#solid, ...this.placed.map((other) => other.bounds)].some((box) => overlap(front, box))
  }
}
