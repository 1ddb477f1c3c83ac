/** What is guessed without looking, from the answers to questions about other scenes. */
import { hashOf, lettersOf } from '../../suite.ts'
import type { Answer } from '../domain/sample.ts'
import type { Outline } from './outline.ts'

/** Guesses about the scenes of a fold come from the other folds. */
const FOLDS = 5
/** An option counts as if it had been offered so often more, and been right as often as by chance. */
const UNSEEN = 2

/** The guess for each row; none where no other scene has questions of its kind. */
export function blindAnswers(outlines: readonly Outline[]): ReadonlyMap<Outline, Answer> {
  const folds = new Map<string, number>()
  const foldOf = ({ cluster }: Outline): number => {
    let fold = folds.get(cluster)
    if (fold === undefined) folds.set(cluster, (fold = Number.parseInt(hashOf(cluster).slice(0, 8), 16) % FOLDS))
    return fold
  }
  const asked = outlines.filter(({ truth }) => truth !== null)
  const guesses = new Map<Outline, Answer>()
  for (let fold = 0; fold < FOLDS; fold++) {
    const known = new Known(asked.filter((outline) => foldOf(outline) !== fold))
    for (const outline of asked) {
      const guess = foldOf(outline) === fold ? known.guess(outline) : null
      if (guess !== null) guesses.set(outline, guess)
    }
  }
  return guesses
}

/** What the answers to some questions tell about others of their kind. */
class Known {
  /** By kind, and text or place of the option. */
  readonly #options = new Map<string, { offered: number; right: number }>()
  /** By kind, and by kind and question. */
  readonly #answers = new Map<string, Answer[]>()

  constructor(outlines: readonly Outline[]) {
    for (const { kind, question, options, truth } of outlines) {
      for (const [i, letter] of lettersOf(options ?? []).entries()) {
        for (const key of optionKeys(kind, options!, i)) {
          const counts = this.#options.get(key) ?? { offered: 0, right: 0 }
          this.#options.set(key, counts)
          counts.offered++
          if (truth === letter) counts.right++
        }
      }
      if (options !== null) continue
      for (const key of answerKeys(kind, question)) {
        const answers = this.#answers.get(key) ?? []
        this.#answers.set(key, answers)
        answers.push(truth!)
      }
    }
    for (const answers of this.#answers.values())
      if (typeof answers[0] === 'number') answers.sort((a, b) => Number(a) - Number(b))
  }

  guess({ kind, question, options }: Outline): Answer | null {
    if (options !== null) return this.#likeliest(kind, options)
    const answers = answerKeys(kind, question).map((key) => this.#answers.get(key))
    const found = answers.find((each) => each !== undefined)
    if (found === undefined) return null
    return typeof found[0] === 'number' ? found[Math.floor(found.length / 2)]! : mostCommon(found)
  }

  #likeliest(kind: string, options: readonly string[]): string | null {
    const letters = lettersOf(options)
    const rate = (key: string): number => {
      const { offered, right } = this.#options.get(key) ?? { offered: 0, right: 0 }
      return (right + UNSEEN / options.length) / (offered + UNSEEN)
    }
    const rates = letters.map((_, i) => optionKeys(kind, options, i).reduce((product, key) => product * rate(key), 1))
    return letters[rates.indexOf(Math.max(...rates))] ?? null
  }
}

/** Its text, if it is known, its place, and whether it is the longest. */
function optionKeys(kind: string, options: readonly string[], i: number): string[] {
  const text = options[i]!
  const isLongest = options.every(({ length }) => length <= text.length)
  return text === '' ? [`${kind}\0${i}`] : [`${kind}\0${i}`, `${kind}\0text\0${text}`, `${kind}\0longest\0${isLongest}`]
}

/** The same question first. */
function answerKeys(kind: string, question: string): string[] {
  return [`${kind}\0${question}`, kind]
}

function mostCommon(answers: readonly Answer[]): Answer {
  const counts = new Map<string, { answer: Answer; count: number }>()
  for (const answer of answers) {
    const key = JSON.stringify(answer)
    const entry = counts.get(key) ?? { answer, count: 0 }
    counts.set(key, entry)
    entry.count++
  }
  return [...counts.values()].reduce((best, each) => (each.count > best.count ? each : best)).answer
}
