/** What is played and what is left of it: plain JSON on both sides. */
import type { SampleBase } from '../../../engine/suite.ts'
import type { Revised } from './revise.ts'
import type { FogProbe } from '../domain/belief/fog-probe.ts'
import type { Phase } from '../parse/actions.ts'
import type { Executed, ExplorationState } from '../domain/explore/exploration.ts'
import type { Scene } from '../domain/grid/scene.ts'
import type { SpaceOptions } from '../options.ts'
import type { MapKind } from '../prompts.ts'
import type { Question } from '../domain/answers/question.ts'
import type { Profile } from '../domain/profile.ts'
import type { Sight } from '../domain/vision/depth-id-frame.ts'

/** A scene, and what is asked about it. */
export interface SpaceSample extends SampleBase {
  scene: Scene
  questions: readonly Question[]
  /** What changes before the second exploration, where there is one. */
  revision: Revised | null
  /** Where the pictures of a published rendered scene are; absent where pictures are drawn when they are needed. */
  pictures?: PictureFiles
}

/** A case has no paths: it is the same on every machine. The source knows the folder by its key. */
export interface PictureFiles {
  key: string
  /** The number of the camera on each object and door, by name. */
  cameras: Readonly<Record<string, string>>
}

export interface MapReply {
  /** How many replies the player had given in this phase. */
  turn: number
  kind: MapKind | 'fog'
  reply: string
}

/** The player's words, and under which rules it was played. The world is deterministic: the rest follows from these. */
export interface SpaceOutcome {
  profile: Profile
  explored: string[]
  maps: MapReply[]
  answers: { question: string; reply: string }[]
  revision: { explored: string[]; maps: MapReply[] } | null
}

/** A turn of an episode that is seen: what was done, and what the picture shows to who can read depth and ids. */
export interface SeenTurn {
  phase: Phase
  executed: readonly Executed[]
  /** Null in a turn without a picture, or where all there is of it is a file. */
  sight: (() => Sight) | null
}

/** What a built-in player is asked, as data. */
export type Cue = Asked & {
  /** All turns so far, in suites with pictures. */
  seen?: readonly SeenTurn[]
}

type Asked =
  | { kind: 'explore'; state: ExplorationState }
  | { kind: 'question'; question: Question; evaluation: SpaceOptions['evaluation'] }
  | { kind: 'map'; map: MapKind; state: ExplorationState }
  | { kind: 'fog'; probe: FogProbe; state: ExplorationState }
