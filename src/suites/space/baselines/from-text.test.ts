import { describe, expect, it } from 'vitest'
import { generateScene } from '../samples/generate.ts'
import { answerFromText } from './from-text.ts'
import { generateQuestions, hasAllTasks } from '../samples/questions.ts'
import { formOf } from '../domain/answers/forms.ts'
import { TASK_NAMES } from '../domain/answers/question.ts'

describe('answering from the text of a question with the true map', () => {
  it.each(['fixed', 'upstream'] as const)('reaches the ceiling under %s', (profile) => {
    const sums = new Map(TASK_NAMES.map((task) => [task, { score: 0, ceiling: 0, n: 0 }]))
    for (let seed = 0; seed < 12; seed++) {
      const scene = generateScene({
        seed: `reader/${seed}`,
        spacing: 'dataset',
        accept: (candidate) => hasAllTasks(generateQuestions(candidate, 'accept', 1)),
      })
      for (const question of generateQuestions(scene, `reader/${seed}`, 3, profile)) {
        const sum = sums.get(question.task)!
        sum.score += formOf(question.answer, scene).score(answerFromText(question, scene, profile), profile).score
        sum.ceiling += question.ceiling
        sum.n += 1
      }
    }
    for (const [task, { score, ceiling, n }] of sums) {
      expect(n, task).toBeGreaterThan(10)
      if (task === 'bwd_loc_text') expect(score / n, task).toBeGreaterThan(ceiling / n - 0.06)
      else expect([task, score / n]).toEqual([task, 1])
    }
  })
})
