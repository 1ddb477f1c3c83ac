/** The built-in objects with moving parts. */
import { didYouMean, LruCache, Random, shortHash, UserError } from '../../../../suite.ts'
import { door, fan, foldingChair, globe, laptop, scissors, toilet, windowKind } from './house.ts'
import { faucet, microwave, oven, refrigerator, washingMachine } from './kitchen.ts'
import { kindOf } from '../assembly/parts.ts'
import { drawMechanisms } from './mechanisms.ts'
import { drawPlaces } from './places.ts'
import { type ArticulatedModel, Maker, withShelf } from './model.ts'
import { box, cabinet, safe, suitcase, trashCan } from './storage.ts'

const kinds: Readonly<Record<string, (maker: Maker, random: Random) => void>> = {
  cabinet,
  refrigerator,
  oven,
  microwave,
  washing_machine: washingMachine,
  faucet,
  box,
  suitcase,
  safe,
  trash_can: trashCan,
  window: windowKind,
  door,
  laptop,
  scissors,
  folding_chair: foldingChair,
  globe,
  fan,
  toilet,
}

export const CATEGORIES: readonly string[] = Object.keys(kinds)

/** Raised whenever the same seed gives another object. The first one is kept: runs of its time name its objects. */
export const GENERATOR = 2

export interface Drawing {
  /** 1: every category moves in its own usual way, with few sizes and limits. @default GENERATOR */
  generator?: number
  /** `neutral`: parts and object have names that say nothing. @default 'plain' */
  names?: 'plain' | 'neutral'
  /** `drawn`: every part is somewhere on what it hangs on, not where one expects it. @default 'usual' */
  places?: 'usual' | 'drawn'
}

const built = new LruCache<ArticulatedModel>(64)

/**
 * The object of a category and seed; the same on every machine. The last ones are kept.
 *
 * @example
 * buildArticulated('cabinet', 3).joints.map(({ child, type }) => [child, type])
 */
export function buildArticulated(
  category: string,
  seed: number,
  { generator = GENERATOR, names = 'plain', places = 'usual' }: Drawing = {},
): ArticulatedModel {
  const draw = Object.hasOwn(kinds, category) ? kinds[category] : undefined
  if (!draw)
    throw new UserError(`There is no built-in object called "${category}".`, {
      hint: didYouMean(category, CATEGORIES, 'Categories'),
    })
  const id = `${category}-${seed}`
  return built.getOrCreate(`${id}/${generator}/${names}/${places}`, () => {
    const maker = new Maker(generator > 1)
    const key = `articulate/object/${generator}/${id}`
    if (generator === 1) {
      draw(maker, new Random(key))
      return withShelf(maker.model(category, id))
    }
    const random = new WideRandom(key)
    draw(maker, random)
    const usual = maker.model(category, id, Math.exp(random.fork('scale').range(Math.log(0.7), Math.log(1.4))))
    const model = places === 'usual' ? usual : drawPlaces(usual, random.fork('places'))
    // Where a part is somewhere else, its usual hinge would hold nothing.
    const usualShare = places === 'usual' ? undefined : 0
    const drawn = { ...model, joints: drawMechanisms(model, random.fork('mechanisms'), usualShare) }
    return withShelf(names === 'plain' ? drawn : neutral(drawn))
  })
}

/** Proportions vary more than the ranges of a category say. */
const WIDER = 1.5

class WideRandom extends Random {
  override range(from: number, to: number): number {
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * WIDER]
    return super.range(middle - half, middle + half)
  }
}

/** The same object under names that say nothing: `part3`, and `part3_2` for a second one of its kind. */
function neutral<Named extends Omit<ArticulatedModel, 'shelf'>>(model: Named): Named {
  const kinds = [...new Set(model.parts.map(({ name }) => kindOf(name)))]
  const named = (name: string): string => {
    const kind = kindOf(name)
    return `part${kinds.indexOf(kind) + 1}${name.slice(kind.length)}`
  }
  return {
    ...model,
    id: `object-${shortHash(model.id)}`,
    title: 'object',
    parts: model.parts.map((part) => ({ ...part, name: named(part.name) })),
    joints: model.joints.map((joint) => ({ ...joint, child: named(joint.child), parent: named(joint.parent) })),
  }
}
