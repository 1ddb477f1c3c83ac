/** The program language over exact boxes, and what its frames get wrong. */
import { z } from 'zod'
import { Assembly, fixedJoint } from '../../src/suites/articulate/domain/assembly/assembly.ts'
import { centerOf, cornersOf, sizeOf } from '../../src/suites/articulate/domain/assembly/box.ts'
import { type Part, shelfOf } from '../../src/suites/articulate/domain/assembly/parts.ts'
import { boxPart } from '../../test/support/suites/articulate/boxes.ts'
import { AssemblyError } from '../../src/suites/articulate/domain/assembly/problem.ts'
import {
  compose,
  type Frame,
  frameOf,
  originOf,
  quaternionOf,
  turned,
  turnedBack,
  type Vec3,
} from '../../src/world/urdf/index.ts'
import { type Check, eachCase, firstDifference, listed, type Verdict, verdict } from '../agreement/check.ts'
import { firstOf, number, vec3 } from './shared.ts'

const axis = z.tuple([number, number, number])
const operation = z.object({ op: z.tuple([z.string()], z.unknown()), return: z.unknown() })
const dslCase = z.object({
  name: z.string(),
  parts: z.array(z.object({ name: z.string(), size: vec3, center: vec3 })),
  base_rpy: vec3.nullable(),
  ops: z.array(operation),
  urdf: z
    .object({
      links: z.record(z.string(), z.array(z.object({ xyz: vec3, rpy: vec3 }))),
      joints: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          parent: z.string(),
          child: z.string(),
          origin_xyz: vec3.nullable(),
          origin_rpy: vec3.nullable(),
          axis: axis.nullable(),
          limit: z.object({ lower: number, upper: number, velocity: number, effort: number }).nullable(),
        }),
      ),
    })
    .nullable(),
  world_aabb: z.record(z.string(), z.tuple([vec3, vec3])).nullable(),
  raise_distances: z.array(z.number()).nullable(),
  error: z.object({ type: z.string(), message: z.string() }).nullable(),
})
const dslFile = z.object({ cases: listed })

const NO_TURN: Vec3 = [0, 0, 0]

export const dsl: Check = function* (file) {
  yield* eachCase('cases', dslFile.parse(file).cases, dslCase, function* (sample) {
    const shelf = shelfOf(
      sample.parts.map(({ name, size, center }) => lying(boxPart(name, size, center), sample.base_rpy)),
    )
    const robot = new Assembly('robot', shelf, { profile: 'upstream', baseTurn: sample.base_rpy })
    const differences: (string | null)[] = []
    let error: AssemblyError | null = null
    let strange: string | null = null
    try {
      for (const [i, { op, return: returned }] of sample.ops.entries()) {
        const ours = replay(robot, op)
        const told = returned === null || returned === undefined ? null : numeric(ours)
        differences.push(firstDifference(told, numeric(returned ?? null), `ops[${i}]`))
      }
    } catch (thrown) {
      if (thrown instanceof AssemblyError) error = thrown
      else strange = thrown instanceof Error ? thrown.message : String(thrown)
    }
    if (strange !== null) {
      yield verdict(`cases.${sample.name}`, `the operations cannot be replayed: ${strange}`)
      return
    }
    if (sample.error || !sample.urdf) {
      const before = firstOf(...differences, error && raisedDifference(error, sample))
      yield error || before !== null
        ? verdict(`cases.${sample.name}`, before)
        : unrecordedVerdict(sample, nowhere(robot))
      return
    }
    if (error) {
      yield verdict(`cases.${sample.name}`, `ours raises ${error.message}`)
      return
    }
    const [boxes, { raised }] = [robot.boxes(), robot.world()]
    const joints = robot.joints
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ xyz, rpy, ...joint_ }) => ({ ...joint_, origin_xyz: xyz ?? NO_TURN, origin_rpy: rpy ?? NO_TURN }))
    const links = Object.fromEntries(
      [...robot.links].map(([name, { part, shift }]) => [
        name,
        part.points.length === 0 ? [] : [{ xyz: shift, rpy: [0, 0, 0] }],
      ]),
    )
    yield verdict(
      `cases.${sample.name}`,
      firstOf(
        ...differences,
        firstDifference(links, sample.urdf.links, 'links'),
        firstDifference(
          joints,
          // An origin that is not written is the identity.
          sample.urdf.joints.map((joint_) => ({
            ...joint_,
            origin_xyz: joint_.origin_xyz ?? NO_TURN,
            origin_rpy: joint_.origin_rpy ?? NO_TURN,
          })),
          'joints',
        ),
        firstDifference(
          Object.fromEntries([...boxes].map(([name, { min, max }]) => [name, [min, max]])),
          sample.world_aabb,
          'world_aabb',
        ),
        firstDifference(raised, sample.raise_distances, 'raise_distances'),
      ),
    )
  })
}

/** What asking for the world says of a link that hangs on nothing. */
function nowhere(robot: Assembly): AssemblyError | null {
  try {
    robot.boxes([...robot.links].filter(([, { part }]) => part.points.length > 0).map(([name]) => name))
    return null
  } catch (thrown) {
    if (thrown instanceof AssemblyError) return thrown
    throw thrown
  }
}

type Raised = Pick<z.infer<typeof dslCase>, 'name' | 'error'>

function raisedDifference(ours: AssemblyError | null, { error }: Raised): string | null {
  return firstDifference(ours && { type: ours.kind, message: ours.message }, error ?? 'no robot', 'error')
}

