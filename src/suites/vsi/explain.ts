/** Why an answer is right, from the boxes of the objects: for training data. */
import { isDirectionType, isNumberType } from './domain/question-types.ts'
import { bearing } from './samples/questions/relative.ts'
import { gap, type Placed } from './samples/questions/scene.ts'
import { optionText, type VsiSample } from './samples/sample.ts'

/** The reply with reasons, if it gives the true answer; the format is that of the baselines. */
export function explain(sample: VsiSample, reply: string): string {
  const why = reasonsFor(sample)
  if (why === null) return reply
  const json = /\{.*\}/s.exec(reply)?.[0]
  const said = json === undefined ? null : (JSON.parse(json) as Readonly<Record<string, unknown>>)
  const truth = isNumberType(sample.type) ? Number(sample.truth) : sample.truth
  if (said === null || said['answer'] !== truth) return reply
  return 'reasoning' in said ? JSON.stringify({ ...said, reasoning: why }) : `${why}\n\n${reply}`
}

/** Null for scans, whose objects are not known. */
export function reasonsFor(sample: VsiSample): string | null {
  const { type, things, about, options, truth, floorArea } = sample
  if (things === null || about === null) return null
  const named = about.categories.map((name) => things.filter(({ category }) => category === name))
  const [a, b, c] = named.map((group) => group[0])
  const chosen = options === null ? '' : optionText(options[truth.charCodeAt(0) - 65]!)
  if (isDirectionType(type)) {
    if (!a || !b || !c) return null
    const degrees = bearing(a, b, c)
    const hand = degrees > 0 ? 'left' : 'right'
    return `Standing by the ${a.category} and facing the ${b.category}, I would turn about ${Math.round(Math.abs(degrees))} degrees to the ${hand} to face the ${c.category}, because it is ${meters(apart(a, c))} from the ${a.category} on that side. So it is to the ${chosen}.`
  }
  switch (type) {
    case 'object_counting':
      return `I look for each ${about.categories[0]} and count every one once, wherever the camera is: there are ${truth}.`
    case 'object_abs_distance':
      return a && b
        ? `The middles of the ${a.category} and the ${b.category} are ${meters(apart(a, b))} apart. The ${a.category} is ${sizeText(a)} and the ${b.category} ${sizeText(b)}, so between their closest points there are ${truth} m.`
        : null
    case 'object_size_estimation':
      return a
        ? `The ${a.category} is ${sizeText(a)} (length, width, height), so its longest side has ${truth} cm.`
        : null
    case 'room_size_estimation':
      return floorArea === undefined
        ? null
        : `All of the floor that the camera walks past has about ${truth} square meters.`
    case 'object_rel_distance': {
      if (!a) return null
      const far = named.slice(1).map((group) => Math.min(...group.map((thing) => gap(a, thing))))
      const list = about.categories.slice(1).map((name, i) => `the ${name} ${meters(far[i]!)}`)
      return `From the ${a.category} to ${list.join(', ')}. The ${chosen} is the closest.`
    }
    case 'route_planning':
      return `I start at the ${about.categories[0]}, facing the ${about.categories[1]}, go by the ${about.categories[2]} and end at the ${about.categories[3]}. With the turns in order: ${chosen}.`
    case 'obj_appearance_order':
      return `Going through the video from its start, I note when I first see each of them: ${chosen}.`
    default:
      return type satisfies never
  }
}

function apart(from: Placed, to: Placed): number {
  return Math.hypot(from.box.center[0] - to.box.center[0], from.box.center[1] - to.box.center[1])
}

const meters = (value: number): string => `${value.toFixed(1)} m`
const sizeText = ({ box }: Placed): string => `${box.size.map((side) => Math.round(side * 100)).join(' × ')} cm`
