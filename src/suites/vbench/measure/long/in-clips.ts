/** VBench-Long: a measure of short videos, applied to every clip of a long one. */
import { type Bitmap, mean } from '../../../../suite.ts'
import { nothing, type Output, type Results, type VideoResult } from '../../domain/results.ts'
import { ConsistencySum } from '../rules/consistency.ts'
import type { Measure, Meter, MeterContext } from '../types.ts'
import { clipFps, clipsOf, type FrameSpan, fused, scenesOf } from './clips.ts'

type Valued = Exclude<Output, 'pictures'>

/** Dimensions that compare the first frames of clips as well. */
const BETWEEN: ReadonlySet<Output> = new Set(['subject_consistency', 'background_consistency'])

/** @param seconds how long a clip is, for each video */
export function inClips(measure: Measure, secondsOf: (context: MeterContext) => number): Measure {
  const { between, outputs, tier } = measure
  const isComplete = between !== undefined || outputs.every((output) => !BETWEEN.has(output))
  const { reader, ...rest } = measure
  return {
    ...rest,
    // Clips are made of the frames that decord reads.
    ...(reader === 'scaled' && { reader }),
    title: between === undefined ? measure.title : `${measure.title} and ${between.title}`,
    tier: tier === 'exact' && !isComplete ? 'variant' : tier,
    version: `${measure.version}/long-1${between === undefined ? '' : `/${between.version}`}`,
    start: (context, wanted) => new LongMeter(measure, context, wanted, secondsOf(context)),
  }
}

interface PlannedClip extends FrameSpan {
  scene: number
}

interface MeasuredClip extends PlannedClip {
  results: Results
}

class LongMeter implements Meter {
  readonly #measure: Measure
  readonly #context: MeterContext
  readonly #wanted: ReadonlySet<Output>
  readonly #waiting: PlannedClip[]
  /** At the end of a scene two overlap. */
  #running: { clip: PlannedClip; meter: Meter }[] = []
  readonly #measured: MeasuredClip[] = []
  readonly #firstFrames = new Map<number, ConsistencySum>()

  constructor(measure: Measure, context: MeterContext, wanted: ReadonlySet<Output>, seconds: number) {
    this.#measure = measure
    this.#context = context
    this.#wanted = wanted
    const { info, cuts = [] } = context
    this.#waiting = scenesOf(info.frames, cuts).flatMap((span, scene) =>
      clipsOf(span, clipFps(info) * seconds).map((clip) => ({ ...clip, scene })),
    )
  }

  async frame(bitmap: Bitmap, index: number): Promise<void> {
    while (this.#waiting[0]?.start === index) await this.#begin(this.#waiting.shift()!, bitmap)
    for (const { clip, meter } of this.#running) await meter.frame(bitmap, index - clip.start)
    const ended = this.#running.filter(({ clip }) => clip.end === index + 1)
    if (ended.length === 0) return
    this.#running = this.#running.filter((each) => !ended.includes(each))
    for (const { clip, meter } of ended) this.#measured.push({ ...clip, results: await meter.end() })
  }

  async #begin(clip: PlannedClip, bitmap: Bitmap): Promise<void> {
    const frames = clip.end - clip.start
    const fps = clipFps(this.#context.info)
    const info = { ...this.#context.info, frames, fps, seconds: frames / fps }
    this.#running.push({ clip, meter: this.#measure.start({ ...this.#context, info }, this.#wanted) })
    const { between } = this.#measure
    if (between === undefined) return
    const sum = this.#firstFrames.get(clip.scene) ?? new ConsistencySum()
    sum.add(await between.feature(bitmap))
    this.#firstFrames.set(clip.scene, sum)
  }

  end(): Results {
    const outputs = [...this.#wanted].filter((output): output is Valued => output !== 'pictures')
    return Object.fromEntries(outputs.map((output) => [output, this.#resultOf(output)]))
  }

  /** Scenes weigh as videos do, and clips of a scene the same. */
  #resultOf(output: Valued): VideoResult {
    const clips = this.#measured.map(({ scene, start, end, results }) => ({
      scene,
      start,
      end,
      value: results[output]?.value ?? null,
    }))
    const scenes: number[] = []
    for (const scene of new Set(clips.map((clip) => clip.scene))) {
      const values = clips.flatMap(({ scene: own, value }) => (own === scene && value !== null ? [value] : []))
      if (values.length > 0) scenes.push(this.#sceneValue(scene, mean(values)))
    }
    if (scenes.length === 0) {
      const reason = this.#measured.find(({ results }) => results[output]?.reason !== undefined)?.results[output]
        ?.reason
      return nothing(reason ?? 'no clip could be measured')
    }
    const sum = scenes.reduce((total, each) => total + each, 0)
    return { value: sum / scenes.length, sum, weight: scenes.length, detail: { clips } }
  }

  #sceneValue(scene: number, within: number): number {
    const { between } = this.#measure
    const sum = this.#firstFrames.get(scene)
    if (between === undefined || sum === undefined) return within
    return fused(within, sum.pairs === 0 ? 0 : sum.sum / sum.pairs, between.mapping)
  }
}
