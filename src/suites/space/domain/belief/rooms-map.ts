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

/** The frame of a room with this origin: any door of the room, or the start in its own room. */
function frameOf(scene: Scene, room: number, origin: string): Frame | null {
  const door = scene.doors.find(({ name, rooms }) => name === origin && rooms.includes(room))
  if (door) return { origin: door.name, pos: door.pos, heading: door.normals[door.rooms.indexOf(room)] ?? NORTH }
  return origin === START && room === scene.start.room ? { origin: START, pos: scene.start.pos, heading: NORTH } : null
}

/** The origin that a section names: `initial_pos`, a door, or null. */
function originOf(scene: Scene, origin: unknown): string | null {
  if (typeof origin !== 'string') return null
  if (/^(?:the )?(?:initial|start(?:ing)?)[_ -]?pos(?:ition)?$/i.test(origin.trim())) return START
  return matchName(
    origin,
    scene.doors.map(({ name }) => name),
  )
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
  const sections = assignSections(sectionsIn(json, context), context)
  return seenRooms(context).map((room) => {
    const section = sections.get(room)
    const frame = section === undefined ? null : frameOf(context.scene, room, section.origin)
    if (section === undefined || frame === null) return null
    const truth = trueRoom(context, room, frame)
    const names = truth.map(({ name }) => name)
    return { frame, truth, map: readSectionMap(section.json, names, frame.heading) }
  })
}

interface Section {
  /** The number in its key, as in `room 2`, `Room_2` or `2`. */
  number: number | null
  /** `initial_pos` or the name of a door. */
  origin: string
  json: JsonObject
}

/** Sections by key, or a list of them, with a readable origin. */
function sectionsIn(json: JsonObject, { scene }: MapContext): Section[] {
  const given = json['rooms'] ?? json
  const items: [string, unknown][] = Array.isArray(given)
    ? given.map((item): [string, unknown] => [isObject(item) ? keyOf(item) : '', item])
    : isObject(given)
      ? Object.entries(given)
      : []
  return items.flatMap(([key, value]) => {
    const origin = isObject(value) ? originOf(scene, value['origin']) : null
    if (!isObject(value) || origin === null) return []
    const number = /(?:^|[\s_-]|room)(\d{1,3})$/i.exec(key.trim())?.[1]
    return [{ number: number === undefined ? null : Number(number), origin, json: value }]
  })
}

/** The key of a section in a list. */
function keyOf({ name, room, id }: JsonObject): string {
  const key = name ?? room ?? id
  return typeof key === 'string' || typeof key === 'number' ? String(key) : ''
}

/**
 * Which section describes which room. The player is never told the numbers of the rooms it finds, so its own are not
 * compared: the origin tells. A door belongs to the room that is not the start room; between two other rooms, to the one
 * with more of the names in the section, and else to the one farther from the start.
 */
function assignSections(sections: readonly Section[], context: MapContext): Map<number, Section> {
  const { scene } = context
  const assigned = new Map<number, Section>()
  const steps = stepsFromStart(scene)
  const candidates = sections.flatMap((section) =>
    roomsFor(section, scene).map((room) => ({ section, room, shared: sharedNames(section, room, context) })),
  )
  candidates.sort((a, b) => b.shared - a.shared || (steps.get(b.room) ?? 0) - (steps.get(a.room) ?? 0))
  const used = new Set<Section>()
  for (const { section, room } of candidates) {
    if (used.has(section) || assigned.has(room)) continue
    used.add(section)
    assigned.set(room, section)
  }
  return assigned
}

/** The rooms that a section can describe. Only the number of the start room is known to the player. */
function roomsFor({ origin, number }: Section, { doors, start }: Scene): readonly number[] {
  if (origin === START) return [start.room]
  const rooms: readonly number[] = doors.find(({ name }) => name === origin)?.rooms ?? []
  if (number === start.room && rooms.includes(start.room)) return [start.room]
  return rooms.filter((room) => room !== start.room)
}

function sharedNames({ json }: Section, room: number, context: MapContext): number {
  const names = entitiesOf(context.scene).filter((entity) => roomsOf(entity).includes(room))
  return readSectionMap(
    json,
    names.map(({ name }) => name),
    NORTH,
  ).length
}

/** Number of doors between the start room and each other room. */
function stepsFromStart({ doors, start }: Scene): ReadonlyMap<number, number> {
  const steps = new Map([[start.room, 0]])
  for (const [room, count] of steps) {
    for (const { rooms } of doors) {
      if (rooms.includes(room)) for (const next of rooms) if (!steps.has(next)) steps.set(next, count + 1)
    }
  }
  return steps
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
