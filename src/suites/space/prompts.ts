/** The protocol's texts: files in `prompts/` with {placeholders}. What is ours in them is listed in prompts/NOTES.md. */
import { promptFiles } from '../../suite.ts'

const PLACEHOLDER = /\{([a-z_]+)\}/g

const texts = promptFiles(new URL('./prompts/', import.meta.url))

/** A text by the name of its file, placeholders and all. */
export function prompt(name: string): string {
  const text = texts().get(name)
  if (text === undefined) throw new Error(`There is no prompts/${name}.txt.`)
  return text
}

/** Every text by name, for the fingerprint. */
export function allPrompts(): Record<string, string> {
  return Object.fromEntries(texts())
}

/**
 * Puts values into placeholders, in one pass: what a value contains is never read as a placeholder.
 *
 * @example
 * fill('You face {direction}.', { direction: 'north' }) // 'You face north.'
 */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  const used = new Set<string>()
  const filled = template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A prompt needs a value for {${name}}.`)
    used.add(name)
    return String(value)
  })
  for (const name of Object.keys(values)) if (!used.has(name)) throw new Error(`No prompt asks for {${name}}.`)
  return filled
}

/** The values of a named prompt filled in. */
export function promptWith(name: string, values: Readonly<Record<string, string | number>>): string {
  return fill(prompt(name), values)
}

/** What stands where a picture goes in the text of a message. */
export const IMAGE = '<image>'

export function systemPrompt(think: boolean): string {
  return prompt(think ? 'system-think' : 'system-plain')
}

export function explorationFooter(think: boolean): string {
  return prompt(think ? 'footer-explore-think' : 'footer-explore-plain')
}

/** The message that opens the second exploration, its footer included. */
export function falseBeliefPrompt(changes: number, maxSteps: number, think: boolean): string {
  const text = promptWith('false-belief', { n_changes: changes, max_steps: maxSteps })
  return `${text}\n\n${explorationFooter(think)}`
}

/** How a question is put: alone, after a map of one's own, or with the true map. */
export type EvaluationMode =
  | { mode: 'plain' }
  | { mode: 'own-map' }
  /** The player's last map goes before, as a turn of its own: the text of the question is that of `plain`. */
  | { mode: 'last-map' }
  | { mode: 'true-map'; map: string }

/** A question as it is appended to the conversation, with the format of the answer. */
export function questionPrompt(question: string, think: boolean, how: EvaluationMode = { mode: 'plain' }): string {
  if (how.mode === 'own-map') {
    return promptWith('evaluate-own-map', {
      map_prompt: `${prompt('map-base')}\n\n${prompt('map-global')}`,
      question,
      think: think ? 'THINK:\n[your thoughts on the question]\n' : '',
    })
  }
  const asked = how.mode === 'true-map' ? promptWith('evaluate-true-map', { map: how.map, question }) : question
  return `${asked}${asked.endsWith('\n') ? '' : '\n'}${prompt(think ? 'footer-question-think' : 'footer-question-plain')}`
}

export type MapKind = 'global' | 'local' | 'rooms' | 'global-false-belief'

/** The probe for a map, as it is appended to the conversation. */
export function mapPrompt(kind: MapKind, think: boolean, startRoom = 1): string {
  const base = prompt(kind === 'global-false-belief' ? 'map-base-false-belief' : 'map-base')
  const text = kind === 'rooms' ? promptWith('map-rooms', { start_room: startRoom }) : prompt(`map-${kind}`)
  return `${base}\n\n${text}\n\n${mapFooter(think)}`
}

/** The fog probe: a map in characters, or a picture of it. */
export function fogPrompt(map: { text: string } | 'picture', think: boolean): string {
  const text =
    map === 'picture'
      ? promptWith('map-fog-vision', { image_placeholder: IMAGE })
      : promptWith('map-fog', { map: map.text })
  return `${text}\n\n${mapFooter(think)}`
}

function mapFooter(think: boolean): string {
  return prompt(think ? 'footer-map-think' : 'footer-map-plain')
}
