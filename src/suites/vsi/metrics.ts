import type { Metric } from '../../report/means.ts'
import { DISTANCE_EDGES } from './domain/cognitive-map.ts'
import { isChoiceType } from './domain/question-types.ts'

/** A metric of the cognitive map: pairs of categories in a bin of true distance. */
export function binMetric(bin: number, what: 'pairs' | 'agreeing'): string {
  return `map.${what}.${bin + 1}`
}

const cost = (title: string): Metric => ({ title, better: 'lower', unit: 'number', failed: 'leave-out' })

const binMetrics = Object.fromEntries(
  DISTANCE_EDGES.slice(1).flatMap((upTo, bin) =>
    (['pairs', 'agreeing'] as const).map((what): [string, Metric] => [
      binMetric(bin, what),
      { title: `Map, up to ${upTo} cells: ${what}`, better: 'higher', unit: 'number', failed: 'leave-out' },
    ]),
  ),
)

/** Everything that is measured of an episode. */
export const metrics: Readonly<Record<string, Metric>> = {
  score: { title: 'Score', better: 'higher', unit: 'percent', failed: 'zero', appliesTo: () => true },
  right: { title: 'Right as published', better: 'higher', unit: 'percent', failed: 'zero' },
  chance: {
    title: 'Chance',
    better: 'higher',
    unit: 'percent',
    failed: 'leave-out',
    appliesTo: ({ type }) => type !== undefined && isChoiceType(type),
  },
  frequent: { title: 'Most frequent answer', better: 'higher', unit: 'percent', failed: 'leave-out' },
  blind: { title: 'Answer from the words alone', better: 'higher', unit: 'percent', failed: 'leave-out' },
  map: { title: 'Distances on the map', better: 'higher', unit: 'percent', failed: 'leave-out' },
  ...binMetrics,
  pictures: cost('Pictures seen'),
  moves: cost('Moves'),
  meters: cost('Metres walked'),
  blocked: cost('Moves that met an obstacle'),
  unreadable: cost('Replies that could not be read'),
}
