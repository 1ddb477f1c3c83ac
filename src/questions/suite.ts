/** Builds a suite from its file. */
import { dirname } from 'node:path'
import { z } from 'zod'
import { type AnySuite, canonicalJson, defineSuite, type EpisodeDescription, estimateTextTokens } from '../suite.ts'
import { blindTasks } from './audit.ts'
import { baselinesFor } from './baselines.ts'
import { profileNames, type QuestionsFile, type Rules, rulesFor } from './domain/format.ts'
import { readQuestionsFile } from './read-file.ts'
import { type Answer, type QuestionSample, questionSample } from './domain/sample.ts'
import { READER_VERSION, readerFor, writtenAnswer } from './parse.ts'
import { askQuestion, imagesShown, promptOf } from './play.ts'
import { dataSource } from './samples/source.ts'
import { publishedResults } from './published.ts'
import { questionsSummary } from './summary.ts'

const options = z.object({
  media: z
    .enum(['shown', 'none'])
    .default('shown')
    .describe('none: ask without images and video, to see what words alone give away'),
})

/** Tokens of an image and of a short answer, for the estimate before a run. */
const IMAGE_TOKENS = 1000
const ANSWER_TOKENS = 100

/** The suite that a YAML or JSON file describes. @param name of the file, for messages */
export async function questionSuiteAt(path: string, name: string): Promise<AnySuite> {
  return questionSuite(await readQuestionsFile(path, name), dirname(path), name)
}

/**
 * @param folder with the data; null if it must be given with --source
 * @param from the file, as the user calls it
 */
export function questionSuite(file: QuestionsFile, folder: string | null, from?: string): AnySuite {
  const rulesOf = ({ cells }: Pick<QuestionSample, 'cells'>, profile: string): Rules => rulesFor(file, profile, cells)
  const readerOf = (sample: QuestionSample, profile: string) => readerFor(sample, rulesOf(sample, profile))
  const { data, answer, prompt, media, sampling, read, score, cases, profiles, total } = file
  return defineSuite({
    name: file.name,
    title: file.title ?? file.name,
    version: file.version,
    options,
    profiles: profileNames(file),
    sources: { data: dataSource(file, folder, from) },
    schemas: { sample: questionSample },
    // All that decides what is asked and what it scores; the data have a fingerprint of their own.
    prompts: () => ({
      rules: canonicalJson({ answer, prompt, media, sampling, read, score, cases, profiles, total }),
      reader: READER_VERSION,
    }),
    ask: (sample: QuestionSample, episode, { media: shown }) =>
      askQuestion(sample, episode, rulesOf(sample, episode.profile), {
        withMedia: shown === 'shown',
        format: data.format,
      }),
    read: readerOf,
    sampling: (sample, profile) => rulesOf(sample, profile).sampling ?? {},
    truth: (sample): Answer => sample.truth,
    summary: (means) => questionsSummary(means, file),
    ...(file.published && { published: () => publishedResults(file) }),
    baselines: baselinesFor(readerOf),
    audit: (sample, { profile }) => blindTasks(sample, rulesOf(sample, profile), readerOf(sample, profile)),
    describe(sample, outcome, { profile }): EpisodeDescription {
      const reader = readerOf(sample, profile)
      const given = outcome === null ? null : reader.read(outcome.reply)
      const rules = rulesOf(sample, profile)
      const written = (each: Answer): string | number =>
        typeof each === 'number' ? each : writtenAnswer(sample, rules, each)
      return {
        question: sample.question || promptOf(sample, rules).text,
        answer: given === null ? null : written(given),
        truth: sample.problem === undefined ? written(sample.truth) : null,
        ...(reader.choices && { choices: reader.choices.map((each) => String(written(each))) }),
      }
    },
    estimate(sample, { media: shown }) {
      const rules = rulesOf(sample, profileNames(file)[0])
      const { text, system } = promptOf(sample, rules)
      const images = shown === 'shown' ? imagesShown(sample, rules) * IMAGE_TOKENS : 0
      return {
        calls: 1,
        inputTokens: estimateTextTokens(text.length + system.length) + images,
        outputTokens: ANSWER_TOKENS,
        sharedTokens: images,
      }
    },
  })
}
