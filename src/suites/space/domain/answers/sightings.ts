/** What is told of a view, and which poses it fits. */
import { aheadOf, DISTANCE_LABELS, distanceBinOfSquare, EGO_LABELS, egoBinOfCells, rightOf } from '../grid/relations.ts'
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entityNamed, facingPhrase, isVisible } from '../grid/view.ts'
import type { Sighting } from './question.ts'

/** An entity in view, in words. */
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

/** `lamp is at front, near, facing left; …` (`link` is what stands between name and relation). */
export function viewText(view: readonly Sighting[], link: 'is' | 'is at'): string {
  return view
    .map(({ name, direction, distance, orientation }) => {
      const facing = orientation === null ? '' : `, ${orientation}`
      return `${name} ${link} ${direction}, ${distance}${facing}`
    })
    .join('; ')
}

/**
 * Would someone at `pose` see all that was told? More may be in view. The rooms of `pose` decide what can be seen and
 * from which side a door's wall is named.
 */
export function matchesView(view: readonly Sighting[], pose: Pose, scene: Scene): boolean {
  for (const told of view) {
    const entity = entityNamed(scene, told.name)
    if (entity === undefined || !isVisible(pose, entity)) return false
    const dx = entity.pos[0] - pose.pos[0]
    const dy = entity.pos[1] - pose.pos[1]
    if (DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)] !== told.distance) return false
    const ego = egoBinOfCells(rightOf(pose.heading, dx, dy), aheadOf(pose.heading, dx, dy))
    if (EGO_LABELS[ego] !== told.direction) return false
    if (told.orientation !== null && facingPhrase(entity, pose) !== told.orientation) return false
  }
  return true
}
