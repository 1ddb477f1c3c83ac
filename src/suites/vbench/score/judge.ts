/** A vision-language model judges the semantic dimensions: another network under the same rules, so a variant. */
import { promptFiles } from '../../../base/prompt-files.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { bestObject } from '../../../base/text/index.ts'
import { type Bitmap, encodeJpeg, type MediaRef, resizeBitmap } from '../../../media/index.ts'
import type { Message, Model, Part } from '../../../models/types.ts'
import { type Dimension, SEMANTIC } from '../dimensions.ts'
import { middleFrames } from '../rules/frames.ts'
import { colourObject } from '../rules/semantic.ts'
import type { PlannedPrompt } from '../suite/plan.ts'
import {
  type Measure,
  type Meter,
  type MeterContext,
  nothing,
  type Output,
  type Results,
  valued,
  type VideoResult,
  weighted,
} from './types.ts'

export const JUDGED_FRAMES = 8
const LONGEST_SIDE = 512

const texts = promptFiles(new URL('../prompts/', import.meta.url))
export const { all: judgeTexts } = texts

/** What is asked about a video, and how the answer becomes a value. */
interface Question {
  text: string
  read(answer: JsonObject): VideoResult | null
}

export function questionFor(dimension: Dimension, prompt: PlannedPrompt, count: number): Question | null {
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

export type KeepPicture = (bytes: Uint8Array, size: { width: number; height: number }) => Promise<MediaRef>

/** Who judges, and how a question reaches it. */
export interface Judge {
  id: string
  ask(messages: readonly Message[], about: JudgedAbout, signal: AbortSignal): Promise<string>
}

export interface JudgedAbout {
  file: string
  dimension: Dimension
  /** How many questions about this video came before. */
  ordinal: number
}

export const JUDGE_SAMPLING = { temperature: 0, maxTokens: 1024 } as const

/** A model outside of a run as a judge. */
export function judgeOf(model: Model): Judge {
  return {
    id: model.id,
    async ask(messages, { file, ordinal }, signal) {
      const origin = { caseId: file, ordinal, role: 'judge' as const }
      return (await model.ask({ messages, sampling: JUDGE_SAMPLING, epoch: 1, origin }, signal)).text
    },
  }
}

export function judgeMeasure(judge: Judge, keep: KeepPicture): Measure {
  return {
    title: judge.id,
    tier: 'variant',
    outputs: SEMANTIC,
    version: `judge-1/${judge.id}`,
    usesPrompt: true,
    start: (context, wanted) => judgeMeter(context, wanted, judge, keep),
  }
}

function judgeMeter(context: MeterContext, wanted: ReadonlySet<Output>, judge: Judge, keep: KeepPicture): Meter {
  const { info, prompt, file, signal } = context
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
        const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height))
        const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
        const small = scale === 1 ? picture : await resizeBitmap(picture, width, height)
        parts.push({ type: 'media', media: await keep(await encodeJpeg(small), { width, height }) })
      }
      let ordinal = 0
      for (const dimension of SEMANTIC) {
        if (!wanted.has(dimension)) continue
        const question = questionFor(dimension, prompt, pictures.length)
        if (question === null) {
          results[dimension] = nothing('the suite says too little about the prompt')
          continue
        }
        const message: Message = { role: 'user', content: [...parts, { type: 'text', text: question.text }] }
        const reply = await judge.ask([message], { file, dimension, ordinal: ordinal++ }, signal)
        const best = bestObject(reply, (object) => question.read(object) !== null)
        results[dimension] = (best && question.read(best.value)) ?? nothing('the answer of the judge cannot be read')
      }
      return results
    },
  }
}
