/**
 * What `baseline/eye` remembers of a phase, in cells from the start: entities, walls, and where it stood. Positions come
 * from images and from counting its own moves, never from the scene.
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
import { facingErrors } from './facing.ts'
import { clearCells, type Detection, readFrame } from './reading.ts'
import type { SeenTurn } from '../../play/baseline-input.ts'

export interface MappedEntity {
  label: Label
  pos: Vec
  /** For doors: the direction through, east or north. */
  axis: Vec | null
  /** Accumulated error of each heading, clockwise from north; only for objects with a front. */
  headingErrors: [number, number, number, number]
  /** Pixels of the best view of it. */
  pixels: number
}

/** A rectangle between walls; sides clockwise from north, null if that wall has not been seen. */
export interface Room {
  inside: Vec
  sides: [number | null, number | null, number | null, number | null]
}

/** Facings are compared until this many pixels have been seen. */
const ENOUGH_PIXELS = 3000
/** Assumed distance of a wall that has not been seen, in cells. */
const DEFAULT_WALL_DISTANCE = 9

export class EyeMemory {
  pos: Vec = [0, 0]
  heading: Vec = NORTH
  readonly entities = new Map<string, MappedEntity>()
  readonly rooms: Room[] = []
  readonly looks: { pos: Vec; heading: Vec }[] = []
  /** Cells with an unobstructed view, whose contents are therefore known. */
  readonly #clear = new Set<string>()
  /** Everything to find, as listed in the prompt. */
  labels: readonly Label[] = []
  #scene: Scene | null = null

  record({ executed, frame }: SeenTurn): void {
    for (const { action, ok } of executed) {
      if (!ok) continue
      if (action.kind === 'rotate') this.heading = rotateHeading(this.heading, action.degrees)
      if (action.kind === 'jump') this.pos = this.#named(action.name)?.pos ?? this.pos
    }
    if (frame !== null) this.#look(frame())
  }

  #named(name: string): MappedEntity | undefined {
    return this.entities.get(name) ?? [...this.entities.values()].find(({ label }) => label.name === name.toLowerCase())
  }

  #look(frame: DepthIdFrame): void {
    this.#scene = null
    this.labels = frame.labels
    this.looks.push({ pos: this.pos, heading: this.heading })
    const { detections, wallLeft, wallRight } = readFrame(frame)
    for (const detection of detections) this.#place(detection, frame)
    for (const [right, ahead] of clearCells(frame)) this.#clear.add(String(this.#cellAt(right, ahead)))
    this.#measure(wallLeft, wallRight)
  }

  #place(detection: Detection, frame: DepthIdFrame): void {
    const { label, right, ahead, pixels, spanRight, spanAhead } = detection
    const [hx, hy] = this.heading
    const pos = this.#cellAt(right, ahead)
    let entity = this.entities.get(label.name)
    if (entity === undefined || pixels > entity.pixels) {
      const across: Vec = spanAhead < spanRight ? this.heading : [hy, -hx]
      const axis: Vec | null = label.kind === 'door' ? [Math.abs(across[0]), Math.abs(across[1])] : null
      entity = {
        label,
        pos,
        axis,
        headingErrors: entity?.headingErrors ?? [0, 0, 0, 0],
        pixels: pixels + (entity?.pixels ?? 0),
      }
      this.entities.set(label.name, entity)
    }
    if (label.shape === null || (entity.pixels > ENOUGH_PIXELS && hasClearFacing(entity))) return
    const first = headingIndex(this.heading)
    for (const [turn, value] of facingErrors(frame, detection, label.shape).entries()) {
      entity.headingErrors[(first + turn) % 4]! += value
    }
  }

  /** The cell at this offset from the player. */
  #cellAt(right: number, ahead: number): Vec {
    const [hx, hy] = this.heading
    return [this.pos[0] + ahead * hx + right * hy, this.pos[1] + ahead * hy - right * hx]
  }

  /** Cells of `scene` that may hold an unknown object: never seen unobstructed, and not known to be occupied. */
  unknownCells(): Vec[] {
    const { scene } = this
    const [x, y] = scene.start.pos
    const taken = new Set([String(scene.start.pos), ...scene.objects.map(({ pos }) => String(pos))])
    return floorCells(scene).filter(
      (cell) => !taken.has(String(cell)) && !this.#clear.has(String([cell[0] - x, cell[1] - y])),
    )
  }

  /** Records the wall ahead, for the current room or for both rooms of a doorway. */
  #measure(left: number, right: number): void {
    const side = headingIndex(this.heading)
    const doorway = [...this.entities.values()].find(({ axis, pos }) => axis !== null && sameCell(pos, this.pos))
    if (!doorway?.axis) return this.#wall(this.pos, side, Math.max(left, right))
    const along = aheadOf(this.heading, ...doorway.axis)
    if (along !== 0) return this.#wall(add(this.pos, this.heading), side, Math.max(left, right))
    const toRight = rotateHeading(this.heading, 90)
    const toLeft = rotateHeading(this.heading, -90)
    this.#wall(add(this.pos, toRight), side, right)
    this.#wall(add(this.pos, toLeft), side, left)
  }

  #wall(inside: Vec, side: number, distance: number): void {
    const room = this.roomAround(inside) ?? { inside, sides: [null, null, null, null] }
    if (!this.rooms.includes(room)) {
      this.rooms.push(room)
      // The wall with the doorway is a side of the room too.
      for (const [i, heading] of HEADINGS.entries()) {
        if (sameCell(add(inside, heading), this.pos)) room.sides[i] = planeOf(this.pos, i)
      }
    }
    room.sides[side] ??= planeOf(this.pos, side) + Math.round(distance) * (side < 2 ? 1 : -1)
  }

  /** The known room that contains a cell. */
  roomAround(cell: Vec): Room | undefined {
    return this.rooms.find(({ inside, sides: [north, east, south, west] }) => {
      if (sameCell(inside, cell)) return true
      if (north === null || east === null || south === null || west === null) return false
      return cell[0] > west && cell[0] < east && cell[1] > south && cell[1] < north
    })
  }

  /** The most likely facing of an entity; null if it has no front. */
  facing({ label, headingErrors }: MappedEntity): Vec | null {
    if (label.shape === null) return null
    return HEADINGS[headingErrors.indexOf(Math.min(...headingErrors))]!
  }

  /** The remembered map as a scene. */
  get scene(): Scene {
    this.#scene ??= sceneOf(this)
    return this.#scene
  }

  /** The player's pose in `scene`. */
  get pose(): Pose {
    const { scene } = this
    const pos = add(scene.start.pos, this.pos)
    return { pos, heading: this.heading, rooms: roomsAt(scene, pos) }
  }

  /** Has this cell, relative to the start, been in view? */
  hasSeen(cell: Vec): boolean {
    const { scene } = this
    const [room] = roomsAt(scene, add(scene.start.pos, cell))
    if (room === undefined) return false
    return this.looks.some(({ pos, heading }) => {
      if (!roomsAt(scene, add(scene.start.pos, pos)).includes(room)) return false
      const [dx, dy] = [cell[0] - pos[0], cell[1] - pos[1]]
      return Math.abs(rightOf(heading, dx, dy)) <= aheadOf(heading, dx, dy)
    })
  }
}

