/** What a program may do with a robot. */
import { JOINT_TYPES, type Vec3 } from '../../../../../world.ts'
import { Assembly, type AssemblySetting, fixedJoint } from '../../../domain/assembly/assembly.ts'
import { type Box, cornersOf, sizeOf } from '../../../domain/assembly/box.ts'
import type { PartShelf } from '../../../domain/assembly/parts.ts'
import { AssemblyError } from '../../../domain/assembly/problem.ts'
import { NdArray, vector } from '../numpy/index.ts'
import {
  Dict,
  dictFrom,
  fault,
  Instance,
  itemsOf,
  List,
  Native,
  put,
  PyType,
  repr,
  type Runtime,
  type Slot,
  textIn,
  Tuple,
  TYPES,
  type Value,
} from '../values/index.ts'
import { ELEMENTS, JOINT, link } from './elements.ts'
import { Given, nameIn, parametersOf, realOf, vectorOf } from './given.ts'

/** Makes the robots of one run. */
export interface RobotMaker {
  shelf: PartShelf
  setting: AssemblySetting
}

export const ROBOT = new PyType('Robot', { bases: [TYPES.object] })

export class RobotValue extends Instance {
  readonly assembly: Assembly

  constructor(assembly: Assembly, type: PyType) {
    super(type)
    this.assembly = assembly
    this.attributes.set('name', assembly.name)
  }
}

type Method = readonly [parameters: string, body: (robot: Assembly, given: Given) => Value]

/** Names by which models call parameters, and ours. */
const RENAMED: Readonly<Record<string, string>> = {
  child: 'child_link_name',
  parent: 'parent_link_name',
  lower_point: 'global_lower_point',
  upper_point: 'global_upper_point',
}

const METHODS: Readonly<Record<string, Method>> = {
  add_link: [
    'link',
    (robot, given) => {
      robot.addLink(given.text('link'))
      return null
    },
  ],
  add_joint: [
    'joint',
    (robot, given) => {
      const joint = given.raw('joint')
      if (!(joint instanceof Instance) || joint.type !== JOINT)
        throw fault(given.rt, 'TypeError', 'Expected a Joint object')
      addJoint(given.rt, robot, joint)
      return null
    },
  ],
  place_relative_to: [
    'child_link_name parent_link_name placement? clearance? snap_to_place? overwrite?',
    (robot, given) => {
      robot.place(given.text('child_link_name'), given.text('parent_link_name'), {
        placement: given.text('placement', 'above'),
        clearance: given.number('clearance', 0),
        snap: given.flag('snap_to_place', true),
        overwrite: given.flag('overwrite', true),
      })
      return null
    },
  ],
  get_bounding_boxes: [
    'link_names? include_dim?',
    (robot, given) => {
      const { rt } = given
      const made = new Dict()
      for (const [name, box] of robot.boxes(linkNames(rt, given.raw('link_names') ?? null))) {
        const corners = new Tuple([vector(rt, box.min), vector(rt, box.max)])
        put(rt, made, name, given.flag('include_dim', false) ? new Tuple([corners, dimensions(rt, box)]) : corners)
      }
      return made
    },
  ],
  get_parent_child_bounding_boxes: [
    'child_link_name parent_link_name',
    (robot, given) => {
      const names = [given.text('child_link_name'), given.text('parent_link_name')]
      const boxes = robot.boxes(names)
      return new Tuple(
        names.flatMap((name) => [vector(given.rt, boxes.get(name)!.min), vector(given.rt, boxes.get(name)!.max)]),
      )
    },
  ],
  make_revolute_joint: [
    'child_link_name parent_link_name global_axis lower_angle_deg? upper_angle_deg? force_overwrite? pivot_point?',
    (robot, given) => {
      robot.makeRevolute(given.text('child_link_name'), given.text('parent_link_name'), {
        axis: given.vector('global_axis'),
        lowerDegrees: given.number('lower_angle_deg', 0),
        upperDegrees: given.number('upper_angle_deg', 90),
        pivot: given.optionalVector('pivot_point'),
      })
      return null
    },
  ],
  make_prismatic_joint: [
    'child_link_name parent_link_name global_lower_point global_upper_point force_overwrite?',
    (robot, given) => {
      robot.makePrismatic(
        given.text('child_link_name'),
        given.text('parent_link_name'),
        given.vector('global_lower_point'),
        given.vector('global_upper_point'),
      )
      return null
    },
  ],
  make_continuous_joint: [
    'child_link_name parent_link_name global_axis pivot_point?',
    (robot, given) => {
      const [child, parent] = [given.text('child_link_name'), given.text('parent_link_name')]
      robot.makeContinuous(child, parent, given.vector('global_axis'), given.optionalVector('pivot_point'))
      return null
    },
  ],
  make_fixed_joint: [
    'child_link_name parent_link_name',
    (robot, given) => {
      robot.makeFixed(given.text('child_link_name'), given.text('parent_link_name'))
      return null
    },
  ],
  compute_push_direction: [
    'button_link_name',
    (robot, given) => pushDirection(given.rt, robot, given.text('button_link_name')),
  ],
  get_links: [
    '',
    (robot, { rt }) =>
      dictFrom(
        rt,
        [...robot.links.keys()].map((name): [Value, Value] => [name, link(name)]),
      ),
  ],
  /** Orientation is taken from the object's file when the base joint is added. */
  align_robot_orientation: ['', () => null],
}

