/**
 * What the eye remembers of a phase, in cells from where it started: things, walls, and where it stood. Positions come
 * from pictures and from counting its own moves; nothing is looked up.
 */
import { aheadOf, headingIndex, rightOf, rotateHeading } from '../../domain/grid/relations.ts'
import { doorAt } from '../../domain/grid/scene-json.ts'
import {
  DOOR_EAST_WEST,
  DOOR_NORTH_SOUTH,
  type GridObject,
  HEADINGS,
  NORTH,
  OUTSIDE,
  type Pose,
  type Scene,
  type Vec,
  WALL,
} from '../../domain/grid/scene.ts'
import { roomsAt } from '../../domain/grid/view.ts'
import { floorCells } from '../../domain/grid/distance-score.ts'
import type { Label, DepthIdFrame } from '../../domain/vision/depth-id-frame.ts'
import { misfits } from './facing.ts'
import { clearCells, type Glimpse, readFrame } from './reading.ts'
import type { SeenTurn } from '../../play/baseline-input.ts'

export interface Thing {
  label: Label
  pos: Vec
  /** Of doors: the way through, east or north. */
  axis: Vec | null
  /** How badly each heading fits so far, clockwise from north; of things with a front. */
  misfit: [number, number, number, number]
  /** Pixels of the best look at it. */
  pixels: number
}

/** A rectangle between walls; sides clockwise from north, null where no wall was seen yet. */
export interface Room {
  inside: Vec
  sides: [number | null, number | null, number | null, number | null]
}

/** Looks at a thing go on until so many pixels were compared. */
const ENOUGH_PIXELS = 3000
/** Cells to a wall that was not looked at yet. */
const UNMEASURED = 9

export class EyeMemory {
  pos: Vec = [0, 0]
  heading: Vec = NORTH
  readonly things = new Map<string, Thing>()
  readonly rooms: Room[] = []
  readonly looks: { pos: Vec; heading: Vec }[] = []
  /** Cells over which the view was free: what stands there is known. */
  readonly #clear = new Set<string>()
  /** All there is to find, as listed. */
  labels: readonly Label[] = []
  #scene: Scene | null = null

  take({ executed, frame }: SeenTurn): void {
    for (const { action, ok } of executed) {
      if (!ok) continue
      if (action.kind === 'rotate') this.heading = rotateHeading(this.heading, action.degrees)
      if (action.kind === 'jump') this.pos = this.#named(action.name)?.pos ?? this.pos
    }
    if (frame !== null) this.#look(frame())
  }

  #named(name: string): Thing | undefined {
    return this.things.get(name) ?? [...this.things.values()].find(({ label }) => label.name === name.toLowerCase())
  }

  #look(frame: DepthIdFrame): void {
    this.#scene = null
    this.labels = frame.labels
    this.looks.push({ pos: this.pos, heading: this.heading })
    const { things, wallLeft, wallRight } = readFrame(frame)
    for (const glimpse of things) this.#place(glimpse, frame)
    for (const [right, ahead] of clearCells(frame)) this.#clear.add(String(this.#cellAt(right, ahead)))
    this.#measure(wallLeft, wallRight)
  }

  #place(glimpse: Glimpse, frame: DepthIdFrame): void {
    const { label, right, ahead, pixels, spanRight, spanAhead } = glimpse
    const [hx, hy] = this.heading
    const pos = this.#cellAt(right, ahead)
    let thing = this.things.get(label.name)
    if (thing === undefined || pixels > thing.pixels) {
      const across: Vec = spanAhead < spanRight ? this.heading : [hy, -hx]
      const axis: Vec | null = label.kind === 'door' ? [Math.abs(across[0]), Math.abs(across[1])] : null
      thing = { label, pos, axis, misfit: thing?.misfit ?? [0, 0, 0, 0], pixels: pixels + (thing?.pixels ?? 0) }
      this.things.set(label.name, thing)
    }
    if (label.shape === null || (thing.pixels > ENOUGH_PIXELS && isSettled(thing))) return
    const first = headingIndex(this.heading)
    for (const [turn, value] of misfits(frame, glimpse, label.shape).entries()) {
      thing.misfit[(first + turn) % 4]! += value
    }
  }

  /** The cell so far to the right and ahead of where one stands. */
  #cellAt(right: number, ahead: number): Vec {
    const [hx, hy] = this.heading
    return [this.pos[0] + ahead * hx + right * hy, this.pos[1] + ahead * hy - right * hx]
  }

  /** Cells of `scene` on which something unknown may stand: never in free view, and nothing is known to be there. */
  unknownCells(): Vec[] {
    const { scene } = this
    const [x, y] = scene.start.pos
    const taken = new Set([String(scene.start.pos), ...scene.objects.map(({ pos }) => String(pos))])
    return floorCells(scene).filter(
      (cell) => !taken.has(String(cell)) && !this.#clear.has(String([cell[0] - x, cell[1] - y])),
    )
  }

  /** The wall ahead, of the room one stands in or of both rooms of a doorway. */
  #measure(left: number, right: number): void {
    const side = headingIndex(this.heading)
    const doorway = [...this.things.values()].find(({ axis, pos }) => axis !== null && same(pos, this.pos))
    if (!doorway?.axis) return this.#wall(this.pos, side, Math.max(left, right))
    const along = aheadOf(this.heading, ...doorway.axis)
    if (along !== 0) return this.#wall(plus(this.pos, this.heading), side, Math.max(left, right))
    const toRight = rotateHeading(this.heading, 90)
    const toLeft = rotateHeading(this.heading, -90)
    this.#wall(plus(this.pos, toRight), side, right)
    this.#wall(plus(this.pos, toLeft), side, left)
  }

  #wall(inside: Vec, side: number, distance: number): void {
    const room = this.roomAround(inside) ?? { inside, sides: [null, null, null, null] }
    if (!this.rooms.includes(room)) {
      this.rooms.push(room)
      // The wall that one stands in is a side of the room too.
      for (const [i, heading] of HEADINGS.entries()) {
        if (same(plus(inside, heading), this.pos)) room.sides[i] = planeOf(this.pos, i)
      }
    }
    room.sides[side] ??= planeOf(this.pos, side) + Math.round(distance) * (side < 2 ? 1 : -1)
  }

  /** The known room that a cell is in. */
  roomAround(cell: Vec): Room | undefined {
    return this.rooms.find(({ inside, sides: [north, east, south, west] }) => {
      if (same(inside, cell)) return true
      if (north === null || east === null || south === null || west === null) return false
      return cell[0] > west && cell[0] < east && cell[1] > south && cell[1] < north
    })
  }

  /** Which way a thing faces, as far as is known. */
  facing({ label, misfit }: Thing): Vec | null {
    if (label.shape === null) return null
    return HEADINGS[misfit.indexOf(Math.min(...misfit))]!
  }

  /** What is believed, as a scene. */
  get scene(): Scene {
    this.#scene ??= sceneOf(this)
    return this.#scene
  }

  /** Where one stands in `scene`. */
  get pose(): Pose {
    const { scene } = this
    const pos = plus(scene.start.pos, this.pos)
    return { pos, heading: this.heading, rooms: roomsAt(scene, pos) }
  }

  /** Was a cell (from the start) in view in any look? */
  hasSeen(cell: Vec): boolean {
    const { scene } = this
    const [room] = roomsAt(scene, plus(scene.start.pos, cell))
    if (room === undefined) return false
    return this.looks.some(({ pos, heading }) => {
      if (!roomsAt(scene, plus(scene.start.pos, pos)).includes(room)) return false
      const [dx, dy] = [cell[0] - pos[0], cell[1] - pos[1]]
      return Math.abs(rightOf(heading, dx, dy)) <= aheadOf(heading, dx, dy)
    })
  }
}