/** Shapes are rendered exactly: the right facing has almost no error, the next best at least this many pixels more. */
const MIN_FACING_MARGIN = 5

/** Does one facing fit clearly better than the others? */
export function hasClearFacing({ label, headingErrors }: MappedEntity): boolean {
  if (label.shape === null) return true
  const [best, second] = headingErrors.toSorted((a, b) => a - b)
  return second! - best! > MIN_FACING_MARGIN
}

function sameCell(a: Vec, b: Vec): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function add(a: Vec, b: Vec): Vec {
  return [a[0] + b[0], a[1] + b[1]]
}

/** The coordinate of a wall: y for north and south, x for east and west. */
function planeOf(pos: Vec, side: number): number {
  return side % 2 === 0 ? pos[1] : pos[0]
}

/** A scene from the walls and entities seen so far. */
function sceneOf({ rooms, entities, labels }: EyeMemory): Scene {
  const boxes = rooms.map(({ inside: [x, y], sides: [north, east, south, west] }, i) => ({
    id: i + 1,
    isMeasured: north !== null && east !== null && south !== null && west !== null,
    north: north ?? y + DEFAULT_WALL_DISTANCE,
    east: east ?? x + DEFAULT_WALL_DISTANCE,
    south: south ?? y - DEFAULT_WALL_DISTANCE,
    west: west ?? x - DEFAULT_WALL_DISTANCE,
  }))
  const all = [...entities.values()]
  const xs = [0, ...boxes.flatMap(({ east, west }) => [east, west]), ...all.map(({ pos }) => pos[0])]
  const ys = [0, ...boxes.flatMap(({ north, south }) => [north, south]), ...all.map(({ pos }) => pos[1])]
  // One cell of margin, because code that looks beyond a door needs a cell there.
  const origin: Vec = [1 - Math.min(...xs), 1 - Math.min(...ys)]
  const [columns, rows] = [Math.max(...xs) + origin[0] + 2, Math.max(...ys) + origin[1] + 2]
  const mask: number[][] = Array.from({ length: columns }, () => Array<number>(rows).fill(OUTSIDE))
  // Measured rooms overwrite those with assumed walls.
  for (const { id, north, east, south, west } of boxes.toSorted(
    (a, b) => Number(a.isMeasured) - Number(b.isMeasured),
  )) {
    for (let x = west; x <= east; x++) {
      for (let y = south; y <= north; y++) {
        const isWall = x === west || x === east || y === south || y === north
        const column = mask[x + origin[0]]!
        if (!isWall) column[y + origin[1]] = id
        else if (column[y + origin[1]] === OUTSIDE) column[y + origin[1]] = WALL
      }
    }
  }
  const doors = all.flatMap(({ pos, axis }) => (axis === null ? [] : [{ at: add(pos, origin), axis }]))
  for (const { at, axis } of doors) mask[at[0]]![at[1]] = axis[0] === 0 ? DOOR_NORTH_SOUTH : DOOR_EAST_WEST
  const listed = labels.flatMap(({ name }) => entities.get(name) ?? [])
  return {
    mask,
    objects: listed.flatMap((entity): GridObject[] => {
      if (entity.axis !== null) return []
      const pos = add(entity.pos, origin)
      const oriented = entity.label.shape !== null
      const heading = oriented ? HEADINGS[entity.headingErrors.indexOf(Math.min(...entity.headingErrors))]! : NORTH
      return [
        { kind: 'object', name: entity.label.name, pos, heading, oriented, room: mask[pos[0]]?.[pos[1]] ?? OUTSIDE },
      ]
    }),
    doors: listed.flatMap(({ pos, axis, label }) =>
      axis === null ? [] : [doorAt(mask, add(pos, origin), label.name)],
    ),
    start: { pos: origin, room: mask[origin[0]]?.[origin[1]] ?? 1 },
    order: listed.map(({ label }) => label.name),
  }
}