for (const [name, [parameters, body]] of Object.entries(METHODS)) {
  const slots: Slot[] = [{ name: 'self', kind: 'both', otherwise: undefined }, ...parametersOf(parameters)]
  ROBOT.attributes.set(
    name,
    new Native(name, (rt, args, named) => {
      const [self] = args
      if (!(self instanceof RobotValue)) throw fault(rt, 'TypeError', `${name}() is a method of a robot`)
      const renamed = new Map([...named].map(([key, value]) => [RENAMED[key] ?? key, value]))
      // A name that is taken as it is written stays so: `lower_point` here, `link` there.
      const given = new Given(rt, `Robot.${name}`, slots, args, renamed)
      return located(rt, () => body(self.assembly, given))
    }),
  )
}

ROBOT.attributes.set(
  '__getattr__',
  new Native('__getattr__', (rt, [, name]) => {
    throw fault(
      rt,
      'AttributeError',
      `'Robot' object has no attribute '${textIn(name)}'; it has ${Object.keys(METHODS).join(', ')}`,
    )
  }),
)

/** What the assembly complains about is an exception of the program. */
export function located<T>(rt: Runtime, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof AssemblyError)
      throw fault(rt, error.kind === 'KeyError' ? 'LookupError' : error.kind, error.message)
    throw error
  }
}

function linkNames(rt: Runtime, given: Value): string[] | undefined {
  if (given === null) return undefined
  const items = typeof given === 'string' ? [given] : itemsOf(rt, given)
  return items.map((item) => {
    const name = nameIn(item)
    if (name === null) throw fault(rt, 'TypeError', `link_names must hold names of links, not ${repr(rt, item)}`)
    return name
  })
}

function addJoint(rt: Runtime, robot: Assembly, { attributes }: Instance): void {
  const name = (field: string): string => {
    const text = nameIn(attributes.get(field) ?? null)
    if (text !== null) return text
    throw fault(rt, 'TypeError', `a Joint needs ${field === 'parent' ? 'Parent' : 'Child'}("name")`)
  }
  const [parent, child] = [name('parent'), name('child')]
  const given = attributes.get('type') ?? 'revolute'
  const type = JOINT_TYPES.find((known) => known === given)
  if (!type)
    throw fault(rt, 'ValueError', `${repr(rt, given)} is not a joint type; there are ${JOINT_TYPES.join(', ')}`)
  const own = attributes.get('name')
  const inside = (field: string, key: string): Value => {
    const value = attributes.get(field)
    return value instanceof Instance ? (value.attributes.get(key) ?? null) : null
  }
  const [lower, upper] = [realOf(inside('limit', 'lower')), realOf(inside('limit', 'upper'))]
  robot.addJoint({
    ...fixedJoint(child, parent),
    ...(typeof own === 'string' && own !== '' ? { name: own } : {}),
    type,
    xyz: vectorOf(inside('origin', 'xyz')),
    rpy: vectorOf(inside('origin', 'rpy')),
    axis: vectorOf(inside('axis', 'xyz')),
    limit: lower !== null || upper !== null ? { lower: lower ?? 0, upper: upper ?? 0 } : null,
  })
}

function dimensions(rt: Runtime, box: Box): Dict {
  const [length, width, height] = sizeOf(box)
  return dictFrom(rt, [
    ['length', length],
    ['width', width],
    ['height', height],
  ])
}

/** `compute_aabb_vertices(min, max)`, or the pair itself. */
function vertices(rt: Runtime, args: readonly Value[]): Value {
  const [first = null, second] = args
  const pair = second === undefined && (first instanceof Tuple || first instanceof List) ? first.items : args
  const [min, max] = [vectorOf(pair[0] ?? null), vectorOf(pair[1] ?? null)]
  if (!min || !max) throw fault(rt, 'TypeError', 'compute_aabb_vertices() needs a box: a pair of corners')
  const corners = cornersOf({ min, max })
  return new NdArray(Float64Array.from(corners.flat()), 'float64', [corners.length, 3])
}

/** The way a button is pushed: across its flattest side, toward the back, left or bottom. */
function pushDirection(rt: Runtime, robot: Assembly, name: string): Value {
  const size = sizeOf(robot.boxes([name]).get(name)!)
  const flattest = size.indexOf(Math.min(...size))
  const way: Vec3 = [flattest === 0 ? -1 : 0, flattest === 1 ? -1 : 0, flattest === 2 ? -1 : 0]
  return vector(rt, way)
}

/** The names that the protocol gives to every program. */
export function robotNames({ shelf, setting }: RobotMaker): Map<string, Value> {
  const makeRobot = new PyType('Robot', { bases: [ROBOT] })
  makeRobot.construct = (_, type, args, named) => {
    const name = named.get('name') ?? args.findLast((value) => typeof value === 'string')
    return new RobotValue(new Assembly(typeof name === 'string' ? name : 'robot', shelf, setting), type)
  }
  return new Map<string, Value>([
    ...ELEMENTS,
    ['Robot', makeRobot],
    [
      'compute_aabb_vertices',
      new Native('compute_aabb_vertices', (rt, args, named) => vertices(rt, [...args, ...named.values()])),
    ],
    [
      'compute_push_direction',
      new Native('compute_push_direction', (rt, args, named) => {
        const values = [...args, ...named.values()]
        const robot = values.find((value) => value instanceof RobotValue)
        const name = values.find((value) => typeof value === 'string')
        if (!(robot instanceof RobotValue) || typeof name !== 'string')
          throw fault(rt, 'TypeError', 'compute_push_direction() needs the robot and the name of a link')
        return located(rt, () => pushDirection(rt, robot.assembly, name))
      }),
    ],
    ['align_robot_orientation', new Native('align_robot_orientation', (_, [robot = null]) => robot)],
  ])
}
