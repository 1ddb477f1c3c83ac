/** What is left of a retrieval: plain JSON. */
import type { LoopOutcome } from '../../domain/outcome.ts'

/** A planned part and the mesh it got. */
export interface PlannedMesh {
  name: string
  description: string
  dimensions: readonly [number, number, number]
  /** Category and kind of part of the mesh; null if none fits: the part is dropped. */
  mesh: { category: string; kind: string } | null
}

export interface RetrieveOutcome {
  /** What the detector called the object. */
  object: string | null
  category: string | null
  /** Number in the pool; null if nothing was chosen. */
  chosen: number | null
  /** The part that the model says moves in the video. */
  affordance: string | null
  /** Of words: the plan. */
  plan: PlannedMesh[] | null
  /** Of `stages=make`: placement and joint of the retrieved object, or the object of words. */
  made: { place: LoopOutcome | null; joint: LoopOutcome | null; urdf: string | null; problem: string | null } | null
  /** Where the pipeline stopped early. */
  stopped: string | null
}

/** What a baseline is asked, as data. */
export type RetrieveInput =
  | { kind: 'detect' | 'specify' | 'plan' }
  | { kind: 'category'; categories: readonly string[] }
  | { kind: 'select'; batch: readonly number[] }
  | { kind: 'affordance'; chosen: number }
  | { kind: 'match'; part: string; meshes: readonly { category: string; kind: string }[] }
  | { kind: 'make'; parts: readonly string[] }
  | { kind: 'actor'; iteration: number; task: 'place' | 'joint'; chosen: number; target: string | null }
