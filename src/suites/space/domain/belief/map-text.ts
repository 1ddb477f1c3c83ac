/** True maps as JSON text, in the format that the probes ask for. */
import { headingName } from '../grid/relations.ts'
import { NORTH, type Scene, type Vec } from '../grid/scene.ts'
import { headingOf, startPose } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { AGENT, axisName, type BeliefMap, type MapContext } from '../../parse/maps.ts'
import { trueGlobalMap, trueLocalMap } from './ground-truth.ts'

/** One entry per line; `facing` gives the name of a heading. */
export function entriesText(map: BeliefMap, facing: (heading: Vec) => string, indent = '  '): string {
  if (map.length === 0) return '{}'
  const lines = map.map(({ name, pos, facing: heading }) => {
    const where = `"position": [${pos[0]}, ${pos[1]}]`
    return `${indent}${JSON.stringify(name)}: {${where}${heading === null ? '' : `, "facing": "${facing(heading)}"`}}`
  })
  return `{\n${lines.join(',\n')}\n${indent.slice(2)}}`
}

/** Doors have an axis but no front, so maps leave out their facing. */
function withoutDoorFacings(map: BeliefMap, scene: Scene): BeliefMap {
  const doors = new Set(scene.doors.map(({ name }) => name))
  return map.map((entry) => (doors.has(entry.name) ? { ...entry, facing: null } : entry))
}

/** The whole scene and the player at its start, for questions that include the true map. */
export function trueMapText(scene: Scene, profile: Profile): string {
  if (profile === 'upstream') return publishedMapText(scene)
  return trueGlobalText({ scene, pose: startPose(scene), observed: new Set(scene.order) })
}

/** Objects, doors and player as Python indents JSON. Everything has a facing, placeholders included. */
function publishedMapText(scene: Scene): string {
  const [x0, y0] = scene.start.pos
  const entries = [...scene.objects, ...scene.doors].map((entity) => {
    const facing = entity.kind === 'object' ? entity.heading : (headingOf(entity) ?? NORTH)
    return { name: entity.name, pos: [entity.pos[0] - x0, entity.pos[1] - y0], facing }
  })
  const lines = [...entries, { name: AGENT, pos: [0, 0], facing: NORTH }].map(
    ({ name, pos, facing }) =>
      `  ${JSON.stringify(name)}: {\n    "position": [\n      ${pos[0]},\n      ${pos[1]}\n    ],\n    "facing": "${headingName(facing)}"\n  }`,
  )
  return `{\n${lines.join(',\n')}\n}`
}

/** The true map of everything observed. */
export function trueGlobalText(context: MapContext): string {
  return entriesText(withoutDoorFacings(trueGlobalMap(context, context.observed), context.scene), headingName)
}

/** The true map of everything in view. */
export function trueLocalText(context: MapContext): string {
  const map = withoutDoorFacings(trueLocalMap(context), context.scene)
  const objects = entriesText(map, (facing) => axisName(facing, context.pose.heading), '    ')
  return `{\n  "origin": "agent",\n  "objects": ${objects}\n}`
}
