/** Where films are shot: a furnished room whose middle is cleared, with a place to act and a camera across from it. */
import { LruCache } from '../../../../suite.ts'
import {
  buildScene,
  type Frame,
  frameOf,
  generateScene,
  inverse,
  type LightSetup,
  lightsOf,
  moved,
  type Occluder,
  type OrientedBox,
  prepareScene,
  Renderer,
  type RoomKind,
  type Scene,
  sceneObjects,
  sceneOccluders,
  TAU,
  turnOf,
} from '../../../../world.ts'

/**
 * Rooms that make good pictures, chosen by eye: the seed, and degrees from the room's +x of the way from the place to
 * act to the camera.
 */
const SETS: Readonly<Record<RoomKind, readonly (readonly [seed: number, yaw: 0 | 90 | 180 | 270])[]>> = {
  bedroom: [
    [7, 270],
    [8, 270],
  ],
  'living room': [
    [4, 0],
    [7, 90],
  ],
  kitchen: [
    [1, 90],
    [2, 180],
  ],
  bathroom: [
    [6, 270],
    [2, 90],
  ],
  office: [
    [2, 270],
    [8, 90],
  ],
  'class room': [
    [2, 0],
    [7, 90],
  ],
  workshop: [
    [4, 270],
    [6, 270],
  ],
  corridor: [
    [2, 0],
    [6, 90],
  ],
}
/** Of every kind of room. */
export const SETS_PER_ROOM = 2

/** From the far wall to the place to act, where the room is long enough. */
const BEHIND = 1.7
/** From the camera to the wall behind it. */
const BACK = 0.3
const FARTHEST = 3.6
/** What stands nearer to the place to act, or between it and the camera, is taken away. */
const CLEAR_BEHIND = 0.6
const CLEAR_BESIDE = 0.5
/** Tangent of half of what a camera at the back wall sees in the course of a pan. */
const WIDEST = 1

export interface Stage {
  room: Renderer
  lights: LightSetup
  occluders: readonly Occluder[]
  /**
   * From the place to act to the room. The place is on the floor; its x points to the camera, its y to the right of
   * the picture.
   */
  place: Frame
  /** How far away the camera can stand, in meters. */
  reach: number
}

/** Light is baked once for all films in a room; a room takes 10 to 25 MB. */
const stages = new LruCache<Stage>(6)

export function openStage(kind: RoomKind, set: number): Stage {
  const [seed, yaw] = SETS[kind][set % SETS_PER_ROOM]!
  return stages.getOrCreate(`${kind}/${seed}`, () => {
    const furnished = generateScene({ seed, kind, clutter: 0, lighting: 'day' })
    const { place, reach } = placeIn(furnished, yaw)
    const scene = cleared(furnished, place, reach)
    return {
      room: new Renderer(prepareScene(buildScene(scene).mesh)),
      lights: lightsOf(scene),
      occluders: sceneOccluders(scene),
      place,
      reach,
    }
  })
}

function placeIn({ rooms }: Scene, yaw: number): { place: Frame; reach: number } {
  const { x, y } = rooms[0]!
  const [along, across] = yaw % 180 === 0 ? [x, y] : [y, x]
  const length = along[1] - along[0]
  const behind = Math.min(BEHIND, length * 0.45)
  const at = yaw < 180 ? along[0] + behind : along[1] - behind
  const middle = (across[0] + across[1]) / 2
  const [px, py] = yaw % 180 === 0 ? [at, middle] : [middle, at]
  return {
    place: frameOf([px, py, 0], [0, 0, (yaw * TAU) / 360]),
    reach: Math.min(length - behind - BACK, FARTHEST),
  }
}

/** The scene without what stands in the way, and without what stands on that. */
function cleared(scene: Scene, place: Frame, reach: number): Scene {
  const toPlace = inverse(place)
  const gone = new Set<number>()
  const objects = sceneObjects(scene)
  const rugs = new Set<unknown>(objects.filter(({ category }) => category === 'rug').map(({ instance }) => instance))
  for (const { instance, category, support, box } of objects) {
    if (typeof support === 'number' && gone.has(support)) gone.add(instance)
    if (support === 'ceiling' || category === 'rug') continue
    const [x, y] = moved(toPlace, box.center)
    const [halfX, halfY] = halfSizes(box, place)
    const beside = Math.abs(y) - halfY
    const ahead = Math.max(0, reach - x)
    const isInTheWay = x + halfX > -CLEAR_BEHIND && beside < CLEAR_BESIDE + 0.3 * ahead
    const isFloor = support === 'floor' || rugs.has(support)
    // What no camera sees needs no light.
    if ((isFloor && isInTheWay) || beside > CLEAR_BESIDE + WIDEST * ahead) gone.add(instance)
  }
  return { ...scene, objects: scene.objects.filter(({ instance }) => !gone.has(instance)) }
}

/** How far a box reaches along the x and y of the place, from its middle. */
function halfSizes({ size, yaw }: OrientedBox, place: Frame): [x: number, y: number] {
  const [cos, sin] = turnOf(yaw)
  // The box's own x in the place's frame; the other axis is at right angles to it.
  const along = Math.abs(place[0]! * cos + place[4]! * sin)
  const across = Math.sqrt(Math.max(0, 1 - along * along))
  return [(size[0] * along + size[1] * across) / 2, (size[0] * across + size[1] * along) / 2]
}
