/** What was to be found, in words for readers. */
import type { DescribeContext, EpisodeDescription } from '../../../../suite.ts'
import { idOf } from '../../samples/sources.ts'
import type { RetrieveOptions } from './options.ts'
import type { RetrieveOutcome } from './outcome.ts'
import type { RetrieveSample } from './sample.ts'

export function describeRetrieve(
  { input, target, part, text, pool }: RetrieveSample,
  outcome: RetrieveOutcome | null,
  { images }: DescribeContext<RetrieveOptions>,
): EpisodeDescription {
  const moving = part === null ? '' : `, whose ${part.replaceAll('_', ' ')} moves`
  const found = outcome?.chosen === null || !outcome ? null : pool[outcome.chosen]
  const meshes = outcome?.plan?.map(
    ({ name, mesh }) => `${name}: ${mesh ? `${mesh.kind} of a ${mesh.category}` : 'no mesh'}`,
  )
  const answer = found
    ? [idOf(found.object), ...(outcome?.affordance ? [`${outcome.affordance} moves`] : [])].join('\n')
    : null
  return {
    question: input === 'text' ? `Meshes for ${text}` : `Which object is in the ${input}?`,
    answer: meshes?.join('\n') ?? answer,
    truth: input === 'text' ? target.category.replaceAll('_', ' ') : `${idOf(target.object)}${moving}`,
    ...(images[0] && { image: images[0] }),
  }
}
