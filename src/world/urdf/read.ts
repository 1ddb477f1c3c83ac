/** URDF from text, checked. Every complaint names the element and its line. */
import { UserError } from '../../base/errors.ts'
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
import { readXml, type XmlElement } from './xml.ts'

export interface ReadUrdf {
  robot: Robot
  /** What was read although it is not as it should be, in words. */
  warnings: string[]
}

const MAX_LINKS = 2000
const SHORTEST_AXIS = 1e-9

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
      element.children.filter((child) => child.name === kind).map((child) => this.#shape(child, `${kind} of ${where}`))
    const inertial = childOf(element, 'inertial', where)
    return {
      name,
      visuals: shapes('visual'),
      collisions: shapes('collision'),
      ...(inertial ? { inertial: readInertial(inertial, `inertial of ${where}`) } : {}),
    }
  }

  joint(element: XmlElement): Joint {
    const name = required(element, 'name', 'joint')
    const where = `joint "${name}"`
    const given = required(element, 'type', where)
    const type = JOINT_TYPES.find((known) => known === given)
    if (!type) throw broken(element, `${where} has type "${given}"; known are ${JOINT_TYPES.join(', ')}`)
    const parent = childOf(element, 'parent', where)
    const child = childOf(element, 'child', where)
    if (!parent) throw broken(element, `${where} has no <parent link="…"/>`)
    if (!child) throw broken(element, `${where} has no <child link="…"/>`)
    const origin = childOf(element, 'origin', where)
    const mimic = childOf(element, 'mimic', where)
    const dynamics = childOf(element, 'dynamics', where)
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
      origin: origin ? readPose(origin, `origin of ${where}`) : NO_POSE,
      axis: this.#axis(element, type, where),
      ...(limit ? { limit } : {}),
      ...(mimic ? { mimic: readMimic(mimic, `mimic of ${where}`) } : {}),
      ...(dynamics
        ? {
            dynamics: {
              ...optionalNumber(dynamics, 'damping', `dynamics of ${where}`),
              ...optionalNumber(dynamics, 'friction', `dynamics of ${where}`),
            },
          }
        : {}),
      ...(Object.keys(extras).length > 0 ? { extras } : {}),
    }
  }

  #axis(element: XmlElement, type: JointType, where: string): Vec3 {
    const axis = childOf(element, 'axis', where)
    const text = axis?.attributes.get('xyz')
    if (!axis || text === undefined) return [1, 0, 0]
    const vector = vectorOf(axis, 'xyz', text, `axis of ${where}`)
    const length = lengthOf(vector)
    if (length < SHORTEST_AXIS) {
      if (type === 'fixed' || type === 'floating') return [1, 0, 0]
      throw broken(axis, `the axis of ${where} has no length`)
    }
    if (Math.abs(length - 1) > 1e-4) this.warnings.push(`the axis of ${where} was not of length 1`)
    return [vector[0] / length, vector[1] / length, vector[2] / length]
  }

  #limit(element: XmlElement, type: JointType, where: string): Limit | undefined {
    const limit = childOf(element, 'limit', where)
    if (!limit) {
      if (type === 'revolute' || type === 'prismatic') throw broken(element, `${where} is ${type} and has no <limit>`)
      return undefined
    }
    const at = `limit of ${where}`
    const lower = numberOf(limit, 'lower', at) ?? 0
    const upper = numberOf(limit, 'upper', at) ?? 0
    if (lower > upper) this.warnings.push(`the ${at} runs from ${lower} to ${upper}, backwards`)
    return { lower, upper, ...optionalNumber(limit, 'effort', at), ...optionalNumber(limit, 'velocity', at) }
  }

  #shape(element: XmlElement, where: string): Shape {
    const geometry = childOf(element, 'geometry', where)
    if (!geometry) throw broken(element, `the ${where} has no <geometry>`)
    const origin = childOf(element, 'origin', where)
    const material = childOf(element, 'material', where)
    const name = element.attributes.get('name')
    return {
      ...(name === undefined ? {} : { name }),
      origin: origin ? readPose(origin, `origin of ${where}`) : NO_POSE,
      geometry: readGeometry(geometry, where),
      ...(material ? { material: this.#material(material, where) } : {}),
    }
  }

  #material(element: XmlElement, where: string): UrdfMaterial {
    const name = element.attributes.get('name') ?? ''
    const color = childOf(element, 'color', where)
    const texture = childOf(element, 'texture', where)
    if (!color && !texture) return this.#materials.get(name) ?? { name }
    const rgba = color ? numbersOf(color, 'rgba', required(color, 'rgba', `color of ${where}`), 4, where) : null
    return {
      name,
      ...(rgba ? { rgba: [rgba[0]!, rgba[1]!, rgba[2]!, rgba[3]!] as const } : {}),
      ...(texture ? { texture: required(texture, 'filename', `texture of ${where}`) } : {}),
    }
  }
}

