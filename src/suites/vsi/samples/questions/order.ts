/** Appearance order: when each category is first seen in the walkthrough. */
import type { Random } from '../../../../suite.ts'
import { type Question, withLetters } from './question.ts'
import { askableCategories, type QuestionScene } from './scene.ts'

const CATEGORIES = 4
/** Minimum frames between two first appearances, so the order is unambiguous. */
const MIN_FRAMES_APART = 8
const TRIES = 80
/** In meters; first appearances of smaller objects are ambiguous. */
const MIN_SIZE = 0.25

export function orderQuestions(scene: QuestionScene, random: Random): Question[] {
  const large = [...askableCategories(scene)].filter(([, group]) =>
    // Excludes ceiling objects, of which the video shows little more than the rim.
    group.every(({ box, support }) => Math.max(...box.size) >= MIN_SIZE && support !== 'ceiling'),
  )
  const groups = large.map(([category, group]) => ({
    category,
    group,
    frame: Math.min(...group.map(({ instance }) => scene.firstSeen.get(instance)!)),
    glimpse: Math.min(...group.map(({ instance }) => scene.firstGlimpse.get(instance)!)),
  }))
  const made: Question[] = []
  if (groups.length < CATEGORIES) return made
  for (let i = 0; i < TRIES; i++) {
    const chosen = random.sample(groups, CATEGORIES).sort((a, b) => a.frame - b.frame)
    // Counting from the first few pixels must give the same order.
    const unclear = chosen.some(({ frame, glimpse }, k) => {
      const before = chosen[k - 1]
      return before && (frame - before.frame < MIN_FRAMES_APART || glimpse <= before.glimpse)
    })
    if (unclear) continue
    const order = chosen.map(({ category }) => category)
    const right = order.join(', ')
    const wrong = new Set<string>()
    for (let k = 0; k < 100 && wrong.size < 3; k++) {
      const other = random.shuffle([...order]).join(', ')
      if (other !== right) wrong.add(other)
    }
    const { options, truth } = withLetters(right, [...wrong], random)
    const named = random.shuffle([...order])
    made.push({
      type: 'obj_appearance_order',
      question: `What will be the first-time appearance order of the following categories in the video: ${named.join(', ')}?`,
      options,
      truth,
      about: { categories: named },
      things: chosen.flatMap(({ group }) => group),
    })
  }
  return made
}
