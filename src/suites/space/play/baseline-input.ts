/** The input of a baseline. */
import type { Question } from '../domain/answers/question.ts'
import type { FogProbe } from '../domain/belief/fog-probe.ts'
import type { ExecutedAction, ExplorationState } from '../domain/explore/exploration.ts'
import type { DepthIdFrame } from '../domain/vision/depth-id-frame.ts'
import type { SpaceOptions } from '../options.ts'
import type { MapKind } from '../prompts/prompts.ts'

/** A turn with images: executed actions, and the depth and ids of the image. */
export interface SeenTurn {
  /** How often the scene had changed. */
  round: number
  executed: readonly ExecutedAction[]
  /** Null for a turn without an image, or if the image is a file without depth. */
  frame: (() => DepthIdFrame) | null
}

export type BaselineInput = BaselineRequest & {
  /** All turns so far; only in `space/vision`. */
  seen?: readonly SeenTurn[]
  /** How often the scene has changed: 0 in the first exploration. */
  round: number
}

type BaselineRequest =
  | { kind: 'explore'; state: ExplorationState }
  | { kind: 'question'; question: Question; evaluation: SpaceOptions['evaluation'] }
  | { kind: 'map'; map: MapKind; state: ExplorationState }
  | { kind: 'fog'; probe: FogProbe; state: ExplorationState }
