/** A scene as ASCII art, north at the top: `#` wall or outside, `.` floor, `+` door, `*` the agent. */
import { isRoomCode } from './invariants.ts'
import { DOOR_EAST_WEST, DOOR_NORTH_SOUTH, type Scene, type Vec } from './scene.ts'

export interface SymbolicMapOptions {
  /** Cell of the agent. Default: the start. */
  agent?: Vec
  /** One character for each of these cells. */
  marks?: readonly { pos: Vec; mark: string }[]
}

export function symbolicMap(scene: Scene, { agent = scene.start.pos, marks = [] }: SymbolicMapOptions = {}): string {
  const width = scene.mask.length
  const height = scene.mask[0]?.length ?? 0
  const rows: string[][] = []
  for (let y = height - 1; y >= 0; y--) {
    rows.push(Array.from({ length: width }, (_, x) => symbolOf(scene.mask[x]![y]!)))
  }
  for (const { pos, mark } of [...marks, { pos: agent, mark: '*' }]) {
    const row = rows[height - 1 - pos[1]]
    if (row?.[pos[0]] !== undefined) row[pos[0]] = mark
  }
  return rows.map((row) => row.join('')).join('\n')
}

function symbolOf(code: number): string {
  if (code === DOOR_EAST_WEST || code === DOOR_NORTH_SOUTH) return '+'
  return isRoomCode(code) ? '.' : '#'
}
