/** What is played and what is left of it: plain JSON on both sides. */
import type { SampleBase } from '../../../engine/suite.ts'
import type { Fault } from './faults.ts'
import type { ObjectRef } from './objects/find.ts'
import type { StoredShape } from './objects/shape.ts'

export type Task = 'place' | 'joint' | 'build'

interface ObjectSample extends SampleBase {
  object: ObjectRef
}

export interface LoopSample extends ObjectSample {
  /** The part whose joint is asked for; null for all. */
  target: string | null
  /** What scoring needs of an object that comes from files; built-in ones follow from category and seed. */
  shape?: StoredShape
}

export interface CriticSample extends ObjectSample {
  critic: 'joint' | 'link'
  fault: Fault
}

/** One run of actor and critic. */
export interface Iteration {
  iteration: number
  seed: number
  /** −1 when nothing could be built. */
  feedback_score: number
  position_score?: number
  joint_score?: number
  /** What the player wrote: its function or URDF. */
  source: string
  urdf: string | null
  problem: string | null
  feedback: string | null
}

/** Why a loop ended. */
export interface Stop {
  code: string
  text: string
}

export interface LoopOutcome {
  iterations: Iteration[]
  /** Which of them counts. */
  best: number | null
  stop: Stop
}

export interface CriticOutcome {
  reply: string
}

/** What a built-in player is asked, as data. */
export type Cue =
  | { kind: 'actor'; iteration: number }
  | { kind: 'joint-critic' | 'link-critic'; urdf: string; target: string | null }
  | { kind: 'urdf-critic'; urdf: string }
