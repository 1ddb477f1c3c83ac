/** The contact shadows of a scene: what stands on the floor of a room, and what stands on other things. */
import { contactPatches, type Grounded, type Point } from '../light/contact.ts'
import { buildInstance } from '../objects/instance.ts'
import { buildObject } from '../objects/catalogue.ts'
import type { ObjectMesh } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import type { PlacedObject, Scene } from './scene.ts'

/** All patches of a scene as one mesh. */
export function contactShadows(scene: Scene): ObjectMesh {
  const byInstance = new Map(scene.objects.map((placed) => [placed.instance, placed]))
  const standing = scene.objects.filter(({ support }) => support !== 'wall' && support !== 'ceiling')
  return contactPatches(
    standing.map((placed): Grounded => {
      const model = buildObject(placed.category, placed.variant)
      const { size } = buildInstance(placed)
      const below = typeof placed.support === 'number' ? byInstance.get(placed.support) : undefined
      return {
        model,
        scale: [size[0] / model.size[0], size[1] / model.size[1], size[2] / model.size[2]],
        position: placed.position,
        yaw: placed.yaw,
        isGround: below ? onTopOf(below, placed.position[2]) : inRoom(scene, placed.room),
      }
    }),
  )
}

function inRoom({ rooms }: Scene, id: number): (point: Point) => boolean {
  const { x, y, blocks = [] } = rooms.find((room) => room.id === id)!
  return ([px, py]) =>
    px > x[0] &&
    px < x[1] &&
    py > y[0] &&
    py < y[1] &&
    !blocks.some((block) => px > block.x[0] && px < block.x[1] && py > block.y[0] && py < block.y[1])
}

function onTopOf(below: PlacedObject, z: number): (point: Point) => boolean {
  const { surfaces } = buildInstance(below)
  const [c, s] = turnOf(below.yaw)
  const [x, y, base] = below.position
  const level = surfaces.filter((surface) => Math.abs(base + surface.z - z) < 0.01)
  return ([px, py]) => {
    const [dx, dy] = [px - x, py - y]
    const [along, across] = [c * dx + s * dy, -s * dx + c * dy]
    return level.some((top) => along > top.x[0] && along < top.x[1] && across > top.y[0] && across < top.y[1])
  }
}
