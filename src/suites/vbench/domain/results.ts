/** What is measured on videos, and how sure it is. */
import type { MediaRef } from '../../../suite.ts'
import type { Dimension } from './dimensions.ts'

/**
 * How a value came about. `exact`: the published network with the published preprocessing, or none where none is
 * needed. `variant`: another network under the same rule. `proxy`: no network. Tiers are never mixed in a total.
 */
export const TIERS = ['exact', 'variant', 'proxy'] as const
export type Tier = (typeof TIERS)[number]

/** How temporal flickering is filtered: by our flow, by the published network, or not at all. */
export type FilterKind = 'flow' | 'raft' | 'none'

/** What one video contributes: `sum / weight` is its value, and sums and weights add up to the dimension's. */
export interface VideoResult {
  value: number | null
  sum: number
  weight: number
  /** Why there is no value. */
  reason?: string | undefined
  /** More keys of the published record, and what people want to see. Plain JSON. */
  detail?: Record<string, unknown> | undefined
}

/** A result with how it came about. */
export interface Measured extends VideoResult {
  tier: Tier | null
  /** What measured it. */
  by: string | null
  /** What is to be said of the video. */
  note?: string | undefined
}

/** What a video looks like, for people. */
export interface ClipPictures {
  frames: MediaRef
  flow: MediaRef
}

/** Names of instruments: a dimension, whether the video stands still, what it looks like. */
export type Output = Dimension | 'static_filter' | 'pictures'
export type Results = Partial<Record<Exclude<Output, 'pictures'>, VideoResult>> & { pictures?: ClipPictures }

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
