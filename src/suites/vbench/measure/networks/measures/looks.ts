/** How frames look by themselves and next to each other: consistency, aesthetics, imaging quality. */
import { type Bitmap, mean } from '../../../../../suite.ts'
import { ConsistencySum } from '../../rules/consistency.ts'
import { meanOverFrames } from '../../rules/frames.ts'
import { nothing, valued, weighted } from '../../../domain/results.ts'
import type { Measure } from '../../types.ts'
import { MUSIQ_FLOATS, musiqPatches } from '../musiq.ts'
import { forClip, forDino } from '../preprocess.ts'
import { type Network, outputOf } from '../runtime.ts'
import { type About, FrameFeatures } from './shared.ts'

/** Subject consistency with DINO, background consistency with CLIP: the same rule on other features. */
export function consistencyMeasure(
  dimension: 'subject_consistency' | 'background_consistency',
  network: Network,
  about: About,
): Measure {
  const shown = (bitmap: Bitmap) => (dimension === 'subject_consistency' ? forDino(bitmap) : forClip(bitmap))
  return {
    ...about,
    outputs: [dimension],
    start() {
      const sum = new ConsistencySum()
      const features = new FrameFeatures(network, (found) => sum.add(found))
      return {
        frame: (bitmap) => features.add(shown(bitmap)),
        async end() {
          await features.end()
          if (sum.pairs === 0) return { [dimension]: nothing('a single frame cannot be consistent with another') }
          const detail =
            dimension === 'background_consistency' ? { video_sim: sum.sum, cnt_per_video: sum.pairs } : undefined
          return { [dimension]: weighted(sum.sum, sum.pairs, detail) }
        },
      }
    },
  }
}

export interface AestheticHead {
  weight: Float32Array
  bias: number
}

/** Aesthetic quality: CLIP ViT-L/14, unit length, a linear head, a tenth of it; all frames. */
export function aestheticMeasure(network: Network, head: AestheticHead, about: About): Measure {
  return {
    ...about,
    outputs: ['aesthetic_quality'],
    start() {
      const scores: number[] = []
      const features = new FrameFeatures(network, (found) => scores.push(aestheticScore(found, head)))
      return {
        frame: (bitmap) => features.add(forClip(bitmap)),
        async end() {
          await features.end()
          return { aesthetic_quality: scores.length === 0 ? nothing('no frame') : valued(mean(scores)) }
        },
      }
    },
  }
}

function aestheticScore(vector: Float32Array, head: AestheticHead): number {
  if (vector.length !== head.weight.length) {
    throw new Error(`the head is for ${head.weight.length} features, the network gives ${vector.length}`)
  }
  let dot = 0
  let norm = 0
  for (let i = 0; i < vector.length; i++) {
    dot += vector[i]! * head.weight[i]!
    norm += vector[i]! * vector[i]!
  }
  return (dot / Math.max(Math.sqrt(norm), 1e-12) + head.bias) / 10
}

/** Imaging quality: MUSIQ gives 0…100 a frame. */
export function musiqMeasure(network: Network, about: About): Measure {
  return {
    ...about,
    outputs: ['imaging_quality'],
    start: () =>
      meanOverFrames('imaging_quality', async (bitmap) => {
        const data = musiqPatches(bitmap)
        const outputs = await network.run({ dims: [1, data.length / MUSIQ_FLOATS, MUSIQ_FLOATS], data })
        return outputOf(outputs).data[0]! / 100
      }),
  }
}
