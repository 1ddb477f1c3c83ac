/**
 * The prompts, from the .txt files in this folder, with {placeholders}. Profile `upstream` uses a file `upstream-NAME.txt`
 * in place of NAME.txt where there is one. NOTES.md says which texts are published.
 */
import { type PromptValues, promptFiles } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'

const texts = promptFiles(new URL('./', import.meta.url))
export const allPrompts = texts.all

const PUBLISHED = 'upstream-'
let published: ReadonlySet<string> | undefined

function fileOf(name: string, profile: Profile): string {
  if (profile !== 'upstream') return name
  published ??= new Set(Object.keys(allPrompts()).filter((file) => file.startsWith(PUBLISHED)))
  return published.has(PUBLISHED + name) ? PUBLISHED + name : name
}

/** A text with its placeholders. */
export function prompt(name: string, profile: Profile): string {
  return texts.text(fileOf(name, profile))
}

/** A text with its placeholders filled in. */
export function promptWith(name: string, profile: Profile, values: PromptValues): string {
  return texts.fill(fileOf(name, profile), values)
}

/** Placeholder for an image in the text of a message. */
export const IMAGE = '<image>'

/** The published one asks for reasoning whatever `think` is. */
export function systemPrompt(think: boolean, profile: Profile): string {
  return prompt(think || profile === 'upstream' ? 'system-think' : 'system-plain', profile)
}

export function explorationFooter(think: boolean, profile: Profile): string {
  return prompt(think ? 'footer-explore-think' : 'footer-explore-plain', profile)
}

/** The message that starts the revision phase, including its footer. */
export function falseBeliefPrompt(changes: number, maxSteps: number, think: boolean, profile: Profile): string {
  const text = promptWith('false-belief', profile, { n_changes: changes, max_steps: maxSteps })
  return `${text}\n\n${explorationFooter(think, profile)}`
}

/** Which map a question comes with. */
export type EvaluationMode =
  | { mode: 'plain' }
  | { mode: 'own-map' }
  /** The player's last map precedes the question as a separate turn; the question's text is that of `plain`. */
  | { mode: 'last-map' }
  | { mode: 'true-map'; map: string }

/** A question as appended to the conversation, with the answer format. */
export function questionPrompt(
  question: string,
  think: boolean,
  profile: Profile,
  how: EvaluationMode = { mode: 'plain' },
): string {
  if (how.mode === 'own-map') {
    const map = `${prompt('map-base', profile)}\n\n${prompt('map-global', profile)}`
    return promptWith('evaluate-own-map', profile, {
      map_prompt: map.trimEnd(),
      question,
      think: think ? `THINK:\n${OWN_MAP_THOUGHTS[profile]}\n` : '',
    })
  }
  const text = how.mode === 'true-map' ? promptWith('evaluate-true-map', profile, { map: how.map, question }) : question
  const footer = prompt(think ? 'footer-question-think' : 'footer-question-plain', profile)
  if (profile === 'upstream') return `${text}\n\n${footer}`
  return `${text}${text.endsWith('\n') ? '' : '\n'}${footer}`
}

const OWN_MAP_THOUGHTS: Readonly<Record<Profile, string>> = {
  fixed: '[your thoughts on the question]',
  upstream: '[Your thoughts on cognitive map, then on the question]',
}

export const MAP_KINDS = ['global', 'local', 'rooms', 'global-false-belief'] as const
export type MapKind = (typeof MAP_KINDS)[number]

/** A map probe as appended to the conversation. */
export function mapPrompt(kind: MapKind, think: boolean, profile: Profile, startRoom = 1): string {
  const base = prompt(kind === 'global-false-belief' ? 'map-base-false-belief' : 'map-base', profile)
  const text =
    kind === 'rooms' ? promptWith('map-rooms', profile, { start_room: startRoom }) : prompt(`map-${kind}`, profile)
  return `${base}\n\n${text}\n\n${mapFooter(think, profile)}`
}

/** The fog probe, with the map as text or as an image. */
export function fogPrompt(map: { text: string } | 'image', think: boolean, profile: Profile): string {
  const text =
    map === 'image'
      ? promptWith('map-fog-vision', profile, { image_placeholder: IMAGE })
      : promptWith('map-fog', profile, { map: map.text })
  return `${text}\n\n${mapFooter(think, profile)}`
}

function mapFooter(think: boolean, profile: Profile): string {
  return prompt(think ? 'footer-map-think' : 'footer-map-plain', profile)
}
