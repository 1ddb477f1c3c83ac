/** Defaults for suites that ask one question per sample: play, score, metrics, table and baselines. */
import { z } from 'zod'
import type { Means, Metric } from '../report/means.ts'
import type { Summary, SummaryRow } from '../report/summary.ts'
import { type Message, type Sampling, textOf } from '../models/types.ts'
import type { Scores } from '../store/records.ts'
import type { BlindTask } from './audit/task.ts'
import type { Reader } from './readers.ts'
import type { Baseline, Episode, EpisodeDescription, Played, SampleBase, ScoringContext } from './suite.ts'

/** The outcome recorded for a question. */
export interface QuestionOutcome<Answer> {
  /** Null if the reply has no readable answer. */
  answer: Answer | null
  /** The complete reply. */
  reply: string
}

interface Question<Options, Sample, Answer> {
  ask(sample: Sample, episode: Episode, options: Options): readonly Message[] | Promise<readonly Message[]>
  read: Reader<Answer> | ((sample: Sample, profile: string) => Reader<Answer>)
  truth(sample: Sample): Answer
  sampling?(sample: Sample, profile: string): Sampling
}

/** A label with more values than this is an id, not a group. */
const MAX_GROUPS = 30

const QUESTION_METRICS: Readonly<Record<string, Metric>> = {
  correct: { title: 'Correct', better: 'higher', unit: 'percent', failed: 'zero' },
  chance: { title: 'Chance', better: 'higher', unit: 'percent', failed: 'leave-out' },
}

/** `truth.north` is the grade of answering "north"; the largest mean is the score of the best constant answer. */
const TRUTH_PREFIX = 'truth.'
/** 1 for a question without choices: what is right by chance is not known where such questions are. */
const OPEN = 'open'

export function questionParts<Options, Sample extends SampleBase, Answer>(question: Question<Options, Sample, Answer>) {
  const readerOf = readerFor(question)
  return {
    metrics: QUESTION_METRICS,
    schemas: { outcome: z.object({ answer: z.unknown(), reply: z.string() }) },
    // The prompt is built by code, so its source stands in for the prompt text in the fingerprint.
    prompts: () => ({ ask: String(question['ask']) }),

    async play(sample: Sample, episode: Episode, options: Options): Promise<Played<QuestionOutcome<Answer>>> {
      const messages = await question.ask(sample, episode, options)
      const { text: reply } = await episode.ask('player', messages, question.sampling?.(sample, episode.profile))
      const answer = readerOf(sample, episode.profile).read(reply)
      if (answer !== null) return { status: 'answered', outcome: { answer, reply } }
      return {
        status: reply.trim() === '' ? 'no_answer' : 'parse_failed',
        outcome: { answer, reply },
        problem: 'no answer found in the reply',
      }
    },

    // The reply is read again: another profile may read it differently.
    score(sample: Sample, { reply }: QuestionOutcome<Answer>, { profile }: ScoringContext<Options>): Scores {
      const right = question.truth(sample)
      const reader = readerOf(sample, profile)
      const answer = reader.read(reply)
      const grade = (each: Answer): number => reader.grade?.(each, right) ?? (each === right ? 1 : 0)
      const { choices = [] } = reader
      return {
        correct: answer === null ? 0 : grade(answer),
        ...(choices.length === 0
          ? { [OPEN]: 1 }
          : { chance: choices.reduce((sum, each) => sum + grade(each), 0) / choices.length }),
        ...Object.fromEntries(choices.map((each) => [`${TRUTH_PREFIX}${String(each)}`, grade(each)])),
      }
    },

    describe(
      sample: Sample,
      outcome: QuestionOutcome<Answer> | null,
      { profile }: ScoringContext<Options>,
    ): EpisodeDescription {
      const reader = readerOf(sample, profile)
      const answer = outcome === null ? null : reader.read(outcome.reply)
      const written = (each: Answer): string | number =>
        typeof each === 'number' || typeof each === 'string' ? each : reader.write(each)
      return {
        answer: answer === null ? null : written(answer),
        truth: written(question.truth(sample)),
        ...(reader.choices && { choices: reader.choices.map((choice) => String(written(choice))) }),
      }
    },

    async audit(sample: Sample, episode: Episode, options: Options): Promise<readonly BlindTask[]> {
      const target = blindTarget(readerOf(sample, episode.profile), question.truth(sample))
      if (target === null) return []
      const words = (await question.ask(sample, episode, options)).map(textOf).join('\n')
      const { type } = sample.labels
      return [{ row: type === undefined ? 'correct' : `type.${type}`, metric: 'correct', words, target }]
    },

    summary: (means: Means): Summary => questionSummary(means),
    baselines: questionBaselines(question),
  }
}

