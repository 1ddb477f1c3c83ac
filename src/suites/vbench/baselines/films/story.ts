/** From a prompt and a seed to what is filmed: the cast, where everyone stands and how it moves, and the camera. */
import type { Random } from '../../../../suite.ts'
import { buildObject, type Category, ROOM_KINDS, type RoomKind, VARIANTS, type Vec3 } from '../../../../world.ts'
import { SETS_PER_ROOM } from './stage.ts'
import {
  type Action,
  type CameraMove,
  type Color,
  COLORS,
  hear,
  type Look,
  type Relation,
  type Request,
} from './words.ts'

export interface Member {
  /** As the prompt calls it; null for furniture that things stand on. */
  name: string | null
  category: Category
  variant: number
  color: Color | null
  size: Vec3
  /** Middle of its base, from the place to act: x to the camera, y to the right, z up. Meters. */
  at: Vec3
  /** Degrees; at 0 it faces the camera. */
  yaw: number
  action: Action | null
}

/** Everything that a film shows, and so its truth. */
export interface Story {
  room: RoomKind
  set: number
  cast: readonly Member[]
  camera: { move: CameraMove; distance: number; height: number; lookAt: number }
  /** Half of what is seen from left to right at the place to act, in meters. */
  span: number
  /** 1, or less in slow motion. */
  speed: number
  look: Look | null
  relation: Relation | null
}

/** What moves where a prompt names nothing that is known here, and how. */
const PERFORMERS: readonly (readonly [Category, Action])[] = [
  ['ball', 'roll'],
  ['ball', 'bounce'],
  ['toy car', 'cross'],
  ['office chair', 'spin'],
  ['suitcase', 'cross'],
  ['bicycle', 'cross'],
  ['globe', 'spin'],
  ['teddy bear', 'fall'],
]
/** What rolls: other things only slide. */
const ROUND: ReadonlySet<Category> = new Set(['ball', 'bottle', 'can', 'globe', 'bucket'])
/** A table would hide what is below it least. */
const LEGGED: ReadonlySet<Category> = new Set([
  'table',
  'round table',
  'coffee table',
  'side table',
  'desk',
  'chair',
  'bench',
  'stool',
])

/** Half of the horizontal field of view, as a tangent. */
export const HALF_VIEW = 0.5
const GAP = 0.12
/** How much of the picture's width the cast takes. */
const FILLS = 0.5
const SLOW = 0.25
const DISTANCES = [0.75, 3.2] as const
/** How near the camera is, within that: no two films of a prompt are the same, even of an empty room. */
const FRAMING = [0.88, 1.04] as const

/**
 * @example
 * tell('a toy car crossing a kitchen table', new Random('1')).cast
 */
export function tell(prompt: string, random: Random): Story {
  const request = hear(prompt)
  const room = request.room ?? random.fork('room').pick(ROOM_KINDS)
  const cast = castOf(request, prompt, random.fork('cast'))
  const [base, top, width] = extentOf(cast)
  const height = top - base
  const wide = Math.max(width, height * 1.9, 0.3)
  const framing = random.fork('framing').range(...FRAMING)
  const distance = Math.min(DISTANCES[1], Math.max(DISTANCES[0], wide / FILLS / 2 / HALF_VIEW)) * framing
  const middle = base + height * 0.5
  const empty = cast.length === 0
  return {
    room,
    set: random.fork('set').int(SETS_PER_ROOM),
    cast: room === 'corridor' ? cast.map(comingCloser) : cast,
    camera: {
      move: moveOf(request, cast),
      distance: empty ? DISTANCES[1] * framing : distance,
      height: empty ? 1.35 * framing : Math.max(middle + 0.3 * distance, base > 0 ? 0 : 0.55),
      lookAt: empty ? 0.95 : middle + 0.06 * distance,
    },
    span: distance * HALF_VIEW,
    speed: request.slow ? SLOW : 1,
    look: request.look,
    relation: request.relation,
  }
}

/** A corridor is too narrow to cross for what is as tall as its walls are apart. */
function comingCloser(member: Member): Member {
  return member.action === 'cross' && member.size[2] > 0.5 ? { ...member, action: 'approach' } : member
}

/** A camera on the move shows its prompt; the camera keeps still where something acts. */
function moveOf({ camera, still }: Request, cast: readonly Member[]): CameraMove {
  if (camera) return camera
  return still || cast.some(({ action }) => action !== null) ? 'still' : 'arc'
}

