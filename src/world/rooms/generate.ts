/** Seeded scenes: a floor plan, then furniture by the recipe of each room. */
import { Random } from '../../base/random.ts'
import { cosine, sine } from '../trig.ts'
import { hiddenObjects } from './check.ts'
import { WALL, floorPlan } from './floor-plan.ts'
import { RoomPlanner } from './planner.ts'
import { recipes } from './recipes.ts'
import { type PlacedObject, type Scene, type SceneKind, toMillimetres } from './scene.ts'

export interface SceneOptions {
  seed: number
  kind: SceneKind
  /** How many rooms a flat has, 2 to 8; drawn from the seed where absent. */
  rooms?: number
}

/**
 * A furnished scene. The same options give the same scene on every machine.
 *
 * @example
 * const scene = generateScene({ seed: 7, kind: 'flat' })
 * sceneHash(scene)
 */
export function generateScene({ seed, kind, rooms }: SceneOptions): Scene {
  const random = new Random(`scene/${kind}/${seed}${rooms === undefined ? '' : `/${rooms}`}`)
  const plan = floorPlan(kind, random.fork('floor plan'), rooms)
  let instances = 0
  const objects: PlacedObject[] = []
  for (const room of plan.rooms) {
    const planner = new RoomPlanner(
      room,
      plan.height,
      plan.doors,
      plan.windows,
      random.fork(`room/${room.id}`),
      () => ++instances,
    )
    recipes[room.kind](planner)
    for (const { model: _, bounds: __, ...placed } of planner.placed) objects.push(placed)
  }
  return withoutHidden({
    version: 1,
    kind,
    seed,
    height: plan.height,
    wallThickness: WALL,
    sun: sunDirection(random.fork('sun')),
    rooms: plan.rooms,
    doors: plan.doors,
    windows: plan.windows,
    objects,
  })
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
