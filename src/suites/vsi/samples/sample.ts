/** A question about a scene. Plain JSON without paths or pixels, identical on every machine. */
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
  /** With their letters, such as `A. left`; null if the answer is a number. */
  options: z.array(z.string()).readonly().nullable(),
  /** The ground truth: a letter, or a number as written in the data. */
  truth: z.string(),
  /** The most frequent answer of this type in the whole source. */
  frequent: z.string(),
  scene: sceneOrigin,
  /** The question's objects; null if the source does not know them. */
  things: z.array(namedObject).readonly().nullable(),
  /** All objects of the scene, if a map of them is asked for and the scene is a scan: others are known where they are played. */
  contents: z.array(namedObject).readonly().optional(),
  /** The question as data, for built-in scenes. */
  about: about.nullable(),
  /** Of built-in scenes, in square meters; the number of moves depends on it. */
  floorArea: z.number().optional(),
  /** Questions of the same scene that the images of this run do not answer and that were left out; on the first one. */
  leftOut: z.int().optional(),
  /** Why the sample cannot be played, found when the source was opened. */
  problem: z.string().optional(),
})
export type VsiSample = z.output<typeof vsiSample>

export { lettersOf, optionText } from '../../../suite.ts'
