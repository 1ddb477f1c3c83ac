/** Objects with moving parts and their exact truth: parts in frames of their own, joints in the object's frame. */
import {
  AXES,
  type Frame,
  IDENTITY,
  type JointType,
  type ObjectMesh,
  type Occluder,
  type Robot,
  scaled,
  Sculpture,
  subtract,
  type Vec3,
} from '../../../../world.ts'
import { Assembly, fixedJoint } from '../assembly/assembly.ts'
import { boxAround, centerOf, sizeOf } from '../assembly/box.ts'
import { farthest } from '../assembly/hull-distance.ts'
import { BASE, type Part, type PartShelf, shelfOf } from '../assembly/parts.ts'
import type { Expectation } from './mechanisms.ts'

export interface ModelPart {
  name: string
  /** Around the middle of its own box. */
  mesh: ObjectMesh
  occluders: readonly Occluder[]
  /** Full lengths along x, y and z. */
  size: Vec3
  /** Where its middle belongs, from the middle of the root part. */
  center: Vec3
}

export interface ModelJoint {
  parent: string
  child: string
  type: Extract<JointType, 'revolute' | 'prismatic' | 'continuous' | 'fixed'>
  /** A point of the axis, from the middle of the root part. */
  origin: Vec3
  axis: Vec3
  lower: number
  upper: number
  /** Whether a part of this name and shape usually moves so; absent where nothing was drawn. */
  prior?: Expectation
}

/** What is known of an object without its meshes: enough to tell where parts are and how they move. */
export interface ObjectShape {
  id: string
  /** The first one carries the others. */
  parts: readonly Pick<ModelPart, 'name' | 'center'>[]
  joints: readonly ModelJoint[]
  /** The parts as programs get them. */
  readonly shelf: PartShelf
  /** Of the box around the whole object, where parts are left out. */
  diagonal?: number
}

/** The same seed gives the same object on every machine. */
export interface ArticulatedModel extends ObjectShape {
  category: string
  /** What the player is told that it is: `washing machine`, or `object`. */
  title: string
  parts: readonly ModelPart[]
  /** How far the object's lowest point lies below the middle of the root part. */
  ground: number
  /** Of an object from files. */
  dataset?: DatasetFrames
}

/** How an object lies in its dataset, for robots that others built from the dataset's own meshes. */
export interface DatasetFrames {
  /** By part: from its own frame to that of its meshes. */
  meshes: ReadonlyMap<string, Frame>
  /** The middle of the root part in the dataset's world. */
  middle: Vec3
  /** By the name of a joint: the part it moves. */
  parts: ReadonlyMap<string, string>
}

/** Hulls take time, and listing objects needs none: they are made when somebody asks for the shelf. */
export function withShelf(model: Omit<ArticulatedModel, 'shelf'>): ArticulatedModel {
  let shelf: PartShelf | undefined
  return {
    ...model,
    get shelf() {
      shelf ??= shelfOf(model.parts.map(({ name, mesh }): Part => ({ name, points: hullPoints(mesh.positions) })))
      return shelf
    },
  }
}

const degrees = (value: number): number => (value * Math.PI) / 180

/** Draws an object part by part, in one frame: front +x, the viewer's right +y, z up from the ground. */
export class Maker {
  readonly #parts: { name: string; sculpture: Sculpture }[] = []
  readonly #joints: ModelJoint[] = []
  readonly #counts = new Map<string, number>()
  /** Whether joints are drawn when the object is done, rather than kept as they are said here. */
  readonly isDrawn: boolean

  constructor(isDrawn = false) {
    this.isDrawn = isDrawn
  }

