/** A clip and what is known about it. Plain JSON: no paths, no pixels but the masks as published. */
import type { SampleBase } from '../../../engine/suite.ts'
import type { Annotation, EvalTruth } from '../domain/annotation.ts'
import type { Size } from '../domain/mask.ts'
import type { Template } from '../domain/templates.ts'

export type Language = 'zh' | 'en'

export type Origin =
  /** A file of an opened folder, looked up when it is played. */
  | { kind: 'file'; source: string; file: string } /** Built in; `attempt` is the layout in which everything is seen. */
  | { kind: 'clip'; seed: number; index: number; language: Language; attempt: number }

export interface VsigSample extends SampleBase {
  labels: {
    /** `T1` … `T6`. */
    template: string
    /** Slots, and slots with a window of time, as digits: what means are pooled by. */
    slots: string
    windows: string
    /** Alias of the data set: folder names carry people's names. */
    dataset: string
    [label: string]: string
  }
  template: Template
  language: Language
  annotation: Annotation
  /** Option letters and checked windows, where the data has them. */
  evalTruth: EvalTruth | null
  /** Size of the last frame, upright. */
  frame: Size
  origin: Origin
  /** Why it cannot be scored, found when the source was opened: it is left out, and coverage shows it. */
  problem?: string
}

/** What is kept of an episode: the words, and the size of the picture they speak of. */
export interface VsigOutcome {
  reply: string
  /** The picture as shown: what pixel coordinates refer to. */
  shown: Size
  /** What the judge wrote, where there is one; `again` when the first reply had no score in it. */
  judge: { intent: string; again?: string; temporal: string | null } | null
}
