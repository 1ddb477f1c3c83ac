/** Helpers for drawing questions, shared by the tasks. */
import type { Random } from '../../../../suite.ts'
import {
  CARDINAL_LABELS,
  type CardinalLabel,
  cardinalBinOfCells,
  aheadOf,
  DISTANCE_LABELS,
  type DistanceLabel,
  distanceBinOfSquare,
  rightOf,
} from '../../domain/grid/relations.ts'
import type { GridObject, Pose, Scene, Vec } from '../../domain/grid/scene.ts'
import { entitiesOf, isVisible } from '../../domain/grid/view.ts'
import type { Profile } from '../../domain/profile.ts'
import { promptWith } from '../../prompts/prompts.ts'
import type { RelationAnswer, Sighting } from '../../domain/answers/question.ts'
import { sightingOf } from '../../domain/answers/sightings.ts'

/** Maximum number of sightings in a question. */
const MAX_SIGHTINGS = 3

/** Fills in a question template; published questions end with a line break. */
export function questionText(
  template: string,
  profile: Profile,
  values: Readonly<Record<string, string | number>>,
): string {
  return `${promptWith(`task-${template}`, profile, values)}\n`
}

/** Descriptions of everything in view. */
export function sightingsFrom(scene: Scene, pose: Pose): Sighting[] {
  const view: Sighting[] = []
  for (const entity of entitiesOf(scene)) if (isVisible(pose, entity)) view.push(sightingOf(entity, pose))
  return view
}

/** At most three sightings of a view; in listing order if it has no more than that. */
export function sampleSightings(random: Random, view: readonly Sighting[]): Sighting[] {
  return view.length > MAX_SIGHTINGS ? random.sample(view, MAX_SIGHTINGS) : [...view]
}

/**
 * `, among other things` where a question tells part of a view and says so. The published questions never do, although
 * more than a quarter of their views are partial.
 */
export function amongOthers(told: readonly Sighting[], view: readonly Sighting[], end = ''): string {
  return told.length < view.length ? `, among other things${end}` : ''
}

/** Picks a candidate, weighted by the size of its view; null if none has at least `least` in view. */
export function pickByView<T extends { view: readonly Sighting[] }>(
  random: Random,
  candidates: readonly T[],
  least: number,
): T | null {
  const able = candidates.filter(({ view }) => view.length >= least)
  if (able.length === 0) return null
  return random.weighted(
    able,
    able.map(({ view }) => view.length),
  )
}

export function relationAnswer({ direction, distance }: Sighting): RelationAnswer {
  return { form: 'relation', frame: 'ego', direction, distance }
}

/** Direction and distance of `to` from `from`, with `north` as north. */
export function cardinalRelation(
  from: Vec,
  to: Vec,
  north: Vec,
): { direction: CardinalLabel; distance: DistanceLabel } {
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  return {
    direction: CARDINAL_LABELS[cardinalBinOfCells(rightOf(north, dx, dy), aheadOf(north, dx, dy))]!,
    distance: DISTANCE_LABELS[distanceBinOfSquare(dx * dx + dy * dy)]!,
  }
}

export function orientedObjects(scene: Scene): GridObject[] {
  return scene.objects.filter(({ oriented }) => oriented)
}
