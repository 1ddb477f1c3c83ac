import type { Category, Dimension } from './dimensions.ts'
import type { Asked, JudgedDimension } from './vbench2.ts'

/** What the semantic dimensions must know of a prompt. */
export interface PromptFacts {
  /** `person`; for two objects `bird and cat`. */
  object?: string
  color?: string
  style?: string
  scene?: string
  relation?: { a: string; b: string; relation: string }
  /** Of VBench-I2V: the file of the image that the video is made from. */
  image?: string
  /** Of VBench-2.0: what is asked about the video, by dimension. */
  asked?: Partial<Record<JudgedDimension, Asked>>
}

/** One row of the suite. Two rows may have the same prompt; their videos are then shared. */
export interface PromptEntry {
  prompt: string
  dimensions: readonly Dimension[]
  facts: PromptFacts
}

export interface PromptSuite {
  /** `builtin`, or the folder that it was read from. */
  name: string
  /** Of its benchmark. */
  dimensions: readonly Dimension[]
  /** Videos per prompt, where it is not `SAMPLES`. */
  samples?: number
  /** File names have so many characters of a prompt, where not all. */
  nameLength?: number
  /** Changes whenever a prompt changes. */
  fingerprint: string
  entries: readonly PromptEntry[]
  categories: Readonly<Record<Category, readonly string[]>>
  /** What is not as the protocol's table says; the suite can be used nevertheless. */
  remarks: readonly string[]
}

export interface PlannedPrompt {
  prompt: string
  /** What the generator is given: the prompt, or its rewritten form. */
  text: string
  dimensions: readonly Dimension[]
  categories: readonly Category[]
  facts: PromptFacts
  /** How many videos. */
  samples: number
}

export interface PlannedVideo {
  prompt: PlannedPrompt
  index: number
  /** The name to save it under. */
  file: string
}

export interface VideoPlan {
  /** Name of the prompt suite; `custom` for videos of the user's own. */
  promptSuite: string
  fingerprint: string
  /** Rows of the suite that are wanted; two may share a prompt. */
  entries: readonly PromptEntry[]
  prompts: readonly PlannedPrompt[]
  videos: readonly PlannedVideo[]
  /** Groups of prompts whose files overwrite each other where upper and lower case are the same. */
  collisions: readonly (readonly string[])[]
}

/** What stands more than once, each once. */
export function repeated(prompts: readonly string[]): string[] {
  return [...new Set(prompts.filter((prompt, i) => prompts.indexOf(prompt) < i))]
}

/** Why there are fewer prompts than entries, for people: what stands in two entries has one set of videos. */
export function sharedPromptRemarks(entries: readonly PromptEntry[]): string[] {
  return repeated(entries.map(({ prompt }) => prompt)).map(
    (prompt) => `two entries have the prompt "${prompt}": they share its videos`,
  )
}