function readGeometry(element: XmlElement, where: string): Geometry {
  const [only, second] = element.children
  if (!only || second) throw broken(element, `the geometry of the ${where} must hold exactly one shape`)
  const at = `${only.name} of the ${where}`
  switch (only.name) {
    case 'box':
      return { kind: 'box', size: positive(only, vectorOf(only, 'size', required(only, 'size', at), at), at) }
    case 'sphere':
      return { kind: 'sphere', radius: length(only, 'radius', at) }
    case 'cylinder':
    case 'capsule':
      return { kind: only.name, radius: length(only, 'radius', at), length: length(only, 'length', at) }
    case 'mesh': {
      const scale = only.attributes.get('scale')
      return {
        kind: 'mesh',
        filename: required(only, 'filename', at),
        scale: scale === undefined ? [1, 1, 1] : vectorOf(only, 'scale', scale, at),
      }
    }
    default:
      throw broken(only, `<${only.name}> in the geometry of the ${where} is not box, cylinder, sphere, capsule or mesh`)
  }
}

function readPose(element: XmlElement, where: string): Pose {
  const vector = (name: string): Vec3 => {
    const text = element.attributes.get(name)
    return text === undefined ? [0, 0, 0] : vectorOf(element, name, text, where)
  }
  return { xyz: vector('xyz'), rpy: vector('rpy') }
}

function readInertial(element: XmlElement, where: string): Inertial {
  const origin = childOf(element, 'origin', where)
  const mass = childOf(element, 'mass', where)
  const inertia = childOf(element, 'inertia', where)
  const entry = (name: string): number => (inertia ? (numberOf(inertia, name, `inertia of ${where}`) ?? 0) : 0)
  return {
    origin: origin ? readPose(origin, `origin of ${where}`) : NO_POSE,
    mass: mass ? (numberOf(mass, 'value', `mass of ${where}`) ?? 0) : 0,
    inertia: [entry('ixx'), entry('ixy'), entry('ixz'), entry('iyy'), entry('iyz'), entry('izz')],
  }
}

function readMimic(element: XmlElement, where: string): Mimic {
  return {
    joint: required(element, 'joint', where),
    multiplier: numberOf(element, 'multiplier', where) ?? 1,
    offset: numberOf(element, 'offset', where) ?? 0,
  }
}

function childOf(element: XmlElement, name: string, where: string): XmlElement | undefined {
  const [first, second] = element.children.filter((child) => child.name === name)
  if (second) throw broken(second, `${where} has more than one <${name}>`)
  return first
}

function required(element: XmlElement, attribute: string, where: string): string {
  const value = element.attributes.get(attribute)
  if (value === undefined || value === '') throw broken(element, `${where} has no ${attribute}="…"`)
  return value
}

function numberOf(element: XmlElement, attribute: string, where: string): number | undefined {
  const text = element.attributes.get(attribute)
  return text === undefined ? undefined : numbersOf(element, attribute, text, 1, where)[0]!
}

function optionalNumber<Name extends string>(
  element: XmlElement,
  attribute: Name,
  where: string,
): Partial<Record<Name, number>> {
  const value = numberOf(element, attribute, where)
  const found: Partial<Record<Name, number>> = {}
  if (value !== undefined) found[attribute] = value
  return found
}

function vectorOf(element: XmlElement, attribute: string, text: string, where: string): Vec3 {
  const [x, y, z] = numbersOf(element, attribute, text, 3, where)
  return [x!, y!, z!]
}

function numbersOf(element: XmlElement, attribute: string, text: string, count: number, where: string): number[] {
  const words = text.trim().split(/\s+/)
  const numbers = words.map((word) => (/^[+-]?[\d.]/.test(word) ? Number(word) : Number.NaN))
  if (words.length !== count || !numbers.every((value) => Number.isFinite(value)))
    throw broken(
      element,
      `${attribute}="${text.slice(0, 60)}" of ${where} is not ${count === 1 ? 'a finite number' : `${count} finite numbers`}`,
    )
  return numbers
}

function length(element: XmlElement, attribute: string, where: string): number {
  const value = numberOf(element, attribute, where)
  if (value === undefined) throw broken(element, `the ${where} has no ${attribute}="…"`)
  if (!(value > 0)) throw broken(element, `the ${attribute} of the ${where} must be above 0, not ${value}`)
  return value
}

function positive(element: XmlElement, size: Vec3, where: string): Vec3 {
  if (size.some((side) => !(side >= 0))) throw broken(element, `the size of the ${where} must not be negative`)
  return size
}

function broken(element: XmlElement, complaint: string): UserError {
  return new UserError(`URDF, line ${element.line}: ${complaint}.`)
}
