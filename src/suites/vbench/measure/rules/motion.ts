/** Rules of the published evaluator on top of any optical flow: how much motion counts, how often. */
import { roundHalfEven, selectInPlace } from '../../../../suite.ts'
import { nothing, valued, type VideoResult } from '../../domain/results.ts'
import { likeness } from './frames.ts'

/** Share of the fastest pixels whose mean speed stands for a pair of frames. */
export const DYNAMIC_TOP_SHARE = 0.05
export const STATIC_TOP_SHARE = 0.02
/** Pixels a pair, for a picture whose shorter side is 256. */
export const DYNAMIC_SPEED = 6
export const STATIC_SPEED = 3
/** The shorter side at which the speeds above are meant; thresholds grow linearly with it. */
export const REFERENCE_SIDE = 256

export function threshold(speed: number, height: number, width: number): number {
  return (speed * Math.min(height, width)) / REFERENCE_SIDE
}

/** How many pixels the share of the fastest is. */
export function topCount(height: number, width: number, share: number): number {
  return Math.trunc(height * width * share)
}

/** Mean of the `count` largest values; null when `count` is 0. Reorders `values`, but does not sort them all. */
export function meanOfLargest(values: Float32Array | Float64Array, count: number): number | null {
  if (count <= 0 || values.length === 0) return null
  const first = Math.max(0, values.length - count)
  selectInPlace(values, first)
  let sum = 0
  for (let i = first; i < values.length; i++) sum += values[i]!
  return sum / (values.length - first)
}

export interface DynamicRule {
  threshold: number
  /** So many pairs must be over the threshold. */
  needed: number
}

export function dynamicRule(height: number, width: number, frames: number): DynamicRule {
  return { threshold: threshold(DYNAMIC_SPEED, height, width), needed: roundHalfEven((4 * frames) / 16) }
}

/** Whether enough pairs are fast. With two frames none is needed and the first pair settles it, as published. */
export function isDynamic(scores: readonly number[], rule: DynamicRule): boolean {
  let fast = 0
  for (const score of scores) {
    if (score > rule.threshold) fast++
    if (fast >= rule.needed) return true
  }
  return false
}

export interface StaticRule {
  threshold: number
  /** At most so many neighboring pairs may be over the threshold. */
  allowed: number
}

export function staticRule(height: number, width: number, frames: number): StaticRule {
  return { threshold: threshold(STATIC_SPEED, height, width), allowed: roundHalfEven((2 * frames) / 16) }
}

/** @param ends motion from the first frame to the last, and back */
export function isStatic(adjacent: readonly number[], ends: readonly number[], rule: StaticRule): boolean {
  let fast = 0
  for (const score of adjacent) if (score > rule.threshold) fast++
  if (fast > rule.allowed) return false
  return ends.every((score) => !(score > rule.threshold * rule.allowed * 2))
}

/** @param errors how far each predicted frame is from the real one (0…255) */
export function smoothness(errors: readonly number[]): VideoResult {
  const score = likeness(errors)
  return score === null ? nothing('fewer than three frames have no middle to predict') : valued(score)
}
