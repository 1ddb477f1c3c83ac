/** Moves in words. */

/** `left 90°, ahead 0.5 m`; null for what is no move. */
export function moveWords(move: unknown): string | null {
  if (typeof move !== 'object' || move === null) return null
  const of = (name: string): number => {
    const value: unknown = Object.getOwnPropertyDescriptor(move, name)?.value
    return typeof value === 'number' && Number.isFinite(value) ? value : 0
  }
  const parts = [
    degrees(of('turnDegrees')),
    meters(of('forwardMeters'), 'ahead', 'back'),
    meters(of('leftMeters'), 'to the left', 'to the right'),
    meters(of('upMeters'), 'up', 'down'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'stays' : parts.join(', ')
}

const MIN_DEGREES = 0.5
const MIN_METERS = 0.005

function degrees(turn: number): string {
  if (Math.abs(turn) < MIN_DEGREES) return ''
  return `${turn > 0 ? 'left' : 'right'} ${Math.round(Math.abs(turn))}°`
}

function meters(value: number, more: string, less: string): string {
  if (Math.abs(value) < MIN_METERS) return ''
  return `${value > 0 ? more : less} ${Math.abs(value).toFixed(2)} m`
}
