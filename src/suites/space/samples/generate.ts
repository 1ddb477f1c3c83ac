/**
 * Generates scenes from a seed: rooms (layout.ts), then objects and start (spacing.ts), then names. The random stream is
 * `Random('space/scene/1/<seed>')`; failed attempts continue in the same stream, so a scene depends only on its seed and
 * options.
 *
 * @example
 * generateScene({ seed: 7, rooms: 3, topology: 1 })
 */
import { Random, UserError } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { CATALOG, type CatalogItem, doorName, MORE_ITEMS } from './catalog.ts'
import { effectiveTopology, type Layout, type Topology, tryLayout } from './layout.ts'
import { doorAt } from '../domain/grid/scene-json.ts'
import { type Door, type GridObject, HEADINGS, NORTH, type Scene, type Vec } from '../domain/grid/scene.ts'
import { canPlace, SPACING, type SpacingName, type SpacingRules } from '../domain/grid/spacing.ts'

export interface SceneOptions {
  seed: number | string
  /** 1 to 8. Default 3. */
  rooms?: number
  /** 0: chain, 1 (default): first room has two neighbors, 2: three neighbors, 3: ring of four. */
  topology?: Topology
  /** Cells of every room. Default 6 × 6. */
  roomSize?: readonly [width: number, height: number]
  /** Default 4. */
  objectsPerRoom?: number
  /** Placement rules: none (default), those of the published dataset, or custom ones. */
  spacing?: SpacingName | SpacingRules
  /**
   * `fixed` (default) lists objects and names doors in random order; `upstream` lists objects room by room and names doors
   * by axis, which gives both away.
   */
  profile?: Profile
  /** Rejected scenes are generated again, from the same stream. */
  accept?: (scene: Scene) => boolean
}

export const MAX_ROOMS = 8
const MIN_SIDE = 2
const MAX_SIDE = 30
/** Failed layouts, failed placements and rejected scenes together. */
const MAX_ATTEMPTS = 2000
const TRIES_PER_OBJECT = 40

interface Plan {
  rooms: number
  topology: Topology
  width: number
  height: number
  objects: number
  rules: SpacingRules
  profile: Profile
}

export function generateScene(options: SceneOptions): Scene {
  const plan = planOf(options)
  const random = new Random(`space/scene/1/${options.seed}`)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const layout = tryLayout(plan, random)
    if (layout === null) continue
    const places = placeAll(plan, layout, random)
    if (places === null) continue
    const scene = furnish(plan, layout, places, random)
    if (options.accept === undefined || options.accept(scene)) return scene
  }
  throw new UserError(
    `Could not generate a scene for seed ${options.seed} after ${MAX_ATTEMPTS} attempts: ${plan.rooms} rooms of ${plan.width} × ${plan.height}, ` +
      `${plan.objects} objects each, topology ${plan.topology}.`,
    { hint: 'Use larger rooms, fewer objects or rooms, or -T spacing=free.' },
  )
}

function planOf(options: SceneOptions): Plan {
  const {
    rooms = 3,
    topology = 1,
    roomSize = [6, 6],
    objectsPerRoom = 4,
    spacing = 'free',
    profile = 'fixed',
  } = options
  const [width, height] = roomSize
  const reject = (what: string, hint: string): never => {
    throw new UserError(`Cannot generate a scene with ${what}.`, { hint })
  }
  if (!Number.isInteger(rooms) || rooms < 1 || rooms > MAX_ROOMS)
    reject(`${rooms} rooms`, `Use 1 to ${MAX_ROOMS} rooms.`)
  for (const side of roomSize) {
    if (!Number.isInteger(side) || side < MIN_SIDE || side > MAX_SIDE)
      reject(`rooms of ${width} × ${height}`, `Use ${MIN_SIDE} to ${MAX_SIDE} cells per side.`)
  }
  if (topology === 3 && rooms !== 4) reject(`a ring of ${rooms} rooms`, 'A ring (topology 3) needs exactly 4 rooms.')
  if (!Number.isInteger(objectsPerRoom) || objectsPerRoom < 1)
    reject(`${objectsPerRoom} objects per room`, 'Use at least 1.')
  if (objectsPerRoom >= width * height)
    reject(`${objectsPerRoom} objects in ${width * height} cells`, 'The start needs a free cell.')
  const names = CATALOG.length + MORE_ITEMS.length
  if (rooms * objectsPerRoom > names) reject(`${rooms * objectsPerRoom} objects`, `The catalog has ${names} objects.`)
  const rules = typeof spacing === 'string' ? SPACING[spacing] : spacing
  const oriented = rules.orientedInFirst + (rooms - 1) * rules.orientedInOthers
  const most = orientedIn([...CATALOG, ...MORE_ITEMS])
  if (oriented > most) reject(`${oriented} objects with a front`, `The catalog has ${most} objects with a front.`)
  return {
    rooms,
    topology: effectiveTopology(topology, rooms),
    width,
    height,
    objects: objectsPerRoom,
    rules,
    profile,
  }
}

