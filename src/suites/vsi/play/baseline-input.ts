/** What baselines know about a request. Never sent to a model. */
import type { Pose, SceneObject } from '../../../world.ts'
import type { CognitiveMap } from '../domain/cognitive-map.ts'
import type { Shares } from '../domain/evidence.ts'
import type { Stage } from '../domain/scene/stage.ts'

/** The images of a walkthrough as data: what each shows of the known objects. */
export interface ShownFrames {
  objects: readonly SceneObject[]
  images: readonly Shares[]
}

export type BaselineInput =
  | { ask: 'first-view' }
  /** `form`: the reply is a camera pose, not a move. */
  | { ask: 'step'; form?: 'pose'; step: number; final: boolean; pose: Pose; stage: Stage; seen: () => Shares }
  /** `bare`: the prompt asks for the answer alone. */
  | { ask: 'answer'; bare?: boolean; shown?: () => Promise<ShownFrames> }
  /** Reasoning, a plan or a vote on the way to an answer. */
  | { ask: 'thought' }
  | { ask: 'map'; truth: CognitiveMap | null }
