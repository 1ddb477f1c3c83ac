/** Prompt texts: files in `prompts/` with {placeholders}. prompts/NOTES.md says which ones are published. */
import { fixed, promptFiles } from '../../suite.ts'
import type { Pose } from '../../world.ts'
import type { VsiOptions } from './options.ts'
import type { Bounds } from './domain/bounds.ts'
import { headingOf } from './domain/pose.ts'
import type { MoveResult } from './domain/walk.ts'
import type { VsiSample } from './samples/sample.ts'
import type { Profile } from './domain/protocol.ts'
import { stringRepresentation } from './published/python.ts'
import { isDirectionType, isNumberType, type QuestionType } from './domain/question-types.ts'

const texts = promptFiles(new URL('./prompts/', import.meta.url))
export const { all: allPrompts, fill: promptWith } = texts

/** Texts that only some options send: they count toward the fingerprint of runs with these options alone. */
const optionalTexts = promptFiles(new URL('./prompts/optional/', import.meta.url))
export const optionalPrompt = optionalTexts.fill

/** Texts of a single option each. */
const captionTexts = promptFiles(new URL('./prompts/captions/', import.meta.url))
const poseTexts = promptFiles(new URL('./prompts/pose/', import.meta.url))
const sceneMapTexts = promptFiles(new URL('./prompts/scene-map/', import.meta.url))

export function promptsFor({ prompts, cognitiveMap, chat, repeat, actions }: VsiOptions): Record<string, string> {
  const plain = prompts === undefined || ['protocol', 'leaderboard', 'captions'].includes(prompts)
  return {
    ...allPrompts(),
    ...(plain && cognitiveMap === undefined && !chat && repeat !== 2 ? {} : named('optional', optionalTexts.all())),
    ...(prompts === 'captions' ? named('captions', captionTexts.all()) : {}),
    ...(actions === 'pose' ? named('pose', poseTexts.all()) : {}),
    ...(cognitiveMap === 'scene-map' ? named('scene-map', sceneMapTexts.all()) : {}),
  }
}

function named(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}

/** The three direction levels share all texts except the hint. */
function promptFamily(type: QuestionType): string {
  return isDirectionType(type) ? 'object_rel_direction' : type
}

/** The expected JSON value of the answer. */
export function answerForm({ type, options }: VsiSample): string {
  if (options === null) return type === 'object_counting' ? 'an integer' : 'a number'
  const letters = options.map((_, i) => `"${String.fromCharCode(65 + i)}"`)
  return `one of ${letters.join(', ')}`
}

export function hintFor(type: QuestionType): string {
  return type === 'obj_appearance_order' ? 'Choose the correct order of first appearance' : promptWith(`hint-${type}`)
}

export interface ExplorePromptState {
  step: number
  steps: number
  pose: Pose
  bounds: Bounds
  show: 'full' | 'position' | 'none'
  walked: readonly MoveResult[]
  /** The pose of each image, including the first view. */
  poses: readonly Pose[]
  /** Whether the heading of each image is told. */
  heading: boolean
  profile: Profile
}

const meters = (value: number): string => fixed(value, 2)
const positionText = ([x, y, z]: Pose['position']): string => `X=${meters(x)}m, Y=${meters(y)}m, Z=${meters(z)}m`

/** The text that follows the images at every step. */
export function explorePrompt(sample: VsiSample, state: ExplorePromptState): string {
  const { step, steps, profile } = state
  const { type } = sample
  const final = step >= steps
  const instruction = promptWith('explore', {
    task_description: promptWith(`task-${promptFamily(type)}`),
    question: sample.question,
    options_text:
      sample.options === null
        ? ''
        : `${promptWith('explore-options', { options: sample.options.map((option) => `- ${option}`).join('\n') })}\n\n`,
    direction_note: hasDirectionNote(sample) ? promptWith('note-object_rel_direction') : '',
    bbox_text: boundsText(state),
    important_note: promptWith(final ? 'explore-important-final' : 'explore-important', counterOf(state)),
    movement_instruction: final
      ? promptWith('explore-final', { hint: hintFor(type), form: answerForm(sample) })
      : promptWith(profile === 'upstream' ? 'explore-moves-upstream' : 'explore-moves'),
    movement_history_text: historyText(state, final),
  })
  const text = `${journeyText(state)}\n\n${instruction}`.trimEnd()
  return isPublished(sample) || profile === 'upstream' ? text : corrected(text, sample)
}

