/** What a built-in player is asked, as data. */
import type { Question } from '../domain/answers/question.ts'
import type { FogProbe } from '../domain/belief/fog-probe.ts'
import type { Executed, ExplorationState } from '../domain/explore/exploration.ts'
import type { DepthIdFrame } from '../domain/vision/depth-id-frame.ts'
import type { SpaceOptions } from '../options.ts'
import type { Phase } from '../parse/actions.ts'
import type { MapKind } from '../prompts/prompts.ts'

/** A turn of an episode with pictures: what was done, and what the picture shows to a player that reads depth and ids. */
export interface SeenTurn {
  phase: Phase
  executed: readonly Executed[]
  /** Null in a turn without a picture, or where all there is of it is a file. */
  frame: (() => DepthIdFrame) | null
}

export type BaselineInput = Asked & {
  /** All turns so far, in suites with pictures. */
  seen?: readonly SeenTurn[]
}

type Asked =
  | { kind: 'explore'; state: ExplorationState }
  | { kind: 'question'; question: Question; evaluation: SpaceOptions['evaluation'] }
  | { kind: 'map'; map: MapKind; state: ExplorationState }
  | { kind: 'fog'; probe: FogProbe; state: ExplorationState }
