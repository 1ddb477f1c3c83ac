/** The table of articulate/retrieve. */
import type { Means, Metric, Summary, SummaryRow } from '../../../../suite.ts'
import { INPUTS } from './sample.ts'

const percent = (title: string, more: Partial<Metric> = {}): Metric => ({
  title,
  better: 'higher',
  unit: 'percent',
  failed: 'zero',
  ...more,
})

export const retrieveMetrics: Readonly<Record<string, Metric>> = {
  success: percent('Success'),
  category: percent('Correct category'),
  instance: percent('The object itself'),
  closest: percent('The closest object of the category'),
  'same-parts': percent('An object with the same parts'),
  distance: { title: 'Chamfer distance to the object, m', better: 'lower', unit: 'number', failed: 'leave-out' },
  affordance: percent('Correct moving part'),
  plan: percent('Parts from words, F1'),
  dropped: percent('Planned parts without a mesh', { better: 'lower', failed: 'leave-out' }),
  'made.placed': percent('Made: parts in place'),
  'made.type': percent('Made: type of the joint'),
  'made.axis': percent('Made: type and axis of the joint'),
  'made.runs': percent('Made from words: programs that run'),
  'made.plausible': percent('Made from words: plausible'),
}

function rowOf(
  means: Means,
  key: string,
  more: Partial<SummaryRow>,
  where: Readonly<Record<string, string>> = {},
): SummaryRow[] {
  const { title, unit, better } = retrieveMetrics[key]!
  const n = means.count(key, where)
  return n === 0 ? [] : [{ key, title, value: means.mean(key, where), n, unit, better, ...more }]
}

export function retrieveSummary(means: Means): Summary {
  return {
    headline: 'success',
    success: 'success',
    rows: [
      ...rowOf(means, 'success', {}),
      ...INPUTS.flatMap((input) =>
        rowOf(
          means,
          'success',
          {
            key: `success.${input}`,
            title: `from ${input === 'text' ? 'words' : `an ${input}`.replace('an v', 'a v')}`,
            section: 'By input',
          },
          { input },
        ),
      ),
      ...Object.keys(retrieveMetrics)
        .slice(1)
        .flatMap((key) => rowOf(means, key, { section: key.startsWith('made.') ? 'Made' : 'Details' })),
      ...means
        .values('category')
        .flatMap((category) =>
          rowOf(
            means,
            'success',
            { key: `category.${category}`, title: category.replaceAll('_', ' '), section: 'By category' },
            { category },
          ),
        ),
    ],
  }
}
