/**
 * Scenes as JSON. Reads three formats: Sightline's own, the full state written by the published environment
 * (`{room, agent}`), and `meta_data.json` of the published rendered scenes.
 */
import { z } from 'zod'
import { hashOf, UserError } from '../../../../suite.ts'
import { sceneProblems } from './invariants.ts'
import { headingNamed, rotateHeading } from './relations.ts'
import { DOOR_EAST_WEST, type Door, EAST, type GridObject, NORTH, type Scene, SOUTH, type Vec, WEST } from './scene.ts'

export const SCENE_FORMAT = 'sightline/grid-scene'
export const SCENE_VERSION = 1

const vec = z.tuple([z.int(), z.int()])
const heading = vec.refine(([x, y]) => Math.abs(x) + Math.abs(y) === 1, 'must be one of [0,1] [1,0] [0,-1] [-1,0]')
const mask = z.array(z.array(z.int()).max(1000)).max(1000)
const name = z.string().min(1).max(100)

const ownScene = z.object({
  format: z.literal(SCENE_FORMAT),
  version: z.literal(SCENE_VERSION),
  mask,
  objects: z.array(
    z.object({ kind: z.literal('object'), name, pos: vec, heading, oriented: z.boolean(), room: z.int() }),
  ),
  doors: z.array(
    z.object({
      kind: z.literal('door'),
      name,
      pos: vec,
      rooms: z.tuple([z.int(), z.int()]),
      normals: z.tuple([heading, heading]),
    }),
  ),
  start: z.object({ pos: vec, room: z.int() }),
  order: z.array(name),
})

const stateObject = z.object({ name, pos: vec, ori: heading, has_orientation: z.boolean(), room_id: z.int() })
const stateDoor = z.object({
  name,
  pos: vec,
  room_id: z.tuple([z.int(), z.int()]),
  ori_by_room: z.record(z.string(), heading),
})
const publishedState = z.object({
  room: z.object({
    objects: z.array(stateObject),
    gates: z.array(stateDoor),
    all_objects: z.array(z.object({ name })).optional(),
    mask,
  }),
  agent: z.object({
    pos: vec,
    room_id: z.union([z.int(), z.array(z.int())]),
    init_pos: vec.optional(),
    init_room_id: z.int().optional(),
  }),
})

const meters = z.object({ x: z.number(), z: z.number() })
const publishedScene = z.object({
  objects: z.array(
    z.object({
      name,
      pos: meters,
      rot: z.object({ y: z.number() }).optional(),
      label: z.union([z.string(), z.number()]).optional(),
      attributes: z.object({
        has_orientation: z.boolean().optional(),
        room_id: z.int().optional(),
        orientation: z.string().optional(),
        connected_rooms: z.array(z.int()).optional(),
      }),
    }),
  ),
  cameras: z.array(z.object({ id: z.string(), position: meters })),
  mask,
  offset: z.tuple([z.number(), z.number()]),
})

/** The id of a scene: SHA-256 of its canonical JSON, the same on every machine. */
export function sceneId(scene: Scene): string {
  return hashOf(sceneToJson(scene))
}

/** A scene in Sightline's own format. */
export function sceneToJson(scene: Scene): z.infer<typeof ownScene> {
  return ownScene.parse({ format: SCENE_FORMAT, version: SCENE_VERSION, ...scene })
}

/** Reads a scene in any of the three formats. `from` names the source of the JSON in error messages. */
export function sceneFromJson(json: unknown, from = 'scene'): Scene {
  const scene = readAnyFormat(json, from)
  const problems = sceneProblems(scene)
  if (problems.length > 0) {
    throw new UserError(`${from} is not a valid scene: ${problems.slice(0, 5).join('; ')}.`, {
      hint: 'Fix these problems in the file.',
    })
  }
  return scene
}

function readAnyFormat(json: unknown, from: string): Scene {
  if (typeof json !== 'object' || json === null) {
    throw new UserError(`${from} must be a JSON object, not ${json === null ? 'null' : `a ${typeof json}`}.`)
  }
  if ('format' in json) {
    const { format: _format, version: _version, ...scene } = read(ownScene, json, from, 'Sightline grid scene')
    return scene
  }
  if ('room' in json) return fromState(read(publishedState, json, from, 'state of the published environment'))
  if ('cameras' in json)
    return fromPublished(read(publishedScene, json, from, 'published scene (meta_data.json)'), from)
  throw new UserError(
    `${from} is not in a known scene format. Expected a key "format" (Sightline), "room" (published state) or "cameras" (published scene).`,
    { hint: `Found the keys: ${Object.keys(json).slice(0, 10).join(', ') || 'none'}.` },
  )
}

