/** Which pairs of videos people vote on: the same prompt and index by two models, once per dimension. */
import { groupBy, hashOf, Random } from '../../../../suite.ts'
import { ALL_DIMENSIONS, type Dimension, spacedName } from '../dimensions.ts'

/** A video that can be voted on. */
export interface BallotVideo {
  run: string
  /** The same for the videos of all models. */
  sample: string
  prompt: string
  dimensions: readonly Dimension[]
}

export interface Question {
  /** Names it in the record. */
  key: string
  dimension: Dimension
  prompt: string
  a: BallotVideo
  b: BallotVideo
}

/** In our own words: the published questionnaire is not public. */
const ASKED: Readonly<Partial<Record<Dimension, string>>> = {
  subject_consistency: 'In which video does the main subject look more like itself from beginning to end?',
  background_consistency: 'In which video does the background stay more consistent?',
  temporal_flickering: 'Which video flickers less?',
  motion_smoothness: 'In which video is the motion smoother and more natural?',
  dynamic_degree: 'Which video has more motion?',
  aesthetic_quality: 'Which video is more beautiful?',
  imaging_quality: 'Which video is sharper, cleaner and better exposed?',
  object_class: 'Which video shows the object of the prompt better?',
  multiple_objects: 'Which video shows all objects of the prompt better?',
  human_action: 'Which video shows the action of the prompt better?',
  color: 'In which video are the colors more as the prompt says?',
  spatial_relationship: 'In which video are the objects placed more as the prompt says?',
  scene: 'Which video shows the scene of the prompt better?',
  temporal_style: 'Which video follows the camera move or the pace of the prompt better?',
  appearance_style: 'Which video has more of the style of the prompt?',
  overall_consistency: 'Which video fits the whole prompt better?',
}

/** What people are asked. */
export function askedOf(dimension: Dimension): string {
  return ASKED[dimension] ?? `Which video is better in ${spacedName(dimension)}?`
}

/** All questions, in the order of dimensions, samples and runs. */
export function questionsOf(
  videos: readonly BallotVideo[],
  dimensions: readonly Dimension[] = ALL_DIMENSIONS,
): Question[] {
  const bySample = [...groupBy(videos, ({ sample }) => sample)]
  return dimensions.flatMap((dimension) =>
    bySample.flatMap(([sample, group]) => {
      const shown = group.filter((video) => video.dimensions.includes(dimension))
      return shown.flatMap((a, i) =>
        shown.slice(i + 1).map((b) => ({
          // Says nothing about the models: people see it on its way.
          key: hashOf([dimension, sample, a.run, b.run]).slice(0, 16),
          dimension,
          prompt: a.prompt,
          a,
          b,
        })),
      )
    }),
  )
}

/**
 * The questions for one person: a draw that is the same whenever it is made, and in which a shorter one is the beginning
 * of a longer one. Everyone is asked the same questions; their order and sides are each person's own.
 */
export function drawnQuestions(questions: readonly Question[], seed: number, count: number): Question[] {
  return new Random(`vbench/votes/${seed}`).shuffle([...questions]).slice(0, count)
}

/** Is `a` on the left for this person? */
export function isAOnLeft({ key }: Pick<Question, 'key'>, seed: number, rater: string): boolean {
  return new Random(`vbench/votes/${seed}/${rater}/${key}`).chance(0.5)
}

/** In the order in which this person is asked. */
export function orderFor<Asked>(questions: readonly Asked[], seed: number, rater: string): Asked[] {
  return new Random(`vbench/votes/${seed}/${rater}`).shuffle([...questions])
}
