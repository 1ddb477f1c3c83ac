/** Parses maps in replies: believed positions and facings. */
import { isObject, type JsonObject, pythonStrip } from '../../../suite.ts'
import type { Position } from '../domain/grid/frames.ts'
import { headingIndex, rotateHeading } from '../domain/grid/relations.ts'
import { EAST, NORTH, type Pose, type Scene, SOUTH, type Vec, WEST } from '../domain/grid/scene.ts'
import { visibleEntities } from '../domain/grid/view.ts'
import type { Profile } from '../domain/profile.ts'
import { coordinatesIn, nameMatcher } from './grammar.ts'
import { pythonFloat } from './published-json.ts'

/** Name of the player on maps. */
export const AGENT = 'agent'

export interface MapEntry {
  name: string
  pos: Position
  /** Null if the map does not give one. */
  facing: Vec | null
}

/** Entries in map order, each name once. */
export type BeliefMap = readonly MapEntry[]

export interface MapContext {
  scene: Scene
  /** The true pose of the player. */
  pose: Pose
  /** Names of everything seen so far. */
  observed: ReadonlySet<string>
}

/** A global map: everything observed, the doors and the player, in the frame of the start. */
export function readGlobalMap(json: JsonObject, { scene, observed }: MapContext, profile: Profile): BeliefMap {
  const names = [...observed, ...scene.doors.map(({ name }) => name), AGENT]
  return entriesOf(flattened(json), [...new Set(names)], globalFacing, profile)
}

/** A local map: everything in view, in the player's frame. Facings are returned as absolute headings. */
export function readLocalMap(json: JsonObject, { scene, pose }: MapContext, profile: Profile): BeliefMap {
  const names = visibleEntities(scene, pose).map(({ name }) => name)
  const flat = flattened(json)
  const facing = (word: string): string => localFacing(word, pose.heading)
  return entriesOf(isObject(flat['objects']) ? flat['objects'] : flat, names, facing, profile)
}

/** A section of a rooms map, in a frame that looks along `heading`; parsed as in profile `fixed`. */
export function readSectionMap(json: JsonObject, names: readonly string[], heading: Vec): BeliefMap {
  const flat = flattened(json)
  const entries = isObject(flat['objects']) ? flat['objects'] : flat
  return entriesOf(entries, names, (word) => localFacing(word, heading), 'fixed')
}

/** Merges "objects" and "gates" sections, given as objects or lists, with the top-level entries. */
function flattened(json: JsonObject): JsonObject {
  if (!('objects' in json) && !('gates' in json)) return json
  const flat: JsonObject = {}
  for (const [key, value] of Object.entries(json)) {
    if (key !== 'objects' && key !== 'gates' && isObject(value)) flat[key.replaceAll('_', ' ')] = value
  }
  for (const section of [json['objects'], json['gates']]) {
    const items: [unknown, unknown][] = Array.isArray(section)
      ? section.filter(isObject).map((item) => [listedName(item), item])
      : isObject(section)
        ? Object.entries(section)
        : []
    for (const [name, info] of items) addNested(flat, name, info)
  }
  return Object.keys(flat).length > 0 ? flat : json
}

/** The name of an entry in a list. Unlike a key, it is trimmed. */
function listedName(item: JsonObject): unknown {
  const name = item['label'] || item['name'] || item['id'] || item['type']
  return typeof name === 'string' ? pythonStrip(name) : name
}

function addNested(flat: JsonObject, given: unknown, info: unknown): void {
  if (!isObject(info) || (typeof given !== 'string' && typeof given !== 'number')) return
  const name = String(given).replaceAll('_', ' ')
  const position = orNull(info['position']) ?? orNull(info['pos']) ?? orNull(info['xy'])
  if (name === '' || position === null) return
  flat[name] = 'facing' in info ? { position, facing: info['facing'] } : { position }
}

/** Python's `or`: an empty list counts as nothing. */
function orNull(value: unknown): unknown {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return null
  return Array.isArray(value) && value.length === 0 ? null : value
}

