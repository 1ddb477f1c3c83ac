/** Players that are not models: `baseline/random`. */
export const BASELINE_PREFIX = 'baseline/'

export function isBaseline(player: string): boolean {
  return player.startsWith(BASELINE_PREFIX)
}
