/** What is played and what is left of it: plain JSON on both sides. */
import type { SampleBase } from '../../engine/suite.ts'
import type { Fault } from './faults.ts'
import type { StopCode } from './verify/verifier.ts'

export const TASKS = ['place', 'joint', 'build'] as const
export type Task = (typeof TASKS)[number]

/** A built-in object, which follows from category and seed, or one of PartNet-Mobility, by the name of its folder. */
export type ObjectRef = { category: string; seed: number } | { source: string; folder: string }

export interface LoopSample extends SampleBase {
  object: ObjectRef
  /** The part whose joint is asked for; null for all. */
  target: string | null
}

export interface CriticSample extends SampleBase {
  object: ObjectRef
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

export interface LoopOutcome {
  iterations: Iteration[]
  /** Which of them counts. */
  best: number | null
  stop: { code: StopCode | 'accepted' | 'no_critic' | 'exhausted'; text: string }
}

export interface CriticOutcome {
  reply: string
}

/** What a built-in player is asked, as data. */
export type Cue =
  | { kind: 'actor'; iteration: number }
  | { kind: 'joint-critic' | 'link-critic'; urdf: string; target: string | null }
  | { kind: 'urdf-critic'; urdf: string }
