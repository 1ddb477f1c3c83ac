/** Marks on the grid: doors, objects, predictions, changes and the player. */
import type { ReactNode } from 'react'
import { doorColor } from '../../../../src/suites/space/domain/grid/door-colors.ts'
import type { Pair, TruePose, TrueScene } from '../../../../src/suites/space/events.ts'
import { CELL, type Frame } from './frame.ts'
import { AGENT, type Believed, headingName, type SpaceState } from './state.ts'

/** Color of changed objects, distinct from all others in both themes. */
export const CHANGED = 'oklch(0.62 0.2 320)'

export function DoorMark({ door, frame, names }: { door: TrueScene['doors'][number]; frame: Frame; names: boolean }) {
  const [x, y] = frame.at(door.pos)
  const upright = door.normals[0]?.[0] !== 0
  const [w, h] = upright ? [CELL * 0.42, CELL * 0.92] : [CELL * 0.92, CELL * 0.42]
  return (
    <g>
      <rect
        x={x - w / 2}
        y={y - h / 2}
        width={w}
        height={h}
        rx={3}
        fill={doorColor(door.name)}
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
  inView: boolean
  known: boolean
}

export function ObjectMark({ object, frame, names, inView: inSight, known }: ObjectMarkProps) {
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
        {`${object.name}${object.oriented ? `, facing ${headingName(object.heading)}` : ''}${inSight ? ', in view' : known ? '' : ', not seen yet'}`}
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

/** A triangle that shows the heading. */
function Front({ x, y, heading, className }: { x: number; y: number; heading: Pair; className: string }) {
  const angle = (Math.atan2(-heading[1], heading[0]) * 180) / Math.PI
  return <path d="M9,-7L19,0L9,7Z" transform={`translate(${x} ${y}) rotate(${angle})`} className={className} />
}

/** A ring at the predicted position, connected to the true one. */
export function Belief({ belief, frame }: { belief: Believed; frame: Frame }) {
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
        {`${belief.name}: predicted ${off === null ? 'position unknown to the ground truth' : off < 0.01 ? 'correctly' : `${off.toFixed(1)} cells off`}${belief.facing ? `, facing ${headingName(belief.facing)}` : ''}${belief.trueFacing ? ` (ground truth: ${headingName(belief.trueFacing)})` : ''}`}
      </title>
    </g>
  )
}

/** Lettered cells of the probe: green is correct, red is wrong; filled cells were named by the player. */
export function FogProbe({ fog, frame }: { fog: NonNullable<SpaceState['fog']>; frame: Frame }) {
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
        <title>{`${letter}: ${unexplored.has(letter) ? 'unexplored' : 'explored'}, player says ${named.has(letter) ? 'unexplored' : 'explored'}`}</title>
      </g>
    )
  })
}

/** Previous positions of moved objects, and rotated objects. */
export function Changes({ state, frame }: { state: SpaceState; frame: Frame }) {
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

export function Start({ pos, frame }: { pos: Pair; frame: Frame }) {
  const [x, y] = frame.at(pos)
  return (
    <circle cx={x} cy={y} r={15} fill="none" className="stroke-accent" strokeWidth={1.5} strokeDasharray="3 3">
      <title>start</title>
    </circle>
  )
}

export function Agent({ pose, frame }: { pose: TruePose; frame: Frame }) {
  const [x, y] = frame.at(pose.pos)
  const angle = (Math.atan2(-pose.heading[1], pose.heading[0]) * 180) / Math.PI
  return (
    <g
      transform={`translate(${x} ${y}) rotate(${angle})`}
      className="fill-accent stroke-paper transition-transform duration-200"
      strokeWidth={2}
    >
      <path d="M14,0L-9,-9L-4,0L-9,9Z" strokeLinejoin="round" />
      <title>player</title>
    </g>
  )
}
