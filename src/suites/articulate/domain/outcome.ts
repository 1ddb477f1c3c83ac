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
}

export interface CriticOutcome {
  reply: string
}

/** What a baseline is asked, as data. */
export type BaselineInput =
  | { kind: 'actor'; iteration: number }
  | { kind: 'joint-critic' | 'link-critic'; urdf: string; target: string | null }
  | { kind: 'urdf-critic'; urdf: string }
