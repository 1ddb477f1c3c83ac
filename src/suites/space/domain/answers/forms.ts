/** The six forms of answers, by name. */
import type { Random } from '../../../../suite.ts'
import { answerOf, splitMapAndAnswer } from '../../parse/reply.ts'
import type { Scene } from '../grid/scene.ts'
import type { Profile } from '../profile.ts'
import type { Form } from './form.ts'
import { order } from './order.ts'
import { place } from './place.ts'
import { places } from './places.ts'
import type { Answer, Question, TaskScore } from './question.ts'
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

/** Scores an answer that has been found in its reply already. */
export function scoreAnswer(
  { answer }: Pick<Question, 'answer'>,
  scene: Scene,
  text: string,
  profile: Profile,
): TaskScore {
  return formOf(answer, scene).score(text, profile)
}

/** The answer that a reply holds, and its score. With `afterMap` the reply was to give a map of its own first. */
export function judgeReply(
  question: Pick<Question, 'answer'>,
  reply: string,
  scene: Scene,
  { profile, afterMap }: { profile: Profile; afterMap: boolean },
): { answer: string; result: TaskScore } {
  const said = answerOf(reply, profile)
  const answer = afterMap ? splitMapAndAnswer(said, profile).answer : said
  return { answer, result: scoreAnswer(question, scene, answer, profile) }
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