/** A later step of one growing conversation, whose first message has the task and the output format. */
export function chatStepPrompt(sample: VsiSample, state: ExplorePromptState): string {
  const { step, steps, walked } = state
  const final = step >= steps
  const last = walked.at(-1)
  return optionalPrompt('chat-step', {
    important_note: promptWith(final ? 'explore-important-final' : 'explore-important', counterOf(state)),
    moved: last === undefined ? 'You have not moved.' : movementLine(last, walked.length, state),
    instruction: final
      ? promptWith('explore-final', { hint: hintFor(sample.type), form: answerForm(sample) })
      : 'Think, then reply in the OUTPUT FORMAT above.',
  })
}

function counterOf({ step, steps }: ExplorePromptState): Record<string, number> {
  return { step, steps, ...(step >= steps ? {} : { remaining: steps - step }) }
}

/** Published questions are asked with the published texts, word for word. */
function isPublished({ scene }: Pick<VsiSample, 'scene'>): boolean {
  return scene.kind === 'scan'
}

/** The note speaks of quadrants, which only the hard level has. */
function hasDirectionNote(sample: Pick<VsiSample, 'scene' | 'type'>): boolean {
  return isDirectionType(sample.type) && (isPublished(sample) || sample.type === 'object_rel_direction_hard')
}

/** What is not true of other scenes in the published texts: the images come first, and a flat is not a room. */
function corrected(text: string, { labels }: Pick<VsiSample, 'labels'>): string {
  const placed = text.replace('Below are ALL the images', 'Above are ALL the images')
  return labels['scene'] === 'flat' || labels['scene'] === 'home'
    ? placed.replace(/\b(the|3D) room\b/g, '$1 home')
    : placed
}

function boundsText({ show, bounds: { min, max }, pose }: ExplorePromptState): string {
  if (show === 'none') return ''
  const [x, y, z] = pose.position.map(meters) as [string, string, string]
  if (show === 'position') return promptWith('explore-bounds-position', { x, y, z })
  return promptWith('explore-bounds-full', {
    size_x: fixed(max[0] - min[0], 1),
    size_y: fixed(max[1] - min[1], 1),
    min_x: meters(min[0]),
    max_x: meters(max[0]),
    min_y: meters(min[1]),
    max_y: meters(max[1]),
    x,
    y,
    z,
  })
}

function journeyText({ poses, show, heading }: ExplorePromptState): string {
  const last = poses.length - 1
  const later =
    last === 0
      ? ''
      : last === 1
        ? ' Image 1 is after your movement.'
        : ` Images 1-${last} are after each of your movements.`
  const lines = poses.map((pose, i) => {
    const facing = heading ? [`heading ${fixed(headingOf(pose), 0)}° (counterclockwise from the X axis)`] : []
    const [x, y, z] = pose.position.map(meters) as [string, string, string]
    const told = [...(show === 'none' ? [] : [`[X=${x}m, Y=${y}m, Z=${z}m]`]), ...facing].join(', ')
    return told === '' ? `- Image ${i}` : `- Image ${i}: ${told}`
  })
  return promptWith('explore-journey', { later, lines: lines.join('\n') })
}

function historyText(state: ExplorePromptState, final: boolean): string {
  if (state.walked.length === 0) return ''
  const lines = state.walked.map((walked, i) => movementLine(walked, i + 1, state))
  const advice = final && state.profile !== 'upstream' ? '' : `\n\n${promptWith('explore-history-advice')}`
  return promptWith('explore-history', { lines: lines.join('\n'), advice })
}

