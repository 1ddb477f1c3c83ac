/** Draws an episode as SVG: the rooms, the path, the last view, and a believed map over the ground truth. */
import { DRAWING_FONT } from '../src/media/fonts.ts'
import { escapeXml } from '../src/base/escape-xml.ts'
import type { BeliefMap } from '../src/suites/space/parse/maps.ts'
import { doorColor } from '../src/suites/space/domain/grid/door-colors.ts'
import { isRoomCode } from '../src/suites/space/domain/grid/invariants.ts'
import {
  DOOR_EAST_WEST,
  DOOR_NORTH_SOUTH,
  type Entity,
  type Pose,
  type Scene,
  type Vec,
  WALL,
} from '../src/suites/space/domain/grid/scene.ts'
import { cellsOfRoom, entitiesOf, inView } from '../src/suites/space/domain/grid/view.ts'

const CELL = 44
const MARGIN = 26
const LEGEND = 84
const LEGEND_WIDTH = 560

const COLORS = {
  paper: '#fbfaf7',
  wall: '#c9c2b4',
  frame: '#5b564d',
  floor: ['#efe9dd', '#e3ebf1', '#e9eedd', '#f2e4e1', '#e8e3f0', '#e0eeea', '#f0ebd8', '#e6e6e6'],
  grid: '#ffffff',
  object: '#2f3b4c',
  text: '#23211e',
  path: '#1f6f8b',
  sight: '#1f6f8b',
  belief: '#c8452f',
} as const

export interface DrawnEpisode {
  scene: Scene
  /** Poses of the player's observations, in order. */
  poses?: readonly Pose[]
  /** The believed map, relative to the start. */
  belief?: BeliefMap
  title?: string
}

