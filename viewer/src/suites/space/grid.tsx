/** The rooms from above: truth, what was explored, what is in view, the way, and the belief drawn over it. North is up. */
import { memo, type ReactNode } from 'react'
import { inView } from '../../../../src/suites/space/grid/view.ts'
import type { Pair, TrueScene, TruePose } from './events.ts'
import { AGENT, type Believed, headingWord, type SpaceState } from './state.ts'

const CELL = 40
/** Beliefs further out than this are drawn at the rim. */
const MOST_OUTSIDE = 3
const DOOR_EAST_WEST = 100

export interface Layers {
  fog: boolean
  belief: boolean
  names: boolean
}

interface GridProps {
  state: SpaceState
  layers: Layers
}

export function Grid({ state, layers }: GridProps) {
  const { scene, pose, turns, turn, beliefs, fog } = state
  const frame = new Frame(scene, layers.belief ? beliefs : [])
  const explored = turn?.event.explored ?? []
  return (
    <svg
      viewBox={frame.viewBox}
      role="img"
      aria-label={describe(state)}
      className="block size-full select-none"
      fontSize={13.5}
    >
      <Floor scene={scene} frame={frame} />
      {layers.fog && <Fog scene={scene} explored={explored} frame={frame} />}
      <Sight scene={scene} pose={pose} frame={frame} looked={turn === null || turn.event.visible !== null} />
      <Way pairs={[scene.start.pos, ...turns.map(({ event }) => event.pose.pos)]} frame={frame} />
      <Changes state={state} frame={frame} />
      {scene.doors.map((door) => (
        <DoorMark key={door.name} door={door} frame={frame} names={layers.names} />
      ))}
      {scene.objects.map((object) => (
        <ObjectMark
          key={object.name}
          object={object}
          frame={frame}
          names={layers.names}
          inSight={turn?.event.visible?.includes(object.name) ?? false}
          known={turn?.event.observed?.includes(object.name) ?? true}
        />
      ))}
      {layers.belief && beliefs.map((belief) => <Belief key={belief.name} belief={belief} frame={frame} />)}
      {fog && layers.fog && <FogProbe fog={fog} frame={frame} />}
      <Start pos={scene.start.pos} frame={frame} />
      <Agent pose={pose} frame={frame} />
    </svg>
  )
}

/** Cells to pixels. */
class Frame {
  readonly #height: number
  readonly #min: Pair
  readonly #max: Pair

