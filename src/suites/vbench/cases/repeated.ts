/** Prompts that stand in more than one entry of a suite: each has one set of videos, which serves all of them. */
import type { PromptEntry } from '../domain/prompts.ts'

/** What stands more than once, each once. */
export function repeated(prompts: readonly string[]): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const prompt of prompts) (seen.has(prompt) ? again : seen).add(prompt)
  return [...again]
}

/** Why there are fewer prompts than entries, for people. */
export function sharedPromptRemarks(entries: readonly PromptEntry[]): string[] {
  return repeated(entries.map(({ prompt }) => prompt)).map(
    (prompt) => `two entries have the prompt "${prompt}": they share its videos`,
  )
}
