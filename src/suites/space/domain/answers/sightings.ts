/** Descriptions of views, and the poses they match. */
import { aheadOf, DISTANCE_LABELS, distanceBinOfSquare, EGO_LABELS, egoBinOfCells, rightOf } from '../grid/relations.ts'
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entityNamed, facingPhrase, isVisible } from '../grid/view.ts'
import type { Sighting } from './question.ts'

export function sightingOf(entity: Entity, pose: Pose): Sighting {
  const dx = entity.pos[0] - pose.pos[0]
  const dy = entity.pos[1] - pose.pos[1]
  return {
    name: entity.name,
    direction: EGO_LABELS[egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))]!,
    distance: DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)]!,
    orientation: facingPhrase(entity, pose) ?? null,
  }
}

/** `lamp is at front, near, facing left; …`; `link` goes between name and relation. */
export function viewText(view: readonly Sighting[], link: 'is' | 'is at'): string {
  return view
    .map(({ name, direction, distance, orientation }) => {
      const facing = orientation === null ? '' : `, ${orientation}`
      return `${name} ${link} ${direction}, ${distance}${facing}`
    })
    .join('; ')
}

/**
 * Would a viewer at `pose` see everything in `view`? More may be visible. The rooms of `pose` decide what can be seen and
 * from which side a door's wall is named.
 */
export function matchesView(view: readonly Sighting[], pose: Pose, scene: Scene): boolean {
  for (const sighting of view) {
    const entity = entityNamed(scene, sighting.name)
    if (entity === undefined || !isVisible(pose, entity)) return false
    const dx = entity.pos[0] - pose.pos[0]
    const dy = entity.pos[1] - pose.pos[1]
    if (DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)] !== sighting.distance) return false
    const ego = egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))
    if (EGO_LABELS[ego] !== sighting.direction) return false
    if (sighting.orientation !== null && facingPhrase(entity, pose) !== sighting.orientation) return false
  }
  return true
}
