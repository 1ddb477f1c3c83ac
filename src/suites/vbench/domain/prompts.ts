import type { Category, Dimension } from './dimensions.ts'

/** What the semantic dimensions must know of a prompt. */
export interface PromptFacts {
  /** `person`; for two objects `bird and cat`. */
  object?: string
  color?: string
  style?: string
  scene?: string
  relation?: { a: string; b: string; relation: string }
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
  /** Changes whenever a prompt changes. */
  fingerprint: string
  entries: readonly PromptEntry[]
  categories: Readonly<Record<Category, readonly string[]>>
  /** What is not as the protocol's table says; the suite can be used nevertheless. */
  remarks: readonly string[]
}