function read<T>(schema: z.ZodType<T>, json: unknown, from: string, format: string): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const first = result.error.issues[0]
  throw new UserError(`${from} is not a valid ${format}: ${first?.path.join('.') || 'top level'}: ${first?.message}.`)
}

function fromState({ room, agent }: z.infer<typeof publishedState>): Scene {
  const objects = room.objects.map((object): GridObject => ({
    kind: 'object',
    name: object.name,
    pos: object.pos,
    heading: object.ori,
    oriented: object.has_orientation,
    room: object.room_id,
  }))
  const doors = room.gates.map((gate): Door => {
    const normal = (id: number): Vec => gate.ori_by_room[String(id)] ?? NORTH
    const [a, b] = gate.room_id
    return { kind: 'door', name: gate.name, pos: gate.pos, rooms: [a, b], normals: [normal(a), normal(b)] }
  })
  const startRoom = agent.init_room_id ?? (typeof agent.room_id === 'number' ? agent.room_id : 1)
  const order = room.all_objects ?? [...objects, ...doors]
  return {
    mask: room.mask,
    objects,
    doors,
    start: { pos: agent.init_pos ?? agent.pos, room: startRoom },
    order: order.map((entity) => entity.name),
  }
}

function fromPublished(published: z.infer<typeof publishedScene>, from: string): Scene {
  const { mask: codes, offset, cameras } = published
  const cell = ({ x, z: north }: z.infer<typeof meters>): Vec => [
    Math.round(x + offset[0]),
    Math.round(north + offset[1]),
  ]
  const objects: GridObject[] = []
  const doors: Door[] = []
  for (const item of published.objects) {
    const pos = cell(item.pos)
    const itemName = item.name.replaceAll('_', ' ')
    if (item.attributes.connected_rooms !== undefined) doors.push(doorAt(codes, pos, itemName))
    else {
      const oriented = item.attributes.has_orientation ?? false
      objects.push({
        kind: 'object',
        name: itemName,
        pos,
        heading: oriented ? publishedHeading(item.attributes.orientation, item.rot?.y ?? 0) : NORTH,
        oriented,
        room: roomOfPublished(codes[pos[0]]?.[pos[1]] ?? -1, item.attributes.room_id),
      })
    }
  }
  const agent = cameras.find(({ id }) => id === 'agent')
  if (agent === undefined) throw new UserError(`${from} has no camera with id "agent", which marks the start.`)
  const pos = cell(agent.position)
  return {
    mask: codes,
    objects,
    doors,
    start: { pos, room: codes[pos[0]]?.[pos[1]] ?? -1 },
    order: [...objects, ...doors].map((entity) => entity.name),
  }
}

/** In a changed scene (`falsebelief_exp.json`), a moved object still has the number of its old room. */
function roomOfPublished(code: number, given: number | undefined): number {
  return code >= 1 && code < DOOR_EAST_WEST ? code : (given ?? -1)
}

function publishedHeading(word: string | undefined, clockwiseDegrees: number): Vec {
  if (word === 'north' || word === 'east' || word === 'south' || word === 'west') return headingNamed(word)
  return rotateHeading(NORTH, clockwiseDegrees)
}

/** Creates a door from its cell: the rooms on both sides and the normals into them. */
export function doorAt(codes: Scene['mask'], pos: Vec, doorName: string): Door {
  const [x, y] = pos
  const room = (dx: number, dy: number): number => codes[x + dx]?.[y + dy] ?? -1
  return codes[x]?.[y] === DOOR_EAST_WEST
    ? { kind: 'door', name: doorName, pos, rooms: [room(-1, 0), room(1, 0)], normals: [WEST, EAST] }
    : { kind: 'door', name: doorName, pos, rooms: [room(0, -1), room(0, 1)], normals: [SOUTH, NORTH] }
}
