/** Generates questions of all ten types about a scene, with their ground truth. */
import type { QuestionType } from '../../domain/question-types.ts'
import type { Draw } from './draw.ts'
import { countingQuestion, distanceQuestion, roomSizeQuestion, sizeQuestion } from './numbers.ts'
import { orderQuestion } from './order.ts'
import type { Question } from './question.ts'
import { directionQuestion, relativeDistanceQuestion } from './relative.ts'
import { routeQuestion } from './route.ts'
import type { QuestionScene } from './scene.ts'

export { type Draw, stratified, unstratified } from './draw.ts'
export { isSameQuestion, type Question } from './question.ts'
export { type Appearance, type QuestionScene } from './scene.ts'

/** A question of a type about a scene, with the answer that was drawn for it; null if the scene has none. */
export function questionOf(type: QuestionType, scene: QuestionScene, draw: Draw): Question | null {
  switch (type) {
    case 'object_counting':
      return countingQuestion(scene, draw)
    case 'object_abs_distance':
      return distanceQuestion(scene, draw)
    case 'object_size_estimation':
      return sizeQuestion(scene, draw)
    case 'room_size_estimation':
      return roomSizeQuestion(scene)
    case 'object_rel_distance':
      return relativeDistanceQuestion(scene, draw)
    case 'object_rel_direction_easy':
    case 'object_rel_direction_medium':
    case 'object_rel_direction_hard':
      return directionQuestion(type, scene, draw)
    case 'route_planning':
      return routeQuestion(scene, draw)
    case 'obj_appearance_order':
      return orderQuestion(scene, draw)
    default:
      return type satisfies never
  }
}
