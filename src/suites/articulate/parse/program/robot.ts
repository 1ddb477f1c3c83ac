/** What a program may do with a robot. */
import { JOINT_TYPES, type Vec3 } from '../../../../world.ts'
import { Assembly, type AssemblySetting, fixedJoint } from '../../domain/assembly/assembly.ts'
import { type Box, cornersOf, sizeOf } from '../../domain/assembly/box.ts'
import type { PartShelf } from '../../domain/assembly/parts.ts'
import { AssemblyError } from '../../domain/assembly/problem.ts'
import { Given, vectorOf } from './arguments.ts'
import { ProgramError } from './problem.ts'
import { type Arguments, Callable, Dictionary, Sequence, textOf, Thing, type Value } from './values.ts'

/** Makes the robots of one run. */
export interface RobotMaker {
  shelf: PartShelf
  setting: AssemblySetting
}

type Method = (robot: Assembly, args: Arguments, line: number) => Value

const METHODS: Readonly<Record<string, Method>> = {
  add_link(robot, args, line) {
    robot.addLink(new Given('add_link', ['link'], args, line).text('link'))
    return null
  },
  add_joint(robot, args, line) {
    const joint = new Given('add_joint', ['joint'], args, line).raw('joint')
    if (!(joint instanceof Thing) || joint.kind !== 'Joint')
      throw new ProgramError(line, 'add_joint() needs a Joint(…)')
    addJoint(robot, joint, line)
    return null
  },
  place_relative_to(robot, args, line) {
    const given = new Given(
      'place_relative_to',
      ['child_link_name', 'parent_link_name', 'placement?', 'clearance?', 'snap_to_place?', 'overwrite?'],
      renamed(args, { child: 'child_link_name', parent: 'parent_link_name' }),
      line,
    )
    robot.place(given.text('child_link_name'), given.text('parent_link_name'), {
      placement: given.raw('placement') === undefined ? 'above' : given.text('placement'),
      clearance: given.number('clearance', 0),
      snap: given.flag('snap_to_place', true),
      overwrite: given.flag('overwrite', true),
    })
    return null
  },
  get_bounding_boxes(robot, args, line) {
    const given = new Given('get_bounding_boxes', ['link_names?', 'include_dim?'], args, line)
    const names = given.raw('link_names')
    const wanted =
      names === undefined || names === null
        ? undefined
        : typeof names === 'string'
          ? [names]
          : names instanceof Sequence
            ? names.items.map((name) => {
                if (typeof name === 'string') return name
                throw new ProgramError(line, 'names of links must be texts')
              })
            : undefined
    const made = new Dictionary()
    for (const [name, box] of robot.boxes(wanted)) {
      const corners = boxValue(box)
      made.set(name, given.flag('include_dim', false) ? new Sequence('tuple', [corners, dimensions(box)]) : corners)
    }
    return made
  },
  make_revolute_joint(robot, args, line) {
    const given = new Given(
      'make_revolute_joint',
      [
        'child_link_name',
        'parent_link_name',
        'global_axis',
        'lower_angle_deg?',
        'upper_angle_deg?',
        'force_overwrite?',
        'pivot_point?',
      ],
      renamed(args, { child: 'child_link_name', parent: 'parent_link_name' }),
      line,
    )
    robot.makeRevolute(given.text('child_link_name'), given.text('parent_link_name'), {
      axis: given.vector('global_axis'),
      lowerDegrees: given.number('lower_angle_deg', 0),
      upperDegrees: given.number('upper_angle_deg', 90),
      pivot: given.optionalVector('pivot_point'),
    })
    return null
  },
  make_prismatic_joint(robot, args, line) {
    const given = new Given(
      'make_prismatic_joint',
      ['child_link_name', 'parent_link_name', 'lower_point', 'upper_point', 'force_overwrite?'],
      renamed(args, { child: 'child_link_name', parent: 'parent_link_name' }),
      line,
    )
    robot.makePrismatic(
      given.text('child_link_name'),
      given.text('parent_link_name'),
      given.vector('lower_point'),
      given.vector('upper_point'),
    )
    return null
  },
  make_continuous_joint(robot, args, line) {
    const given = new Given(
      'make_continuous_joint',
      ['child_link_name', 'parent_link_name', 'global_axis', 'pivot_point?'],
      renamed(args, { child: 'child_link_name', parent: 'parent_link_name' }),
      line,
    )
    const [child, parent] = [given.text('child_link_name'), given.text('parent_link_name')]
    robot.makeContinuous(child, parent, given.vector('global_axis'), given.optionalVector('pivot_point'))
    return null
  },
  make_fixed_joint(robot, args, line) {
    const given = new Given(
      'make_fixed_joint',
      ['child_link_name', 'parent_link_name'],
      renamed(args, { child: 'child_link_name', parent: 'parent_link_name' }),
      line,
    )
    robot.makeFixed(given.text('child_link_name'), given.text('parent_link_name'))
    return null
  },
  /** Orientation is taken from the object's file when the base joint is added. */
  align_robot_orientation: () => null,
}

