/** Replays an exploration from its replies; the world is deterministic. */
import { type ExplorationState, startExploration, step, type Turn } from './exploration.ts'
import type { Progress } from './progress.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'

export interface ReplayedTurn {
  turn: Turn
  /** The state after the turn. */
  state: ExplorationState
}

/**
 * Replays a phase and records every turn in `progress`. `after` is called after each turn (counted from 1), with
 * `progress` as it was then.
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

/** The start of a proxy agent's exploration, with enough steps for all its turns. */
export function startPassive(scene: Scene, profile: Profile, turns: number, images = false): ExplorationState {
  return startExploration(scene, { profile, maxSteps: turns + 1, images })
}

/** Text replies with these actions. */
export function repliesOf(turns: readonly { actions: readonly string[] }[]): string[] {
  return turns.map(({ actions }) => `FINAL ANSWER:\nActions: [${actions.join(', ')}]`)
}
