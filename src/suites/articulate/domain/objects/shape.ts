/** Objects in samples: what scoring needs of an object that comes from files, so that it can be scored without them. */
import type { Vec3 } from '../../../../world.ts'
import { diagonalOf } from '../assembly/box.ts'
import { shelfOf } from '../assembly/parts.ts'
import { partFrames, wholeBox } from './pose.ts'
import { type ArticulatedModel, type ModelJoint, type ObjectShape, trueRobot } from './model.ts'

/** Plain JSON. Points of hulls are single-precision numbers in base64, so that parts come to a few hundred bytes. */
export interface StoredShape {
  id: string
  diagonal?: number
  parts: { name: string; center: Vec3; points: string }[]
  joints: ModelJoint[]
}

/** The whole object, or what a part that moves is scored by: itself, what it hangs on, and how large the object is. */
export function storedShape(model: ArticulatedModel, target: string | null): StoredShape {
  const { id, shelf } = model
  const kept = target === null ? null : upFrom(model, target)
  const parts = model.parts.filter(({ name }) => kept === null || kept.has(name))
  return {
    id,
    ...(kept ? { diagonal: diagonalOf(wholeBox(model, partFrames(trueRobot(model)))) } : {}),
    parts: parts.map(({ name, center }) => {
      const isMeasured = target === null || name === target
      return { name, center, points: isMeasured ? encoded(shelf.get(name)!.points) : '' }
    }),
    joints: model.joints.filter(({ child }) => kept === null || kept.has(child)),
  }
}

export function readShape({ parts, ...rest }: StoredShape): ObjectShape {
  return { ...rest, parts, shelf: shelfOf(parts.map(({ name, points }) => ({ name, points: decoded(points) }))) }
}

function upFrom({ joints }: ArticulatedModel, part: string): Set<string> {
  const names = new Set([part])
  for (const name of names) {
    const above = joints.find(({ child }) => child === name)
    if (above) names.add(above.parent)
  }
  return names
}

function encoded(points: ArrayLike<number>): string {
  return Buffer.from(Float32Array.from(points).buffer).toString('base64')
}

function decoded(text: string): Float32Array {
  // A copy: a Buffer may begin anywhere in its memory, floats may not.
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}
