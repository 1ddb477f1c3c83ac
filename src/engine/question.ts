/** What a suite that asks one question per sample gets by default: play, score, metrics, table, built-in players. */
import { z } from 'zod'
import type { Means, Metric } from '../report/means.ts'
import type { Summary, SummaryRow } from '../report/summary.ts'
import type { Message } from '../models/types.ts'
import type { Scores } from '../store/records.ts'
import type { Reader } from './readers.ts'
import type { Baseline, Episode, Played, SampleBase } from './suite.ts'

/** What is recorded of an answer. */
export interface QuestionOutcome<Answer> {
  /** Null when the reply had none. */
  answer: Answer | null
  reply: string
}

interface Question<Options, Sample, Answer> {
  ask(sample: Sample, episode: Episode, options: Options): readonly Message[] | Promise<readonly Message[]>
  read: Reader<Answer> | ((sample: Sample) => Reader<Answer>)
  truth(sample: Sample): Answer
}

/** A label with more values than this is not a grouping but an id. */
const MAX_GROUPS = 30

const METRICS: Readonly<Record<string, Metric>> = {
  correct: { title: 'Correct', better: 'higher', unit: 'percent', failed: 'zero' },
  chance: { title: 'Chance', better: 'higher', unit: 'percent', failed: 'leave-out' },
}

/** `truth.north`: 1 where that is the right answer. The largest mean is what the best constant answer gets. */
const TRUTH = 'truth.'

export function questionParts<Options, Sample extends SampleBase, Answer>(question: Question<Options, Sample, Answer>) {
  const readerOf = readersOf(question)
  return {
    metrics: METRICS,
    schemas: { outcome: z.object({ answer: z.unknown(), reply: z.string() }) },
    // The code of the prompt is the prompt.
    prompts: () => ({ ask: String(question['ask']) }),

    async play(sample: Sample, episode: Episode, options: Options): Promise<Played<QuestionOutcome<Answer>>> {
      const { text: reply } = await episode.ask('player', await question.ask(sample, episode, options))
      const answer = readerOf(sample).read(reply)
      if (answer !== null) return { status: 'answered', outcome: { answer, reply } }
      return {
        status: reply.trim() === '' ? 'no_answer' : 'parse_failed',
        outcome: { answer, reply },
        problem: 'the reply has no answer that can be read',
      }
    },

    score(sample: Sample, { answer }: QuestionOutcome<Answer>): Scores {
      const right = question.truth(sample)
      const reader = readerOf(sample)
      const grade = (each: Answer): number => reader.grade?.(each, right) ?? (each === right ? 1 : 0)
      const { choices = [] } = reader
      return {
        correct: answer === null ? 0 : grade(answer),
        ...(choices.length === 0
          ? {}
          : { chance: choices.reduce((sum, each) => sum + grade(each), 0) / choices.length }),
        ...Object.fromEntries(choices.map((each) => [`${TRUTH}${String(each)}`, grade(each)])),
      }
    },

    summary: (means: Means): Summary => questionSummary(means),
    baselines: questionBaselines(question),
  }
}

/** The share of right answers over all, and by every label, with what chance and the best constant answer get. */
function questionSummary(means: Means): Summary {
  const row = (key: string, title: string, where: Readonly<Record<string, string>>): SummaryRow => ({
    key,
    title,
    value: means.mean('correct', where),
    n: means.count('correct', where),
    unit: 'percent',
    better: 'higher',
    chance: means.mean('chance', where),
    constant: bestConstant(means, where),
  })
  const groups = means.labels().flatMap((label) => {
    const values = means.values(label)
    if (values.length < 2 || values.length > MAX_GROUPS) return []
    return values.map((value) => ({
      ...row(`${label}.${value}`, value, { [label]: value }),
      section: `By ${label}`,
    }))
  })
  return { headline: 'correct', rows: [row('correct', 'Correct', {}), ...groups] }
}

function bestConstant(means: Means, where: Readonly<Record<string, string>>): number | null {
  const answers = means.metrics().filter((name) => name.startsWith(TRUTH))
  // An answer that some samples do not offer is no constant answer.
  const offered = answers.filter((name) => means.count(name, where) === means.count('chance', where))
  return offered.length === 0 ? null : Math.max(...offered.map((name) => means.mean(name, where) ?? 0))
}

function readersOf<Sample, Answer>({
  read,
}: Pick<Question<never, Sample, Answer>, 'read'>): (sample: Sample) => Reader<Answer> {
  return typeof read === 'function' ? read : () => read
}

function questionBaselines<Options, Sample extends SampleBase, Answer>(
  question: Question<Options, Sample, Answer>,
): Record<string, Baseline<Sample, Options>> {
  const readerOf = readersOf(question)
  const choicesOf = (sample: Sample): readonly Answer[] => readerOf(sample).choices ?? [question.truth(sample)]
  const oracle: Baseline<Sample, Options> = {
    title: 'knows the answer',
    start: (sample) => () => readerOf(sample).write(question.truth(sample)),
  }
  if (typeof question.read !== 'function' && question.read.choices === undefined) return { oracle }
  return {
    oracle,
    random: {
      title: 'picks any answer',
      start:
        (sample, { random }) =>
        () =>
          readerOf(sample).write(random.pick(choicesOf(sample))),
    },
    constant: {
      title: 'always gives the first answer',
      start: (sample) => () => readerOf(sample).write(choicesOf(sample)[0]!),
    },
  }
}
