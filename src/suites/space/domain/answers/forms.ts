/** Looks up the form of an answer. */
import { answerOf, splitMapAndAnswer } from '../../parse/reply.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { AnswerForm } from './form.ts'
import { order } from './order.ts'
import { place } from './place.ts'
import { places } from './places.ts'
import type { Answer, Question, TaskScore } from './question.ts'
import { relation } from './relation.ts'
import { route } from './route.ts'
import { objectName } from './object-name.ts'

export function formOf(answer: Answer, scene: Scene): AnswerForm {
  switch (answer.form) {
    case 'relation':
      return relation(answer, scene)
    case 'name':
      return objectName(answer, scene)
    case 'route':
      return route(answer, scene)
    case 'places':
      return places(answer, scene)
    case 'order':
      return order(answer)
    case 'place':
      return place(answer, scene)
    default:
      throw new Error(`Unknown answer form: ${JSON.stringify(answer satisfies never)}`)
  }
}

/** Extracts the answer from a reply and scores it. With `afterMap`, the prompt asked for a map before the answer. */
export function scoreReply(
  question: Pick<Question, 'answer'>,
  reply: string,
  scene: Scene,
  { profile, afterMap }: { profile: Profile; afterMap: boolean },
): { answer: string; result: TaskScore } {
  const text = answerOf(reply, profile)
  const answer = afterMap ? splitMapAndAnswer(text, profile).answer : text
  return { answer, result: formOf(question.answer, scene).score(answer, profile) }
}
