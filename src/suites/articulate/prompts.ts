/** The protocol's texts: files in `prompts/` with {placeholders}. Which are the published ones is in prompts/NOTES.md. */
import { promptFiles } from '../../base/prompt-files.ts'
import type { ArticulatedModel } from './objects/model.ts'
import { functionName, writeProgram } from './program/write.ts'

const texts = promptFiles(new URL('./prompts/', import.meta.url))

/** Every text by name, for the fingerprint. */
export function allPrompts(): Record<string, string> {
  return Object.fromEntries(texts())
}

/**
 * A text with values put in, in one pass. Only the named placeholders are read: the published texts are full of other
 * braces. A value may be a list, for a placeholder that stands several times.
 */
export function promptWith(name: string, values: Readonly<Record<string, string | readonly string[]>> = {}): string {
  const text = texts().get(name)
  if (text === undefined) throw new Error(`There is no prompts/${name}.txt.`)
  const turns = new Map<string, number>()
  const filled = text.replace(/\{([a-z_]+)\}/g, (whole, key: string) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    if (value === undefined) return whole
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    return typeof value === 'string' ? value : (value[turn] ?? whole)
  })
  for (const key of Object.keys(values))
    if (!turns.has(key)) throw new Error(`prompts/${name}.txt does not ask for {${key}}.`)
  return filled
}

export function objectWords({ category }: ArticulatedModel): string {
  return category.replaceAll('_', ' ')
}

function common(model: ArticulatedModel): { object: string; parts: string; api: string } {
  return {
    object: objectWords(model),
    parts: model.parts
      .map(
        ({ name, size }) => `- ${name}: length (x) ${mm(size[0])}, width (y) ${mm(size[1])}, height (z) ${mm(size[2])}`,
      )
      .join('\n'),
    api: promptWith('api', { function: functionName(model), root: model.parts[0]!.name }),
  }
}

const mm = (metres: number): string => metres.toFixed(4)

export function placePrompt(model: ArticulatedModel): string {
  return promptWith('place', { ...common(model), function: functionName(model) })
}

export function jointPrompt(model: ArticulatedModel, target: string): string {
  return promptWith('joint', { ...common(model), target, placement: writeProgram(model, { joints: [] }).trimEnd() })
}

export function buildPrompt(model: ArticulatedModel, targets: readonly string[]): string {
  return promptWith('build', { ...common(model), function: functionName(model), targets: targets.join(', ') })
}
