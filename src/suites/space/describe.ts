/** An exploration and its questions, in words for readers: one line per question. */
import { type DescribeContext, type EpisodeDescription, groupBy, plural } from '../../suite.ts'
import type { SpaceSample } from './samples/sample.ts'
import { formOf, scoreReply } from './domain/answers/forms.ts'
import type { Question } from './domain/answers/question.ts'
import { TASK_TITLES } from './domain/answers/titles.ts'
import type { SpaceOutcome } from './domain/outcome.ts'
import type { Profile } from './domain/profile.ts'
import type { SpaceOptions } from './options.ts'

/** The first images explain the task; after them come the views. */
const INSTRUCTION_IMAGES = 2

export function describe(
  { scene, questions, revision }: SpaceSample,
  outcome: SpaceOutcome | null,
  { profile, options, images }: DescribeContext<SpaceOptions, Profile>,
): EpisodeDescription {
  const tasks = [...groupBy(questions, ({ task }) => task)].map(
    ([task, { length }]) => `${length} × ${TASK_TITLES[task]}`,
  )
  const parts = [
    options.explore === 'passive' ? 'Read an exploration' : 'Explore the rooms',
    ...(questions.length === 0 ? [] : [`answer ${plural(questions.length, 'question')} (${tasks.join(', ')})`]),
    ...(revision && options.revision ? ['find what changed'] : []),
  ]
  const image = images[INSTRUCTION_IMAGES]
  const replies = new Map(outcome?.answers.map(({ question, reply }) => [question, reply]))
  const how = { profile, afterMap: options.evaluation === 'own-map' }
  return {
    question: parts.join(', '),
    answer:
      outcome &&
      listed(questions, (question) => scoreReply(question, replies.get(question.id) ?? '', scene, how).answer || '–'),
    truth: listed(questions, ({ answer }) => formOf(answer, scene).truth()),
    ...(image && { image }),
  }
}

function listed(questions: readonly Question[], written: (question: Question) => string): string {
  return questions.map((question) => `${TASK_TITLES[question.task]}: ${written(question)}`).join('\n')
}
