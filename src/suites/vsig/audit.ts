/** What a clip asks, for the audit: the answers one could give without looking, and what each would score. */
import type { BlindTask } from '../../suite.ts'
import { isHit } from './domain/compare.ts'
import { intentSimilarity } from './domain/intent.ts'
import type { Point } from './domain/points.ts'
import { placeName, shortName } from './domain/templates.ts'
import { truthOf, type TruthSlot } from './domain/truth.ts'
import type { Window } from './domain/windows.ts'
import type { VsigOptions } from './options.ts'
import { hintText, speechText } from './prompts/prompts.ts'
import { objectNames } from './samples/clips/objects.ts'
import { planClip } from './samples/clips/plan.ts'
import { directionsSaid, sideName } from './samples/clips/speech.ts'
import type { VsigSample } from './samples/sample.ts'

/** Number of columns and rows of points that one could guess. */
const GRID = [13, 9] as const

export function audit(sample: VsigSample, _: unknown, options: VsigOptions): BlindTask[] {
  const { template, annotation, evalTruth, frame } = sample
  const truth = truthOf(template, annotation, evalTruth, frame)
  // The time of the last frame is told; how long other clips are is known only when they are opened.
  const durationMs = sample.origin.kind === 'clip' ? planClip(sample.origin).durationMs : null
  const told = `${hintText(sample, options)}\n${speechText(sample, options)}\n${durationMs ?? ''}`
  return truth.slots.flatMap((slot, i) => {
    const words = `${i + 1}\n${told}`
    const { window } = slot
    return [
      intentTask(slot, i, words, sample),
      spatialTask(slot, words),
      ...(window.kind === 'window' && durationMs !== null
        ? [temporalTask(`${shortName(template)}.temporal, target ${i + 1}`, words, window.window, durationMs)]
        : []),
    ]
  })
}

/** One of all names, on the side that is said; or nothing but the side. */
function intentTask(
  slot: TruthSlot,
  i: number,
  words: string,
  { language, annotation, template }: VsigSample,
): BlindTask {
  const sides = directionsSaid(annotation.asr_result?.text ?? '')
  const side = sides[i === 3 ? 1 : 0]
  const names = objectNames().map((name) => name[language])
  const nothing = language === 'zh' ? '空闲区域' : 'free area'
  const options =
    slot.kind === 'object'
      ? names
      : template === '指令3' || !side
        ? [nothing, ...names.map((name) => `${name} ${nothing}`)]
        : [sideName(side, language), ...names.map((name) => placeName(name, sideName(side, language)))]
  return choice(
    `intent, ${slot.kind}s`,
    'intent',
    words,
    options.map((text) => [text, intentSimilarity([slot], [text], '') ?? 0]),
  )
}

function spatialTask(slot: TruthSlot, words: string): BlindTask {
  const [columns, rows] = GRID
  const guesses = Array.from({ length: columns * rows }, (_, k): [string, number] => {
    const at: Point = [
      ((1 + (k % columns)) * 1000) / (columns + 1),
      ((1 + Math.floor(k / columns)) * 1000) / (rows + 1),
    ]
    return [at.map(Math.round).join(' '), Number(isHit(slot, at))]
  })
  return choice(`spatial.${slot.kind}`, 'spatial', words, guesses)
}

/** The moment as a percentage of the clip. */
function temporalTask(row: string, words: string, [begin, end]: Window, durationMs: number): BlindTask {
  const score = (percent: number): number => {
    const moment = (percent / 100) * durationMs
    return Number(moment >= begin && moment <= end)
  }
  return {
    row,
    metric: 'temporal',
    words,
    target: { kind: 'number', answer: ((begin + end) / 2 / durationMs) * 100, score },
  }
}

function choice(
  row: string,
  metric: string,
  words: string,
  guesses: readonly (readonly [string, number])[],
): BlindTask {
  const scores = guesses.map(([, score]) => score)
  const options = guesses.map(([text]) => text)
  return {
    row,
    metric,
    words,
    target: { kind: 'choice', options, answer: scores.indexOf(Math.max(...scores)), scores },
  }
}
