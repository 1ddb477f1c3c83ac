/** Leaves of doors that stand open. */
import type { Random } from '../../base/random.ts'
import type { Occluder } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import { type Block, strip, touches } from './blocks.ts'
import type { SceneDoor, SceneRoom } from './scene.ts'
import { doorsOn, FACING, opposite, sidePlane, SIDES } from './sides.ts'

const LEAF_THICK = 0.04
/** Between a door's frame and its hinges. */
const HINGE = 0.025

/** An open door's leaf: the point of its hinge, its turn (it runs along its own +y) and its size. */
export interface Leaf {
  hinge: readonly [number, number]
  yaw: number
  width: number
  room: number
  /** Along the axes, around it. */
  floor: Block
}

/** The leaf of a door that stands open, in the room that it opens into. */
export function leafOf(door: SceneDoor, rooms: readonly SceneRoom[]): Leaf | null {
  const { leaf } = door
  const room = leaf && rooms.find(({ id }) => id === leaf.into)
  if (!room) return null
  const side = door.rooms[0] === room.id ? door.side : opposite(door.side)
  const plane = sidePlane(room, side)
  const [nx, ny] = turnOf(FACING[side])
  const [tx, ty] = [-ny, nx]
  const middle = side === 'west' || side === 'east' ? [plane, door.along] : [door.along, plane]
  const aside = leaf.hinge * (door.width / 2 - HINGE)
  const hinge = [middle[0]! + tx * aside, middle[1]! + ty * aside] as const
  const yaw = FACING[side] + (leaf.hinge < 0 ? -leaf.degrees : 180 + leaf.degrees)
  const width = door.width - 2 * HINGE
  const [c, s] = turnOf(((yaw % 360) + 360) % 360)
  // Its own +y.
  const [dx, dy] = [-s, c]
  return {
    hinge,
    yaw,
    width,
    room: room.id,
    floor: { x: around(hinge[0], dx * width), y: around(hinge[1], dy * width) },
  }
}

function around(from: number, reach: number): [number, number] {
  return [Math.min(from, from + reach) - LEAF_THICK, Math.max(from, from + reach) + LEAF_THICK]
}

/** Keeps light and sight away as a closed one does. */
export function leafOccluder({ hinge, yaw, width }: Leaf, height: number): Occluder {
  const [c, s] = turnOf(((yaw % 360) + 360) % 360)
  const [x, y] = [hinge[0] - (s * width) / 2, hinge[1] + (c * width) / 2]
  return { frame: [c, -s, 0, x, s, c, 0, y, 0, 0, 1, height / 2], half: [LEAF_THICK / 2, width / 2, height / 2] }
}

/** How often a doorway between two rooms has a door in it. */
const CHANCE = 0.75

/** A door between two rooms stands open, at any angle that leaves the way through it and other doors free. */
export function drawLeaf(
  door: SceneDoor,
  rooms: readonly SceneRoom[],
  doors: readonly SceneDoor[],
  random: Random,
): SceneDoor {
  const [first, second] = door.rooms
  if (second === null || !random.chance(CHANCE)) return door
  for (let i = 0; i < 8; i++) {
    const leaf = {
      into: random.chance(0.5) ? first : second,
      hinge: random.pick([-1, 1] as const),
      degrees: random.between(78, 165),
    }
    const open: SceneDoor = { ...door, leaf }
    const room = rooms.find(({ id }) => id === leaf.into)!
    const { floor } = leafOf(open, rooms)!
    const inside =
      floor.x[0] >= room.x[0] - LEAF_THICK &&
      floor.x[1] <= room.x[1] + LEAF_THICK &&
      floor.y[0] >= room.y[0] - LEAF_THICK &&
      floor.y[1] <= room.y[1] + LEAF_THICK
    const ways = SIDES.flatMap((side) =>
      doorsOn(room, side, doors)
        .filter(({ id }) => id !== door.id)
        .map(({ along, width }) => strip(room, side, along, width + 0.3, 0.9)),
    )
    if (inside && ![...ways, ...(room.blocks ?? [])].some((kept) => touches(floor, kept))) return open
  }
  return door
}
