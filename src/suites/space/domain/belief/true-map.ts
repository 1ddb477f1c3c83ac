/** Maps in words: JSON as the probes ask for it. */
import { headingName } from '../grid/relations.ts'
import type { Scene, Vec } from '../grid/scene.ts'
import { startPose } from '../grid/view.ts'
import { axisName, type BeliefMap, type MapContext, type MapEntry } from '../../parse/maps.ts'
import { trueGlobalMap, trueLocalMap } from './truth.ts'

/** One entry a line; `facing` says how a heading is called. */
export function entriesText(map: BeliefMap, facing: (heading: Vec) => string, indent = '  '): string {
  if (map.length === 0) return '{}'
  const lines = map.map(({ name, pos, facing: heading }) => {
    const where = `"position": [${pos[0]}, ${pos[1]}]`
    return `${indent}${JSON.stringify(name)}: {${where}${heading === null ? '' : `, "facing": "${facing(heading)}"`}}`
  })
  return `{\n${lines.join(',\n')}\n${indent.slice(2)}}`
}

export function globalMapText(map: BeliefMap): string {
  return entriesText(map, headingName)
}

/** `map` is in the frame of someone who looks along `heading`, with true headings as facings. */
export function localMapText(map: BeliefMap, heading: Vec): string {
  const objects = entriesText(map, (facing) => axisName(facing, heading), '    ')
  return `{\n  "origin": "agent",\n  "objects": ${objects}\n}`
}

/** Doors have an axis but no front: a map need not say where they face. */
export function withoutDoorFacings(map: readonly MapEntry[], scene: Scene): MapEntry[] {
  const doors = new Set(scene.doors.map(({ name }) => name))
  return map.map((entry) => (doors.has(entry.name) ? { ...entry, facing: null } : entry))
}

/** The whole scene and the player at its start, for those who are given the true map. */
export function trueMapText(scene: Scene): string {
  const map = trueGlobalMap({ scene, pose: startPose(scene) }, new Set(scene.order))
  return globalMapText(withoutDoorFacings(map, scene))
}

/** The true map of what was observed. */
export function trueGlobalText(context: MapContext): string {
  return globalMapText(withoutDoorFacings(trueGlobalMap(context, context.observed), context.scene))
}

/** The true map of what is in view. */
export function trueLocalText(context: MapContext): string {
  return localMapText(withoutDoorFacings(trueLocalMap(context), context.scene), context.pose.heading)
}
