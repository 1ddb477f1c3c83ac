/** Seeded scenes: a floor plan, then furniture by the recipe of each room. */
import { Random } from '../../base/random.ts'
import { cosine, sine } from '../trig.ts'
import { hiddenObjects } from './check.ts'
import { scatter } from './clutter.ts'
import { missingEssentials } from './essentials.ts'
import { type FloorPlan, WALL, floorPlan } from './floor-plan.ts'
import { RoomPlanner } from './planner.ts'
import { recipes } from './recipes.ts'
import {
  type Lighting,
  LIGHTINGS,
  type PlacedObject,
  type Scene,
  type SceneKind,
  type SceneRoom,
  toMillimetres,
} from './scene.ts'

export interface SceneOptions {
  seed: number
  kind: SceneKind
  /** How many rooms a flat has, 2 to 8; drawn from the seed where absent. */
  rooms?: number
  /** How many things a room has before small ones are scattered in it; as many as its recipe finds room for where absent. */
  objects?: number
  /** How many things a room has with the small ones, as far as there is room; 40 to 70 where absent. */
  clutter?: number
  /** 0…1: how often a thing is almost like another of its category in the room. @default 0.3 */
  lookAlikes?: number
  /** The hour and the weather; drawn from the seed where absent. */
  lighting?: Lighting
}

const CLUTTER = [40, 70] as const
const LOOK_ALIKES = 0.3
/** A room in which something essential found no place is furnished anew, each time with smaller things. */
const ATTEMPTS = 10

/**
 * A furnished scene. The same options give the same scene on every machine.
 *
 * @example
 * const scene = generateScene({ seed: 7, kind: 'flat', clutter: 0 })
 * sceneHash(scene)
 */
export function generateScene({ seed, kind, rooms, ...knobs }: SceneOptions): Scene {
  const random = new Random(`scene/${kind}/${seed}${rooms === undefined ? '' : `/${rooms}`}`)
  const plan = floorPlan(kind, random.fork('floor plan'), rooms)
  let instances = 0
  const objects = plan.rooms.flatMap((room) =>
    furnish(plan, room, random.fork(`room/${room.id}`), knobs, () => ++instances),
  )
  return withoutHidden({
    version: 1,
    kind,
    seed,
    height: plan.height,
    wallThickness: WALL,
    sun: sunDirection(random.fork('sun')),
    lighting: knobs.lighting ?? random.fork('lighting').weighted(LIGHTINGS, [6, 3, 2]),
    rooms: plan.rooms,
    doors: plan.doors,
    windows: plan.windows,
    objects,
  })
}

type Knobs = Pick<SceneOptions, 'objects' | 'clutter' | 'lookAlikes'>

function furnish(plan: FloorPlan, room: SceneRoom, random: Random, knobs: Knobs, next: () => number): PlacedObject[] {
  for (let attempt = 0; ; attempt++) {
    const options = {
      lookAlikes: knobs.lookAlikes ?? LOOK_ALIKES,
      large: 1 - (attempt / ATTEMPTS) * 0.8,
      most: knobs.objects ?? Infinity,
    }
    const draws = random.fork(`attempt/${attempt}`)
    const planner = new RoomPlanner(room, plan.height, plan.doors, plan.windows, draws, next, options)
    recipes[room.kind](planner)
    if (missingEssentials(room.kind, planner.placed).length > 0 && attempt < ATTEMPTS) continue
    planner.most = Infinity
    scatter(planner, knobs.clutter ?? draws.between(...CLUTTER))
    return planner.placed.map(({ model: _, bounds: __, ...placed }) => placed)
  }
}

/** Takes away what nobody can see, and what stands on it. */
function withoutHidden(scene: Scene): Scene {
  const gone = new Set(hiddenObjects(scene).map(({ instance }) => instance))
  for (let before = -1; before !== gone.size;) {
    before = gone.size
    for (const { instance, support } of scene.objects)
      if (typeof support === 'number' && gone.has(support)) gone.add(instance)
  }
  return { ...scene, objects: renumbered(scene.objects.filter(({ instance }) => !gone.has(instance))) }
}

/** Morning to afternoon: 25 to 50 degrees high, from anywhere. */
function sunDirection(random: Random): [number, number, number] {
  const up = random.range(0.42, 0.77)
  const turn = random.range(0, 6.28)
  const flat = Math.sqrt(1 - up * up)
  return [toMillimetres(flat * cosine(turn)), toMillimetres(flat * sine(turn)), toMillimetres(up)]
}

/** Instances count from 1 in the order of the list, without gaps for what was taken away again. */
function renumbered(objects: readonly PlacedObject[]): PlacedObject[] {
  const numbers = new Map(objects.map(({ instance }, i) => [instance, i + 1]))
  return objects.map((placed) => ({
    ...placed,
    instance: numbers.get(placed.instance)!,
    support: typeof placed.support === 'number' ? numbers.get(placed.support)! : placed.support,
  }))
}
