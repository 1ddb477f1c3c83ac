/** Whether a video shows the scene that its prompt names, by the captions of Tag2Text. */
import { SCALED } from '../../../domain/clip.ts'
import { nothing, weighted } from '../../../domain/results.ts'
import { middleFrames } from '../../rules/frames.ts'
import { sceneFrames } from '../../rules/semantic.ts'
import type { Measure } from '../../types.ts'
import { IMAGENET, normalisePlanes, planesOf, resizePlanes } from '../resize.ts'
import { caption, type Tag2TextNetworks } from '../tag2text.ts'
import type { About } from './shared.ts'

const FRAMES = 16
/**
 * The published code repeats what it has seen of each frame three times for its three beams, and its library does so
 * again: the captions of three frames in a row are of one and the same, and of sixteen frames only six are described.
 */
const FRAMES_PER_CAPTION = 3

export function sceneMeasure(networks: Tag2TextNetworks, about: About): Measure {
  return {
    ...about,
    outputs: ['scene'],
    reader: 'scaled',
    start({ info, prompt }) {
      const { scene } = prompt.facts
      const places = middleFrames(FRAMES, info.frames)
      const described = places.map((_, i) => places[Math.floor(i / FRAMES_PER_CAPTION)]!)
      const captions = new Map<number, string>()
      return {
        async frame(bitmap, index) {
          if (scene === undefined || !described.includes(index)) return
          captions.set(
            index,
            await caption(
              networks,
              normalisePlanes(resizePlanes(planesOf(bitmap), SCALED, 'antialias-bilinear', true), IMAGENET),
            ),
          )
        },
        end() {
          if (scene === undefined) return { scene: nothing('the suite names no scene for the prompt') }
          const texts = described.flatMap((index) => captions.get(index) ?? [])
          const { successes, frames } = sceneFrames(scene, texts)
          return {
            scene: weighted(successes, frames, {
              success_frame_count: successes,
              frame_count: frames,
              captions: texts,
            }),
          }
        },
      }
    },
  }
}