/** @returns an SVG document. */
export function drawEpisode({ scene, poses = [], belief = [], title }: DrawnEpisode): string {
  const frame = new Frame(scene)
  const parts = [
    ...cells(scene, frame),
    ...poses.slice(-1).map((pose) => sight(pose, scene, frame)),
    path(poses, frame),
    ...belief.map((entry) =>
      believed(entry.name, [entry.pos[0] + scene.start.pos[0], entry.pos[1] + scene.start.pos[1]], scene, poses, frame),
    ),
    ...entitiesOf(scene).map((entity) => (entity.kind === 'door' ? door(entity, frame) : object(entity, frame))),
    start(scene, frame),
    ...looks(poses, frame),
    legend(frame, poses.length > 0, belief.length > 0, title),
  ]
  const { width, height } = frame
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${DRAWING_FONT}, sans-serif">
<rect width="${width}" height="${height}" fill="${COLORS.paper}"/>
${parts.filter((part) => part !== '').join('\n')}
</svg>
`
}

/** Converts cells to pixels; north is up. */
class Frame {
  readonly width: number
  readonly height: number
  readonly #rows: number

  constructor({ mask }: Scene) {
    this.#rows = mask[0]?.length ?? 0
    this.width = Math.max(mask.length * CELL, LEGEND_WIDTH) + 2 * MARGIN
    this.height = this.#rows * CELL + 2 * MARGIN + LEGEND
  }

  x(cell: number): number {
    return round(MARGIN + (cell + 0.5) * CELL)
  }

  y(cell: number): number {
    return round(MARGIN + (this.#rows - cell - 0.5) * CELL)
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function cells(scene: Scene, frame: Frame): string[] {
  const drawn: string[] = []
  for (const [x, column] of scene.mask.entries()) {
    for (const [y, code] of column.entries()) {
      const isDoor = code === DOOR_EAST_WEST || code === DOOR_NORTH_SOUTH
      const fill =
        code === WALL || isDoor ? COLORS.wall : isRoomCode(code) ? COLORS.floor[(code - 1) % COLORS.floor.length] : null
      if (!fill) continue
      const stroke = code === WALL || isDoor ? fill : COLORS.grid
      drawn.push(
        `<rect x="${frame.x(x) - CELL / 2}" y="${frame.y(y) - CELL / 2}" width="${CELL}" height="${CELL}" fill="${fill}" stroke="${stroke}"/>`,
      )
    }
  }
  return drawn
}

function object(entity: Extract<Entity, { kind: 'object' }>, frame: Frame): string {
  const [x, y] = [frame.x(entity.pos[0]), frame.y(entity.pos[1])]
  const front = entity.oriented ? arrow(x, y, entity.heading, COLORS.object) : ''
  return `<g>${front}<rect x="${x - 9}" y="${y - 9}" width="18" height="18" rx="4" fill="${COLORS.object}"/>${label(entity.name, x, y + 21)}</g>`
}

function door(entity: Extract<Entity, { kind: 'door' }>, frame: Frame): string {
  const [x, y] = [frame.x(entity.pos[0]), frame.y(entity.pos[1])]
  const color = doorColor(entity.name)
  const upright = entity.normals[0][0] !== 0
  const [w, h] = upright ? [CELL * 0.5, CELL] : [CELL, CELL * 0.5]
  return `<rect x="${round(x - w / 2)}" y="${round(y - h / 2)}" width="${w}" height="${h}" fill="${color}" stroke="${COLORS.frame}"/>`
}

function label(text: string, x: number, y: number): string {
  return `<text x="${x}" y="${y}" font-size="10.5" text-anchor="middle" fill="${COLORS.text}" stroke="${COLORS.paper}" stroke-width="3" paint-order="stroke">${escapeXml(text)}</text>`
}

/** A triangle that points in the direction of `heading`. */
function arrow(x: number, y: number, heading: Vec, color: string, from = 9, length = 9, half = 6): string {
  const [hx, hy] = [heading[0], -heading[1]]
  const tip = [x + hx * (from + length), y + hy * (from + length)]
  const left = [x + hx * from - hy * half, y + hy * from + hx * half]
  const right = [x + hx * from + hy * half, y + hy * from - hx * half]
  return `<polygon points="${[tip, left, right].map((point) => point.map(round).join(',')).join(' ')}" fill="${color}"/>`
}

function start({ start: { pos } }: Scene, frame: Frame): string {
  return ring(frame.x(pos[0]), frame.y(pos[1]), 15, COLORS.path, '3 3')
}

/** The cells in view. */
function sight(pose: Pose, scene: Scene, frame: Frame): string {
  const seen = pose.rooms
    .flatMap((room) => cellsOfRoom(scene, room))
    .filter((cell) => inView(pose, cell))
    .map(([x, y]) => `M${frame.x(x) - CELL / 2},${frame.y(y) - CELL / 2}h${CELL}v${CELL}h-${CELL}z`)
  return `<path d="${seen.join('')}" fill="${COLORS.sight}" opacity="0.16"/>`
}

function path(poses: readonly Pose[], frame: Frame): string {
  const points = poses.map(({ pos }) => `${frame.x(pos[0])},${frame.y(pos[1])}`)
  return points.length < 2
    ? ''
    : `<polyline points="${points.join(' ')}" fill="none" stroke="${COLORS.path}" stroke-width="3" stroke-linejoin="round" opacity="0.75"/>`
}

/** One badge per position, with the numbers of the turns in which the player observed from there. */
function looks(poses: readonly Pose[], frame: Frame): string[] {
  const places = new Map<string, { pos: Vec; turns: number[] }>()
  for (const [i, { pos }] of poses.entries()) {
    const place = places.get(String(pos)) ?? { pos, turns: [] }
    place.turns.push(i + 1)
    places.set(String(pos), place)
  }
  return [...places.values()].map(({ pos, turns }) => {
    const [x, y] = [frame.x(pos[0]) + 13, frame.y(pos[1]) - 13]
    const text = turns.length > 2 ? `${turns[0]}–${turns.at(-1)}` : turns.join(',')
    const width = 9 + text.length * 6.2
    return `<g><rect x="${round(x - width / 2)}" y="${y - 8}" width="${round(width)}" height="16" rx="8" fill="${COLORS.path}"/><text x="${x}" y="${y + 3.7}" font-size="10.5" fill="#fff" text-anchor="middle">${text}</text></g>`
  })
}

/** The believed position of an entity, linked to its true one. */
function believed(
  name: string,
  at: readonly [number, number],
  scene: Scene,
  poses: readonly Pose[],
  frame: Frame,
): string {
  const truth = entitiesOf(scene).find((entity) => entity.name === name)?.pos ?? poses.at(-1)?.pos
  if (!truth) return ''
  const [x, y] = [frame.x(at[0]), frame.y(at[1])]
  const off = Math.hypot(at[0] - truth[0], at[1] - truth[1])
  const line =
    off < 0.01
      ? ''
      : `<line x1="${x}" y1="${y}" x2="${frame.x(truth[0])}" y2="${frame.y(truth[1])}" stroke="${COLORS.belief}" stroke-width="1.6" stroke-dasharray="4 3"/>`
  return `<g>${line}${ring(x, y, 13, COLORS.belief)}</g>`
}

function legend(frame: Frame, hasPath: boolean, hasBelief: boolean, title: string | undefined): string {
  const top = frame.height - 56
  const items: string[] = []
  let [x, y] = [MARGIN, top + 22]
  const item = (mark: (x: number, y: number) => string, text: string): void => {
    const width = 44 + text.length * 6.6
    if (x + width > frame.width - MARGIN && x > MARGIN) [x, y] = [MARGIN, y + 22]
    items.push(`${mark(x, y)}<text x="${x + 26}" y="${y + 4}" font-size="12" fill="${COLORS.text}">${text}</text>`)
    x += width
  }
  item((left, mid) => arrow(left + 7, mid, [1, 0], COLORS.object, 7, 8, 5) + box(left, mid), 'object and its front')
  item((left, mid) => ring(left + 8, mid, 9, COLORS.path, '3 3'), 'start')
  if (hasPath) {
    item(
      (left, mid) => `<path d="M${left},${mid}h18" stroke="${COLORS.path}" stroke-width="3"/>`,
      'path, with the turns of each Observe',
    )
    item(
      (left, mid) => `<rect x="${left}" y="${mid - 7}" width="16" height="14" fill="${COLORS.sight}" opacity="0.2"/>`,
      'in view at the end',
    )
  }
  if (hasBelief) item((left, mid) => ring(left + 8, mid, 8, COLORS.belief), 'believed position, linked to the true one')
  const heading =
    title === undefined
      ? ''
      : `<text x="${MARGIN}" y="${top}" font-size="14" font-weight="bold" fill="${COLORS.text}">${escapeXml(title)}</text>`
  return heading + items.join('')
}

function box(left: number, mid: number): string {
  return `<rect x="${left}" y="${mid - 7}" width="14" height="14" rx="3" fill="${COLORS.object}"/>`
}

function ring(x: number, y: number, radius: number, color: string, dashes?: string): string {
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="none" stroke="${color}" stroke-width="2"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`
}
