/** Replies of a player with perfect memory to the map and fog probes. */
import type { MapKind } from '../prompts/prompts.ts'
import { type FogProbe, unexploredLetters } from '../domain/belief/fog-probe.ts'
import type { MapContext } from '../parse/maps.ts'
import { trueRoomsText } from '../domain/belief/rooms-map.ts'
import { trueGlobalText, trueLocalText } from '../domain/belief/map-text.ts'

/** For `global-false-belief`, `context.scene` is the changed scene and everything counts as observed. */
export function perfectMap(kind: MapKind, context: MapContext): string {
  switch (kind) {
    case 'global':
      return trueGlobalText(context)
    case 'global-false-belief':
      return trueGlobalText({ ...context, observed: new Set(context.scene.order) })
    case 'local':
      return trueLocalText(context)
    case 'rooms':
      return trueRoomsText(context)
    default:
      throw new Error(`Unknown map kind: ${JSON.stringify(kind satisfies never)}`)
  }
}

export function perfectFog(probe: FogProbe): string {
  return JSON.stringify({ unexplored: unexploredLetters(probe) })
}
