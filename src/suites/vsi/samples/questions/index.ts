/** Generates questions of all ten types about a scene, with their ground truth. */
import type { Random } from '../../../../suite.ts'
import type { QuestionType } from '../../domain/question-types.ts'
import { countingQuestions, distanceQuestions, roomSizeQuestions, sizeQuestions } from './numbers.ts'
import { orderQuestions } from './order.ts'
import type { Question } from './question.ts'
import { directionQuestions, relativeDistanceQuestions } from './relative.ts'
import { routeQuestions } from './route.ts'
import type { QuestionScene } from './scene.ts'

export { type Question } from './question.ts'
export { type QuestionScene } from './scene.ts'

/** All questions of a type about a scene, in random order and without duplicates. */
export function questionsOf(type: QuestionType, scene: QuestionScene, random: Random): Question[] {
  const seen = new Set<string>()
  return candidates(type, scene, random).filter(({ question, options }) => {
    // The same objects in the same roles make the same question, whatever the order of the options.
    const key =
      type === 'obj_appearance_order'
        ? [...(options ?? [])]
            .map((o) => o.slice(3))
            .sort()
            .join(' | ')
        : question
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function candidates(type: QuestionType, scene: QuestionScene, random: Random): Question[] {
  switch (type) {
    case 'object_counting':
      return countingQuestions(scene, random)
    case 'object_abs_distance':
      return distanceQuestions(scene, random)
    case 'object_size_estimation':
      return sizeQuestions(scene, random)
    case 'room_size_estimation':
      return roomSizeQuestions(scene)
    case 'object_rel_distance':
      return relativeDistanceQuestions(scene, random)
    case 'object_rel_direction_easy':
    case 'object_rel_direction_medium':
    case 'object_rel_direction_hard':
      return directionQuestions(type, scene, random)
    case 'route_planning':
      return routeQuestions(scene, random)
    case 'obj_appearance_order':
      return orderQuestions(scene, random)
    default:
      return type satisfies never
  }
}
