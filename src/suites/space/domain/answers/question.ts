/** What a question is: plain JSON that can be scored again years later, from itself and its scene alone. */
import type { CardinalLabel, DistanceLabel, EgoLabel } from '../grid/relations.ts'
import type { Pose, Vec } from '../grid/scene.ts'
import type { Step } from '../../parse/grammar.ts'

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

/** One thing in view, in the words of the question. */
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

/** Which object one stands at. */
export interface NameAnswer {
  form: 'name'
  name: string
  /** What was told of the view; another object with the same view is as right. */
  view: Sighting[]
  /** The rooms that the true viewer sees into. */
  rooms: number[]
  /** The published code also asks with a picture, which no run does. */
  byPicture: false
}

/** A sequence of moves. */
export interface RouteAnswer {
  form: 'route'
  from: Pose
  /** Where the moves lead. */
  to: Pose
  /** What must hold at the end: the view as told. */
  goal: 'view'
  view: Sighting[]
  /** A shortest legal route, for the efficiency and as the perfect answer. */
  shortest: Step[]
}

/** Coordinates of several things, from the start. */
export interface PlacesAnswer {
  form: 'places'
  names: string[]
  places: Vec[]
}

/** Things in the order in which they come into view. */
export interface OrderAnswer {
  form: 'order'
  turn: 'clockwise' | 'counterclockwise'
  order: string[]
}

/** One's own coordinate. */
export interface PlaceAnswer {
  form: 'place'
  /** Relative to `origin`. */
  place: Vec
  /** The cell that counts as (0, 0), in the scene's own coordinates. */
  origin: Vec
  /** The true pose; its heading was told. */
  pose: Pose
  view: Sighting[]
}

export type Answer = RelationAnswer | NameAnswer | RouteAnswer | PlacesAnswer | OrderAnswer | PlaceAnswer

/** What a score must be seen against. All in [0, 1], under the profile that the question was made for. */
export interface ReferenceScores {
  /** Expected score of an answer drawn uniformly from the space of answers. */
  chance: number
  /** Score of the one answer that does best when it is always given (see baselines.ts). */
  constant: number
  /** What someone with a perfect map can expect. */
  ceiling: number
}

export interface Question extends ReferenceScores {
  /** Task and a hash of text and answer; duplicates of profile `upstream` end in `_dupN`. */
  id: string
  task: TaskName
  text: string
  answer: Answer
}

export interface TaskScore {
  /** In [0, 1]. */
  score: number
  /** 1 when the answer is right in every part. */
  exact: number
  /** 1 when no answer in the asked form was found. */
  formatError: number
  /** What else is known, by name: `kendall` and `lcs` for an order, `efficiency` for a route. All in [0, 1]. */
  extra: Readonly<Record<string, number>>
  /** For people: why it scored 0, in the published scorer's word where it has one. */
  problem?: string
}

/** A score of nothing, and why. */
export function zeroScore(
  problem: string,
  formatError: boolean,
  extra: Readonly<Record<string, number>> = {},
): TaskScore {
  return { score: 0, exact: 0, formatError: formatError ? 1 : 0, extra, problem }
}
