/** How VBench-Long cuts a video: at changes of scene, if asked for, and then into clips of equal length. */
import type { ClipInfo } from '../../domain/clip.ts'
import type { Dimension } from '../../domain/dimensions.ts'

/** Frames `start` to `end`, the latter excluded. */
export interface FrameSpan {
  start: number
  end: number
}

const CLIP_SECONDS = 2
const LONGER_CLIP_SECONDS = 10
/** Lists whose networks were trained on longer clips. All dimensions of their prompts are measured in such. */
const LONGER: ReadonlySet<string> = new Set([
  'human_action',
  'temporal_style',
  'overall_consistency',
] satisfies Dimension[])

/** @param list the list of prompts that a video is of, or `custom` */
export function clipSeconds(list: string, dimensions: readonly Dimension[]): number {
  const isLonger = list !== 'custom' && (LONGER.has(list) || dimensions.some((name) => LONGER.has(name)))
  return isLonger ? LONGER_CLIP_SECONDS : CLIP_SECONDS
}

/** Whole frames per second, as published. */
export function clipFps({ fps }: Pick<ClipInfo, 'fps'>): number {
  return Math.max(1, Math.trunc(fps))
}

/** The clips of a scene. What is left at its end is a clip as long as the others, which begins earlier. */
export function clipsOf({ start, end }: FrameSpan, length: number): FrameSpan[] {
  const frames = end - start
  if (frames < length) return [{ start, end }]
  const whole = Math.floor(frames / length)
  const clips = Array.from({ length: whole }, (_, i) => ({ start: start + i * length, end: start + (i + 1) * length }))
  if (frames % length > 0) clips.push({ start: end - length, end })
  return clips
}

/** @param cuts first frames of all scenes but the first */
export function scenesOf(frames: number, cuts: readonly number[]): FrameSpan[] {
  const edges = [0, ...cuts, frames]
  return edges.slice(1).map((end, i) => ({ start: edges[i]!, end }))
}

/** What stands for how like each other the first frames of clips are, on the scale of likeness within clips. */
export type Mapping = readonly (readonly [likeness: number, mapped: number])[]

/** Between the steps of the table linear; beyond it the ends. */
export function mapped(value: number, table: Mapping): number {
  const at = table.findIndex(([step]) => step >= value)
  if (at === 0) return table[0]![1]
  if (at < 0) return table.at(-1)![1]
  const [[x0, y0], [x1, y1]] = [table[at - 1]!, table[at]!]
  return y0 + ((y1 - y0) * (value - x0)) / (x1 - x0)
}

/** Both weigh the same. A video of a single clip has only the one within. */
export function fused(within: number, between: number, table: Mapping): number {
  const other = mapped(between, table)
  return other === 0 ? within : within * 0.5 + other * 0.5
}
