/** Builds the mesh of a grid scene: rooms, doors and objects with instance ids and baked light. */
import {
  type AreaLight,
  bakeLight,
  BoxCaster,
  compose,
  joinMeshes,
  type LightSetup,
  type Occluder,
  type PlacedMesh,
  type TriangleMesh,
} from '../../../../world.ts'
import { EAST, type GridObject, type Scene, type Vec } from '../grid/scene.ts'
import { entitiesOf } from '../grid/view.ts'
import { buildDoor, buildShell, roomBoxes, shellOccluders, WALL_HEIGHT } from './shell.ts'
import { appearanceKey, displayedObject, SCALE } from './displayed-object.ts'

export interface BuildOptions {
  /** Bake light. Without it, colors are flat. Default true. */
  light?: boolean
  /** Include objects; maps leave them out. Default true. */
  objects?: boolean
}

/** The id of an entity in the id image: its index in the list, from 1. 0 is the room itself. */
export function instanceId(scene: Scene, name: string): number {
  return scene.order.indexOf(name) + 1
}

export function buildGridMesh(scene: Scene, { light = true, objects = true }: BuildOptions = {}): TriangleMesh {
  const parts: PlacedMesh[] = [{ mesh: buildShell(scene).mesh([0, 0, 0]), instance: 0, frame: null }]
  const occluders: Occluder[] = shellOccluders(scene)
  const appearance = appearanceKey(scene)
  for (const entity of entitiesOf(scene)) {
    const instance = instanceId(scene, entity.name)
    if (entity.kind === 'door') parts.push({ mesh: buildDoor(entity).mesh([0, 0, 0]), instance, frame: null })
    else if (objects) {
      const { model } = displayedObject(entity, appearance)
      const frame = frameOf(entity)
      parts.push({ mesh: model.mesh, instance, frame })
      for (const { frame: own, half } of model.occluders) occluders.push(scaled(frame, own, half))
    }
  }
  const mesh = joinMeshes(parts)
  return light ? { ...mesh, light: bakeLight(mesh, new BoxCaster(occluders), lightOf(scene)) } : mesh
}

/** Rows of the matrix that places an object on its cell, with its front along its heading. */
export function frameOf({ pos, heading, oriented }: Pick<GridObject, 'pos' | 'heading' | 'oriented'>): number[] {
  // The heading of an object without a front is a placeholder that must not be visible.
  const [hx, hy]: Vec = oriented ? heading : EAST
  return [hx * SCALE, -hy * SCALE, 0, pos[0], hy * SCALE, hx * SCALE, 0, pos[1], 0, 0, SCALE, 0]
}

/** Rays are cast in meters: the scale goes into the half sizes of an occluder, not into its frame. */
function scaled(frame: readonly number[], own: readonly number[], half: Occluder['half']): Occluder {
  const placed = compose(frame, own)
  const turned = placed.map((value, i) => (i % 4 === 3 ? value : value / SCALE))
  return { frame: turned, half: [half[0] * SCALE, half[1] * SCALE, half[2] * SCALE] }
}

/** One wide lamp under the ceiling of each room, plus ambient light. */
function lightOf(scene: Scene): LightSetup {
  const rooms = roomBoxes(scene)
  const areas = rooms.map(({ x, y }): AreaLight => {
    const [hx, hy] = [(x[1] - x[0]) / 2, (y[1] - y[0]) / 2]
    return {
      // Slightly off center, so the faces of a box differ in brightness and its edges are visible.
      center: [(x[0] + x[1]) / 2 + hx * 0.15, (y[0] + y[1]) / 2 - hy * 0.1, WALL_HEIGHT - 0.04],
      u: [hx * 0.5, 0, 0],
      v: [0, hy * 0.5, 0],
      normal: [0, 0, -1],
      color: [1.5, 1.45, 1.36],
      samples: [2, 2],
      reach: 40,
      homes: [{ x: [x[0] - 0.04, x[1] + 0.04], y: [y[0] - 0.04, y[1] + 0.04] }],
    }
  })
  return { areas, ambient: () => [0.56, 0.57, 0.59], ambientReach: 0.7 }
}
