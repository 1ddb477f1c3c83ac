/** VBench-I2V: whether a video shows the image that it was made from, and keeps showing it. */
import { type Bitmap, mean } from '../../../../../suite.ts'
import { nothing, valued } from '../../../domain/results.ts'
import { cosine } from '../../rules/consistency.ts'
import type { Measure } from '../../types.ts'
import { forDreamSim, forDinoSquare } from '../preprocess.ts'
import type { Network } from '../runtime.ts'
import { type About, feature } from './shared.ts'

const WEIGHTS = { image: 0.4, mean: 0.3, least: 0.3 } as const

/** i2v_subject with DINO, i2v_background with DreamSim: the same rule on other features. */
export function imageMeasure(dimension: 'i2v_subject' | 'i2v_background', network: Network, about: About): Measure {
  const shown = dimension === 'i2v_subject' ? forDinoSquare : forDreamSim
  const featureOf = (bitmap: Bitmap) => feature(network, shown(bitmap))
  return {
    ...about,
    outputs: [dimension],
    start({ image }) {
      let wanted: Promise<Float32Array> | null = null
      let last: Float32Array | null = null
      let likest = 0
      const consecutive: number[] = []
      return {
        async frame(bitmap) {
          if (image === undefined) return
          wanted ??= image().then(featureOf)
          const now = await featureOf(bitmap)
          likest = Math.max(likest, cosine(await wanted, now))
          if (last !== null) consecutive.push(Math.max(0, cosine(last, now)))
          last = now
        },
        end() {
          if (image === undefined) return { [dimension]: nothing('the image is not known: --images (-T images)') }
          if (consecutive.length === 0) return { [dimension]: nothing('a single frame cannot be like another') }
          const value =
            WEIGHTS.image * likest + WEIGHTS.mean * mean(consecutive) + WEIGHTS.least * Math.min(...consecutive)
          return { [dimension]: valued(value) }
        },
      }
    },
  }
}
