/** Makes a task of a way to draw questions: ids, lines and scoring are the same for all. */
import type { Random } from '../../../../base/random.ts'
import { sha256 } from '../../../../base/hash.ts'
import type { Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'
import { linesOf } from '../../domain/answers/reference.ts'
import { formOf } from '../../domain/answers/forms.ts'
import type { AnyTaskName, Drawn, Question, Task, TaskScore } from '../../domain/answers/question.ts'
import { answerOf } from '../../parse/reply.ts'

const ID_LENGTH = 16

export function task(
  name: AnyTaskName,
  title: string,
  draw: (scene: Scene, random: Random, profile: Profile) => Drawn | null,
): Task {
  return {
    name,
    title,
    generate(scene, random, profile) {
      const drawn = draw(scene, random, profile)
      if (drawn === null) return null
      const id = `${name}-${sha256(`${drawn.text}${JSON.stringify(drawn.answer)}`).slice(0, ID_LENGTH)}`
      return { id, task: name, ...drawn, ...linesOf({ task: name, answer: drawn.answer }, scene, profile) }
    },
    score: (question, scene, reply, profile) => scoreAnswer(question, scene, answerOf(reply, profile), profile),
  }
}

/** Scores an answer that has been found in its reply already. */
export function scoreAnswer(
  question: Pick<Question, 'answer'>,
  scene: Scene,
  answer: string,
  profile: Profile,
): TaskScore {
  return formOf(question.answer, scene).score(answer, profile)
}
