/** Rooms maps: each room in its own frame, with the start or one of its doors as origin. */
import { isObject, type JsonObject } from '../../../../suite.ts'
import { NORTH, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf, roomsOf, START } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { matchName } from '../../parse/grammar.ts'
import { axisName, type BeliefMap, type MapContext, type MapEntry, readSectionMap } from '../../parse/maps.ts'
import { readMapJson } from '../../parse/map-json.ts'
import { compareMaps, type MapMetrics, meanMetrics, ZERO_METRICS } from './metrics.ts'
import { compareOptions } from './probes.ts'
import { entriesText } from './map-text.ts'
import { toFrame, fromFrame } from '../grid/frames.ts'

export interface RoomsScore {
  /** False if the reply has no readable map. */
  read: boolean
  /** Mean over the rooms seen; null if there are none, or the reply is left out. */
  metrics: MapMetrics | null
}

interface Frame {
  /** `initial_pos` or the name of a door. */
  origin: string
  pos: Vec
  /** Where +y points. */
  heading: Vec
}

/** Rooms with at least one observed object. */
function seenRooms({ scene, observed }: MapContext): number[] {
  const rooms = new Set(scene.objects.filter(({ name }) => observed.has(name)).map(({ room }) => room))
  return [...rooms].sort((a, b) => a - b)
}

/** The frame of a room, from the origin given in its map: any door of the room, or the start in its own room. */
function frameOf(scene: Scene, room: number, origin: unknown): Frame | null {
  if (typeof origin !== 'string') return null
  const doors = scene.doors.filter(({ rooms }) => rooms.includes(room))
  const name = matchName(
    origin,
    doors.map((door) => door.name),
  )
  const door = doors.find((candidate) => candidate.name === name)
  if (door) return { origin: door.name, pos: door.pos, heading: door.normals[door.rooms.indexOf(room)] ?? NORTH }
  const atStart = room === scene.start.room && /^initial[_ ]pos(?:ition)?$/i.test(origin.trim())
  return atStart ? { origin: START, pos: scene.start.pos, heading: NORTH } : null
}

/** Observed objects of the room and its other doors, in its frame; facings are absolute headings. */
function trueRoom({ scene, observed }: MapContext, room: number, frame: Frame): MapEntry[] {
  return entitiesOf(scene)
    .filter((entity) => observed.has(entity.name) && roomsOf(entity).includes(room) && entity.name !== frame.origin)
    .map((entity) => ({
      name: entity.name,
      pos: toFrame(entity.pos, frame.pos, frame.heading),
      facing: entity.kind === 'object' && entity.oriented ? entity.heading : null,
    }))
}

interface RoomMap {
  frame: Frame
  map: BeliefMap
  truth: MapEntry[]
}

/** The map of each seen room in its own frame; null for a room without a readable section. */
function roomMaps(json: JsonObject, context: MapContext): (RoomMap | null)[] {
  const sections = isObject(json['rooms']) ? json['rooms'] : json
  return seenRooms(context).map((room) => {
    const section = sectionOf(sections, room)
    const frame = section === null ? null : frameOf(context.scene, room, section['origin'])
    if (section === null || frame === null) return null
    const truth = trueRoom(context, room, frame)
    const names = truth.map(({ name }) => name)
    return { frame, truth, map: readSectionMap(section, names, frame.heading) }
  })
}

/** The published code has no such map; the profiles differ only for replies without one. */
export function scoreRoomsMap(reply: string, context: MapContext, profile: Profile): RoomsScore {
  const json = readMapJson(reply, profile)
  const rooms = seenRooms(context)
  if (json === null || rooms.length === 0) {
    return { read: json !== null, metrics: profile === 'upstream' || rooms.length === 0 ? null : ZERO_METRICS }
  }
  const how = compareOptions(context.scene, 'fixed')
  const metrics = roomMaps(json, context).map((room) => (room ? compareMaps(room.map, room.truth, how) : ZERO_METRICS))
  return { read: true, metrics: meanMetrics(metrics) }
}

/** All rooms of a reply in the frame of the start, placed by their true origins; null if the reply has no map. */
export function readRoomsMap(reply: string, context: MapContext, profile: Profile): BeliefMap | null {
  const json = readMapJson(reply, profile)
  if (json === null) return null
  const { start } = context.scene
  return roomMaps(json, context).flatMap((room) =>
    room === null
      ? []
      : room.map.map((entry) => {
          const cell = fromFrame(entry.pos, room.frame.pos, room.frame.heading)
          return { ...entry, pos: toFrame(cell, start.pos, NORTH) }
        }),
  )
}

/** `room 2`, `Room_2`, `2` */
function sectionOf(sections: JsonObject, room: number): JsonObject | null {
  for (const [key, value] of Object.entries(sections)) {
    const number = /^(?:room)?[\s_-]*(\d{1,3})$/i.exec(key.trim())?.[1]
    if (number !== undefined && Number(number) === room && isObject(value)) return value
  }
  return null
}

/** The true rooms map as text. The origin of each room but the first is the first of its doors that was observed. */
export function trueRoomsText(context: MapContext): string {
  const { scene, observed } = context
  const sections = seenRooms(context).flatMap((room) => {
    const door = scene.doors.find(({ name, rooms }) => rooms.includes(room) && observed.has(name))
    const frame = frameOf(scene, room, room === scene.start.room ? START : (door?.name ?? ''))
    if (frame === null) return []
    const objects = entriesText(trueRoom(context, room, frame), (facing) => axisName(facing, frame.heading), '      ')
    return [`  "room ${room}": {\n    "origin": ${JSON.stringify(frame.origin)},\n    "objects": ${objects}\n  }`]
  })
  return `{\n${sections.join(',\n')}\n}`
}
