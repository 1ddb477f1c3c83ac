import { boundsOf, percentileBounds } from '../geometry/bounds.ts'
import type { MeshFormat } from './format.ts'

/** No room and few buildings are longer; what is, is taken to be in a smaller unit. */
const LONGEST_METERS = 150
/** 3D printing works in millimeters and says so nowhere; robots' STL parts, in meters, are smaller than this. */
const LONGEST_STL_METERS = 10
/** What a mesh in an unknown unit is made. */
const UNKNOWN_METERS = 10
const UNITS = [
  { name: 'centimeters', meters: 0.01 },
  { name: 'millimeters', meters: 0.001 },
] as const
/** Strays of a scan do not count in its size. */
const STRAY_PERCENTILES = [0.1, 99.9] as const

/** The unit that gives a mesh a plausible size. `said` is what the file or its standard says. */
export function guessUnit(positions: Float32Array, said: number, format: MeshFormat): { scale: number; note?: string } {
  const sides = sizeOf(positions)
  const longest = Math.max(...sides)
  const stl = format === 'stl'
  if (!(longest * said > (stl ? LONGEST_STL_METERS : LONGEST_METERS))) return { scale: said }
  const units = stl ? UNITS.slice(1) : UNITS
  const unit = units.find(({ meters }) => longest * meters <= LONGEST_METERS / (meters === 0.01 ? 10 : 1))
  const told = sides.map(shown).join(' × ')
  if (unit) {
    return {
      scale: unit.meters,
      note: `Units guessed: it measures ${told}, taken as ${unit.name}. If that is wrong, use --meters-per-unit.`,
    }
  }
  return {
    scale: UNKNOWN_METERS / longest,
    note: `Units unknown: it measures ${told}, shown ${UNKNOWN_METERS} m long. Give the unit with --meters-per-unit.`,
  }
}

function sizeOf(positions: Float32Array): number[] {
  const whole = boundsOf(positions)
  const most = percentileBounds(positions, ...STRAY_PERCENTILES)
  const side = ({ min, max }: typeof whole) => [0, 1, 2].map((axis) => max[axis]! - min[axis]!)
  // In a small mesh a percentile is a vertex like any other.
  return positions.length > 30_000 ? side(most) : side(whole)
}

function shown(side: number): string {
  if (side >= 1e6) return side.toExponential(1)
  return side >= 100 ? Math.round(side).toLocaleString('en') : side.toPrecision(3)
}
