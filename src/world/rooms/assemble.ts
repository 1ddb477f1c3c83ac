/** From a scene's description to triangles, and to what each of them is. */
import { bakeLight } from '../light/bake.ts'
import { BoxCaster } from '../light/boxes.ts'
import { joinMeshes, type JoinedMesh } from '../join.ts'
import type { SceneObject } from '../mesh.ts'
import { buildInstance } from '../objects/instance.ts'
import { compose } from '../frames.ts'
import type { Occluder } from '../objects/shapes.ts'
import { turnOf } from '../trig.ts'
import { outlineOf } from './blocks.ts'
import { contactShadows } from './contact.ts'
import { lightsOf } from './lights.ts'
import { withReflections } from './mirrors.ts'
import { plainMesh } from './plain.ts'
import type { PlacedObject, Scene } from './scene.ts'
import { buildShell, shellOccluders } from './shell.ts'

export interface BuiltScene {
  mesh: JoinedMesh
  objects: SceneObject[]
  /** Inner outline of each room, counterclockwise, by room id. */
  floors: ReadonlyMap<number, readonly (readonly [number, number])[]>
}

/**
 * How a scene is drawn. The things, their places and their instance numbers are the same in all:
 * - `plain`: each surface in one color, without textures and shadows
 * - `lit`: textures, and light baked once
 * - `rich`: as `lit`, with finer shadows, light that floor and walls throw back, and mirrors that show the room
 */
export const SCENE_LOOKS = ['plain', 'lit', 'rich'] as const
export type SceneLook = (typeof SCENE_LOOKS)[number]

export interface BuildOptions {
  /** `false` leaves the light out, for who needs only shapes. @default true */
  light?: boolean
  /** @default 'lit' */
  look?: SceneLook
  /** The mesh of the same scene without light, if there is one: it is not built again. */
  bare?: JoinedMesh
}

/**
 * The scene's triangles with their light.
 *
 * @example
 * const { mesh, objects } = buildScene(generateScene({ seed: 7, kind: 'kitchen' }))
 * const renderer = new Renderer(prepareScene(mesh))
 */
export function buildScene(scene: Scene, { light = true, look = 'lit', bare }: BuildOptions = {}): BuiltScene {
  // Those of the rich look are finer.
  const shapes = bare === undefined || look === 'rich' ? gather(scene, look === 'rich') : bare
  const mesh = light && look !== 'plain' ? withContactShadows(scene, shapes) : shapes
  return {
    mesh: light ? shown(scene, mesh, look) : mesh,
    objects: sceneObjects(scene),
    floors: new Map(scene.rooms.map((room) => [room.id, outlineOf(room)])),
  }
}

function shown(scene: Scene, mesh: JoinedMesh, look: SceneLook): JoinedMesh {
  if (look === 'plain') return plainMesh(mesh)
  const caster = new BoxCaster(sceneOccluders(scene))
  const lit = { ...mesh, light: bakeLight(mesh, caster, lightsOf(scene, look === 'rich')) }
  return look === 'rich' ? withReflections(scene, lit) : lit
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

function gather(scene: Scene, fine: boolean): JoinedMesh {
  return joinMeshes([
    { mesh: buildShell(scene, fine).mesh([0, 0, 0]), instance: 0, frame: null },
    ...scene.objects.map((placed) => ({
      mesh: buildInstance(placed).mesh,
      instance: placed.instance,
      frame: frameOf(placed),
    })),
  ])
}

function withContactShadows(scene: Scene, mesh: JoinedMesh): JoinedMesh {
  const joined = joinMeshes([
    { mesh, instance: 0, frame: null },
    { mesh: contactShadows(scene), instance: 0, frame: null },
  ])
  joined.triangleInstances.set(mesh.triangleInstances)
  return joined
}