/** One line of the history. Unlike the published one, it shows vertical moves and moves that were cut short. */
export function movementLine(
  { asked, done, blocked, limited, pose }: MoveResult,
  number: number,
  { profile, show }: Pick<ExplorePromptState, 'profile' | 'show'>,
): string {
  const where = show === 'none' ? '' : ` (Position: ${positionText(pose.position)})`
  const upstream = profile === 'upstream'
  const shown = upstream ? asked : done
  const turn = shown.turnDegrees === 0 ? 'stayed facing same direction' : shown.turnDegrees > 0 ? 'left' : 'right'
  const parts = [
    `turned ${fixed(Math.abs(shown.turnDegrees), 0)}° ${turn}`,
    `moved ${fixed(Math.abs(shown.forwardMeters), 1)}m ${shown.forwardMeters >= 0 ? 'forward' : 'backward'}`,
  ]
  if (Math.abs(shown.leftMeters) > 0.01)
    parts.push(`strafed ${fixed(Math.abs(shown.leftMeters), 1)}m ${shown.leftMeters > 0 ? 'left' : 'right'}`)
  if (!upstream && Math.abs(shown.upMeters) > 0.01)
    parts.push(`went ${fixed(Math.abs(shown.upMeters), 1)}m ${shown.upMeters > 0 ? 'up' : 'down'}`)
  const line = `Step ${number}: ${parts.join(', ')} → Image ${number}${where}`
  if (upstream || !(blocked || limited)) return line
  const why = blocked ? 'something was in the way' : 'that is more than a step allows'
  const wanted = `${fixed(asked.turnDegrees, 0)}°, forward ${fixed(asked.forwardMeters, 1)}m, left ${fixed(asked.leftMeters, 1)}m, up ${fixed(asked.upMeters, 1)}m`
  return `${line} - you asked for ${wanted}, but ${why}`
}

/** The label before each image: `Image 3 (After movement 3)`. */
export function imageLabel(index: number): string {
  return index === 0 ? 'Image 0 (Initial view)' : `Image ${index} (After movement ${index})`
}

/** Prompts of numeric questions have no placeholder for choices. */
function choices(type: QuestionType, options: readonly string[] | null): { choices_text?: string } {
  return isNumberType(type) ? {} : { choices_text: (options ?? []).map((option) => `  ${option}`).join('\n') }
}

/** The text sent with the frames of a video. */
export function videoPrompt({ type, question, options }: VsiSample, frames: number): string {
  return promptWith(`video-${promptFamily(type)}`, { num_frames: frames, question, ...choices(type, options) })
}

export function blindPrompt({ type, question, options }: VsiSample): string {
  return promptWith(`blind-${promptFamily(type)}`, { question, ...choices(type, options) })
}

/** The prompt of the official evaluation, which asks for the bare answer. */
export function leaderboardPrompt({ type, question, options }: VsiSample): string {
  if (isNumberType(type)) return promptWith('leaderboard-number', { question })
  return promptWith('leaderboard-choice', { question, options: (options ?? []).join('\n') })
}

const kindOf = ({ type }: VsiSample): 'number' | 'choice' => (isNumberType(type) ? 'number' : 'choice')

/** The question with its options, as the official evaluation writes them. */
function withOptions({ question, options }: VsiSample): string {
  return options === null ? question : `${question}\nOptions:\n${options.join('\n')}`
}

/** Zero-shot chain of thought: the question, then the request for the bare answer in a turn of its own. */
export function chainOfThoughtPrompts(sample: VsiSample): { think: string; extract: string } {
  const kind = kindOf(sample)
  const { question, options } = sample
  return {
    think: optionalPrompt(`cot-${kind}`, {
      question,
      ...(kind === 'choice' && { options: (options ?? []).join('\n') }),
    }),
    extract: optionalPrompt(`extract-${kind}`),
  }
}

/** Video-R1's prompt: reasoning in <think>, the answer in <answer>. */
export function thinkPrompt(sample: VsiSample): string {
  const { question, options } = sample
  const listed = options === null ? '' : `\n\nOptions:\n${options.map((option) => `  ${option}`).join('\n')}`
  return optionalPrompt('think', { question: question + listed, form: optionalPrompt(`think-${kindOf(sample)}`) })
}

export const planPrompt = (sample: VsiSample): string => optionalPrompt('plan', { question: withOptions(sample) })

export function followPlanPrompt(sample: VsiSample, plan: string): string {
  const extract = optionalPrompt(`extract-${kindOf(sample)}`)
  return optionalPrompt('follow-plan', { question: withOptions(sample), plan, extract })
}

