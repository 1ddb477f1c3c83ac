import type { Bitmap, Episode } from '../../../suite.ts'
import type { ClipInfo } from '../domain/clip.ts'
import type { Dimension } from '../domain/dimensions.ts'
import type { PromptFacts } from '../domain/prompts.ts'
import type { Output, Results, Tier } from '../domain/results.ts'
import type { Mapping } from './long/clips.ts'

export interface MeterContext {
  /** The file, for what reads it itself. */
  path: string
  info: ClipInfo
  /** First frames of all scenes but the first, where changes of scene are looked for. */
  cuts?: readonly number[]
  /** The image that it was made from, where that is known, and its file. */
  image?: () => Promise<Bitmap>
  imagePath?: string
  /** What the video should show. */
  prompt: { prompt: string; facts: PromptFacts; labels?: { list: string }; dimensions?: readonly Dimension[] }
  /** For those that ask a judge or keep pictures. */
  episode: Pick<Episode, 'ask' | 'keep'>
}

/** Watches one video frame by frame. */
export interface Meter {
  frame(bitmap: Bitmap, index: number): void | Promise<void>
  end(): Results | Promise<Results>
}

export interface Between {
  title: string
  version: string
  feature(bitmap: Bitmap): Promise<Float32Array>
  mapping: Mapping
}

/** One way to measure one or several outputs in the same pass over the frames. */
export interface Measure {
  /** For people: `flow 1`, `dino-vitb16`. */
  title: string
  tier: Tier
  outputs: readonly Output[]
  /** What the published evaluator reads frames with, where it is not decord at full size: `scaled` is decord at 384 × 384. */
  reader?: 'opencv' | 'scaled'
  /** Changes whenever values would. */
  version: string
  /** The role that it asks: it is used only where there is a model for it, whose errors end the episode. */
  asks?: 'judge'
  /** In VBench-Long, how the first frames of clips are compared with each other. */
  between?: Between
  start(context: MeterContext, wanted: ReadonlySet<Output>): Meter
}
