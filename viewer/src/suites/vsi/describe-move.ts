/** A move as text: `turn left 90°, forward 0.50 m`; `null` if it is not a move. */
export function describeMove(move: unknown): string | null {
  if (typeof move !== 'object' || move === null) return null
  const of = (name: string): number => {
    const value: unknown = Object.getOwnPropertyDescriptor(move, name)?.value
    return typeof value === 'number' && Number.isFinite(value) ? value : 0
  }
  const parts = [
    degrees(of('turnDegrees')),
    meters(of('forwardMeters'), 'forward', 'back'),
    meters(of('leftMeters'), 'left', 'right'),
    meters(of('upMeters'), 'up', 'down'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'no movement' : parts.join(', ')
}

const MIN_DEGREES = 0.5
const MIN_METERS = 0.005

function degrees(turn: number): string {
  if (Math.abs(turn) < MIN_DEGREES) return ''
  return `turn ${turn > 0 ? 'left' : 'right'} ${Math.round(Math.abs(turn))}°`
}

function meters(value: number, more: string, less: string): string {
  if (Math.abs(value) < MIN_METERS) return ''
  return `${value > 0 ? more : less} ${Math.abs(value).toFixed(2)} m`
}