  constructor({ mask }: TrueScene, beliefs: readonly Believed[]) {
    this.#height = mask[0]?.length ?? 1
    const reach = (axis: 0 | 1, most: number): [number, number] => {
      const places = beliefs.map(({ at }) => at[axis])
      return [Math.max(-MOST_OUTSIDE, Math.min(0, ...places)), Math.min(most + MOST_OUTSIDE, Math.max(most, ...places))]
    }
    const [left, right] = reach(0, mask.length - 1)
    const [bottom, top] = reach(1, this.#height - 1)
    this.#min = [left, bottom]
    this.#max = [right, top]
  }

  get viewBox(): string {
    const [x0, x1] = [this.x(this.#min[0]) - CELL / 2, this.x(this.#max[0]) + CELL / 2]
    const [y0, y1] = [this.y(this.#max[1]) - CELL / 2, this.y(this.#min[1]) + CELL / 2]
    return `${x0} ${y0} ${x1 - x0} ${y1 - y0}`
  }

  x(cell: number): number {
    return Math.min(this.#max[0], Math.max(this.#min[0], cell)) * CELL
  }

  y(cell: number): number {
    return (this.#height - 1 - Math.min(this.#max[1], Math.max(this.#min[1], cell))) * CELL
  }

  at([x, y]: Pair): Pair {
    return [this.x(x), this.y(y)]
  }
}

function isRoom(code: number): boolean {
  return code >= 1 && code < DOOR_EAST_WEST
}

/** Things that were changed: told from truth, belief and sight in light and in dark. */
export const CHANGED = 'oklch(0.62 0.2 320)'

const ROOM_HUES = [75, 235, 140, 25, 300, 190, 95, 330] as const

/** Floor in a tint a room, walls as solid cells: one path each. */
const Floor = memo(function Floor({ scene, frame }: { scene: TrueScene; frame: Frame }) {
  const paths = new Map<string, string>()
  scene.mask.forEach((column, x) =>
    column.forEach((code, y) => {
      const key = isRoom(code)
        ? `oklch(0.68 0.09 ${ROOM_HUES[(code - 1) % ROOM_HUES.length]!} / 0.17)`
        : code === -1
          ? ''
          : 'var(--color-wall, color-mix(in oklab, var(--color-quiet) 38%, var(--color-paper)))'
      if (key !== '') paths.set(key, (paths.get(key) ?? '') + square([x, y], frame))
    }),
  )
  return (
    <g aria-hidden="true">
      {[...paths].map(([fill, path]) => (
        <path key={fill} d={path} style={{ fill }} />
      ))}
      <path d={gridLines(scene, frame)} className="stroke-paper" strokeWidth={1} fill="none" opacity={0.8} />
    </g>
  )
})

function square(cell: Pair, frame: Frame): string {
  const [x, y] = frame.at(cell)
  return `M${x - CELL / 2},${y - CELL / 2}h${CELL}v${CELL}h${-CELL}z`
}

function gridLines(scene: TrueScene, frame: Frame): string {
  const lines: string[] = []
  scene.mask.forEach((column, x) =>
    column.forEach((code, y) => {
      if (isRoom(code)) lines.push(square([x, y], frame))
    }),
  )
  return lines.join('')
}

/** What was never in view is darker. */
function Fog({ scene, explored, frame }: { scene: TrueScene; explored: readonly Pair[]; frame: Frame }) {
  const known = new Set(explored.map(String))
  const path = scene.mask
    .flatMap((column, x) =>
      column.map((code, y) => (isRoom(code) && !known.has(`${x},${y}`) ? square([x, y], frame) : '')),
    )
    .join('')
  return (
    <>
      <defs>
        <pattern id="space-fog" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="7" height="7" className="fill-ink" opacity={0.13} />
          <path d="M0,0V7" className="stroke-ink" strokeWidth={2.4} opacity={0.16} />
        </pattern>
      </defs>
      <path d={path} fill="url(#space-fog)" />
    </>
  )
}

function Sight({ scene, pose, frame, looked }: { scene: TrueScene; pose: TruePose; frame: Frame; looked: boolean }) {
  const path = scene.mask
    .flatMap((column, x) =>
      column.map((code, y) => (pose.rooms.includes(code) && inView(pose, [x, y]) ? square([x, y], frame) : '')),
    )
    .join('')
  const [x, y] = frame.at(pose.pos)
  const ahead = Math.atan2(-pose.heading[1], pose.heading[0])
  const edge = (turn: number): string =>
    `${x + Math.cos(ahead + turn) * CELL * 2.4},${y + Math.sin(ahead + turn) * CELL * 2.4}`
  return (
    <g>
      <path d={path} className="fill-accent" opacity={looked ? 0.22 : 0.09} />
      <path
        d={`M${edge(-Math.PI / 4)}L${x},${y}L${edge(Math.PI / 4)}`}
        className="stroke-accent"
        fill="none"
        strokeWidth={1.5}
        strokeDasharray="5 4"
        opacity={0.8}
      />
    </g>
  )
}

function Way({ pairs, frame }: { pairs: readonly Pair[]; frame: Frame }) {
  if (pairs.length < 2) return null
  return (
    <polyline
      points={pairs.map((pair) => frame.at(pair).join(',')).join(' ')}
      fill="none"
      className="stroke-accent"
      strokeWidth={3}
      strokeLinejoin="round"
      opacity={0.55}
    />
  )
}

const DOOR_COLORS: Readonly<Record<string, string>> = {
  red: '#d64533',
  blue: '#3a6fd0',
  green: '#3f9a55',
  yellow: '#e0b52c',
  purple: '#8452b5',
  orange: '#e2822f',
  black: '#2b2b2b',
  white: '#fafafa',
  brown: '#8a5a35',
  gray: '#8d8d8d',
}

function DoorMark({ door, frame, names }: { door: TrueScene['doors'][number]; frame: Frame; names: boolean }) {
  const [x, y] = frame.at(door.pos)
  const upright = door.normals[0]?.[0] !== 0
  const [w, h] = upright ? [CELL * 0.42, CELL * 0.92] : [CELL * 0.92, CELL * 0.42]
  const color = door.name.split(' ')[0] ?? ''
  return (
    <g>
      <rect
        x={x - w / 2}
        y={y - h / 2}
        width={w}
        height={h}
        rx={3}
        fill={Object.hasOwn(DOOR_COLORS, color) ? DOOR_COLORS[color] : '#999999'}
        className="stroke-paper"
        strokeWidth={1.5}
      />
      {names && (
        <Name x={x} y={y + h / 2 + 12}>
          {door.name}
        </Name>
      )}
      <title>{door.name}</title>
    </g>
  )
}

interface ObjectMarkProps {
  object: TrueScene['objects'][number]
  frame: Frame
  names: boolean
  inSight: boolean
  known: boolean
}

function ObjectMark({ object, frame, names, inSight, known }: ObjectMarkProps) {
  const [x, y] = frame.at(object.pos)
  return (
    <g opacity={known ? 1 : 0.5}>
      {object.oriented && <Front x={x} y={y} heading={object.heading} className="fill-truth" />}
      <rect
        x={x - 9}
        y={y - 9}
        width={18}
        height={18}
        rx={4}
        className={`fill-truth ${inSight ? 'stroke-accent' : 'stroke-paper'}`}
        strokeWidth={inSight ? 3 : 1.5}
      />
      {names && (
        <Name x={x} y={y + 22}>
          {object.name}
        </Name>
      )}
      <title>
        {`${object.name}${object.oriented ? `, faces ${headingWord(object.heading)}` : ''}${inSight ? ', in view' : known ? '' : ', not seen yet'}`}
      </title>
    </g>
  )
}

function Name({ x, y, children }: { x: number; y: number; children: ReactNode }) {
  return (
    <text
      x={x}
      y={y}
      textAnchor="middle"
      className="fill-ink stroke-paper"
      strokeWidth={3}
      paintOrder="stroke"
      strokeLinejoin="round"
    >
      {children}
    </text>
  )
}

/** A triangle where something faces. */
function Front({ x, y, heading, className }: { x: number; y: number; heading: Pair; className: string }) {
  const angle = (Math.atan2(-heading[1], heading[0]) * 180) / Math.PI
  return <path d="M9,-7L19,0L9,7Z" transform={`translate(${x} ${y}) rotate(${angle})`} className={className} />
}

/** A ring at the believed place, tied to the true one. */
function Belief({ belief, frame }: { belief: Believed; frame: Frame }) {
  const [x, y] = frame.at(belief.at)
  const truth = belief.truth && frame.at(belief.truth)
  const isAgent = belief.name === AGENT
  const off = belief.truth ? Math.hypot(belief.at[0] - belief.truth[0], belief.at[1] - belief.truth[1]) : null
  return (
    <g className="stroke-belief" fill="none">
      {truth && off !== null && off > 0.01 && (
        <line x1={x} y1={y} x2={truth[0]} y2={truth[1]} strokeWidth={1.8} strokeDasharray="5 4" opacity={0.75} />
      )}
      <circle
        cx={x}
        cy={y}
        r={isAgent ? 10 : 15}
        strokeWidth={isAgent ? 1.8 : 2.5}
        strokeDasharray={isAgent ? '2 2' : ''}
      />
      {belief.facing && (
        <line
          x1={x + belief.facing[0] * 15}
          y1={y - belief.facing[1] * 15}
          x2={x + belief.facing[0] * 25}
          y2={y - belief.facing[1] * 25}
          strokeWidth={2.8}
          strokeLinecap="round"
        />
      )}
      {off !== null && off > 0.01 && !isAgent && (
        <text x={x} y={y + 3.5} fontSize={10} textAnchor="middle" stroke="none" className="fill-belief">
          {belief.name.slice(0, 5)}
        </text>
      )}
      <title>
        {`${belief.name}: believed ${off === null ? 'somewhere' : off < 0.01 ? 'where it is' : `${off.toFixed(1)} cells off`}${belief.facing ? `, facing ${headingWord(belief.facing)}` : ''}${belief.trueFacing ? ` (truly ${headingWord(belief.trueFacing)})` : ''}`}
      </title>
    </g>
  )
}

/** Lettered cells of the probe: green was said rightly, red wrongly, hollow was left out. */
function FogProbe({ fog, frame }: { fog: NonNullable<SpaceState['fog']>; frame: Frame }) {
  const unexplored = new Set(fog.unexplored)
  const named = new Set(fog.named ?? [])
  return fog.cells.map(({ letter, cell }) => {
    const [x, y] = frame.at(cell)
    const right = unexplored.has(letter) === named.has(letter)
    return (
      <g key={letter} className={right ? 'fill-good stroke-good' : 'fill-bad stroke-bad'}>
        <circle
          cx={x - 12}
          cy={y - 12}
          r={7.5}
          strokeWidth={1.4}
          fillOpacity={named.has(letter) ? 1 : 0}
          className={named.has(letter) ? '' : 'fill-paper'}
        />
        <text
          x={x - 12}
          y={y - 8.5}
          fontSize={9.5}
          textAnchor="middle"
          stroke="none"
          className={named.has(letter) ? 'fill-paper' : ''}
        >
          {letter}
        </text>
        <title>{`${letter}: ${unexplored.has(letter) ? 'not seen yet' : 'seen'}, the player says ${named.has(letter) ? 'not seen' : 'seen'}`}</title>
      </g>
    )
  })
}

/** Where moved things were, and which ones were turned. */
function Changes({ state, frame }: { state: SpaceState; frame: Frame }) {
  const { before, changes, scene } = state
  if (!before) return null
  return changes.map(({ name, kind }) => {
    const old = before.objects.find((object) => object.name === name)
    const now = scene.objects.find((object) => object.name === name)
    if (!old || !now) return null
    const [x, y] = frame.at(old.pos)
    const [nx, ny] = frame.at(now.pos)
    return (
      <g key={name} stroke={CHANGED} fill="none">
        {kind === 'position' && (
          <>
            <rect x={x - 8} y={y - 8} width={16} height={16} rx={4} strokeWidth={1.5} strokeDasharray="3 3" />
            <line x1={x} y1={y} x2={nx} y2={ny} strokeWidth={1.5} opacity={0.7} />
          </>
        )}
        <circle cx={nx} cy={ny} r={17} strokeWidth={2} opacity={0.9} />
        <title>{`${name} was ${kind === 'position' ? 'moved' : 'turned'}`}</title>
      </g>
    )
  })
}

function Start({ pos, frame }: { pos: Pair; frame: Frame }) {
  const [x, y] = frame.at(pos)
  return (
    <circle cx={x} cy={y} r={15} fill="none" className="stroke-accent" strokeWidth={1.5} strokeDasharray="3 3">
      <title>start</title>
    </circle>
  )
}

function Agent({ pose, frame }: { pose: TruePose; frame: Frame }) {
  const [x, y] = frame.at(pose.pos)
  const angle = (Math.atan2(-pose.heading[1], pose.heading[0]) * 180) / Math.PI
  return (
    <g
      transform={`translate(${x} ${y}) rotate(${angle})`}
      className="fill-accent stroke-paper transition-transform duration-200"
      strokeWidth={2}
    >
      <path d="M14,0L-9,-9L-4,0L-9,9Z" strokeLinejoin="round" />
      <title>the player</title>
    </g>
  )
}

function describe({ scene, pose, turn, beliefs }: SpaceState): string {
  const seen = turn?.event.visible
  return [
    `Rooms from above with ${scene.objects.length} objects and ${scene.doors.length} doors.`,
    `The player is at ${pose.pos.join(', ')} and looks ${headingWord(pose.heading)}.`,
    seen ? `In view: ${seen.length === 0 ? 'nothing' : seen.join(', ')}.` : '',
    beliefs.length > 0 ? `Its map has ${beliefs.length} things.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
