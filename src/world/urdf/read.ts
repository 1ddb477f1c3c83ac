/** URDF from text, checked. Every complaint names the element and its line. */
import { UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { lengthOf, type Vec3 } from '../vector.ts'
import {
  type Geometry,
  type Inertial,
  type Joint,
  JOINT_TYPES,
  type JointType,
  type Limit,
  type Link,
  type Mimic,
  NO_POSE,
  type Pose,
  type Robot,
  type Shape,
  type UrdfMaterial,
} from './model.ts'
import { checkTree } from './tree.ts'
import { readXml, type XmlElement } from '../../base/xml.ts'

export interface ReadUrdf {
  robot: Robot
  /** What was read although it is not as it should be, in words. */
  warnings: string[]
}

const MAX_LINKS = 2000
const SHORTEST_AXIS = 1e-9
/** Meters or radians: farther than this nothing moves, and single precision could not show it. */
const FARTHEST = 1e6

/**
 * Reads and checks a robot.
 *
 * @example
 * const { robot } = readUrdf('<robot name="r"><link name="base"/></robot>')
 */
export function readUrdf(text: string, what = 'The URDF'): ReadUrdf {
  const root = readXml(text, what)
  if (root.name !== 'robot') throw new UserError(`${what} must begin with <robot>, not <${root.name}>.`)
  const reader = new Reader(root)
  const links = root.children.filter(({ name }) => name === 'link').map((element) => reader.link(element))
  const joints = root.children.filter(({ name }) => name === 'joint').map((element) => reader.joint(element))
  if (links.length > MAX_LINKS) throw new UserError(`${what} has ${links.length} links; at most ${MAX_LINKS} are read.`)
  const robot: Robot = { name: root.attributes.get('name') ?? 'robot', links, joints }
  checkTree(robot, what)
  return { robot, warnings: reader.warnings }
}

class Reader {
  readonly warnings: string[] = []
  readonly #materials = new Map<string, UrdfMaterial>()

  constructor(root: XmlElement) {
    for (const element of root.children) {
      if (element.name !== 'material') continue
      const material = this.#material(element, 'robot')
      this.#materials.set(material.name, material)
    }
  }

  link(element: XmlElement): Link {
    const name = required(element, 'name', 'link')
    const where = `link "${name}"`
    const shapes = (kind: string): Shape[] =>
      element.children
        .filter((child) => child.name === kind)
        .flatMap((child) => this.#shape(child, `${kind} of ${where}`) ?? [])
    const inertial = this.#child(element, 'inertial', where)
    return {
      name,
      visuals: shapes('visual'),
      collisions: shapes('collision'),
      ...(inertial ? { inertial: this.#inertial(inertial, `inertial of ${where}`) } : {}),
    }
  }

  joint(element: XmlElement): Joint {
    const name = required(element, 'name', 'joint')
    const where = `joint "${name}"`
    const given = required(element, 'type', where)
    const type = JOINT_TYPES.find((known) => known === given)
    if (!type) throw broken(element, `${where} has type "${given}"; known are ${JOINT_TYPES.join(', ')}`)
    const parent = this.#child(element, 'parent', where)
    const child = this.#child(element, 'child', where)
    if (!parent) throw broken(element, `${where} has no <parent link="…"/>`)
    if (!child) throw broken(element, `${where} has no <child link="…"/>`)
    const origin = this.#child(element, 'origin', where)
    const mimic = this.#child(element, 'mimic', where)
    const dynamics = this.#child(element, 'dynamics', where)
    const limit = this.#limit(element, type, where)
    const extras = Object.fromEntries(
      element.children
        .filter((extra) => extra.name === 'calibration' || extra.name === 'safety_controller')
        .map((extra) => [extra.name, Object.fromEntries(extra.attributes)]),
    )
    return {
      name,
      type,
      parent: required(parent, 'link', `parent of ${where}`),
      child: required(child, 'link', `child of ${where}`),
      origin: origin ? this.#pose(origin, `origin of ${where}`) : NO_POSE,
      axis: this.#axis(element, type, where),
      ...(limit ? { limit } : {}),
      ...(mimic ? { mimic: this.#mimic(mimic, `mimic of ${where}`) } : {}),
      ...(dynamics
        ? {
            dynamics: {
              ...this.#optionalNumber(dynamics, 'damping', `dynamics of ${where}`),
              ...this.#optionalNumber(dynamics, 'friction', `dynamics of ${where}`),
            },
          }
        : {}),
      ...(Object.keys(extras).length > 0 ? { extras } : {}),
    }
  }

  #axis(element: XmlElement, type: JointType, where: string): Vec3 {
    const axis = this.#child(element, 'axis', where)
    const text = axis?.attributes.get('xyz')
    if (!axis || text === undefined) return [1, 0, 0]
    const vector = this.#vector(axis, 'xyz', text, `axis of ${where}`)
    const length = lengthOf(vector)
    if (length < SHORTEST_AXIS) {
      if (type === 'fixed' || type === 'floating') return [1, 0, 0]
      throw broken(axis, `the axis of ${where} has no length`)
    }
    if (Math.abs(length - 1) > 1e-4) this.warnings.push(`the axis of ${where} was not of length 1`)
    return [vector[0] / length, vector[1] / length, vector[2] / length]
  }

  #limit(element: XmlElement, type: JointType, where: string): Limit | undefined {
    const limit = this.#child(element, 'limit', where)
    if (!limit) {
      if (type === 'revolute' || type === 'prismatic') throw broken(element, `${where} is ${type} and has no <limit>`)
      return undefined
    }
    const at = `limit of ${where}`
    const lower = this.#near(this.#number(limit, 'lower', at) ?? 0, at)
    const upper = this.#near(this.#number(limit, 'upper', at) ?? 0, at)
    if (lower > upper) this.warnings.push(`the ${at} runs from ${lower} to ${upper}, backwards`)
    return {
      lower,
      upper,
      ...this.#optionalNumber(limit, 'effort', at),
      ...this.#optionalNumber(limit, 'velocity', at),
    }
  }

  /** A shape, or undefined with a warning for one that has no form. */
  #shape(element: XmlElement, where: string): Shape | undefined {
    const geometry = this.#geometry(this.#child(element, 'geometry', where), where)
    if (!geometry || this.#isEmpty(geometry, where)) return undefined
    const origin = this.#child(element, 'origin', where)
    const material = this.#child(element, 'material', where)
    const name = element.attributes.get('name')
    return {
      ...(name === undefined ? {} : { name }),
      origin: origin ? this.#pose(origin, `origin of ${where}`) : NO_POSE,
      geometry,
      ...(material ? { material: this.#material(material, where) } : {}),
    }
  }

  /** Some writers hide a shape by making it nothing. */
  #isEmpty(geometry: Geometry, where: string): boolean {
    const lengths = geometry.kind === 'mesh' || geometry.kind === 'box' ? [] : [geometry.radius]
    if ('length' in geometry) lengths.push(geometry.length)
    if (lengths.every((length) => length > 0)) return false
    this.warnings.push(`the ${where} has no size and is left out`)
    return true
  }

  #geometry(element: XmlElement | undefined, where: string): Geometry | undefined {
    const [only, second] = element?.children ?? []
    if (!only) {
      this.warnings.push(`the ${where} has no shape and is left out`)
      return undefined
    }
    if (second) this.warnings.push(`the geometry of the ${where} holds more than one shape; the first is used`)
    const at = `${only.name} of the ${where}`
    switch (only.name) {
      case 'box':
        return { kind: 'box', size: positive(only, this.#vector(only, 'size', required(only, 'size', at), at), at) }
      case 'sphere':
        return { kind: 'sphere', radius: this.#length(only, 'radius', at) }
      case 'cylinder':
      case 'capsule':
        return { kind: only.name, radius: this.#length(only, 'radius', at), length: this.#length(only, 'length', at) }
      case 'mesh': {
        const scale = only.attributes.get('scale')
        return {
          kind: 'mesh',
          filename: required(only, 'filename', at),
          scale: scale === undefined ? [1, 1, 1] : this.#vector(only, 'scale', scale, at),
        }
      }
      default:
        this.warnings.push(
          `<${only.name}> in the geometry of the ${where} is not box, cylinder, sphere, capsule or mesh and is left out`,
        )
        return undefined
    }
  }

  #material(element: XmlElement, where: string): UrdfMaterial {
    const name = element.attributes.get('name') ?? ''
    const color = this.#child(element, 'color', where)
    const texture = this.#child(element, 'texture', where)
    if (!color && !texture) return this.#materials.get(name) ?? { name }
    const file = texture?.attributes.get('filename')
    const rgba = color ? this.#numbers(color, 'rgba', required(color, 'rgba', `color of ${where}`), 4, where) : null
    return {
      name,
      ...(rgba ? { rgba: [rgba[0]!, rgba[1]!, rgba[2]!, rgba[3]!] as const } : {}),
      ...(file !== undefined && file !== '' ? { texture: file } : {}),
    }
  }

  #pose(element: XmlElement, where: string): Pose {
    const vector = (name: string): Vec3 => {
      const text = element.attributes.get(name)
      return text === undefined ? [0, 0, 0] : this.#vector(element, name, text, where)
    }
    return { xyz: vector('xyz'), rpy: vector('rpy') }
  }

  #inertial(element: XmlElement, where: string): Inertial {
    const origin = this.#child(element, 'origin', where)
    const mass = this.#child(element, 'mass', where)
    const inertia = this.#child(element, 'inertia', where)
    const entry = (name: string): number => (inertia ? (this.#number(inertia, name, `inertia of ${where}`) ?? 0) : 0)
    return {
      origin: origin ? this.#pose(origin, `origin of ${where}`) : NO_POSE,
      mass: mass ? (this.#number(mass, 'value', `mass of ${where}`) ?? 0) : 0,
      inertia: [entry('ixx'), entry('ixy'), entry('ixz'), entry('iyy'), entry('iyz'), entry('izz')],
    }
  }

  #mimic(element: XmlElement, where: string): Mimic {
    return {
      joint: required(element, 'joint', where),
      multiplier: this.#number(element, 'multiplier', where) ?? 1,
      offset: this.#number(element, 'offset', where) ?? 0,
    }
  }

  /** The child of a name; of several, the first. */
  #child(element: XmlElement, name: string, where: string): XmlElement | undefined {
    const [first, second] = element.children.filter((child) => child.name === name)
    if (second) this.warnings.push(`${where} has more than one <${name}>; the first is used`)
    return first
  }

  #number(element: XmlElement, attribute: string, where: string): number | undefined {
    const text = element.attributes.get(attribute)
    return text === undefined ? undefined : this.#numbers(element, attribute, text, 1, where)[0]!
  }

  #optionalNumber<Name extends string>(
    element: XmlElement,
    attribute: Name,
    where: string,
  ): Partial<Record<Name, number>> {
    const value = this.#number(element, attribute, where)
    const found: Partial<Record<Name, number>> = {}
    if (value !== undefined) found[attribute] = value
    return found
  }

  #vector(element: XmlElement, attribute: string, text: string, where: string): Vec3 {
    const [x, y, z] = this.#numbers(element, attribute, text, 3, where)
    return [this.#near(x!, where), this.#near(y!, where), this.#near(z!, where)]
  }

  #length(element: XmlElement, attribute: string, where: string): number {
    const value = this.#number(element, attribute, where)
    if (value === undefined) throw broken(element, `the ${where} has no ${attribute}="…"`)
    if (!(value >= 0)) throw broken(element, `the ${attribute} of the ${where} must not be negative, but is ${value}`)
    return this.#near(value, where)
  }

  #near(value: number, where: string): number {
    if (Math.abs(value) <= FARTHEST) return value
    this.warnings.push(`${value} in the ${where} is taken as ${Math.sign(value) * FARTHEST}`)
    return Math.sign(value) * FARTHEST
  }

  #numbers(element: XmlElement, attribute: string, text: string, count: number, where: string): number[] {
    if (text.includes(',')) this.warnings.push(`${attribute}="${text.slice(0, 60)}" of ${where} has commas in it`)
    const words = text.split(/[\s,]+/).filter((word) => word !== '')
    const numbers = words.map((word) => (/^[+-]?[\d.]/.test(word) ? Number(word) : Number.NaN))
    if (words.length < count || !numbers.every((value) => Number.isFinite(value)))
      throw broken(
        element,
        `${attribute}="${text.slice(0, 60)}" of ${where} is not ${count === 1 ? 'a finite number' : `${count} finite numbers`}`,
      )
    if (words.length > count)
      this.warnings.push(`${attribute}="${text.slice(0, 60)}" of ${where} has more than ${plural(count, 'number')}`)
    return numbers.slice(0, count)
  }
}

function required(element: XmlElement, attribute: string, where: string): string {
  const value = element.attributes.get(attribute)
  if (value === undefined || value === '') throw broken(element, `${where} has no ${attribute}="…"`)
  return value
}

function positive(element: XmlElement, size: Vec3, where: string): Vec3 {
  if (size.some((side) => !(side >= 0))) throw broken(element, `the size of the ${where} must not be negative`)
  return size
}

function broken(element: XmlElement, complaint: string): UserError {
  return new UserError(`URDF, line ${element.line}: ${complaint}.`)
}
