/** The six forms of answers, by name. */
import type { Random } from '../../../../base/random.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { Form } from './form.ts'
import { order } from './order.ts'
import { place } from './place.ts'
import { places } from './places.ts'
import type { Answer, TaskScore } from './question.ts'
import { relation } from './relation.ts'
import { route } from './route.ts'
import { standing } from './standing.ts'

/** An answer together with what can be done with it; the form's type is known only here. */
interface Able {
  score(text: string, profile: Profile): TaskScore
  perfect(profile: Profile): string
  random(random: Random): string
  chance(profile: Profile): number
  ceiling(profile: Profile): number
}

export function formOf(answer: Answer, scene: Scene): Able {
  switch (answer.form) {
    case 'relation':
      return bind(relation, answer, scene)
    case 'name':
      return bind(standing, answer, scene)
    case 'route':
      return bind(route, answer, scene)
    case 'places':
      return bind(places, answer, scene)
    case 'order':
      return bind(order, answer, scene)
    case 'place':
      return bind(place, answer, scene)
    default:
      throw new Error(`There is no form of answers called ${JSON.stringify(answer satisfies never)}.`)
  }
}

function bind<A extends Answer>(form: Form<A>, answer: A, scene: Scene): Able {
  return {
    score: (text, profile) => form.score(answer, scene, text, profile),
    perfect: (profile) => form.perfect(answer, scene, profile),
    random: (random) => form.random(answer, scene, random),
    chance: (profile) => form.chance(answer, scene, profile),
    ceiling: (profile) => form.ceiling(answer, scene, profile),
  }
}
