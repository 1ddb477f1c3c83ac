/** A vision-language model judges the semantic dimensions: another network under the same rules, so a variant. */
import {
  bestObject,
  type Bitmap,
  encodeJpeg,
  encoderName,
  type JsonObject,
  type Message,
  type Part,
  promptFiles,
  resizeBitmap,
  shortHash,
} from '../../../suite.ts'
import { type Dimension, SEMANTIC } from '../domain/dimensions.ts'
import { nothing, type Output, type Results, valued, type VideoResult, weighted } from '../domain/results.ts'
import { middleFrames } from './rules/frames.ts'
import { colourObject } from './rules/semantic.ts'
import type { Measure, Meter, MeterContext } from './types.ts'

export const JUDGED_FRAMES = 8
const MAX_SIDE = 512

const texts = promptFiles(new URL('../prompts/', import.meta.url))

/** Every text by name. */
export function judgeTexts(): Readonly<Record<string, string>> {
  return texts.all()
}

/** What is asked about a video, and how the answer becomes a value. */
interface Question {
  text: string
  read(answer: JsonObject): VideoResult | null
}

export function questionFor(dimension: Dimension, prompt: MeterContext['prompt'], count: number): Question | null {
  const { facts } = prompt
  const inFrames = (what: string): Question => ({
    text: texts.fill('judge-frames', { what, count }),
    read: ({ frames }) => {
      const seen = frameNumbers(frames, count)
      return seen === null ? null : weighted(seen.size, count, { success_frame_count: seen.size, frame_count: count })
    },
  })
  const match = (what: string, hint: string): Question => ({
    text: texts.fill('judge-match', { what, hint, count }),
    read: (answer) => {
      const { match: given } = answer
      const value =
        typeof given === 'number' || typeof given === 'string' ? Number.parseFloat(String(given)) : Number.NaN
      return value >= 0 && value <= 100 ? valued(value / 100) : null
    },
  })
  switch (dimension) {
    case 'object_class':
      return facts.object === undefined ? null : inFrames(`a ${facts.object}`)
    case 'multiple_objects':
      return facts.object === undefined ? null : inFrames(`both of these: ${facts.object}`)
    case 'scene':
      return inFrames(`this scene: ${facts.scene ?? prompt.prompt}`)
    case 'spatial_relationship': {
      if (!facts.relation) return null
      const { a, b, relation } = facts.relation
      return inFrames(`a ${a} ${relation} a ${b}, as the viewer sees it`)
    }
    case 'color': {
      if (facts.color === undefined) return null
      const object = colourObject(prompt.prompt, facts.color)
      return {
        text: texts.fill('judge-color', { object, color: facts.color, count }),
        read: (answer) => {
          const seen = frameNumbers(answer['object'], count)
          const coloured = frameNumbers(answer['color'], count)
          if (seen === null || coloured === null) return null
          if (seen.size === 0) return nothing('the object is in no frame: the video does not count')
          return valued([...coloured].filter((each) => seen.has(each)).length / seen.size)
        },
      }
    }
    case 'human_action':
      return {
        text: texts.fill('judge-action', { prompt: prompt.prompt, count }),
        read: ({ shows }) => (typeof shows === 'boolean' ? valued(shows ? 1 : 0) : null),
      }
    case 'appearance_style':
      return match(facts.style ?? prompt.prompt, 'Judge the style of the pictures only, not what they show.')
    case 'temporal_style':
      return match(prompt.prompt, 'Mind how the camera moves and how time passes from frame to frame.')
    case 'overall_consistency':
      return match(prompt.prompt, 'Mind both what is shown and how.')
    case 'subject_consistency':
    case 'background_consistency':
    case 'temporal_flickering':
    case 'motion_smoothness':
    case 'dynamic_degree':
    case 'aesthetic_quality':
    case 'imaging_quality':
      return null
  }
}

function frameNumbers(value: unknown, count: number): Set<number> | null {
  if (!Array.isArray(value)) return null
  const numbers = value.map(Number)
  return numbers.every((each) => Number.isInteger(each) && each >= 1 && each <= count) ? new Set(numbers) : null
}

const JUDGE_SAMPLING = { temperature: 0, maxTokens: 1024 } as const

export function judgeMeasure(): Measure {
  return {
    title: 'judge',
    tier: 'variant',
    outputs: SEMANTIC,
    version: `judge-1/${shortHash(judgeTexts())}`,
    asks: 'judge',
    start: judgeMeter,
  }
}

function judgeMeter({ info, prompt, episode }: MeterContext, wanted: ReadonlySet<Output>): Meter {
  const chosen = new Set(middleFrames(JUDGED_FRAMES, info.frames))
  const pictures: Bitmap[] = []
  return {
    frame(bitmap, index) {
      // The decoder may use the same memory for the next frame.
      if (chosen.has(index)) pictures.push({ ...bitmap, data: bitmap.data.slice() })
    },
    async end() {
      const results: Results = {}
      const parts: Part[] = []
      for (const picture of pictures) {
        const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height))
        const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
        const jpeg = await encodeJpeg(scale === 1 ? picture : await resizeBitmap(picture, width, height))
        const made = { made: 'video-frame', encoder: encoderName('image/jpeg') }
        parts.push({ type: 'media', media: await episode.keep(jpeg, 'image/jpeg', made, { width, height }) })
      }
      for (const dimension of SEMANTIC) {
        if (!wanted.has(dimension)) continue
        const question = questionFor(dimension, prompt, pictures.length)
        if (question === null) {
          results[dimension] = nothing('the prompt suite says too little about the prompt')
          continue
        }
        const message: Message = { role: 'user', content: [...parts, { type: 'text', text: question.text }] }
        const { text } = await episode.ask('judge', [message], { ...JUDGE_SAMPLING, purpose: dimension })
        const best = bestObject(text, (object) => question.read(object) !== null)
        results[dimension] = (best && question.read(best.value)) ?? nothing('the answer of the judge cannot be read')
      }
      return results
    },
  }
}
