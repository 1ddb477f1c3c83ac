import type { Bitmap } from '../../../media/index.ts'
import type { Dimension } from '../domain/dimensions.ts'
import type { PlannedPrompt } from '../cases/plan.ts'
import type { ClipInfo } from '../domain/clip.ts'

/**
 * How a value came about. `exact`: the published network with the published preprocessing, or none where none is
 * needed. `variant`: another network under the same rule. `proxy`: no network. Tiers are never mixed in a total.
 */
export const TIERS = ['exact', 'variant', 'proxy'] as const
export type Tier = (typeof TIERS)[number]

/** What is measured on a video: a dimension, whether it stands still, what kind of clip it is, what it looks like. */
export type Output = Dimension | 'static_filter' | 'clip' | 'pictures'

/** What one video contributes: `sum / weight` is its value, and sums and weights add up to the dimension's. */
export interface VideoResult {
  value: number | null
  sum: number
  weight: number
  /** Why there is no value. */
  reason?: string
  /** More keys of the published record, and what people want to see. Plain JSON. */
  detail?: Record<string, unknown>
}

export interface MeterContext {
  info: ClipInfo
  prompt: PlannedPrompt
  /** Name of the file. */
  file: string
  /** What decoded the frames. */
  decoder: string
  signal: AbortSignal
}

/** Watches one video frame by frame. */
export interface Meter {
  frame(bitmap: Bitmap, index: number): void | Promise<void>
  end(): Results | Promise<Results>
}

export type Results = Partial<Record<Output, VideoResult>>

/** One way to measure one or several outputs in the same pass over the frames. */
export interface Measure {
  /** For people: `flow 1`, `dino-vitb16`. */
  title: string
  tier: Tier
  outputs: readonly Output[]
  /** Changes whenever values would: part of the key under which results are kept. */
  version: string
  /** Its values depend on the prompt and not on the pixels alone. */
  usesPrompt: boolean
  /** It looks at the file's facts alone: where nothing else is wanted, nothing is decoded. */
  needsNoFrames?: boolean
  /** Whether a result from another time can still be used: what it points to may be gone. Default: always. */
  stillHolds?(result: VideoResult): Promise<boolean>
  start(context: MeterContext, wanted: ReadonlySet<Output>): Meter
}

export function valued(value: number, detail?: Record<string, unknown>): VideoResult {
  return { value, sum: value, weight: 1, ...(detail ? { detail } : {}) }
}

/** A mean of many parts that weighs as many as it has. */
export function weighted(sum: number, weight: number, detail?: Record<string, unknown>): VideoResult {
  if (weight === 0) return nothing('no part of the video could be measured')
  return { value: sum / weight, sum, weight, ...(detail ? { detail } : {}) }
}

export function nothing(reason: string): VideoResult {
  return { value: null, sum: 0, weight: 0, reason }
}