function entriesOf(
  json: JsonObject,
  names: readonly string[],
  toCardinal: (word: string) => string,
  profile: Profile,
): BeliefMap {
  const entries = new Map<string, MapEntry>()
  const nameOf = profile === 'upstream' ? (key: string) => publishedName(key, names) : nameMatcher(names)
  for (const [key, info] of Object.entries(json)) {
    const name = nameOf(key)
    if (name === null || !isObject(info)) continue
    const pos = profile === 'upstream' ? publishedPlace(info['position']) : tolerantPlace(info)
    if (pos === null) {
      // The last entry of a name replaces earlier ones, even if it has no position.
      if (profile === 'upstream') entries.delete(name)
      continue
    }
    entries.set(name, { name, pos, facing: facingOf(info['facing'], toCardinal, profile) })
  }
  return [...entries.values()]
}

/** An entry of a map by exactly its name, or with underscores, without the sections and other names that maps may have. */
export function rawEntry(
  json: JsonObject | null,
  name: string,
): { entry: MapEntry | null; pos: Position | null } | null {
  const info = json?.[name] || json?.[name.replaceAll(' ', '_')]
  if (!isObject(info)) return null
  const { position, facing } = info
  const pos = publishedPlace(position)
  const entry = pos === null ? null : { name, pos, facing: facingOf(facing, (word) => word, 'upstream') }
  return { entry, pos: Array.isArray(position) ? publishedPlace(position.slice(0, 2)) : null }
}

/** Equal, or equal after removing underscores: `red_door` is not `red door`. */
function publishedName(key: string, names: readonly string[]): string | null {
  if (names.includes(key)) return key
  const bare = key.replaceAll('_', '')
  return names.find((name) => name.replaceAll('_', '') === bare) ?? null
}

function publishedPlace(position: unknown): Position | null {
  if (!Array.isArray(position) || position.length !== 2) return null
  const [x, y] = [pythonFloat(position[0]), pythonFloat(position[1])]
  return x === null || y === null ? null : [x, y]
}

/** Also `{"x": 1, "y": 2}` and `"(1, 2)"`. Numbers must be finite. */
function tolerantPlace(info: JsonObject): Position | null {
  const position = info['position'] ?? info['pos'] ?? info['xy'] ?? info['coordinates'] ?? info
  const place = isObject(position)
    ? publishedPlace([position['x'], position['y']])
    : typeof position === 'string'
      ? (coordinatesIn(position)[0] ?? null)
      : publishedPlace(position)
  return place !== null && Number.isFinite(place[0]) && Number.isFinite(place[1]) ? place : null
}

const CARDINALS: Readonly<Record<string, Vec>> = { north: NORTH, east: EAST, south: SOUTH, west: WEST }

/** An unknown word means north in the published code, and no facing in `fixed`. */
function facingOf(word: unknown, toCardinal: (word: string) => string, profile: Profile): Vec | null {
  if (typeof word !== 'string') return null
  return CARDINALS[toCardinal(word.toLowerCase())] ?? (profile === 'upstream' ? NORTH : null)
}

const GLOBAL_WORDS: Readonly<Record<string, string>> = {
  n: 'north',
  s: 'south',
  e: 'east',
  w: 'west',
  '+y': 'north',
  '-y': 'south',
  '+x': 'east',
  '-x': 'west',
  forward: 'north',
  front: 'north',
  ahead: 'north',
  back: 'south',
  backward: 'south',
  behind: 'south',
  right: 'east',
  left: 'west',
}

function globalFacing(word: string): string {
  const bare = pythonStrip(word)
  return GLOBAL_WORDS[bare] ?? bare
}

const AXES = ['+y', '+x', '-y', '-x']

/** Converts axes of the viewer to absolute headings; other words, such as "north", stay as they are. */
function localFacing(word: string, heading: Vec): string {
  const bare = pythonStrip(word)
  const quarters = AXES.indexOf(bare)
  if (quarters < 0) return bare
  const index = headingIndex(rotateHeading(heading, quarters * 90))
  return Object.keys(CARDINALS)[index] ?? bare
}

/** The axis name of an absolute heading for a viewer who looks along `heading`. */
export function axisName(facing: Vec, heading: Vec): string {
  return AXES[(headingIndex(facing) - headingIndex(heading) + 4) % 4]!
}