/** Asks for the number of the most promising plan or answer, in the words of Tree of Thoughts. */
export function votePrompt(sample: VsiSample, choices: readonly string[]): string {
  return optionalPrompt('vote-choices', {
    instruction: optionalTexts.text('vote'),
    question: withOptions(sample),
    choices: choices.map((choice, i) => `Choice ${i + 1}:\n${choice}`).join('\n'),
  })
}

/** The two turns of the published cognitive map. Categories are written as Python writes a list. */
export function cognitiveMapPrompts(
  { question, options }: VsiSample,
  categories: readonly string[],
  cells: number,
): { draw: string; answer: string } {
  return {
    draw: optionalPrompt('map', { cells, categories: `[${categories.map(stringRepresentation).join(', ')}]` }),
    answer:
      options === null
        ? sceneMapTexts.fill('map-then-number', { question })
        : optionalPrompt('map-then', { question, options: options.join('\n') }),
  }
}

export const captionPrompt = (): string => captionTexts.text('caption')

/** The question after the captions of the frames, which are all that the answer can be found in. */
export function fromCaptionsPrompt(sample: VsiSample, captions: readonly string[]): string {
  const { question, options } = sample
  return captionTexts.fill(`ask-${kindOf(sample)}`, {
    frames: captions.length,
    captions: captions.map((caption, i) => `Frame ${i + 1}: ${caption}`).join('\n'),
    question,
    ...(kindOf(sample) === 'choice' && { options: (options ?? []).join('\n') }),
  })
}

export const poseSystem = (): string => poseTexts.text('system')
export const poseReask = (problem: string): string => poseTexts.fill('reask', { problem })

export interface PosePromptState {
  turn: number
  turns: number
  profile: Profile
  bounds: Bounds
  /** Limits of the field of view. */
  fov: { min: number; max: number }
  /** Camera-to-world matrices and fields of view of the images so far. */
  views: readonly { matrix: readonly number[]; fov: number }[]
}

/** A turn of the published view selection. Ours says where the room and the cameras are, without which no pose can be chosen. */
export function posePrompt(sample: VsiSample, state: PosePromptState): string {
  const { turn, turns, profile, bounds, views, fov } = state
  const { question, options } = sample
  const final = turn === turns
  const published = poseTexts.fill(final ? 'final' : 'turn', {
    turn,
    turns,
    question: options === null ? question : `${question}\n\nChoices:\n${options.join('\n')}`,
    views: `You have collected ${views.length} view(s) of the scene.`,
    // The published pipeline asks questions with options only.
    ...(final && { form: options === null && profile !== 'upstream' ? answerForm(sample) : 'A, B, C, or D' }),
  })
  if (final || profile === 'upstream') return published
  const axis = (name: string, i: 0 | 1 | 2) => ({
    [`min_${name}`]: meters(bounds.min[i]),
    [`max_${name}`]: meters(bounds.max[i]),
  })
  const where = poseTexts.fill('where', {
    ...axis('x', 0),
    ...axis('y', 1),
    ...axis('z', 2),
    min_fov: fov.min,
    max_fov: fov.max,
    views: views.map((view, i) => `- View ${i + 1}: ${poseText(view)}`).join('\n'),
  })
  return `${published}\n${where}`
}

/** As the action is written; rounded to millimeters. */
export function poseText({ matrix, fov }: PosePromptState['views'][number]): string {
  const rows = [0, 1, 2, 3].map((row) => matrix.slice(row * 4, row * 4 + 4).map((value) => Number(fixed(value, 3)) + 0))
  return JSON.stringify({ camera_pose: rows, fov: Number(fixed(fov, 1)) })
}

export function firstViewPrompt({ question, options, type }: VsiSample): string {
  const listed =
    options === null ? 'None' : `[${options.map((option) => `'${option.replaceAll("'", "\\'")}'`).join(', ')}]`
  return promptWith('first-view', { question, options: listed, type })
}

export function answerOnlyPrompt(sample: VsiSample): string {
  const options = sample.options === null ? '' : promptWith('explore-options', { options: sample.options.join('\n') })
  const form = sample.options === null ? '<number>' : '"<letter>"'
  return promptWith('answer-only', { question: sample.question, options, hint: hintFor(sample.type), form })
}
