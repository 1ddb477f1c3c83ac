/** The best answer to give without looking, for each task. */
import type { Vec } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { TaskName } from './question.ts'

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

/**
 * Found by `npx tsx scripts/space-constants.ts 1000`: the highest mean score, in percent as noted, over three questions of
 * each task about each of 1,000 scenes (3 rooms of 6 × 6, 4 objects each, topology 1, every other one with the spacing of
 * the published data set), among all pairs of labels, all whole coordinates up to 5 cells from the origin, all single
 * turns, and the ways of copying a list. Left and right, and the four winds, differ by less than one point.
 */
export const BEST_CONSTANTS: Readonly<Record<Profile, Readonly<Record<TaskName, Constant>>>> = {
  upstream: {
    dir: { say: 'north, far' }, // 27.7
    pov: { say: 'front-right, mid distance' }, // 38.6
    bwd_pov_text: { copy: 'first' }, // 10.5
    fwd_fov: { say: 'front-right, slightly far' }, // 39.1
    bwd_nav_text: { turn: 180 }, // 0.2
    e2a: { at: [0, -1] }, // 25.6
    rot: { copy: 'list' }, // 11.1
    fwd_loc: { say: 'front-left, mid distance' }, // 34.6
    bwd_loc_text: { at: [0, 0] }, // 37.6
  },
  fixed: {
    dir: { say: 'south, far' }, // 29.0
    pov: { say: 'front-left, mid distance' }, // 37.6
    bwd_pov_text: { copy: 'first' }, // 8.6
    fwd_fov: { say: 'front-right, slightly far' }, // 39.3
    bwd_nav_text: { turn: 180 }, // 0.1
    e2a: { at: [0, -1] }, // 18.5
    rot: { copy: 'list' }, // 10.3
    fwd_loc: { say: 'front-right, slightly far' }, // 35.1
    bwd_loc_text: { at: [0, 0] }, // 33.0
  },
}
