/** The scenes of rooms.json, which the other oracle files refer to by id. */
import { z } from 'zod'
import type { Scene } from '../src/suites/space/domain/grid/scene.ts'
import { sceneFromJson } from '../src/suites/space/domain/grid/scene-json.ts'
import { listed } from './agreement/check.ts'

const room = z.looseObject({ id: z.string() })

export interface KnownRoom {
  json: z.infer<typeof room>
  scene: Scene
}

/** All readable rooms; `roomNamed` throws for the others. */
export async function roomsById(sibling: (name: string) => Promise<unknown>): Promise<Map<string, KnownRoom>> {
  const { rooms } = z.object({ rooms: listed }).parse(await sibling('rooms.json'))
  const known = new Map<string, KnownRoom>()
  for (const given of rooms) {
    const json = room.safeParse(given).data
    if (json === undefined) continue
    try {
      known.set(json.id, { json, scene: sceneFromJson(json, json.id) })
    } catch {
      // The check of rooms.json itself reports what is wrong.
    }
  }
  return known
}

export function roomNamed(known: ReadonlyMap<string, KnownRoom>, id: string): KnownRoom {
  const found = known.get(id)
  if (found === undefined) throw new Error(`rooms.json has no readable room ${id}`)
  return found
}
