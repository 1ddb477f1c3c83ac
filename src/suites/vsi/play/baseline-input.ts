/** What baselines know about a request. Never sent to a model. */
import type { Pose, SeenThing } from '../../../world.ts'
import type { CognitiveMap } from '../domain/cognitive-map.ts'
import type { Stage } from '../domain/scene/stage.ts'

export type BaselineInput =
  | { ask: 'first-view' }
  | { ask: 'step'; step: number; final: boolean; pose: Pose; stage: Stage; seen: () => SeenThing[] }
  | { ask: 'answer' }
  | { ask: 'map'; truth: CognitiveMap | null }