interface Places {
  /** Cells of the objects, room by room. */
  objects: Vec[][]
  start: Vec
}

/** Cells for all objects and the start; null if the rules left no space. */
function placeAll(plan: Plan, layout: Layout, random: Random): Places | null {
  const objects: Vec[][] = []
  let start: Vec | null = null
  for (const [i, corner] of layout.corners.entries()) {
    const present: Vec[] =
      plan.rules.clearNeighbours || plan.rules.collinearWithin > 0 ? doorsOf(plan, layout, corner) : []
    const inRoom: Vec[] = []
    for (let k = 0; k < plan.objects; k++) {
      const place = placeOne(plan, corner, present, random)
      if (place === null) return null
      present.push(place)
      inRoom.push(place)
    }
    if (i === 0) {
      start = placeOne(plan, corner, present, random)
      if (start === null) return null
    }
    objects.push(inRoom)
  }
  return start === null ? null : { objects, start }
}

function doorsOf({ width, height }: Plan, { doors }: Layout, [x, y]: Vec): Vec[] {
  return doors.filter(([dx, dy]) => dx >= x - 1 && dx <= x + width && dy >= y - 1 && dy <= y + height)
}

function placeOne({ width, height, rules }: Plan, [x, y]: Vec, present: readonly Vec[], random: Random): Vec | null {
  for (let attempt = 0; attempt < TRIES_PER_OBJECT; attempt++) {
    const cell = random.int(width * height)
    const pos: Vec = [x + (cell % width), y + Math.floor(cell / width)]
    if (canPlace(rules, pos, present)) return pos
  }
  // The room is nearly full: try all cells, starting at a random one.
  const first = random.int(width * height)
  for (let k = 0; k < width * height; k++) {
    const cell = (first + k) % (width * height)
    const pos: Vec = [x + (cell % width), y + Math.floor(cell / width)]
    if (canPlace(rules, pos, present)) return pos
  }
  return null
}

function furnish(plan: Plan, layout: Layout, places: Places, random: Random): Scene {
  const items = drawItems(plan, random)
  const objects: GridObject[] = []
  for (const [room, cells] of places.objects.entries()) {
    for (const [k, pos] of cells.entries()) {
      const { name, oriented } = items[room]![k]!
      const heading = oriented ? HEADINGS[random.int(4)]! : NORTH
      objects.push({ kind: 'object', name, pos, heading, oriented, room: room + 1 })
    }
  }
  const doors = namedDoors(plan, layout, random)
  if (plan.profile === 'fixed') {
    random.shuffle(objects)
    random.shuffle(doors)
  }
  const order: string[] = []
  for (const { name } of objects) order.push(name)
  for (const { name } of doors) order.push(name)
  return { mask: layout.mask, objects, doors, start: { pos: places.start, room: 1 }, order }
}

/** Distinct objects for every room: first those with a front that the rules require, then the rest at random. */
function drawItems({ rooms, objects, rules }: Plan, random: Random): CatalogItem[][] {
  const least = (room: number): number => Math.min(objects, room === 0 ? rules.orientedInFirst : rules.orientedInOthers)
  const reserved = least(0) + (rooms - 1) * least(1)
  const pool = random.shuffle([...CATALOG])
  if (rooms * objects > pool.length || reserved > orientedIn(pool)) pool.push(...random.shuffle([...MORE_ITEMS]))
  const drawn: CatalogItem[][] = []
  for (let room = 0; room < rooms; room++) {
    const items: CatalogItem[] = []
    for (let k = 0; k < least(room); k++) items.push(...pool.splice(pool.findIndex(isOriented), 1))
    drawn.push(items)
  }
  let next = 0
  for (const items of drawn) {
    while (items.length < objects) items.push(pool[next++]!)
    // Otherwise objects with a front would always come first.
    if (reserved > 0) random.shuffle(items)
  }
  return drawn
}

function isOriented({ oriented }: CatalogItem): boolean {
  return oriented
}

function orientedIn(items: readonly CatalogItem[]): number {
  return items.filter(isOriented).length
}

/** Names the doors in the published order (by axis, then by position) or, in `fixed`, at random. */
function namedDoors({ profile }: Plan, { mask, doors }: Layout, random: Random): Door[] {
  const sorted = doors.toSorted((a, b) => {
    const axis = mask[a[0]]![a[1]]! - mask[b[0]]![b[1]]!
    return axis || a[0] - b[0] || a[1] - b[1]
  })
  if (profile === 'fixed') random.shuffle(sorted)
  return sorted.map((pos, k) => doorAt(mask, pos, doorName(k)))
}
