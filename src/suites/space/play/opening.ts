/** The first message of an episode: task, rules, and contents of the scene. */
import type { Profile } from '../domain/profile.ts'
import type { Scene } from '../domain/grid/scene.ts'
import { entitiesOf, objectNumber, roomIds } from '../domain/grid/view.ts'
import { explorationFooter, IMAGE, prompt, promptWith } from '../prompts/prompts.ts'

export interface ExplorationPromptOptions {
  /** Images instead of text. */
  vision?: boolean
  /** True if the player acts, false if it reads the log of a proxy agent. */
  active?: boolean
  /** Ask for reasoning before the answer. */
  think?: boolean
  maxSteps?: number
  /** The log as numbered lines; passive only. */
  history?: string
}

/** `Imagine 2 rooms connected by doors: room 1, room 2. …` with the lists of objects and doors. */
export function layoutText(scene: Scene, profile: Profile): string {
  const rooms = roomIds(scene).map((id) => `room ${id}`)
  const entities = entitiesOf(scene)
  const objects = entities.filter(({ kind }) => kind === 'object')
  const doors = entities.filter(({ kind }) => kind === 'door').map(({ name }) => name)
  return promptWith('layout', profile, {
    rooms:
      rooms.length === 1
        ? `a single room: ${rooms[0]}`
        : `${rooms.length} rooms connected by doors: ${rooms.join(', ')}`,
    start_room: scene.start.room,
    objects: objects.map(({ name }) => `${objectNumber(scene, name)}: ${name}`).join(', '),
    doors: doors.length === 0 ? '' : `\nDoors: ${doors.join(', ')}`,
  })
}

/** The first user message of an episode. */
export function explorationPrompt(scene: Scene, profile: Profile, options: ExplorationPromptOptions = {}): string {
  return profile === 'upstream' ? publishedPrompt(scene, options) : ownPrompt(scene, options)
}

function title(active: boolean): string {
  return active ? 'Spatial Exploration Task' : 'Spatial Reasoning Task'
}

function ownPrompt(scene: Scene, options: ExplorationPromptOptions): string {
  const { vision = false, active = true, think = true, maxSteps = 20, history = '' } = options
  const own = (name: string): string => prompt(name, 'fixed')
  const more: string[] = []
  if (active) more.push(promptWith('steps', 'fixed', { max_steps: maxSteps }))
  if (vision) more.push(promptWith('vision-example', 'fixed', { image_placeholder: IMAGE }))
  more.push(active ? explorationFooter(think, 'fixed') : promptWith('history', 'fixed', { turns: history }))
  return promptWith('explore', 'fixed', {
    title: title(active),
    intro: own(vision ? 'intro-vision' : 'intro-text'),
    goal: active ? `${own('goal')}\n\n` : '',
    rooms: own('rooms'),
    observation: promptWith('observation', 'fixed', { proximity: vision ? '' : ` ${own('proximity')}` }),
    actions: promptWith('actions', 'fixed', {
      actions: promptWith('action-list', 'fixed', { observe_note: vision ? '' : ` ${own('action-observe-note')}` }),
      examples: own('action-examples'),
      field_of_view: 90,
      costs: own('action-costs'),
    }),
    rules: active ? `${own('rules-active')}\n${own('rules')}` : own('rules'),
    layout: layoutText(scene, 'fixed'),
    more: more.map((part) => `\n\n${part}`).join(''),
  })
}

/** Blank lines as the published templates leave them. */
function publishedPrompt(scene: Scene, options: ExplorationPromptOptions): string {
  const { vision = false, active = true, think = true, maxSteps = 20, history = '' } = options
  const published = (name: string): string => prompt(name, 'upstream')
  const text = promptWith('explore', 'upstream', {
    title: title(active),
    intro: published(vision ? 'intro-vision' : 'intro-text'),
    goal: active ? published('goal') : '',
    proximity: vision ? '' : `\n${published('proximity')}`,
    observe: published(vision ? 'observe-vision' : 'observe-text'),
    active_rules: active ? `${published('rules-active')}\n` : '',
    layout: layoutText(scene, 'upstream'),
    steps: active ? `\n\n${promptWith('steps', 'upstream', { max_steps: maxSteps })}` : '',
    example: vision ? `\n\n${promptWith('vision-example', 'upstream', { image_placeholder: IMAGE })}\n` : '',
    history: active ? '' : promptWith('history', 'upstream', { turns: history }),
  })
  return active ? `${text}\n${explorationFooter(think, 'upstream')}` : text
}
