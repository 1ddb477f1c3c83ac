/** Whether a video shows what its words say: styles, whole prompts, actions. */
import { actionOfFile, likeliestActions, showsAction } from '../../rules/action.ts'
import { cosine } from '../../rules/consistency.ts'
import { nothing, valued, weighted } from '../../../domain/results.ts'
import type { Measure } from '../../types.ts'
import { forAction, forClipOfBytes } from '../preprocess.ts'
import { featuresOf, type Network, outputOf } from '../runtime.ts'
import type { Tokenizer } from '../tokens.ts'
import { type About, ClipTensor, FrameFeatures } from './shared.ts'

const CLIP_TOKENS = 77
const VICLIP_TOKENS = 32
const VICLIP_FRAMES = 8

/** Appearance style: how like every frame is to the words of its style. */
export function styleMeasure(vision: Network, text: Network, tokenizer: Tokenizer, about: About): Measure {
  return {
    ...about,
    outputs: ['appearance_style'],
    start({ prompt }) {
      const words = prompt.facts.style
      const similarities: number[] = []
      let wanted: Float32Array | null = null
      const features = new FrameFeatures(vision, (found) => similarities.push(cosine(found, wanted!)))
      return {
        async frame(bitmap) {
          if (words === undefined) return
          wanted ??= await textFeature(text, tokenizer, words, CLIP_TOKENS)
          await features.add(forClipOfBytes(bitmap, 'pillow-bicubic'))
        },
        async end() {
          if (words === undefined) return { appearance_style: nothing('the suite names no style for the prompt') }
          await features.end()
          const sum = similarities.reduce((total, each) => total + each, 0)
          const detail = { frame_results: similarities, cur_sim: similarities.at(-1) }
          return { appearance_style: weighted(sum, similarities.length, detail) }
        },
      }
    },
  }
}

async function textFeature(
  network: Network,
  tokenizer: Tokenizer,
  words: string,
  length: number,
): Promise<Float32Array> {
  const data = tokenizer.encode(words, length)
  // The end is never 0, while a word may be: what counts reaches to the last that is not.
  const last = data.findLastIndex((id) => id !== 0n)
  const mask = BigInt64Array.from(data, (_, i) => (i <= last ? 1n : 0n))
  const outputs = await network.run({ dims: [1, length], data }, { dims: [1, length], data: mask })
  return featuresOf(outputOf(outputs, 'text_embeds'), 1)[0]!
}

/** Temporal style and overall consistency: eight frames as a video against the whole prompt. */
export function videoTextMeasure(vision: Network, text: Network, tokenizer: Tokenizer, about: About): Measure {
  return {
    ...about,
    outputs: ['temporal_style', 'overall_consistency'],
    start({ info, prompt }, wanted) {
      const clip = new ClipTensor(info.frames, VICLIP_FRAMES)
      return {
        frame: (bitmap, index) => clip.add(index, () => forClipOfBytes(bitmap, 'bicubic')),
        async end() {
          const [video] = featuresOf(outputOf(await vision.run(clip.tensor())), 1)
          const value = valued(cosine(video!, await textFeature(text, tokenizer, prompt.prompt, VICLIP_TOKENS)))
          return Object.fromEntries([...wanted].map((output) => [output, value]))
        },
      }
    },
  }
}

const ACTION_FRAMES = 16

/** Human action: whether the network is sure of the action that the file is named after. */
export function actionMeasure(network: Network, labels: readonly string[], about: About): Measure {
  return {
    ...about,
    outputs: ['human_action'],
    start({ info, prompt }) {
      const clip = new ClipTensor(info.frames, ACTION_FRAMES)
      return {
        frame: (bitmap, index) => clip.add(index, () => forAction(bitmap)),
        async end() {
          const { data } = outputOf(await network.run(clip.tensor()))
          if (data.length !== labels.length) {
            throw new Error(`the network has ${data.length} classes, its labels name ${labels.length}`)
          }
          // The published rule reads the name of the file; a safe name would say nothing, the prompt says the same.
          const shows = showsAction(data, labels, actionOfFile(`${prompt.prompt}-0.mp4`))
          const likeliest = likeliestActions(data).map((i) => [labels[i]!, data[i]!] as const)
          return { human_action: valued(shows ? 1 : 0, { cor_num_per_video: shows ? 1 : 0, logits: likeliest }) }
        },
      }
    },
  }
}
