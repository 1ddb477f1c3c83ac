/** Difficulty of built-in clips. */

export const LEVEL_NAMES = ['easy', 'medium', 'hard'] as const
export type Level = (typeof LEVEL_NAMES)[number]

type Range = readonly [number, number]

/** What a clip is drawn from. */
export interface ClipKnobs {
  objects: Range
  /** How many objects are exactly like another one. */
  lookAlikes: Range
  /** Distance from the fingertip to what it points at, in meters. */
  away: Range
  /** Probability of a closed hand that hovers over an object without pointing. */
  hovering: number
  /** Probability of pointing at another object while nothing is said: only the times of the words tell. */
  pointless: number
}

export const LEVELS: Readonly<Record<Level, ClipKnobs>> = {
  easy: { objects: [5, 6], lookAlikes: [0, 0], away: [0.08, 0.14], hovering: 0, pointless: 0 },
  medium: { objects: [6, 8], lookAlikes: [1, 2], away: [0.08, 0.32], hovering: 0.6, pointless: 0 },
  hard: { objects: [8, 10], lookAlikes: [2, 4], away: [0.2, 0.42], hovering: 0.8, pointless: 0.5 },
}

/** `mixed` runs through the levels, six clips at a time: all templates. */
export function levelOf(choice: Level | 'mixed', round: number): Level {
  return choice === 'mixed' ? LEVEL_NAMES[round % LEVEL_NAMES.length]! : choice
}
