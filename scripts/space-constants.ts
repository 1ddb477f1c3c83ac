/**
 * `npx tsx scripts/space-constants.ts [scenes]`: finds the best constant answer for each task of Theory of Space. The
 * results are kept in src/suites/space/domain/answers/constants.ts.
 */
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { CARDINAL_LABELS, DISTANCE_LABELS, EGO_LABELS } from '../src/suites/space/domain/grid/relations.ts'
import { PROFILES } from '../src/suites/space/domain/profile.ts'
import { constantText } from '../src/suites/space/domain/answers/reference.ts'
import type { Constant } from '../src/suites/space/domain/answers/constants.ts'
import { generateQuestions } from '../src/suites/space/samples/questions.ts'
import type { Answer } from '../src/suites/space/domain/answers/question.ts'
import { formOf } from '../src/suites/space/domain/answers/forms.ts'

const scenes = Number(process.argv[2] ?? 1000)
/** Maximum distance of candidate coordinates from the origin, in cells. */
const REACH = 5

const span = Array.from({ length: 2 * REACH + 1 }, (_, i) => i - REACH)
const turns = [0, 90, 180, 270].map((turn): Constant => ({ turn }))
const lists = (['first', 'list', 'list backwards'] as const).map((copy): Constant => ({ copy }))

function labels(directions: readonly string[]): Constant[] {
  return [...new Set(directions)].flatMap((direction) =>
    DISTANCE_LABELS.map((distance): Constant => ({ say: `${direction}, ${distance}` })),
  )
}

const places = span.flatMap((x) => span.map((y): Constant => ({ at: [x, y] })))

function candidates(answer: Answer): Constant[] {
  switch (answer.form) {
    case 'relation':
      return answer.frame === 'ego' ? labels(EGO_LABELS) : labels(CARDINAL_LABELS)
    case 'places':
    case 'place':
      return places
    case 'route':
      return turns
    case 'name':
    case 'order':
      return lists
    default:
      throw new Error(`No constants for ${JSON.stringify(answer satisfies never)}.`)
  }
}

for (const profile of PROFILES) {
  const sums = new Map<string, Map<string, number>>()
  const counts = new Map<string, number>()
  for (let seed = 0; seed < scenes; seed++) {
    const spacing = seed % 2 === 0 ? 'free' : 'dataset'
    const scene = generateScene({ seed: `constants/${seed}`, rooms: 3, topology: 1, spacing, profile })
    for (const question of generateQuestions(scene, `constants/${seed}`, 3, profile)) {
      const taskSums = sums.get(question.task) ?? new Map<string, number>()
      sums.set(question.task, taskSums)
      counts.set(question.task, (counts.get(question.task) ?? 0) + 1)
      for (const candidate of candidates(question.answer)) {
        const text = constantText(candidate, question.answer, scene)
        const { score } = formOf(question.answer, scene).score(text, profile)
        const key = JSON.stringify(candidate)
        taskSums.set(key, (taskSums.get(key) ?? 0) + score)
      }
    }
  }
  console.log(`\n${profile}, ${scenes} scenes`)
  for (const [task, taskSums] of sums) {
    const count = counts.get(task) ?? 1
    const best = [...taskSums].sort((a, b) => b[1] - a[1]).slice(0, 3)
    const shown = best.map(([key, sum]) => `${key} ${((100 * sum) / count).toFixed(1)}`)
    console.log(`  ${task.padEnd(16)} ${shown.join('   ')}`)
  }
}
