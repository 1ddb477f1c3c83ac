/**
 * A perfect eye: it recognizes every object of which an image shows enough, with its place and size, and knows of nothing
 * that no image shows. What it cannot answer, nobody can: it proves that a question is answerable, and is the ceiling.
 */
import type { SceneObject } from '../../../world.ts'
import { appearInOrder, GLIMPSE_SHARE, type Shares, SHOWN_SHARE, shownIn } from '../domain/evidence.ts'
import { isDirectionType } from '../domain/question-types.ts'
import { oneDecimal } from './questions/question.ts'
import { bearing, directionAnswer } from './questions/relative.ts'
import { centerOf, headingTo, turnBetween } from './questions/route.ts'
import { gap, gapToNearest } from './questions/scene.ts'
import { optionText, type VsiSample } from './sample.ts'

type EyeSample = Pick<VsiSample, 'type' | 'about' | 'options' | 'floorArea'>

/** Questions need objects that cover more than this, so that the size of the measured image does not matter. */
const RECOGNIZED_SHARE = SHOWN_SHARE * 0.75

/** The answer that the images allow; null if they do not show enough. */
export function eyeAnswer(
  { type, about, options, floorArea }: EyeSample,
  objects: readonly SceneObject[],
  images: readonly Shares[],
): string | null {
  if (about === null) return null
  const shown = shownIn(images, RECOGNIZED_SHARE)
  const groups = about.categories.map((name) =>
    objects.filter(({ category, instance }) => category === name && shown.has(instance)),
  )
  const [a, b, c, d] = groups.map((group) => group[0])
  const letterOf = (text: string | null): string | null => {
    const at = text === null ? -1 : (options ?? []).findIndex((option) => optionText(option) === text)
    return at < 0 ? null : String.fromCharCode(65 + at)
  }
  if (isDirectionType(type)) return a && b && c ? letterOf(directionAnswer(type, bearing(a, b, c))) : null
  switch (type) {
    case 'object_counting':
      return groups[0]!.length > 0 ? String(groups[0]!.length) : null
    case 'object_abs_distance':
      return a && b ? oneDecimal(gap(a, b)) : null
    case 'object_size_estimation':
      return a ? String(Math.round(Math.max(...a.box.size) * 100)) : null
    case 'room_size_estimation':
      return floorArea === undefined ? null : oneDecimal(floorArea)
    case 'object_rel_distance': {
      if (!a || groups.some((group) => group.length === 0)) return null
      const far = groups.slice(1).map((group) => gapToNearest(a, group))
      return letterOf(about.categories[1 + far.indexOf(Math.min(...far))]!)
    }
    case 'route_planning':
      return a && b && c && d ? routeLetter([a, b, c, d], about.turns ?? []) : null
    case 'obj_appearance_order':
      return orderLetter(options ?? [], objects, images)
    default:
      return type satisfies never
  }
}

function routeLetter(
  [start, faced, via, end]: readonly [SceneObject, SceneObject, SceneObject, SceneObject],
  options: readonly (readonly string[])[],
): string | null {
  const [p, f, q, r] = [centerOf(start), centerOf(faced), centerOf(via), centerOf(end)]
  const out = headingTo(p, q)
  const second = turnBetween(out, headingTo(q, r))
  const wanted = faced === via ? [second] : [turnBetween(headingTo(p, f), out), second]
  const at = options.findIndex((turns) => turns.join() === wanted.join())
  return at < 0 ? null : String.fromCharCode(65 + at)
}

/** The only option that agrees with what appears first, both of what is clear and of what is only a few pixels. */
function orderLetter(
  options: readonly string[],
  objects: readonly SceneObject[],
  images: readonly Shares[],
): string | null {
  const fitting = options.filter((option) =>
    [SHOWN_SHARE, GLIMPSE_SHARE].every((share) =>
      appearInOrder(
        optionText(option)
          .split(', ')
          .map((name) => objects.filter(({ category }) => category === name).map(({ instance }) => instance)),
        images,
        share,
      ),
    ),
  )
  return fitting.length === 1 ? String.fromCharCode(65 + options.indexOf(fitting[0]!)) : null
}
