/** Questions as plain JSON: a question and its scene are all that scoring needs. */
import type { CardinalLabel, DistanceLabel, EgoLabel } from '../grid/relations.ts'
import type { Pose, Vec } from '../grid/scene.ts'

/** The nine tasks that make up the score, in the order in which results are listed. */
export const TASK_NAMES = [
  'dir',
  'pov',
  'bwd_pov_text',
  'fwd_fov',
  'bwd_nav_text',
  'e2a',
  'rot',
  'fwd_loc',
  'bwd_loc_text',
] as const

export type TaskName = (typeof TASK_NAMES)[number]

/** One object or door in view, as the question describes it. */
export interface Sighting {
  name: string
  direction: EgoLabel
  distance: DistanceLabel
  /** `facing left`, `on front wall`; null for an object without a front. */
  orientation: string | null
}

/** `<direction>, <distance>` */
export interface RelationAnswer {
  form: 'relation'
  frame: 'ego' | 'cardinal'
  direction: EgoLabel | CardinalLabel
  distance: DistanceLabel
}

/** The object whose view is described. */
export interface NameAnswer {
  form: 'name'
  name: string
  /** The described view; another object with the same view is also right. */
  view: Sighting[]
  /** The rooms that the true viewer sees into. */
  rooms: number[]
  /** The published code can also ask with an image; Sightline never does. */
  byPicture: false
}

/** A move in a route: turn by degrees clockwise, or jump to something by name. */
export type Step = { turn: number } | { jump: string }

/** A sequence of moves. */
export interface RouteAnswer {
  form: 'route'
  from: Pose
  /** Where the moves lead. */
  to: Pose
  /** The condition at the end: the described view. */
  goal: 'view'
  view: Sighting[]
  /** A shortest legal route, for the efficiency metric and as the perfect answer. */
  shortest: Step[]
}

/** Coordinates of several objects, relative to the start. */
export interface PlacesAnswer {
  form: 'places'
  names: string[]
  places: Vec[]
}

/** Objects in the order in which they come into view. */
export interface OrderAnswer {
  form: 'order'
  turn: 'clockwise' | 'counterclockwise'
  order: string[]
}

/** The player's own coordinates. */
export interface PlaceAnswer {
  form: 'place'
  /** Relative to `origin`. */
  place: Vec
  /** The cell that counts as (0, 0), in scene coordinates. */
  origin: Vec
  /** The true pose; the question states its heading. */
  pose: Pose
  view: Sighting[]
}

export type Answer = RelationAnswer | NameAnswer | RouteAnswer | PlacesAnswer | OrderAnswer | PlaceAnswer

/** What to compare a score with. All in [0, 1], under the profile that the question was generated for. */
export interface ReferenceScores {
  /** Expected score of an answer drawn uniformly from those that the words of the question leave open. */
  chance: number
  /** Score of the best constant answer (see constants.ts). */
  constant: number
  /** Expected score of a player with a perfect map. */
  ceiling: number
}

export interface Question extends ReferenceScores {
  /** Task name and hash of text and answer; duplicates under profile `upstream` end in `_dupN`. */
  id: string
  task: TaskName
  text: string
  answer: Answer
}

export interface TaskScore {
  /** In [0, 1]. */
  score: number
  /** 1 if every part of the answer is right. */
  exact: number
  /** 1 if the reply has no answer in the requested format. */
  formatError: number
  /** Further metrics by name: `kendall` and `lcs` for an order, `efficiency` for a route. All in [0, 1]. */
  extra: Readonly<Record<string, number>>
  /** Human-readable reason for a score of 0; the published scorer's error code if it has one. */
  problem?: string
}

export function zeroScore(
  problem: string,
  formatError: boolean,
  extra: Readonly<Record<string, number>> = {},
): TaskScore {
  return { score: 0, exact: 0, formatError: formatError ? 1 : 0, extra, problem }
}
