/** Invariants of every scene, generated or read from a file. */
import { DOOR_EAST_WEST, DOOR_NORTH_SOUTH, type Door, OUTSIDE, type Scene, type Vec, WALL } from './scene.ts'

/** Rooms are numbered from 1; door codes start here. */
const FIRST_DOOR_CODE = 100

export function isRoomCode(code: number): boolean {
  return code >= 1 && code < FIRST_DOOR_CODE
}

export function codeAt(scene: Pick<Scene, 'mask'>, x: number, y: number): number {
  return scene.mask[x]?.[y] ?? OUTSIDE
}

/** Violated invariants as human-readable messages; empty for a valid scene. */
export function sceneProblems(scene: Scene): string[] {
  const problems: string[] = []
  const report = (problem: string): void => void problems.push(problem)

  const height = scene.mask[0]?.length ?? 0
  if (scene.mask.length === 0 || height === 0) return ['the mask is empty']
  for (const [x, column] of scene.mask.entries()) {
    if (column.length !== height) report(`column ${x} of the mask has ${column.length} cells, column 0 has ${height}`)
    for (const [y, code] of column.entries()) {
      const known = [OUTSIDE, WALL, DOOR_EAST_WEST, DOOR_NORTH_SOUTH].includes(code) || isRoomCode(code)
      if (!known) report(`cell (${x}, ${y}) of the mask has the unknown code ${code}`)
    }
  }

  const names = new Set<string>()
  for (const { name } of [...scene.objects, ...scene.doors]) {
    if (names.has(name)) report(`duplicate name "${name}"`)
    names.add(name)
  }
  const listed = new Set(scene.order)
  if (listed.size !== scene.order.length || listed.size !== names.size || [...listed].some((name) => !names.has(name)))
    report('"order" does not list every object and door exactly once')

  const rooms = new Set(scene.mask.flat().filter(isRoomCode))
  const furnished = new Set<number>()
  const taken = new Map<string, string>()
  for (const object of scene.objects) {
    const code = codeAt(scene, object.pos[0], object.pos[1])
    if (!isRoomCode(code)) report(`the ${object.name} at ${cell(object.pos)} is not in a room`)
    else if (code !== object.room) report(`the ${object.name} has room ${object.room} but is in room ${code}`)
    furnished.add(object.room)
    const other = taken.get(cell(object.pos))
    if (other !== undefined) report(`the ${object.name} and the ${other} are on the same cell ${cell(object.pos)}`)
    taken.set(cell(object.pos), object.name)
  }
  for (const room of rooms) if (!furnished.has(room)) report(`room ${room} has no object`)
  for (const door of scene.doors) for (const problem of doorProblems(scene, door)) report(problem)

  const start = codeAt(scene, scene.start.pos[0], scene.start.pos[1])
  if (start !== scene.start.room) report(`the start ${cell(scene.start.pos)} is not in room ${scene.start.room}`)
  if (taken.has(cell(scene.start.pos)))
    report(`the start and the ${taken.get(cell(scene.start.pos))} are on the same cell`)

  const reached = reachableRooms(scene)
  for (const room of rooms) if (!reached.has(room)) report(`room ${room} cannot be reached from the start`)
  return problems
}

function doorProblems(scene: Scene, door: Door): string[] {
  const [x, y] = door.pos
  const code = codeAt(scene, x, y)
  const eastWest = code === DOOR_EAST_WEST
  if (!eastWest && code !== DOOR_NORTH_SOUTH) return [`the ${door.name} at ${cell(door.pos)} is not on a door cell`]
  const before = eastWest ? codeAt(scene, x - 1, y) : codeAt(scene, x, y - 1)
  const after = eastWest ? codeAt(scene, x + 1, y) : codeAt(scene, x, y + 1)
  if (!isRoomCode(before) || !isRoomCode(after) || before === after)
    return [`the ${door.name} at ${cell(door.pos)} does not connect two rooms`]
  const problems: string[] = []
  for (const [i, room] of door.rooms.entries()) {
    const normal = door.normals[i]!
    if (codeAt(scene, x + normal[0], y + normal[1]) !== room)
      problems.push(`the ${door.name} does not lead into room ${room} along its normal`)
  }
  return problems
}

/** Rooms reachable from the start through doors. */
export function reachableRooms(scene: Scene): Set<number> {
  const reached = new Set([scene.start.room])
  let grew = true
  while (grew) {
    grew = false
    for (const { rooms } of scene.doors) {
      if (reached.has(rooms[0]) === reached.has(rooms[1])) continue
      reached.add(rooms[0]).add(rooms[1])
      grew = true
    }
  }
  return reached
}

function cell(pos: Vec): string {
  return `(${pos[0]}, ${pos[1]})`
}
