/** From a scene's description to triangles, and to what each of them is. */
import { bakeLight } from '../light/bake.ts'
import { BoxCaster } from '../light/boxes.ts'
import { joinMeshes, type JoinedMesh } from '../join.ts'
import type { SceneObject, TriangleMesh } from '../mesh.ts'
import { buildInstance } from '../objects/instance.ts'
import { compose } from '../frames.ts'
import type { Occluder } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import { lightsOf } from './lights.ts'
import type { PlacedObject, Scene } from './scene.ts'
import { buildShell, shellOccluders } from './shell.ts'

export interface BuiltScene {
  mesh: TriangleMesh
  objects: SceneObject[]
  /** Inner outline of each room, counterclockwise, by room id. */
  floors: ReadonlyMap<number, readonly (readonly [number, number])[]>
}

/**
 * The scene's triangles with their light. `light: false` leaves the light out, for who needs only shapes.
 *
 * @example
 * const { mesh, objects } = buildScene(generateScene({ seed: 7, kind: 'kitchen' }))
 * const renderer = new Renderer(prepareScene(mesh))
 */
export function buildScene(scene: Scene, { light = true }: { light?: boolean } = {}): BuiltScene {
  const mesh = gather(scene)
  return {
    mesh: light ? { ...mesh, light: bakeLight(mesh, new BoxCaster(sceneOccluders(scene)), lightsOf(scene)) } : mesh,
    objects: sceneObjects(scene),
    floors: new Map(
      scene.rooms.map(({ id, x, y }) => [
        id,
        [
          [x[0], y[0]],
          [x[1], y[0]],
          [x[1], y[1]],
          [x[0], y[1]],
        ],
      ]),
    ),
  }
}

/** What is where, without building any triangles of the room. */
export function sceneObjects(scene: Scene): SceneObject[] {
  return scene.objects.map((placed) => {
    const { instance, category, position, yaw, room, support } = placed
    const { size, facing, contains } = buildInstance(placed)
    return {
      instance,
      category,
      box: { center: [position[0], position[1], position[2] + size[2] / 2], size, yaw },
      facing: facing === null ? null : yaw,
      support,
      room,
      contains,
    }
  })
}

function frameOf({ position, yaw }: PlacedObject): readonly number[] {
  const [c, s] = turnOf(yaw)
  return [c, -s, 0, position[0], s, c, 0, position[1], 0, 0, 1, position[2]]
}

/** All that keeps light and sight away, as boxes. */
export function sceneOccluders(scene: Scene): Occluder[] {
  const boxes = shellOccluders(scene)
  for (const placed of scene.objects) {
    const frame = frameOf(placed)
    for (const occluder of buildInstance(placed).occluders) {
      boxes.push({ frame: compose(frame, occluder.frame), half: occluder.half })
    }
  }
  return boxes
}

function gather(scene: Scene): JoinedMesh {
  return joinMeshes([
    { mesh: buildShell(scene).mesh([0, 0, 0]), instance: 0, frame: null },
    ...scene.objects.map((placed) => ({
      mesh: buildInstance(placed).mesh,
      instance: placed.instance,
      frame: frameOf(placed),
    })),
  ])
}