function castOf(request: Request, prompt: string, random: Random): Member[] {
  let { things } = request
  let { action } = request
  if (things.length === 0) {
    // A room alone is a picture, too; of other prompts somebody must play the part.
    if (request.room !== null && !/\b(person|people|man|woman|child)\b/i.test(prompt) && action === null) return []
    const [category, does] = random.pick(PERFORMERS)
    things = [{ name: category, category, color: null, count: 1 }]
    action ??= request.still ? null : does
  }
  const members = things.flatMap(({ name, category, color, count }) => {
    // Those of one kind look alike.
    const variant = random.int(VARIANTS)
    const { size, mount } = buildObject(category, variant)
    const member = { name, category, variant, color, size, mount }
    return Array.from({ length: count }, () => member)
  })
  const onFloor = members.some(({ mount }) => mount === 'floor')
  const table = onFloor ? null : tableFor(random)
  const base = table?.top ?? 0
  const placed = request.relation ? related(members, request.relation, base) : inRow(members, base)
  const actor = request.still ? null : action
  return [...(table ? [table.member] : []), ...placed.map((member, i) => acting(member, i === 0 ? actor : null))]
}

type Unplaced = Pick<Member, 'name' | 'category' | 'variant' | 'color' | 'size'>

function at(member: Unplaced, y: number, z: number, x = 0): Member {
  const { name, category, variant, color, size } = member
  return { name, category, variant, color, size, at: [x, y, z], yaw: isLong(member) ? 90 : 0, action: null }
}

/** Long things are seen from the side. */
function isLong({ size }: Pick<Member, 'size'>): boolean {
  return size[0] > 1.4 * size[1]
}

/** From left to right, as it stands there. */
function widthOf(member: Pick<Member, 'size'>): number {
  return isLong(member) ? member.size[0] : member.size[1]
}

function acting(member: Member, action: Action | null): Member {
  if (action === 'roll' && !ROUND.has(member.category)) return { ...member, action: 'cross' }
  return { ...member, action }
}

function inRow(members: readonly Unplaced[], base: number): Member[] {
  const gap = GAP * Math.max(0, ...members.map(widthOf)) + 0.04
  const width = members.reduce((sum, member) => sum + widthOf(member) + gap, -gap)
  let left = -width / 2
  return members.map((member) => {
    const y = left + widthOf(member) / 2
    left += widthOf(member) + gap
    return at(member, y, base)
  })
}

function related([a, b, ...others]: readonly Unplaced[], relation: Relation, base: number): Member[] {
  if (a === undefined || b === undefined) return inRow(a ? [a] : [], base)
  const rest = others.map((member) => at(member, 0, base, -0.5))
  if (relation === 'on the left of') return [...inRow([a, b], base), ...rest]
  if (relation === 'on the right of') return [...inRow([b, a], base).reverse(), ...rest]
  const isBelow = relation === 'on the bottom of'
  if (isBelow && LEGGED.has(b.category) && a.size[2] < 0.6 * b.size[2]) {
    return [at(a, 0, base, b.size[0] / 4), at(b, 0, base), ...rest]
  }
  const [upper, lower] = isBelow ? [b, a] : [a, b]
  const { surfaces, size } = buildObject(lower.category, lower.variant)
  const top = Math.max(...surfaces.filter(({ clear }) => clear === undefined).map(({ z }) => z), -1)
  const stacked = [at(upper, 0, base + (top > 0 ? top : size[2])), at(lower, 0, base)]
  return [...(isBelow ? stacked.reverse() : stacked), ...rest]
}

function tableFor(random: Random): { member: Member; top: number } {
  const variant = random.int(VARIANTS)
  const { size, surfaces } = buildObject('table', variant)
  const top = Math.max(...surfaces.map(({ z }) => z))
  return { member: at({ name: null, category: 'table', variant, color: null, size }, 0, 0), top }
}

/** Lowest and highest point of the cast without its furniture, and how wide it is. */
function extentOf(cast: readonly Member[]): [base: number, top: number, width: number] {
  const members = cast.filter(({ name }) => name !== null)
  const least = (of: (member: Member) => number): number => Math.min(...members.map(of), 1e9)
  const most = (of: (member: Member) => number): number => Math.max(...members.map(of), -1e9)
  if (members.length === 0) return [0, 1.5, 1.5]
  return [
    least(({ at: [, , z] }) => z),
    most(({ at: [, , z], size }) => z + size[2]),
    most((member) => member.at[1] + widthOf(member) / 2) - least((member) => member.at[1] - widthOf(member) / 2),
  ]
}

/** Of the largest part of a thing that can have a color, and of the next largest: a shade of the same. */
export function paints(color: Color | null): readonly (readonly [number, number, number])[] {
  if (color === null) return []
  const [r, g, b] = COLORS[color]
  return [
    [r, g, b],
    [Math.round(r * 0.8), Math.round(g * 0.8), Math.round(b * 0.8)],
  ]
}
