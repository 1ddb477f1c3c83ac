/** Players that are not models: `baseline/random`. */
export const BASELINE_PREFIX = 'baseline/'
/** What it writes where a model thinks; training data leaves it out. */
export const BASELINE_THOUGHT = 'I am a baseline.'

export function isBaseline(player: string): boolean {
  return player.startsWith(BASELINE_PREFIX)
}
