/** The first message of an episode: task, rules, and contents of the scene. */
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
export function layoutText(scene: Scene): string {
  const rooms = roomIds(scene).map((id) => `room ${id}`)
  const entities = entitiesOf(scene)
  const objects = entities.filter(({ kind }) => kind === 'object')
  const doors = entities.filter(({ kind }) => kind === 'door').map(({ name }) => name)
  return promptWith('layout', {
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
export function explorationPrompt(scene: Scene, options: ExplorationPromptOptions = {}): string {
  const { vision = false, active = true, think = true, maxSteps = 20, history = '' } = options
  const more: string[] = []
  if (active) more.push(promptWith('steps', { max_steps: maxSteps }))
  if (vision) more.push(promptWith('vision-example', { image_placeholder: IMAGE }))
  more.push(active ? explorationFooter(think) : promptWith('history', { turns: history }))
  return promptWith('explore', {
    title: active ? 'Spatial Exploration Task' : 'Spatial Reasoning Task',
    intro: prompt(vision ? 'intro-vision' : 'intro-text'),
    goal: active ? `${prompt('goal')}\n\n` : '',
    rooms: prompt('rooms'),
    observation: promptWith('observation', { proximity: vision ? '' : ` ${prompt('proximity')}` }),
    actions: promptWith('actions', {
      actions: promptWith('action-list', { observe_note: vision ? '' : ` ${prompt('action-observe-note')}` }),
      examples: prompt('action-examples'),
      field_of_view: 90,
      costs: prompt('action-costs'),
    }),
    rules: active ? `${prompt('rules-active')}\n${prompt('rules')}` : prompt('rules'),
    layout: layoutText(scene),
    more: more.map((part) => `\n\n${part}`).join(''),
  })
}
