/** A question in a scene. Plain JSON, the same on every machine: no paths, no pixels. */
import { z } from 'zod'
import { about, namedObject } from '../domain/question.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { sceneOrigin } from '../domain/scene/origin.ts'

export const vsiSample = z.object({
  id: z.string(),
  cluster: z.string(),
  labels: z.object({ type: z.string(), dataset: z.string() }).catchall(z.string()),
  type: z.enum(QUESTION_TYPES),
  question: z.string(),
  /** With their letters, `A. left`; null where the answer is a number. */
  options: z.array(z.string()).readonly().nullable(),
  /** A letter or a number in words of the data. */
  truth: z.string(),
  /** The answer that is most frequent for this type in the whole source. */
  frequent: z.string(),
  scene: sceneOrigin,
  /** The things of the question; null where the source does not know them. */
  things: z.array(namedObject).readonly().nullable(),
  /** The question as data, where it was made from a scene. */
  about: about.nullable(),
  /** Why it cannot be played, found when the source was opened. */
  problem: z.string().optional(),
})
export type VsiSample = z.output<typeof vsiSample>

export function lettersOf(options: readonly string[]): string[] {
  return options.map((_, i) => String.fromCharCode(65 + i))
}

/** An option without its letter. */
export function optionText(option: string): string {
  return option.replace(/^\s*[A-J]\s*[.):]\s*/, '')
}