/** Null if the answer is neither a number nor one of several choices. */
function blindTarget<Answer>(reader: Reader<Answer>, truth: Answer): BlindTask['target'] | null {
  const grade = (each: Answer): number => reader.grade?.(each, truth) ?? (each === truth ? 1 : 0)
  const { choices } = reader
  if (choices !== undefined && choices.length > 1) {
    const scores = choices.map(grade)
    const options = choices.map((each) => reader.write(each))
    return { kind: 'choice', options, answer: scores.indexOf(Math.max(...scores)), scores }
  }
  if (typeof truth !== 'number') return null
  const written = reader.write(truth)
  const score = (guess: number): number => {
    const answer = reader.read(written.replace(String(truth), String(guess)))
    return answer === null ? 0 : grade(answer)
  }
  return { kind: 'number', answer: truth, score }
}

/** Share of correct answers, overall and by label, next to chance and the best constant answer. */
function questionSummary(means: Means): Summary {
  return { headline: 'correct', rows: [questionRow(means, { key: 'correct', title: 'Correct' }), ...labelRows(means)] }
}

/** The share of correct answers among samples with these labels, with its floors. */
export function questionRow(
  means: Means,
  { where = {}, ...row }: Pick<SummaryRow, 'key' | 'title' | 'section'> & { where?: Readonly<Record<string, string>> },
): SummaryRow {
  const isOpen = means.count(OPEN, where) > 0
  return {
    ...row,
    value: means.mean('correct', where),
    n: means.count('correct', where),
    unit: 'percent',
    better: 'higher',
    chance: isOpen ? null : means.mean('chance', where),
    constant: isOpen ? null : bestConstant(means, where),
  }
}

/** A row for each value of each label. */
export function labelRows(means: Means): SummaryRow[] {
  return means.labels().flatMap((label) => {
    const values = means.values(label)
    if (values.length < 2 || values.length > MAX_GROUPS) return []
    return values.map((value) =>
      questionRow(means, { key: `${label}.${value}`, title: value, section: `By ${label}`, where: { [label]: value } }),
    )
  })
}

function bestConstant(means: Means, where: Readonly<Record<string, string>>): number | null {
  const answers = means.metrics().filter((name) => name.startsWith(TRUTH_PREFIX))
  // A constant answer must be a choice in every sample.
  const offered = answers.filter((name) => means.count(name, where) === means.count('chance', where))
  return offered.length === 0 ? null : Math.max(...offered.map((name) => means.mean(name, where) ?? 0))
}

function readerFor<Sample, Answer>({
  read,
}: Pick<Question<never, Sample, Answer>, 'read'>): (sample: Sample, profile: string) => Reader<Answer> {
  return typeof read === 'function' ? read : () => read
}

function questionBaselines<Options, Sample extends SampleBase, Answer>(
  question: Question<Options, Sample, Answer>,
): Record<string, Baseline<Sample, Options>> {
  const readerOf = readerFor(question)
  const choicesOf = (sample: Sample, profile: string): readonly Answer[] =>
    readerOf(sample, profile).choices ?? [question.truth(sample)]
  const oracle: Baseline<Sample, Options> = {
    title: 'gives the correct answer',
    start:
      (sample, { profile }) =>
      () =>
        readerOf(sample, profile).write(question.truth(sample)),
  }
  if (typeof question.read !== 'function' && question.read.choices === undefined) return { oracle }
  return {
    oracle,
    random: {
      title: 'picks a random answer',
      start:
        (sample, { random, profile }) =>
        () =>
          readerOf(sample, profile).write(random.pick(choicesOf(sample, profile))),
    },
    constant: {
      title: 'always gives the first choice',
      start:
        (sample, { profile }) =>
        () =>
          readerOf(sample, profile).write(choicesOf(sample, profile)[0]!),
    },
  }
}
