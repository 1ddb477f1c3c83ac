/** Layers below the objects: floor, walls, unexplored area, field of view and path. */
import { memo } from 'react'
import { inView } from '../../../../src/suites/space/domain/grid/view.ts'
import type { Pair, TruePose, TrueScene } from '../../../../src/suites/space/events.ts'
import { CELL, type Frame } from './frame.ts'

/** Cell codes below are rooms, from here on doors. */
const FIRST_DOOR_CODE = 100

function isRoom(code: number): boolean {
  return code >= 1 && code < FIRST_DOOR_CODE
}

const ROOM_HUES = [75, 235, 140, 25, 300, 190, 95, 330] as const

/** Floors with one tint per room, and walls; one SVG path per color. */
export const Floor = memo(function Floor({ scene, frame }: { scene: TrueScene; frame: Frame }) {
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

/** Hatches cells that were never in view. */
export function Fog({ scene, explored, frame }: { scene: TrueScene; explored: readonly Pair[]; frame: Frame }) {
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

export function FieldOfView({
  scene,
  pose,
  frame,
  observing,
}: {
  scene: TrueScene
  pose: TruePose
  frame: Frame
  observing: boolean
}) {
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
      <path d={path} className="fill-accent" opacity={observing ? 0.22 : 0.09} />
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

export function Path({ pairs, frame }: { pairs: readonly Pair[]; frame: Frame }) {
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
