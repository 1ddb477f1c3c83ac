/** Scenes and replies that the fuzz targets of Theory of Space share. */
import type { Random } from '../../src/base/random.ts'
import { UserError } from '../../src/base/errors.ts'
import type { Pose, RevisedScene, Scene } from '../../src/suites/space/domain/grid/scene.ts'
import { sceneFromJson } from '../../src/suites/space/domain/grid/scene-json.ts'
import { headingOf, objectNumber, roomIds } from '../../src/suites/space/domain/grid/view.ts'
import { generateScene } from '../../src/suites/space/samples/generate.ts'
import type { Topology } from '../../src/suites/space/samples/layout.ts'
import { reviseScene } from '../../src/suites/space/samples/revise.ts'
import type { Plain } from './target.ts'

export const THEORY_OF_SPACE = {
  repository: 'mll-lab-nu/Theory-of-Space',
  commit: 'd48f52fb2c07d7a440a5ce76486d115cd85f37a3',
}

/** A scene of any published shape: 1 to 4 rooms, dense or sparse. */
export function randomScene(random: Random): Scene {
  for (;;) {
    const rooms = random.between(1, 4)
    const topology = (rooms === 4 ? random.pick([0, 1, 2, 3]) : random.between(0, 1)) as Topology
    const side = random.between(3, 7)
    try {
      return generateScene({
        seed: random.key + random.int(1e6),
        rooms,
        topology,
        roomSize: [side, side],
        objectsPerRoom: random.between(rooms === 1 ? 2 : 1, Math.min(5, Math.floor(20 / rooms))),
        spacing: random.pick(['free', 'free', 'dataset']),
        profile: 'upstream',
      })
    } catch (error) {
      // Some sizes have no room for their objects.
      if (!(error instanceof UserError)) throw error
    }
  }
}

/** A scene as the published environment stores it. */
export function stateOf(scene: Scene, pose?: Pose): { room: Plain; agent: Plain } {
  const { objects, doors, start, mask } = scene
  const rooms = pose?.rooms ?? [start.room]
  return {
    room: {
      name: 'room',
      objects: objects.map(({ name, pos, heading, oriented, room }) => ({
        name,
        pos,
        ori: heading,
        has_orientation: oriented,
        room_id: room,
        label: String(objectNumber(scene, name)),
      })),
      gates: doors.map((door) => ({
        name: door.name,
        pos: door.pos,
        ori: headingOf(door),
        has_orientation: true,
        room_id: door.rooms,
        ori_by_room: { [door.rooms[0]]: door.normals[0], [door.rooms[1]]: door.normals[1] },
      })),
      mask,
    },
    agent: {
      name: 'agent',
      pos: pose?.pos ?? start.pos,
      ori: pose?.heading ?? [0, 1],
      room_id: rooms.length === 1 ? rooms[0]! : rooms,
      init_pos: start.pos,
      init_ori: [0, 1],
      init_room_id: start.room,
    },
  }
}

export function sceneOf(state: Plain): Scene {
  return sceneFromJson(state)
}

/** A changed scene; null where the changes empty a room, which the published environment does not take. */
export function randomRevision(scene: Scene, random: Random): RevisedScene | null {
  const revised = reviseScene(scene, random)
  const filled = new Set(revised.scene.objects.map(({ room }) => room))
  return revised.changes.length > 0 && roomIds(scene).every((room) => filled.has(room)) ? revised : null
}

export function publishedChanges({ changes }: RevisedScene): { name: string; pos: boolean; ori: boolean }[] {
  return changes.map(({ name, kind }) => ({ name, pos: kind === 'position', ori: kind === 'orientation' }))
}
