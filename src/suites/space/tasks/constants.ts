/** The best answer to give without looking, for each task. */
import type { Vec } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { AnyTaskName } from './question.ts'

/** An answer that needs no knowledge of the scene. */
export type Constant =
  /** These words. */
  | { say: string }
  /** This place for everything that is asked for. */
  | { at: Vec }
  /** One turn and no jump. */
  | { turn: number }
  /** The first name of the list that the prompt prints, or the list as printed, or backwards. */
  | { copy: 'first' | 'list' | 'list backwards' }

const UPSTREAM: Readonly<Record<AnyTaskName, Constant>> = {
  dir: { say: 'east, slightly far' },
  pov: { say: 'front-right, mid distance' },
  bwd_pov_text: { copy: 'first' },
  fwd_fov: { say: 'front-right, slightly far' },
  bwd_nav_text: { turn: 90 },
  e2a: { at: [0, 0] },
  rot: { copy: 'list' },
  fwd_loc: { say: 'front-right, mid distance' },
  bwd_loc_text: { at: [0, 0] },
  dir_anchor: { say: 'east, slightly far' },
  false_belief: { say: 'east, slightly far' },
  bwd_nav_rev: { say: 'JumpTo(initial_pos)' },
  bwd_pov_vision: { copy: 'first' },
  bwd_nav_vision: { turn: 90 },
  bwd_loc_vision: { at: [0, 0] },
}

export const BEST_CONSTANTS: Readonly<Record<Profile, Readonly<Record<AnyTaskName, Constant>>>> = {
  upstream: UPSTREAM,
  fixed: UPSTREAM,
}
