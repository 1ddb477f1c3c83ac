/** An exploration from the words that were said in it: the world is deterministic, so they are all it takes. */
import { type ExplorationState, startExploration, step, type Turn } from './exploration.ts'
import type { Progress } from './progress.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'

export interface ReplayedTurn {
  turn: Turn
  /** The state after it. */
  state: ExplorationState
}

/**
 * Plays replies through a phase, and takes every turn into `progress`. `after` is told of each turn (counted from 1) while
 * `progress` is as it was then.
 */
export function replay(
  from: ExplorationState,
  replies: readonly string[],
  progress: Progress,
  after?: (number: number, turn: ReplayedTurn) => void,
): ReplayedTurn[] {
  const turns: ReplayedTurn[] = []
  let state = from
  for (const reply of replies) {
    if (state.done) break
    const next = step(state, reply)
    state = next.state
    progress.record(next.turn)
    turns.push(next)
    after?.(turns.length, next)
  }
  return turns
}

/** The exploration of a proxy agent, whose log has as many turns as it needs. */
export function startPassive(scene: Scene, profile: Profile, turns: number, images = false): ExplorationState {
  return startExploration(scene, { profile, maxSteps: turns + 1, images })
}

/** What an agent that does these actions would say. */
export function repliesOf(turns: readonly { actions: readonly string[] }[]): string[] {
  return turns.map(({ actions }) => `FINAL ANSWER:\nActions: [${actions.join(', ')}]`)
}
