/** Defines a task from a function that draws questions; adds ids and reference scores. */
import { type Random, sha256 } from '../../../../suite.ts'
import type { Answer, Question, TaskName } from '../../domain/answers/question.ts'
import { referenceScores } from '../../domain/answers/reference.ts'
import type { Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'

const ID_LENGTH = 16

/** Draws from a scene; null if the scene has no such question. */
type Draw<T> = (scene: Scene, random: Random, profile: Profile) => T | null

export type Task = Draw<Question>

export function task(name: TaskName, draw: Draw<{ text: string; answer: Answer }>): Task {
  return (scene, random, profile) => {
    const drawn = draw(scene, random, profile)
    if (drawn === null) return null
    const id = `${name}-${sha256(`${publishedWords(drawn.text)}${JSON.stringify(drawn.answer)}`).slice(0, ID_LENGTH)}`
    return { id, task: name, ...drawn, ...referenceScores({ task: name, answer: drawn.answer }, scene, profile) }
  }
}

/** Ids do not depend on the wording of profile `fixed`, so that replies of older runs find their questions. */
function publishedWords(text: string): string {
  return text
    .replace(/, among other things,?/, '')
    .replace("'s position, facing its direction", "'s direction, facing its direction")
}