  /** Gives the part's name: `door`, then `door_2`. */
  part(kind: string, draw: (sculpture: Sculpture) => void): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = count === 1 ? kind : `${kind}_${count}`
    const sculpture = new Sculpture()
    draw(sculpture)
    this.#parts.push({ name, sculpture })
    return name
  }

  /** Angles in degrees. */
  hinge(child: string, parent: string, origin: Vec3, axis: Vec3, upper: number, lower = 0): void {
    this.#joints.push({ child, parent, type: 'revolute', origin, axis, lower: degrees(lower), upper: degrees(upper) })
  }

  slide(child: string, parent: string, axis: Vec3, travel: number): void {
    this.#joints.push({ child, parent, type: 'prismatic', origin: [0, 0, 0], axis, lower: 0, upper: travel })
  }

  spin(child: string, parent: string, origin: Vec3, axis: Vec3): void {
    this.#joints.push({ child, parent, type: 'continuous', origin, axis, lower: 0, upper: 0 })
  }

  fix(child: string, parent: string): void {
    this.#joints.push({ child, parent, type: 'fixed', origin: [0, 0, 0], axis: [1, 0, 0], lower: 0, upper: 0 })
  }

  /** `scale` makes all of it larger or smaller. */
  model(category: string, id: string, scale = 1): Omit<ArticulatedModel, 'shelf'> {
    const measured = this.#parts.map(({ name, sculpture }) => {
      // The mesh keeps single precision: its box must be measured in the same.
      const box = boxAround(Float32Array.from(sculpture.positions), IDENTITY)!
      return { name, sculpture, box, center: centerOf(box) }
    })
    const root = measured[0]!.center
    const parts = measured.map(({ name, sculpture, box, center }): ModelPart => {
      const mesh = sculpture.mesh(scaled(center, -1))
      return {
        name,
        mesh: scale === 1 ? mesh : { ...mesh, positions: mesh.positions.map((value) => value * scale) },
        occluders: sculpture.occluders.map(({ frame, half }) => ({
          half: scaled(half, scale),
          frame: frame.map((value, i) => (i % 4 === 3 ? (value - center[(i - 3) / 4]!) * scale : value)),
        })),
        size: scaled(sizeOf(box), scale),
        center: scaled(subtract(center, root), scale),
      }
    })
    const joints = this.#joints.map((joint): ModelJoint => ({
      ...joint,
      upper: joint.type === 'prismatic' ? joint.upper * scale : joint.upper,
      origin:
        joint.type === 'revolute' || joint.type === 'continuous'
          ? scaled(subtract(joint.origin, root), scale)
          : parts.find(({ name }) => name === joint.child)!.center,
    }))
    return {
      category,
      title: category.replaceAll('_', ' '),
      id,
      parts,
      joints,
      ground: (root[2] - Math.min(...measured.map(({ box }) => box.min[2]))) * scale,
    }
  }
}

const DIRECTIONS = 160

/** Points of the mesh that lie farthest in many directions, those along the axes first: its hull, nearly. */
export function hullPoints(positions: Float32Array): number[] {
  const golden = Math.PI * (3 - Math.sqrt(5))
  const directions: Vec3[] = [...AXES]
  for (let i = 0; i < DIRECTIONS; i++) {
    const z = 1 - (2 * i + 1) / DIRECTIONS
    const r = Math.sqrt(1 - z * z)
    directions.push([r * Math.cos(golden * i), r * Math.sin(golden * i), z])
  }
  const chosen = new Set(directions.map((direction) => farthest(positions, direction)))
  return [...chosen].flatMap((at) => [positions[at]!, positions[at + 1]!, positions[at + 2]!])
}

/** The true robot. Joints run from parent to child in the order of the object's. */
export function trueRobot({ id, parts, joints, shelf }: ObjectShape): Robot {
  const assembly = new Assembly(id, shelf, { profile: 'fixed' })
  const root = parts[0]!.name
  assembly.addLink(BASE)
  assembly.addLink(root)
  assembly.addJoint(fixedJoint(root, BASE))
  const centers = new Map(parts.map(({ name, center }) => [name, center]))
  for (const { child, parent } of joints) {
    assembly.addLink(child)
    assembly.addJoint({ ...fixedJoint(child, parent), xyz: subtract(centers.get(child)!, centers.get(parent)!) })
  }
  for (const { type, child, parent, origin, axis, lower, upper } of joints) {
    if (type === 'revolute') {
      const toDegrees = 180 / Math.PI
      assembly.makeRevolute(child, parent, {
        axis,
        lowerDegrees: lower * toDegrees,
        upperDegrees: upper * toDegrees,
        pivot: origin,
      })
    } else if (type === 'continuous') assembly.makeContinuous(child, parent, axis, origin)
    else if (type === 'prismatic') assembly.makePrismatic(child, parent, scaled(axis, lower), scaled(axis, upper))
  }
  return assembly.robot()
}
