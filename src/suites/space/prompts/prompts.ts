/** The prompts, from the .txt files in this folder, with {placeholders}. NOTES.md lists what differs from the published ones. */
import { promptFiles } from '../../../suite.ts'

const texts = promptFiles(new URL('./', import.meta.url))
export const { all: allPrompts, text: prompt, fill: promptWith } = texts

/** Placeholder for an image in the text of a message. */
export const IMAGE = '<image>'

export function systemPrompt(think: boolean): string {
  return prompt(think ? 'system-think' : 'system-plain')
}

export function explorationFooter(think: boolean): string {
  return prompt(think ? 'footer-explore-think' : 'footer-explore-plain')
}

/** The message that starts the revision phase, including its footer. */
export function falseBeliefPrompt(changes: number, maxSteps: number, think: boolean): string {
  const text = promptWith('false-belief', { n_changes: changes, max_steps: maxSteps })
  return `${text}\n\n${explorationFooter(think)}`
}

/** Which map a question comes with. */
export type EvaluationMode =
  | { mode: 'plain' }
  | { mode: 'own-map' }
  /** The player's last map precedes the question as a separate turn; the question's text is that of `plain`. */
  | { mode: 'last-map' }
  | { mode: 'true-map'; map: string }

/** A question as appended to the conversation, with the answer format. */
export function questionPrompt(question: string, think: boolean, how: EvaluationMode = { mode: 'plain' }): string {
  if (how.mode === 'own-map') {
    return promptWith('evaluate-own-map', {
      map_prompt: `${prompt('map-base')}\n\n${prompt('map-global')}`,
      question,
      think: think ? 'THINK:\n[your thoughts on the question]\n' : '',
    })
  }
  const text = how.mode === 'true-map' ? promptWith('evaluate-true-map', { map: how.map, question }) : question
  return `${text}${text.endsWith('\n') ? '' : '\n'}${prompt(think ? 'footer-question-think' : 'footer-question-plain')}`
}

export const MAP_KINDS = ['global', 'local', 'rooms', 'global-false-belief'] as const
export type MapKind = (typeof MAP_KINDS)[number]

/** A map probe as appended to the conversation. */
export function mapPrompt(kind: MapKind, think: boolean, startRoom = 1): string {
  const base = prompt(kind === 'global-false-belief' ? 'map-base-false-belief' : 'map-base')
  const text = kind === 'rooms' ? promptWith('map-rooms', { start_room: startRoom }) : prompt(`map-${kind}`)
  return `${base}\n\n${text}\n\n${mapFooter(think)}`
}

/** The fog probe, with the map as text or as an image. */
export function fogPrompt(map: { text: string } | 'image', think: boolean): string {
  const text =
    map === 'image'
      ? promptWith('map-fog-vision', { image_placeholder: IMAGE })
      : promptWith('map-fog', { map: map.text })
  return `${text}\n\n${mapFooter(think)}`
}

function mapFooter(think: boolean): string {
  return prompt(think ? 'footer-map-think' : 'footer-map-plain')
}
