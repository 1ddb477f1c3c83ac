/** What was said and pointed at, in words for readers. */
import type { DescribeContext, EpisodeDescription } from '../../suite.ts'
import type { VsigOutcome } from './domain/outcome.ts'
import type { PredictedPoint } from './domain/prediction.ts'
import type { Profile } from './domain/profiles.ts'
import { canonicalCommand } from './domain/templates.ts'
import { truthOf } from './domain/truth.ts'
import type { VsigOptions } from './options.ts'
import { readReply } from './parse/reply.ts'
import type { VsigSample } from './samples/sample.ts'

/** The command in its first line, then one line per target: name, point and time. */
export function describe(
  { template, annotation, evalTruth, frame }: VsigSample,
  outcome: VsigOutcome | null,
  { options, images }: DescribeContext<VsigOptions, Profile>,
): EpisodeDescription {
  const { slots } = truthOf(template, annotation, evalTruth, frame)
  const prediction = outcome && readReply(outcome.reply, options.coords)
  const said = annotation.asr_result?.text
  const overlay = images.find(({ provenance, type }) => provenance['shows'] === 'overlay' && type === 'image/png')
  return {
    question: said || 'Points without speaking',
    answer: prediction && listed(prediction.command, prediction.points),
    truth: listed(
      canonicalCommand(
        template,
        slots.map(({ name }) => name),
      ),
      slots.map(({ name, points, window }) => ({
        description: name,
        point: points[0] ?? null,
        time: window.kind === 'window' ? window.window : null,
      })),
    ),
    ...(overlay && { image: overlay }),
  }
}

function listed(command: string, points: readonly PredictedPoint[]): string {
  return [command, ...points.map(target)].filter((line) => line !== '').join('\n')
}

function target({ description, point, time }: PredictedPoint): string {
  const where = point && `(${point.map(Math.round).join(', ')})`
  const when = time === null ? null : `${typeof time === 'number' ? time : time.join('–')} ms`
  return [description, where, when].filter((part) => part !== null && part !== '').join(' ')
}
