/** The grid world of Theory of Space against the published environment, profile `upstream`. */
import { z } from 'zod'
import {
  bearingDegrees,
  cardinalBin,
  CARDINAL_LABELS,
  distanceBetween,
  distanceBin,
  DISTANCE_LABELS,
  egoBin,
  EGO_LABELS,
  facingWord,
  headingName,
  rotateHeading,
  wallWord,
} from '../src/suites/space/grid/relations.ts'
import { type Entity, NORTH, type Scene, type Vec } from '../src/suites/space/grid/scene.ts'
import { sceneFromJson } from '../src/suites/space/grid/scene-json.ts'
import {
  describeEntity,
  entityNamed,
  inView,
  observationText,
  poseAt,
  proximityPairs,
  proximityPhrase,
  START,
  visibleEntities,
} from '../src/suites/space/grid/view.ts'
import { type Check, firstDifference, type Verdict } from './check.ts'

const vec = z.tuple([z.number(), z.number()])
const binAndLabel = z.tuple([z.int(), z.string()])

function verdict(where: string, difference: string | null): Verdict {
  return difference === null ? { where, agrees: true } : { where, agrees: false, detail: difference }
}

const relationsFile = z.object({
  cases: z.array(
    z.looseObject({ agent_pos: vec, agent_ori: vec, obj_pos: vec, obj_ori: vec.optional(), bearing_deg: z.number() }),
  ),
  scalar_degree_bins: z.array(z.object({ deg: z.number(), ego: binAndLabel, cardinal: binAndLabel })),
  scalar_distance_bins: z.array(z.object({ d: z.number(), bin: binAndLabel })),
  rotations: z.array(z.object({ ori: vec, rotate: z.number(), result: vec })),
})

function relationOf(from: Vec, heading: Vec, to: Vec, facing: Vec | undefined): Record<string, unknown> {
  const bearing = bearingDegrees(from, heading, to)
  const north = bearingDegrees(from, NORTH, to)
  const distance = distanceBetween(from, to)
  const subject: Entity = { kind: 'object', name: 'A', pos: to, heading: NORTH, oriented: false, room: 1 }
  const anchor: Entity = { kind: 'object', name: 'B', pos: from, heading: NORTH, oriented: false, room: 1 }
  const [pair] = proximityPairs([subject, anchor], heading)
  return {
    bearing_deg: bearing,
    bearing_north_deg: north,
    distance,
    ego_bin_id: egoBin(bearing),
    ego_label: EGO_LABELS[egoBin(bearing)],
    dist_bin_id: distanceBin(distance),
    dist_label: DISTANCE_LABELS[distanceBin(distance)],
    cardinal_bin_id: cardinalBin(north),
    cardinal_label: CARDINAL_LABELS[cardinalBin(north)],
    agent_frame_cardinal_bin_id: cardinalBin(bearing),
    agent_frame_cardinal_label: CARDINAL_LABELS[cardinalBin(bearing)],
    in_fov_90: inView({ pos: from, heading }, to, 90),
    in_fov_180: inView({ pos: from, heading }, to, 180),
    proximity: pair === undefined ? null : proximityPhrase(pair),
    ...(facing && {
      obj_ori: facing,
      facing_ego: `facing ${facingWord(facing, heading)}`,
      facing_allo: `facing ${headingName(facing)}`,
      gate_wall: `on ${wallWord(facing, heading)} wall`,
    }),
  }
}

export const relations: Check = function* (file) {
  const parsed = relationsFile.parse(file)
  for (const [i, given] of parsed.cases.entries()) {
    const { tag: _tag, agent_pos, agent_ori, obj_pos, ...theirs } = given
    const ours = relationOf(agent_pos, agent_ori, obj_pos, given.obj_ori)
    // Directly behind is +180 or -180 by the sign of a floating zero.
    for (const key of ['bearing_deg', 'bearing_north_deg']) {
      if (theirs[key] === -180 && ours[key] === 180) ours[key] = -180
      if (theirs[key] === 180 && ours[key] === -180) ours[key] = 180
    }
    yield verdict(`cases[${i}]`, firstDifference(ours, theirs))
  }
  for (const [i, { deg, ego, cardinal }] of parsed.scalar_degree_bins.entries()) {
    const ours = {
      ego: [egoBin(deg), EGO_LABELS[egoBin(deg)]],
      cardinal: [cardinalBin(deg), CARDINAL_LABELS[cardinalBin(deg)]],
    }
    yield verdict(`scalar_degree_bins[${i}]`, firstDifference(ours, { ego, cardinal }))
  }
  for (const [i, { d, bin }] of parsed.scalar_distance_bins.entries()) {
    yield verdict(`scalar_distance_bins[${i}]`, firstDifference([distanceBin(d), DISTANCE_LABELS[distanceBin(d)]], bin))
  }
  for (const [i, { ori, rotate, result }] of parsed.rotations.entries()) {
    yield verdict(`rotations[${i}]`, firstDifference(rotateHeading(ori, rotate), result))
  }
}

const roomsFile = z.object({
  rooms: z.array(
    z.looseObject({
      id: z.string(),
      observations: z.array(
        z.object({
          at: z.string(),
          pos: vec,
          ori: vec,
          room_id: z.union([z.int(), z.array(z.int())]),
          message: z.string(),
          visible: z.array(z.string()),
          relationships: z.array(z.string()),
          local: z.array(z.string()),
        }),
      ),
    }),
  ),
})

/** The scenes of rooms.json by id. */
export function scenesOf(file: unknown): Map<string, Scene> {
  return new Map(roomsFile.parse(file).rooms.map((room) => [room.id, sceneFromJson(room, room.id)]))
}

export const rooms: Check = function* (file) {
  for (const room of roomsFile.parse(file).rooms) {
    const scene = sceneFromJson(room, room.id)
    for (const [i, theirs] of room.observations.entries()) {
      const entity = theirs.at === START ? START : entityNamed(scene, theirs.at)
      if (entity === undefined) {
        yield verdict(`${room.id}.observations[${i}]`, `nothing is called ${theirs.at}`)
        continue
      }
      const pose = poseAt(scene, entity, theirs.ori)
      const visible = visibleEntities(scene, pose)
      const ours = {
        at: theirs.at,
        pos: pose.pos,
        ori: pose.heading,
        room_id: pose.rooms.length === 1 ? pose.rooms[0] : pose.rooms,
        message: observationText(scene, pose, 'upstream'),
        visible: visible.map(({ name }) => name),
        relationships: visible.map((seen) => `${seen.name}: ${describeEntity(seen, pose)}`),
        local: proximityPairs(visible, pose.heading).map(proximityPhrase),
      }
      yield verdict(`${room.id}.observations[${i}]`, firstDifference(ours, theirs))
    }
  }
}
