/** The protocol's texts: the files beside this one, with {placeholders}. What is ours in them is listed in NOTES.md. */
import { promptFiles } from '../../../suite.ts'

const texts = promptFiles(new URL('./', import.meta.url))
export const { all: allPrompts, text: prompt, fill: promptWith } = texts

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

export const MAP_KINDS = ['global', 'local', 'rooms', 'global-false-belief'] as const
export type MapKind = (typeof MAP_KINDS)[number]

/** The probe for a map, as it is appended to the conversation. */
export function mapPrompt(kind: MapKind, think: boolean, startRoom = 1): string {
  const base = prompt(kind === 'global-false-belief' ? 'map-base-false-belief' : 'map-base')
  const text = kind === 'rooms' ? promptWith('map-rooms', { start_room: startRoom }) : prompt(`map-${kind}`)
  return `${base}\n\n${text}\n\n${mapFooter(think)}`
}

/** The fog probe: a map in characters, or a picture of it. */
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
