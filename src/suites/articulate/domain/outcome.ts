/** What is left of an episode: plain JSON. */

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

/** Why a loop of actor and critic ended; those of the verifiers first. */
export type StopCode =
  | 'max_iterations'
  | 'overall_threshold'
  | 'component_thresholds'
  | 'patience'
  | 'accepted'
  | 'no_critic'
  | 'exhausted'
  | 'quality'
  | 'converged'
  | 'critic_success'
  | 'early_stop'

export interface Stop {
  code: StopCode
  text: string
}

export interface LoopOutcome {
  iterations: Iteration[]
  /** Which of them counts. */
  best: number | null
  stop: Stop
  /** What the answer that counts does in a physics engine, if that was asked for. */
  physics?: Physics
}

/** Of an object whose joints are driven: see measure/physics. */
export interface Physics {
  /** Why the engine does not take it. */
  problem: string | null
  /** Share of joints that get to both ends of their range; null without joints. */
  moves: number | null
  /** Nothing flies off, and every number stays one. */
  stable: boolean
  /** Meters: how deep parts that do not hang on each other are in each other at rest. */
  rest: number
  /** Meters: how much deeper parts get into each other when a joint moves. */
  moving: number
  executable: boolean
}

export interface CriticOutcome {
  reply: string
}

/** What a baseline is asked, as data. */
export type BaselineInput =
  | { kind: 'actor'; iteration: number }
  | { kind: 'joint-critic' | 'link-critic'; urdf: string; target: string | null }
  | { kind: 'urdf-critic'; urdf: string }
