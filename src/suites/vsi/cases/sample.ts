/** A question in a scene. Plain JSON, the same on every machine: no paths, no pixels. */
import type { SampleBase } from '../../../engine/suite.ts'
import type { ScanDataset } from '../../../world/formats/index.ts'
import type { OrientedBox } from '../../../world/mesh.ts'
import type { SceneKind } from '../../../world/rooms/scene.ts'
import type { About } from './questions/index.ts'
import type { QuestionType } from '../domain/question-types.ts'

/** Where a scene comes from. Paths are looked up when it is played, from the source that handed out the case. */
export type SceneOrigin =
  | { kind: 'scan'; source: string; dataset: ScanDataset; scene: string }
  | { kind: 'builtin'; scene: SceneKind; seed: number; look: Look }

/** Lit as a room is, or plain: without light, which is quicker to build. */
export type Look = 'lit' | 'plain'

/** A thing that the question speaks of, where its place is known: for maps. */
export interface NamedThing {
  category: string
  box: OrientedBox
}

export interface VsiSample extends SampleBase {
  labels: { type: string; dataset: string; [label: string]: string }
  type: QuestionType
  question: string
  /** With their letters, `A. left`; null where the answer is a number. */
  options: readonly string[] | null
  /** A letter or a number in words of the data. */
  truth: string
  /** The answer that is most frequent for this type in the whole source. */
  frequent: string
  scene: SceneOrigin
  /** The things of the question; null where the source does not know them. */
  things: readonly NamedThing[] | null
  /** The question as data, where it was made from a scene. */
  about: About | null
  /** Why it cannot be played, found when the source was opened. */
  problem?: string
}

export function lettersOf(options: readonly string[]): string[] {
  return options.map((_, i) => String.fromCharCode(65 + i))
}

/** An option without its letter. */
export function optionText(option: string): string {
  return option.replace(/^\s*[A-J]\s*[.):]\s*/, '')
}
