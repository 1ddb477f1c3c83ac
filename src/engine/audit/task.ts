/** What a sample asks, as far as words alone can answer it: the input of `sightline audit`. */

/** One answer that a sample asks for, with all the text that a player gets before it looks. */
export interface BlindTask {
  /**
   * The tasks of a row are learned together: a question type, a metric. Use the key of a row of the suite's table where
   * there is one.
   */
  row: string
  /**
   * The metric that the score of an answer is recorded as; several tasks of a sample with the same metric are averaged.
   * Default: `row` if the suite has a metric of that name, otherwise the suite's first metric.
   */
  metric?: string
  /** Names, question, sizes, transcript: all text that the player gets. Neither the options nor anything that must be seen. */
  words: string
  target: BlindChoice | BlindNumber
}

/** One of several answers, whose texts may differ from sample to sample. */
export interface BlindChoice {
  kind: 'choice'
  /** The answers, in the order in which they are offered; without letters or numbers before them. */
  options: readonly string[]
  /** Position of the right one. */
  answer: number
  /** Scores of the options from 0 to 1, if several earn points. Default: 1 for the right one, 0 for the others. */
  scores?: readonly number[]
}

/** A quantity. */
export interface BlindNumber {
  kind: 'number'
  answer: number
  /** Score of a guess, from 0 to 1. */
  score(guess: number): number
}