/** Shapes are imagined exactly: the right facing misses next to nothing, the next best so many pixels more. */
const SURE = 5

/** Does one facing fit clearly better than the others? */
export function isSettled({ label, misfit }: Thing): boolean {
  if (label.shape === null) return true
  const [best, second] = misfit.toSorted((a, b) => a - b)
  return second! - best! > SURE
}

function same(a: Vec, b: Vec): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function plus(a: Vec, b: Vec): Vec {
  return [a[0] + b[0], a[1] + b[1]]
}

/** North and south walls are known by y, east and west walls by x. */
function planeOf(pos: Vec, side: number): number {
  return side % 2 === 0 ? pos[1] : pos[0]
}

/** Cells between the walls that were seen, with what stands on them. */
function sceneOf({ rooms, things, labels }: EyeMemory): Scene {
  const boxes = rooms.map(({ inside: [x, y], sides: [north, east, south, west] }, i) => ({
    id: i + 1,
    isWhole: north !== null && east !== null && south !== null && west !== null,
    north: north ?? y + UNMEASURED,
    east: east ?? x + UNMEASURED,
    south: south ?? y - UNMEASURED,
    west: west ?? x - UNMEASURED,
  }))
  const all = [...things.values()]
  const xs = [0, ...boxes.flatMap(({ east, west }) => [east, west]), ...all.map(({ pos }) => pos[0])]
  const ys = [0, ...boxes.flatMap(({ north, south }) => [north, south]), ...all.map(({ pos }) => pos[1])]
  // One cell of margin: beyond a door there is always a cell to ask about.
  const origin: Vec = [1 - Math.min(...xs), 1 - Math.min(...ys)]
  const [columns, rows] = [Math.max(...xs) + origin[0] + 2, Math.max(...ys) + origin[1] + 2]
  const mask: number[][] = Array.from({ length: columns }, () => Array<number>(rows).fill(OUTSIDE))
  // What was measured goes over what is only supposed.
  for (const { id, north, east, south, west } of boxes.toSorted((a, b) => Number(a.isWhole) - Number(b.isWhole))) {
    for (let x = west; x <= east; x++) {
      for (let y = south; y <= north; y++) {
        const isWall = x === west || x === east || y === south || y === north
        const column = mask[x + origin[0]]!
        if (!isWall) column[y + origin[1]] = id
        else if (column[y + origin[1]] === OUTSIDE) column[y + origin[1]] = WALL
      }
    }
  }
  const doors = all.flatMap(({ pos, axis }) => (axis === null ? [] : [{ at: plus(pos, origin), axis }]))
  for (const { at, axis } of doors) mask[at[0]]![at[1]] = axis[0] === 0 ? DOOR_NORTH_SOUTH : DOOR_EAST_WEST
  const listed = labels.flatMap(({ name }) => things.get(name) ?? [])
  return {
    mask,
    objects: listed.flatMap((thing): GridObject[] => {
      if (thing.axis !== null) return []
      const pos = plus(thing.pos, origin)
      const oriented = thing.label.shape !== null
      const heading = oriented ? HEADINGS[thing.misfit.indexOf(Math.min(...thing.misfit))]! : NORTH
      return [
        { kind: 'object', name: thing.label.name, pos, heading, oriented, room: mask[pos[0]]?.[pos[1]] ?? OUTSIDE },
      ]
    }),
    doors: listed.flatMap(({ pos, axis, label }) =>
      axis === null ? [] : [doorAt(mask, plus(pos, origin), label.name)],
    ),
    start: { pos: origin, room: mask[origin[0]]?.[origin[1]] ?? 1 },
    order: listed.map(({ label }) => label.name),
  }
}
