/** What a question asks, for the audit: the answers one could give without exploring, and what each would score. */
import type { BlindTask, Episode } from '../../suite.ts'
import type { Constant } from './domain/answers/constants.ts'
import { formOf } from './domain/answers/forms.ts'
import { possibleViewers } from './domain/answers/object-name.ts'
import type { Answer } from './domain/answers/question.ts'
import { constantText } from './domain/answers/reference.ts'
import { CARDINAL_LABELS, DISTANCE_LABELS, EGO_LABELS } from './domain/grid/relations.ts'
import type { Scene } from './domain/grid/scene.ts'
import type { Profile } from './domain/profile.ts'
import type { SpaceSample } from './samples/sample.ts'

/** Maximum distance of coordinates from the origin, in cells. */
const REACH = 5
const TURNS = [0, 90, 180, 270]
/** Longer lists are answered in the order printed and its reverse: there are too many orders to learn. */
const MAX_PERMUTED = 4

export function audit({ scene, questions }: SpaceSample, { profile }: Pick<Episode<Profile>, 'profile'>): BlindTask[] {
  return questions.map(({ task, text, answer }) => {
    const options = guesses(answer, scene, profile)
    const form = formOf(answer, scene)
    const scores = options.map((option) => form.score(option, profile).score)
    return {
      row: task,
      words: text,
      target: { kind: 'choice', options, answer: scores.indexOf(Math.max(...scores)), scores },
    }
  })
}

/** All pairs of labels, possible names, single turns and whole coordinates nearby; of a list, all orders. */
function guesses(answer: Answer, scene: Scene, profile: Profile): string[] {
  const write = (constant: Constant): string => constantText(constant, answer, scene)
  switch (answer.form) {
    case 'relation': {
      const directions = new Set(answer.frame === 'ego' ? EGO_LABELS : CARDINAL_LABELS)
      return [...directions].flatMap((direction) => DISTANCE_LABELS.map((distance) => `${direction}, ${distance}`))
    }
    case 'places':
    case 'place': {
      const span = Array.from({ length: 2 * REACH + 1 }, (_, i) => i - REACH)
      return span.flatMap((x) => span.map((y) => write({ at: [x, y] })))
    }
    case 'route':
      return TURNS.map((turn) => write({ turn }))
    case 'name':
      return possibleViewers(answer, scene, profile).map(({ name }) => name)
    case 'order':
      if (answer.order.length > MAX_PERMUTED) return [write({ copy: 'list' }), write({ copy: 'list backwards' })]
      return permutations(answer.order.toSorted()).map((order) => order.join(', '))
    default:
      throw new Error(`Unknown answer form: ${JSON.stringify(answer satisfies never)}`)
  }
}

function permutations(items: readonly string[]): string[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((first, i) => permutations(items.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}
