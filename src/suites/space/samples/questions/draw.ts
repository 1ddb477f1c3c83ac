/** What the tasks share when they draw a question. */
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
import { promptWith } from '../../prompts/prompts.ts'
import type { RelationAnswer, Sighting } from '../../domain/answers/question.ts'
import { sightingOf } from '../../domain/answers/sightings.ts'

/** No question tells more of a view than this. */
const MAX_TOLD = 3

/** The text of a question: its template, filled in, and the line break with which published questions end. */
export function questionText(template: string, values: Readonly<Record<string, string | number>>): string {
  return `${promptWith(`task-${template}`, values)}\n`
}

/** All that is in view, told. */
export function sightingsFrom(scene: Scene, pose: Pose): Sighting[] {
  const view: Sighting[] = []
  for (const entity of entitiesOf(scene)) if (isVisible(pose, entity)) view.push(sightingOf(entity, pose))
  return view
}

/** At most three of a view, in the order of listing unless some had to go. */
export function told(random: Random, view: readonly Sighting[]): Sighting[] {
  return view.length > MAX_TOLD ? random.sample(view, MAX_TOLD) : [...view]
}

/** One of several candidates with a view, as likely as much is in view; null when none has `least` in view. */
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

export function relationTo({ direction, distance }: Sighting): RelationAnswer {
  return { form: 'relation', frame: 'ego', direction, distance }
}

/** Where `to` is from `from` on a map whose north is `north`. */
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
