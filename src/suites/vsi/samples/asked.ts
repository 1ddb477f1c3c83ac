/** Which questions of a built-in scene are asked: those about things that are far from the camera, or partly hidden. */
import { z } from 'zod'
import {
  closestInBox,
  distance as metersBetween,
  type Pose,
  prepareScene,
  Renderer,
  type SceneObject,
  type TriangleMesh,
  turnedBox,
} from '../../../world.ts'
import { cameraFor } from '../domain/camera.ts'
import { type Shares, sharesFrom, SHOWN_SHARE } from '../domain/evidence.ts'
import type { BuiltScene } from '../domain/scene/built.ts'
import type { Question, QuestionScene } from './questions/index.ts'

/** Knobs of the questions, next to those of the scene. */
export const askedKnobs = z.object({
  distance: z
    .number()
    .min(0)
    .max(6)
    .optional()
    .describe('ask about a thing that the default frames show from no nearer than this, in meters'),
  occlusion: z
    .number()
    .min(0)
    .max(0.9)
    .optional()
    .describe('ask about a thing of which the best of the default frames hides at least this share'),
})
export type AskedKnobs = z.output<typeof askedKnobs>

/** Whether a question is one to ask: at least one of its things is far or hidden enough. Room sizes are about none. */
export function askedIn(
  { mesh, tour }: BuiltScene,
  { frames: shown, frameNumbers }: QuestionScene,
  { distance = 0, occlusion = 0 }: AskedKnobs,
): (question: Question) => boolean {
  const camera = cameraFor({ kind: 'builtin' })
  const all = tour(camera).frames
  const frames = frameNumbers.map((number, i) => ({ pose: all[number]!.pose, shares: shown[i]! }))
  const known = new Map<number, boolean>()
  const isAsked = (thing: SceneObject): boolean => {
    const found =
      known.get(thing.instance) ??
      (nearest(thing, frames) >= distance && (occlusion === 0 || hidden(thing, frames) >= occlusion))
    known.set(thing.instance, found)
    return found
  }
  return ({ things }) => things.length === 0 || things.some(isAsked)

  /** What other things hide of a thing in the frame that shows most of it: the same frame is drawn with it alone. */
  function hidden({ instance }: SceneObject, from: readonly Frame[]): number {
    const shareIn = ({ shares }: Frame): number => shares.get(instance) ?? 0
    const best = from.reduce((most, frame) => (shareIn(frame) > shareIn(most) ? frame : most))
    const alone = sharesFrom(new Renderer(prepareScene(only(mesh, instance))), camera, best.pose).get(instance) ?? 0
    return alone === 0 ? 0 : 1 - shareIn(best) / alone
  }
}

/** A frame of the walkthrough, and what it shows. */
interface Frame {
  pose: Pose
  shares: Shares
}

/** Meters from the camera to the thing, in the nearest of all frames that show it. */
function nearest({ instance, box }: SceneObject, frames: readonly Frame[]): number {
  const turned = turnedBox(box)
  return Math.min(
    ...frames
      .filter(({ shares }) => (shares.get(instance) ?? 0) >= SHOWN_SHARE)
      .map(({ pose: { position } }) => metersBetween(closestInBox(turned, position), position)),
  )
}

/** A mesh with the triangles of one thing. Colors do not matter; glass does. */
function only(mesh: TriangleMesh, instance: number): TriangleMesh {
  const { positions, indices, triangleMaterials } = mesh
  const instances = mesh.triangleInstances ?? new Uint16Array(indices.length / 3)
  const isOwn = (triangle: number): boolean => instances[triangle] === instance
  return {
    positions,
    // No spread: textures are painted when they are read.
    materials: mesh.materials.map(({ name, color, opacity = 1 }) => ({ name, color, opacity })),
    indices: indices.filter((_, corner) => isOwn(Math.floor(corner / 3))),
    triangleInstances: instances.filter((each) => each === instance),
    ...(triangleMaterials && { triangleMaterials: triangleMaterials.filter((_, triangle) => isOwn(triangle)) }),
  }
}
