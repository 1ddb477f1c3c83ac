/** Makes a task of a way to draw questions: ids and lines are the same for all. */
import { type Random, sha256 } from '../../../../suite.ts'
import type { Answer, Question, TaskName } from '../../domain/answers/question.ts'
import { linesOf } from '../../domain/answers/reference.ts'
import type { Scene } from '../../domain/grid/scene.ts'
import type { Profile } from '../../domain/profile.ts'

const ID_LENGTH = 16

/** Draws from a scene, or gives null when the scene has nothing to ask. */
type Draw<T> = (scene: Scene, random: Random, profile: Profile) => T | null

export type Task = Draw<Question>

export function task(name: TaskName, draw: Draw<{ text: string; answer: Answer }>): Task {
  return (scene, random, profile) => {
    const drawn = draw(scene, random, profile)
    if (drawn === null) return null
    const id = `${name}-${sha256(`${drawn.text}${JSON.stringify(drawn.answer)}`).slice(0, ID_LENGTH)}`
    return { id, task: name, ...drawn, ...linesOf({ task: name, answer: drawn.answer }, scene, profile) }
  }
}
