/** Appearance order: when each category is first seen in the walkthrough. */
import usual from '../builtin-names.json' with { type: 'json' }
import { appearInOrder, GLIMPSE_SHARE, type Shares, SHOWN_SHARE } from '../../domain/evidence.ts'
import { memoized } from '../../../../suite.ts'
import type { Draw } from './draw.ts'
import { type Question, withLetters } from './question.ts'
import { askableCategories, type QuestionScene } from './scene.ts'

const CATEGORIES = 4
const OPTIONS = 4
/** Minimum frames between two first appearances, so the order is unambiguous. */
const MIN_FRAMES_APART = 8
const TRIES = 400
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
    if (unclear || !fits(chosen, scene.frames)) continue
    const wrong = distractors(chosen, scene, rank, random)
    if (wrong === null) continue
    const text = (order: readonly Appearing[]): string => order.map(({ category }) => category).join(', ')
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

/** Whether an order agrees with the shown frames, both in what is clear and in what is only a few pixels. */
function fits(order: readonly Appearing[], frames: readonly Shares[], shares = [SHOWN_SHARE, GLIMPSE_SHARE]): boolean {
  const groups = order.map(({ instances }) => instances)
  return shares.every((share) => appearInOrder(groups, frames, share))
}

/** How early things of a category appear in scenes of other seeds, from 0, the last, to 1. */
const EARLY: Readonly<Record<string, number>> = usual.early

/**
 * Three wrong orders, none of which the shown frames allow. Some things tend to appear first: large ones, and those that
 * hang on walls. So `rank` says how many of the wrong orders are more as one would expect than the right one: guessing by
 * name is right as often as chance. Where nothing is known about names, sizes stand for them.
 */
function distractors(
  right: readonly Appearing[],
  { frames, names }: QuestionScene,
  rank: number,
  random: Draw['random'],
): Appearing[][] | null {
  const early = ({ category, size }: Appearing): number =>
    names === 'balanced' ? (EARLY[category] ?? 0.5) : Math.log(size)
  const expected = (order: readonly Appearing[]): number => order.reduce((sum, each, i) => sum - early(each) * i, 0)
  const own = expected(right)
  const wrong = random
    .shuffle(permutations(right))
    .filter((order) => !fits(order, frames, [SHOWN_SHARE]) && !fits(order, frames, [GLIMPSE_SHARE]))
  const more = wrong.filter((order) => expected(order) > own)
  const less = wrong.filter((order) => expected(order) < own)
  if (more.length < rank || less.length < OPTIONS - 1 - rank) return null
  return [...more.slice(0, rank), ...less.slice(0, OPTIONS - 1 - rank)]
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) => permutations(items.filter((_, k) => k !== i)).map((rest) => [item, ...rest]))
}
