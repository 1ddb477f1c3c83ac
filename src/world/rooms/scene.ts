/** A furnished scene as data: small, readable, and the same on every machine. Meshes are made from it. */
import { z } from 'zod'
import { hashOf } from '../../base/hash.ts'
import { faultsOf } from './consistent.ts'
import { ROOM_KINDS, SCENE_KINDS } from './kinds.ts'

export { ROOM_KINDS, type RoomKind, SCENE_KINDS, type SceneKind } from './kinds.ts'

const metres = z.number().finite().min(-1000).max(1000)
const color = z.tuple([z.number().min(0).max(255), z.number().min(0).max(255), z.number().min(0).max(255)])

/** A texture of src/world/materials by name, tinted. */
const surface = z.strictObject({ surface: z.string(), tile: z.number().positive(), color })

const room = z.strictObject({
  id: z.int().positive(),
  kind: z.enum(ROOM_KINDS),
  /** The inside of the walls, meters. */
  x: z.tuple([metres, metres]),
  y: z.tuple([metres, metres]),
  floor: surface,
  walls: surface,
  ceiling: surface,
})

const side = z.enum(['west', 'south', 'east', 'north'])

const door = z.strictObject({
  id: z.int().positive(),
  /** The rooms it joins; the second is null where it leads out of the scene: such a door is shut. */
  rooms: z.tuple([z.int().positive(), z.int().positive().nullable()]),
  /** The wall of the first room that it is in, and where along it its middle is (x for north and south, else y). */
  side,
  along: metres,
  width: z.number().positive(),
  height: z.number().positive(),
  color,
})

const window = z.strictObject({
  id: z.int().positive(),
  room: z.int().positive(),
  side,
  along: metres,
  width: z.number().positive(),
  sill: z.number().nonnegative(),
  height: z.number().positive(),
})

/** Nothing in a room is larger. */
const side3 = z.number().positive().max(20)

const placed = z.strictObject({
  instance: z.int().min(1).max(65535),
  category: z.string(),
  variant: z.int().nonnegative(),
  /** Depth, width and height of this one, meters; where absent, those of its variant. */
  size: z.tuple([side3, side3, side3]).optional(),
  /** Colors of its two largest parts that can be painted, dyed or stained; where absent, those of its variant. */
  colors: z.array(color).max(2).optional(),
  /** Middle of its base. */
  position: z.tuple([metres, metres, metres]),
  /** Degrees counterclockwise about +z; at 0 its front faces +x. */
  yaw: z.number().min(0).max(360),
  room: z.int().positive(),
  support: z.union([z.int().positive(), z.enum(['floor', 'wall', 'ceiling'])]),
})

/** How many rooms, doors, windows and things there may be: far more than anybody builds, few enough to build them. */
const MAX_OPENINGS = 1000
const MAX_ROOMS = 200
const MAX_OBJECTS = 2000

/** Sunny, cloudy, or with the lamps on. */
export const LIGHTINGS = ['day', 'overcast', 'evening'] as const
export type Lighting = (typeof LIGHTINGS)[number]

const shape = z.strictObject({
  version: z.literal(1),
  kind: z.enum(SCENE_KINDS),
  seed: z.int().nonnegative(),
  /** Floor to ceiling. */
  height: z.number().positive().max(20),
  wallThickness: z.number().positive().max(2),
  /** Towards the sun, unit length; it shines where `windows` let it. */
  sun: z.tuple([z.number(), z.number(), z.number()]),
  /** Where absent: day. */
  lighting: z.enum(LIGHTINGS).optional(),
  rooms: z.array(room).min(1).max(MAX_ROOMS),
  doors: z.array(door).max(MAX_OPENINGS),
  windows: z.array(window).max(MAX_OPENINGS),
  objects: z.array(placed).max(MAX_OBJECTS),
})

/** What it accepts can be built. */
export const sceneSchema = shape.superRefine((scene, context) => {
  for (const fault of faultsOf(scene)) context.addIssue({ code: 'custom', ...fault })
})

export type Scene = z.infer<typeof shape>
export type SceneRoom = z.infer<typeof room>
export type SceneDoor = z.infer<typeof door>
export type SceneWindow = z.infer<typeof window>
export type PlacedObject = z.infer<typeof placed>
export type Side = z.infer<typeof side>
export type SurfaceLook = z.infer<typeof surface>

/** The same for the same scene on every machine: what a picture's provenance names. */
export function sceneHash(scene: Scene): string {
  return hashOf(scene)
}

/** Millimeters are enough, and keep the JSON short. */
export function toMillimetres(value: number): number {
  const rounded = Math.round(value * 1000) / 1000
  return rounded === 0 ? 0 : rounded
}
