/** What people leave lying about: small things on tables, shelves and counters, along walls and in corners. */
import type { Random } from '../../base/random.ts'
import type { Category } from '../objects/catalogue.ts'
import type { Placed, RoomPlanner } from './planner.ts'
import type { RoomKind } from './scene.ts'

/** Found in any room. */
const ANYWHERE: readonly Category[] = [
  'books',
  'cup',
  'drinking glass',
  'bottle',
  'plant',
  'box',
  'papers',
  'photo frame',
  'smartphone',
  'tissue box',
  'bowl',
  'vase',
  'candle',
  'shoe box',
  'basket',
  'radio',
  'hat',
]
const AT_HOME: readonly Category[] = [
  'toy car',
  'toy blocks',
  'teddy bear',
  'ball',
  'remote control',
  'pillow',
  'handbag',
]
const FOOD: readonly Category[] = [
  'plate',
  'jar',
  'can',
  'bowl',
  'pot',
  'cutting board',
  'fruit bowl',
  'tray',
  'kettle',
]
const WORK: readonly Category[] = ['pen holder', 'papers', 'laptop', 'row of books', 'telephone', 'desk lamp', 'globe']

const ON_TOP: Readonly<Record<RoomKind, readonly Category[]>> = {
  bedroom: [...ANYWHERE, ...AT_HOME, 'lamp', 'row of books'],
  'living room': [...ANYWHERE, ...AT_HOME, 'lamp', 'row of books', 'tray', 'globe', 'fruit bowl'],
  kitchen: [...ANYWHERE, ...FOOD, ...FOOD],
  bathroom: ['bottle', 'cup', 'soap dispenser', 'candle', 'jar', 'plant', 'basket', 'tissue box', 'vase', 'box'],
  office: [...ANYWHERE, ...WORK, ...WORK],
  'class room': [...ANYWHERE, ...WORK, ...WORK],
  workshop: ['paint can', 'tool box', 'can', 'jar', 'box', 'bottle', 'bucket', 'radio', 'papers', 'cup', 'shoe box'],
  corridor: [...ANYWHERE, 'handbag', 'lamp', 'row of books', 'ball'],
}

const ON_FLOOR: readonly Category[] = [
  'shoes',
  'box',
  'basket',
  'ball',
  'books',
  'plant',
  'backpack',
  'shoe box',
  'bottle',
  'stool',
  'trash can',
  'suitcase',
  'ottoman',
]
const ON_FLOOR_AT_HOME: readonly Category[] = ['toy car', 'toy blocks', 'teddy bear', 'pillow', 'vase', 'handbag']

/** What lies on a bed, a sofa or a chest of drawers is not as large as they are. */
const TOP_LIMIT = 0.6
/** Nobody puts a flower pot this small on the floor. */
const FLOOR_LEAST = 0.2
const MOST_OF_A_KIND = 8

/** What gets more room for small things where there is little. */
const TOPS: readonly Category[] = ['side table', 'cabinet', 'bench', 'table', 'desk', 'chest of drawers']
const MORE_TOPS = 3

/** Adds small things until a room has `target` things, or no more places are found. */
export function scatter(plan: RoomPlanner, target: number): void {
  const { random } = plan
  for (let i = 0; i < MORE_TOPS && plan.placed.length < target - 20; i++)
    plan.wall(random.pick(TOPS), { access: 0.3, tries: 4 })
  const tops = plan.placed.filter(({ category, model }) => category !== 'rug' && model.surfaces.length > 0)
  const home = plan.room.kind === 'bedroom' || plan.room.kind === 'living room'
  const floor = home ? [...ON_FLOOR, ...ON_FLOOR_AT_HOME] : ON_FLOOR
  for (const category of severals(random, random.sample(floor, 6), target / 3)) {
    if (plan.placed.length >= target) return
    onFloor(plan, category)
  }
  for (const category of severals(random, random.shuffle([...ON_TOP[plan.room.kind]]), 3 * target)) {
    if (plan.placed.length >= target) return
    if (tops.length > 0) onTop(plan, tops, category)
  }
}

/** Kinds in turn, each as often as it is drawn to be there: how many there are is no matter of what they are. */
function severals(random: Random, kinds: readonly Category[], most: number): Category[] {
  const bag: Category[] = []
  for (const kind of kinds) {
    for (let i = random.between(1, MOST_OF_A_KIND); i > 0; i--) bag.push(kind)
    if (bag.length >= most) break
  }
  return bag
}

function onTop(plan: RoomPlanner, tops: readonly Placed[], category: Category): void {
  const look = plan.look(category, (size) => Math.max(...size) < TOP_LIMIT)
  for (let i = 0; i < 3; i++) if (plan.on(plan.random.pick(tops), category, { look, tries: 3 })) return
}

function onFloor(plan: RoomPlanner, category: Category): void {
  const look = plan.look(category, (size) => Math.max(...size) > FLOOR_LEAST)
  if (plan.random.chance(0.3)) plan.corner(category, { look })
  else plan.wall(category, { look, tries: 3 })
}