/**
 * Operations end before the call that raised. Where that call was about a link that hangs on nothing, asking for the
 * world says the same; of any other call only those before it can be compared.
 */
function unrecordedVerdict(sample: Raised, ours: AssemblyError | null): Verdict {
  const where = `cases.${sample.name}`
  const difference = raisedDifference(ours, sample)
  if (difference === null) return verdict(where, null)
  return { where, agrees: false, detail: difference, deviation: 'articulate-call-not-recorded' }
}

/** Meshes of the data set lie on their side: the base's turn stands them up. */
export function lying(part: Part, rpy: Vec3 | null): Part {
  if (!rpy) return part
  const up = frameOf([0, 0, 0], rpy)
  const points: number[] = []
  for (let i = 0; i < part.points.length; i += 3)
    points.push(...turnedBack(up, [part.points[i]!, part.points[i + 1]!, part.points[i + 2]!]))
  return { ...part, points }
}

const placeOptions = z
  .object({
    placement: z.string().optional(),
    clearance: z.number().optional(),
    snap_to_place: z.boolean().optional(),
    overwrite: z.boolean().optional(),
  })
  .optional()
const revoluteOptions = z.object({
  global_axis: vec3,
  lower_angle_deg: z.number(),
  upper_angle_deg: z.number(),
  pivot_vertex: z.number().nullish(),
  pivot_point: vec3.nullish(),
})

function replay(robot: Assembly, [op, ...given]: readonly [string, ...unknown[]]): unknown {
  const name = (at: number): string => z.string().parse(given[at])
  switch (op) {
    case 'add_link':
      return robot.addLink(name(0))
    case 'fixed':
      return robot.addJoint(fixedJoint(name(1), name(0)))
    case 'place': {
      const options = placeOptions.parse(given[2]) ?? {}
      return robot.place(name(0), name(1), {
        ...(options.placement === undefined ? {} : { placement: options.placement }),
        ...(options.clearance === undefined ? {} : { clearance: options.clearance }),
        ...(options.snap_to_place === undefined ? {} : { snap: options.snap_to_place }),
        ...(options.overwrite === undefined ? {} : { overwrite: options.overwrite }),
      })
    }
    case 'prismatic':
      return robot.makePrismatic(name(0), name(1), vec3.parse(given[2]), vec3.parse(given[3]))
    case 'revolute': {
      const options = revoluteOptions.parse(given[2])
      const corner =
        typeof options.pivot_vertex === 'number'
          ? cornersOf(robot.boxes([name(0)]).get(name(0))!)[options.pivot_vertex]!
          : (options.pivot_point ?? null)
      return robot.makeRevolute(name(0), name(1), {
        axis: options.global_axis,
        lowerDegrees: options.lower_angle_deg,
        upperDegrees: options.upper_angle_deg,
        pivot: corner,
      })
    }
    case 'bbox': {
      const names = z.array(z.string()).nullish().parse(given[0])
      return Object.fromEntries(
        [...robot.boxes(names ?? undefined)].map(([link, box]) => {
          const [length, width, height] = sizeOf(box)
          return [link, { aabb: [box.min, box.max], dim: { length, width, height } }]
        }),
      )
    }
    case 'pose':
      return poses(robot)
    case 'joint_states':
      return states(robot)
    default:
      throw new Error(`an operation "${op}" is not known`)
  }
}

function poses(robot: Assembly): unknown {
  const { boxes } = robot.world()
  return Object.fromEntries(
    [...robot.publishedFrames()].map(([name, frame]) => {
      const box = boxes.get(name)
      return [name, { position: originOf(frame), bbox_position: box ? centerOf(box) : [0, 0, 0] }]
    }),
  )
}

/** World joint states as published: through frames that took up the parent's visual origin. */
function states(robot: Assembly): unknown {
  const frames = robot.publishedFrames()
  return Object.fromEntries(
    robot.joints.flatMap((joint_) => {
      const parent = frames.get(joint_.parent)
      if (joint_.type === 'fixed' || !parent) return []
      const frame = compose(parent, frameOf(joint_.xyz ?? [0, 0, 0], joint_.rpy ?? [0, 0, 0]))
      return [[joint_.name, stateOf(frame, joint_)]]
    }),
  )
}

function stateOf(frame: Frame, { type, axis: own, limit }: Assembly['joints'][number]): unknown {
  return {
    joint_type: type,
    joint_origin: { xyz: originOf(frame), orientation: sameHalf(quaternionOf(frame)) },
    joint_axis: own ? turned(frame, own) : null,
    joint_limit: limit,
  }
}

/** Texts of numbers as numbers, quaternions on one half of the sphere. */
function numeric(value: unknown): unknown {
  if (typeof value === 'string') {
    const words = value.trim().split(/\s+/)
    const numbers = words.map((word) => (word === 'nan' ? Number.NaN : Number(word)))
    if (words.every((word, i) => word === 'nan' || Number.isFinite(numbers[i])) && value.trim() !== '') {
      if (numbers.length === 1) return numbers[0]
      return numbers.length === 4 ? sameHalf(numbers) : numbers
    }
    return value
  }
  if (Array.isArray(value)) return value.map((item) => numeric(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numeric(item)]))
}

function sameHalf(quaternion_: readonly number[]): readonly number[] {
  const leading = [3, 2, 1, 0].map((i) => quaternion_[i]!).find((value) => Math.abs(value) > 1e-9) ?? 1
  return leading < 0 ? quaternion_.map((value) => -value) : quaternion_
}
