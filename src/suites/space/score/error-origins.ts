/** Where errors of the last map entered: when each entity was first drawn, later, or by being dropped. */
import type { Scene } from '../domain/grid/scene.ts'
import { entityNamed } from '../domain/grid/view.ts'
import { toFrame } from '../domain/grid/frames.ts'
import { NORTH } from '../domain/grid/scene.ts'
import type { BeliefMap, MapEntry } from '../parse/maps.ts'

/**
 * - `perception`: never right on any map, from the first one on;
 * - `overwritten`: right on an earlier map, wrong on the last;
 * - `forgotten`: on an earlier map, missing from the last;
 * - `unmapped`: seen, but on no map.
 */
export const ERROR_ORIGINS = ['perception', 'overwritten', 'forgotten', 'unmapped'] as const
export type ErrorOrigin = (typeof ERROR_ORIGINS)[number]

/** A position is right in the right cell. */
const HALF_CELL = 0.5

/** Shares of everything observed; what is left is right. Null with fewer than two maps, which tell nothing apart. */
export function errorOrigins(
  scene: Scene,
  turns: readonly { map: BeliefMap | null; observed: ReadonlySet<string> }[],
): Record<ErrorOrigin, number> | null {
  const last = turns.at(-1)
  if (last === undefined || turns.length < 2 || last.observed.size === 0) return null
  const maps = turns.map(({ map }) => new Map((map ?? []).map((entry) => [entry.name, entry])))
  const shares = { perception: 0, overwritten: 0, forgotten: 0, unmapped: 0 }
  for (const name of last.observed) {
    const origin = originOf(
      scene,
      name,
      maps.map((map) => map.get(name)),
    )
    if (origin !== null) shares[origin] += 1 / last.observed.size
  }
  return shares
}

function originOf(scene: Scene, name: string, entries: readonly (MapEntry | undefined)[]): ErrorOrigin | null {
  const last = entries.at(-1)
  if (last === undefined) return entries.some((entry) => entry !== undefined) ? 'forgotten' : 'unmapped'
  if (isRight(scene, last)) return null
  return entries.some((entry) => entry !== undefined && isRight(scene, entry)) ? 'overwritten' : 'perception'
}

/** In the right cell and, if it has a front, facing the right way. */
function isRight(scene: Scene, { name, pos, facing }: MapEntry): boolean {
  const entity = entityNamed(scene, name)
  if (entity === undefined) return false
  const [x, y] = toFrame(entity.pos, scene.start.pos, NORTH)
  if (!(Math.abs(pos[0] - x) <= HALF_CELL && Math.abs(pos[1] - y) <= HALF_CELL)) return false
  if (entity.kind !== 'object' || !entity.oriented) return true
  return facing !== null && facing[0] === entity.heading[0] && facing[1] === entity.heading[1]
}
