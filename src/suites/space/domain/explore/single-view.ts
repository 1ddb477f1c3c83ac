/** A control for perception: one view from the start, without exploration and memory. */
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import { Progress } from './progress.ts'
import { repliesOf, replay, type ReplayedTurn, startPassive } from './replay.ts'

/** Turns to the right before the only look. */
export const SINGLE_VIEWS = [0, 90, 180, 270] as const

/** What is seen after a turn; null if nothing is in view. */
export function singleView(scene: Scene, profile: Profile, degrees: number, images = false): ReplayedTurn | null {
  const actions = [...(degrees === 0 ? [] : [`Rotate(${degrees})`]), 'Observe()']
  const [seen] = replay(startPassive(scene, profile, 1, images), repliesOf([{ actions }]), new Progress(scene, profile))
  return seen && (seen.turn.view?.visible.length ?? 0) > 0 ? seen : null
}
