/** What is to be retrieved: plain JSON. */
import type { SampleBase } from '../../../../suite.ts'
import type { ObjectRef } from '../../domain/objects/find.ts'
import type { Look } from '../pictures/look.ts'

export const INPUTS = ['image', 'video', 'text'] as const
export type Input = (typeof INPUTS)[number]

/** An object that can be retrieved. */
export interface Candidate {
  category: string
  object: ObjectRef
}

export interface RetrieveSample extends SampleBase {
  input: Input
  /** The object in the picture, the video or the words. */
  target: Candidate
  /** The part that moves in the video. */
  part: string | null
  /** How the target is photographed: in other light and finish than the candidates. */
  look: Look
  /** What is asked for in words. */
  text: string | null
  /** Of an object from files that is asked for in words: the kinds of its parts, so that scoring needs no files. */
  kinds?: string[]
  /** The pool, by category. Built-in pools follow from their numbers. */
  pool: Candidate[]
}
