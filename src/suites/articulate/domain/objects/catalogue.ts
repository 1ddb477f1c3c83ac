/** The built-in objects with moving parts. */
import { didYouMean, Random, LruCache, UserError } from '../../../../suite.ts'
import { door, fan, foldingChair, globe, laptop, scissors, toilet, windowKind } from './house.ts'
import { faucet, microwave, oven, refrigerator, washingMachine } from './kitchen.ts'
import { type ArticulatedModel, Maker } from './model.ts'
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

const built = new LruCache<ArticulatedModel>(64)

/**
 * The object of a category and seed; the same on every machine. The last ones are kept.
 *
 * @example
 * buildArticulated('cabinet', 3).joints.map(({ child, type }) => [child, type])
 */
export function buildArticulated(category: string, seed: number): ArticulatedModel {
  const draw = Object.hasOwn(kinds, category) ? kinds[category] : undefined
  if (!draw)
    throw new UserError(`There is no built-in object called "${category}".`, {
      hint: didYouMean(category, CATEGORIES, 'Categories'),
    })
  const id = `${category}-${seed}`
  return built.getOrCreate(id, () => {
    const maker = new Maker()
    draw(maker, new Random(`articulate/object/1/${id}`))
    return maker.model(category, id)
  })
}
