/** Presets of the knobs of a built-in scene. */
import type { SceneKnobs } from './scene/origin.ts'

export const LEVEL_NAMES = ['easy', 'medium', 'hard'] as const
export type Level = (typeof LEVEL_NAMES)[number]

/** What a level does not set is drawn from the seed. */
export const LEVELS: Readonly<Record<Level, SceneKnobs>> = {
  easy: { rooms: 2, objects: 12, clutter: 0, lookAlikes: 0 },
  medium: {},
  hard: { rooms: 7, clutter: 90, lookAlikes: 0.8 },
}

/** `mixed` runs through the levels, scene by scene. */
export function levelOf(choice: Level | 'mixed', index: number): Level {
  return choice === 'mixed' ? LEVEL_NAMES[index % LEVEL_NAMES.length]! : choice
}