export const ROBOT_METHODS = Object.keys(METHODS)

export function robotMethod(robot: Assembly, name: string): Callable | null {
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
  if (!method) return null
  return new Callable(name, (args, line) => located(line, () => method(robot, args, line)))
}

export function newRobot(maker: RobotMaker, args: Arguments): Thing {
  const name =
    [...args.named].find(([key]) => key === 'name')?.[1] ?? args.positional.find((value) => typeof value === 'string')
  return new Thing(
    'Robot',
    new Map(),
    new Assembly(typeof name === 'string' ? name : 'robot', maker.shelf, maker.setting),
  )
}

/** What the assembly complains about happens on a line of the program. */
export function located<T>(line: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof AssemblyError) throw new ProgramError(line, error.message)
    throw error
  }
}

function addJoint(robot: Assembly, joint: Thing, line: number): void {
  const name = (field: string): string => {
    const value = joint.fields.get(field)
    const inner = value instanceof Thing ? value.fields.get('name') : value
    if (typeof inner === 'string') return inner
    throw new ProgramError(line, `a Joint needs ${field === 'parent' ? 'Parent' : 'Child'}('name')`)
  }
  const [parent, child] = [name('parent'), name('child')]
  const given = joint.fields.get('type') ?? 'revolute'
  const type = JOINT_TYPES.find((known) => known === given)
  if (!type)
    throw new ProgramError(line, `${textOf(given, 1)} is not a type of joint; known are ${JOINT_TYPES.join(', ')}`)
  const own = joint.fields.get('name')
  const inside = (field: string, key: string): Value => {
    const value = joint.fields.get(field)
    return value instanceof Thing ? (value.fields.get(key) ?? null) : null
  }
  const [lower, upper] = [inside('limit', 'lower'), inside('limit', 'upper')]
  robot.addJoint({
    ...fixedJoint(child, parent),
    ...(typeof own === 'string' && own !== '' ? { name: own } : {}),
    type,
    xyz: vectorOf(inside('origin', 'xyz')),
    rpy: vectorOf(inside('origin', 'rpy')),
    axis: vectorOf(inside('axis', 'xyz')),
    limit:
      typeof lower === 'number' || typeof upper === 'number'
        ? { lower: typeof lower === 'number' ? lower : 0, upper: typeof upper === 'number' ? upper : 0 }
        : null,
  })
}

function renamed({ positional, named }: Arguments, names: Readonly<Record<string, string>>): Arguments {
  return { positional, named: new Map([...named].map(([key, value]) => [names[key] ?? key, value])) }
}

export function array(vector: Vec3): Sequence {
  return new Sequence('array', [...vector])
}

function boxValue({ min, max }: Box): Sequence {
  return new Sequence('tuple', [array(min), array(max)])
}

function dimensions(box: Box): Dictionary {
  const made = new Dictionary()
  const [length, width, height] = sizeOf(box)
  made.set('length', length)
  made.set('width', width)
  made.set('height', height)
  return made
}

/** `compute_aabb_vertices(box)` or `(min, max)`. */
export function vertices(args: Arguments, line: number): Value {
  const values = [...args.positional, ...args.named.values()]
  const [first, second] = values
  const pair = second === undefined && first instanceof Sequence ? first.items : values
  const [min, max] = [vectorOf(pair[0] ?? null), vectorOf(pair[1] ?? null)]
  if (!min || !max) throw new ProgramError(line, 'compute_aabb_vertices() needs a box: a pair of corners')
  return new Sequence(
    'list',
    cornersOf({ min, max }).map((corner) => array(corner)),
  )
}

/** The way a button is pushed: across its flattest side, toward the back, left or bottom. */
export function pushDirection(args: Arguments, line: number): Value {
  const values = [...args.positional, ...args.named.values()]
  const robot = values.find((value) => value instanceof Thing && value.assembly !== null)
  const name = values.find((value) => typeof value === 'string')
  if (!(robot instanceof Thing) || !robot.assembly || typeof name !== 'string')
    throw new ProgramError(line, 'compute_push_direction() needs the robot and the name of a link')
  const { assembly } = robot
  const size = located(line, () => sizeOf(assembly.boxes([name]).get(name)!))
  const flattest = size.indexOf(Math.min(...size))
  return array([flattest === 0 ? -1 : 0, flattest === 1 ? -1 : 0, flattest === 2 ? -1 : 0])
}
