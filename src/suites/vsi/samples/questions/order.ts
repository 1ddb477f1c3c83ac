/** Appearance order: when each category is first seen in the walkthrough. */
import usual from '../builtin-names.json' with { type: 'json' }
import { firstImage, GLIMPSE_SHARE, type Shares, SHOWN_SHARE } from '../../domain/evidence.ts'
import { memoized } from '../../../../suite.ts'
import type { Draw } from './draw.ts'
import { type Question, withLetters } from './question.ts'
import { askableCategories, type QuestionScene } from './scene.ts'

const CATEGORIES = 4
const OPTIONS = 4
/** Minimum frames between two first appearances, so the order is unambiguous. */
const MIN_FRAMES_APART = 8
const TRIES = 1000
/** In meters; first appearances of smaller objects are ambiguous. */
const MIN_SIZE = 0.25

export interface Appearing {
  category: string
  instances: readonly number[]
  /** Longest side of the largest instance, in meters. */
  size: number
  frame: number
  glimpse: number
}

export function orderQuestion(scene: QuestionScene, { random, stratum }: Draw): Question | null {
  const groups = appearing(scene)
  if (groups.length < CATEGORIES) return null
  const rank = stratum(OPTIONS)
  for (let i = 0; i < TRIES; i++) {
    const chosen = random.sample(groups, CATEGORIES).sort((a, b) => a.frame - b.frame)
    // Counting from the first few pixels must give the same order.
    const unclear = chosen.some(({ frame, glimpse }, k) => {
      const before = chosen[k - 1]
      return before && (frame - before.frame < MIN_FRAMES_APART || glimpse <= before.glimpse)
    })
    if (unclear || !isShownInOrder(chosen, scene.frames)) continue
    const alike = equallyExpected(chosen, worthIn(scene), random)
    if (alike.findIndex((order) => text(order) === text(chosen)) !== rank) continue
    const wrong = alike.filter((_, k) => k !== rank)
    const { options, truth } = withLetters(text(chosen), wrong.map(text), random)
    const named = random.shuffle(chosen.map(({ category }) => category))
    const groupOf = askableCategories(scene)
    return {
      type: 'obj_appearance_order',
      question: `What will be the first-time appearance order of the following categories in the video: ${named.join(', ')}?`,
      options,
      truth,
      about: { categories: named },
      things: chosen.flatMap(({ category }) => groupOf.get(category)!),
    }
  }
  return null
}

/** What can be asked about, and when it appears. Finding out takes many images; all questions of a scene share them. */
export const appearing = memoized((scene: QuestionScene): readonly Appearing[] => {
  const groups = [...askableCategories(scene)].filter(([, group]) =>
    group.every(
      // Excludes ceiling objects, of which the video shows little more than the rim.
      ({ box, support }) => Math.max(...box.size) >= MIN_SIZE && support !== 'ceiling',
    ),
  )
  const instancesOf = groups.map(([, group]) => group.map(({ instance }) => instance))
  return scene.firstAppearances(instancesOf).flatMap(({ seen, glimpse }, i) => {
    if (seen === null || glimpse === null) return []
    const [category, group] = groups[i]!
    const size = Math.max(...group.flatMap(({ box }) => box.size))
    return [{ category, instances: instancesOf[i]!, size, frame: seen, glimpse }]
  })
})

const text = (order: readonly Appearing[]): string => order.map(({ category }) => category).join(', ')

/** Whether the shown frames allow this order and no other, both in what is clear and in what is only a few pixels. */
function isShownInOrder(order: readonly Appearing[], frames: readonly Shares[]): boolean {
  return [SHOWN_SHARE, GLIMPSE_SHARE].every((share) => {
    const firsts = order.map(({ instances }) => firstImage(instances, frames, share))
    return firsts.every((first, i) => first !== -1 && (i === 0 || firsts[i - 1]! < first))
  })
}

/** How much a category of scenes of other seeds tends to appear before others: `scripts/vsi-constants.ts` fits it. */
const WORTH: Readonly<Record<string, number>> = usual.worth

/** Where nothing is known about names, sizes stand for them: large things tend to appear first. */
function worthIn({ names }: QuestionScene): (thing: Appearing) => number {
  return names === 'balanced' ? ({ category }) => WORTH[category] ?? 1 : ({ size }) => size
}

/**
 * Four orders, one of them `right`. Some things tend to appear first, so all orders are sorted by how likely they are and
 * cut into blocks of four: those of a block are about equally likely, so names do not tell which of them is right. Wrong
 * orders that are drawn around the right one would: it is where the others are not.
 */
function equallyExpected(
  right: readonly Appearing[],
  worth: (thing: Appearing) => number,
  random: Draw['random'],
): Appearing[][] {
  const sorted = random
    .shuffle(permutations(right))
    .map((order) => ({ order, likelihood: logLikelihood(order.map(worth)) }))
    .sort((a, b) => b.likelihood - a.likelihood)
  const at = sorted.findIndex(({ order }) => order.every((thing, i) => thing === right[i]))
  const start = at - (at % OPTIONS)
  return sorted.slice(start, start + OPTIONS).map(({ order }) => order)
}

/** Of an order under Plackett and Luce's model: the next one is drawn from those left, each as often as it is worth. */
function logLikelihood(worths: readonly number[]): number {
  let left = 0
  let sum = 0
  for (const worth of worths.toReversed()) {
    left += worth
    sum += Math.log(worth / left)
  }
  return sum
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) => permutations(items.filter((_, k) => k !== i)).map((rest) => [item, ...rest]))
}
