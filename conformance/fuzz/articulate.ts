/** Articulate's published profile next to Articulate-Anything: metrics, critics' replies, the loop, programs. */
import type { Random } from '../../src/base/random.ts'
import { Assembly, fixedJoint } from '../../src/suites/articulate/domain/assembly/assembly.ts'
import { cornersOf, sizeOf } from '../../src/suites/articulate/domain/assembly/box.ts'
import { shelfOf } from '../../src/suites/articulate/domain/assembly/parts.ts'
import { AssemblyError } from '../../src/suites/articulate/domain/assembly/problem.ts'
import type { Iteration } from '../../src/suites/articulate/domain/outcome.ts'
import type { LinkStates, MeasuredJoint } from '../../src/suites/articulate/domain/states.ts'
import { loopOptions } from '../../src/suites/articulate/options.ts'
import { rulesFor } from '../../src/suites/articulate/play/rules.ts'
import {
  publishedJointReply,
  publishedLinkScore,
  publishedReply,
} from '../../src/suites/articulate/published/critiques.ts'
import {
  forgivePrismatic,
  publishedJointDiff,
  publishedJointVerdict,
} from '../../src/suites/articulate/published/joint.ts'
import { isPublishedSuccess, publishedLinkDiff, reducePublished } from '../../src/suites/articulate/published/link.ts'
import { PythonError } from '../../src/suites/articulate/published/python.ts'
import { compose, frameOf, originOf, turned, type Vec3 } from '../../src/world/urdf/index.ts'
import { boxPart } from '../../test/support/suites/articulate/boxes.ts'
import { lying } from '../articulate/program.ts'
import { fuzzTarget, type Plain, Raised } from './target.ts'

const published = {
  checkout: { repository: 'vlongle/articulate-anything', commit: '1edb4b4a80e9679234e36873d91c52e0759d670c' },
  driver: 'articulate.py',
}

/** JSON has no words for them. */
type Numeral = number | 'nan' | 'inf' | '-inf'
const ODD: readonly Numeral[] = ['nan', 'inf', '-inf', 0, -0, 1e-300, 1e-9, 1e-8, 9.9e-6, 1e6, 1e155, 1e200]

export function value(numeral: Numeral): number {
  if (typeof numeral === 'number') return numeral
  return numeral === 'nan' ? Number.NaN : numeral === 'inf' ? Infinity : -Infinity
}

const spelled = (number: number): Numeral =>
  Number.isFinite(number) ? number : Number.isNaN(number) ? 'nan' : number > 0 ? 'inf' : '-inf'
const numeral = (random: Random, from: number, to: number): Numeral =>
  random.chance(0.04) ? random.pick(ODD) : random.chance(0.3) ? random.between(from, to) : random.range(from, to)
const numerals = (random: Random, count: number, from: number, to: number): Numeral[] =>
  Array.from({ length: count }, () => numeral(random, from, to))

const vec3 = ([x, y, z]: readonly Numeral[]): Vec3 => [value(x!), value(y!), value(z!)]

interface WrittenJoint extends Readonly<Record<string, Plain>> {
  type: string
  origin: Numeral[]
  orientation: Numeral[]
  axis: Numeral[]
  lower: Numeral
  upper: Numeral
}

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
  [0, 0, 0],
]

function axis(random: Random, other?: readonly Numeral[]): Numeral[] {
  const how = random.unit()
  if (other && how < 0.3) {
    const [k, off] = [random.pick([1, -1, 2, 0.25]), random.pick([0, 1e-9, 1e-6, 1e-3, 0.1])]
    return other.map((component) => spelled(value(component) * k + off * random.normal()))
  }
  return how < 0.75 ? [...random.pick(AXES)] : numerals(random, 3, -1, 1)
}

function orientation(random: Random): Numeral[] {
  if (random.chance(0.5)) return [0, 0, 0, random.pick([1, -1])]
  if (random.chance(0.1)) return numerals(random, 4, -1, 1)
  const raw = [random.normal(), random.normal(), random.normal(), random.normal()]
  const length = Math.hypot(...raw)
  return raw.map((component) => component / length)
}

function joint(random: Random, other?: WrittenJoint): WrittenJoint {
  const near = other && random.chance(0.5)
  return {
    type: other && random.chance(0.85) ? other.type : random.pick(['revolute', 'prismatic', 'continuous', 'fixed']),
    origin: near
      ? other.origin.map((at) => spelled(value(at) + random.pick([0, 0.01, 0.09, 0.11]) * random.normal()))
      : numerals(random, 3, -1, 1),
    orientation: other && random.chance(0.8) ? other.orientation : orientation(random),
    axis: axis(random, other?.axis),
    lower: random.pick([0, 0, -1.6057, numeral(random, -3, 3)]),
    upper: random.pick([0, Math.PI / 2, 1.6057, numeral(random, -3, 3)]),
  }
}

const measured = ({ type, origin, orientation: turn, axis: along, lower, upper }: WrittenJoint): MeasuredJoint => ({
  type,
  origin: vec3(origin),
  orientation: [value(turn[0]!), value(turn[1]!), value(turn[2]!), value(turn[3]!)],
  axis: vec3(along),
  lower: value(lower),
  upper: value(upper),
})

const jointMetrics = fuzzTarget({
  ...published,
  generate(random) {
    const truth = joint(random)
    return { kind: 'joint', truth, predicted: joint(random, truth) }
  },
  ours({ truth, predicted }) {
    const diff = publishedJointDiff(measured(truth), measured(predicted))
    const verdict = publishedJointVerdict(diff)
    return {
      axis: Math.cos(diff.joint_axis),
      orientation: Math.cos(diff.joint_origin.orientation / 2),
      type: diff.joint_type,
      origin: diff.joint_origin.xyz,
      limit: diff.joint_limit,
      verdict,
      forgiven: forgivePrismatic(verdict, truth.type),
    }
  },
})

type WrittenLinks = Readonly<Record<string, { center: Numeral[]; orientation: Numeral[] }>>
const LINK_NAMES = ['body', 'door', 'door_2', 'door_10', 'doorknob', 'drawer', 'lid', 'furniture_body', 'do', '_', '']

function links(random: Random): WrittenLinks {
  const names = random.sample(LINK_NAMES, random.int(6))
  return Object.fromEntries(
    names.map((name) => [name, { center: numerals(random, 3, -1, 1), orientation: orientation(random) }]),
  )
}

const states = (written: WrittenLinks): LinkStates =>
  Object.fromEntries(
    Object.entries(written).map(([name, { center, orientation: turn }]) => [
      name,
      {
        center: vec3(center),
        orientation: [value(turn[0]!), value(turn[1]!), value(turn[2]!), value(turn[3]!)],
      },
    ]),
  )

const linkMetrics = fuzzTarget({
  ...published,
  generate(random) {
    const truth = links(random)
    const moved = Object.fromEntries(
      Object.entries(truth).map(([name, state]) => [
        name,
        {
          ...state,
          center: state.center.map((at) => spelled(value(at) + random.pick([0, 0.03, 0.2]) * random.normal())),
        },
      ]),
    )
    return { kind: 'link', truth, predicted: random.chance(0.6) ? { ...links(random), ...moved } : links(random) }
  },
  ours({ truth, predicted }) {
    const diff = publishedLinkDiff(states(truth), states(predicted))
    return {
      position: diff.position_diff,
      orientation: Object.fromEntries(
        Object.entries(diff.orientation_diff).map(([name, angle]) => [name, Math.cos(angle / 2)]),
      ),
      success: isPublishedSuccess(reducePublished(diff)),
    }
  },
})

const REASONS = ['success', 'joint_type', 'joint_axis', 'joint_origin', 'joint_limit', 'Success', 'joint axis', '']
const NUMBERS: readonly Plain[] = [0, 3, 5, 6, 10, 7.9, -1, 42, '4', '7.5', ' 8 ', '+6', '1_0', '8/10', '٧', '０6']
const NO_NUMBERS: readonly Plain[] = [null, true, [], {}, '', 'high', '-0', '0x5', '1__0', '_1', '6 7', '9'.repeat(30)]
const RATINGS = [...NUMBERS, ...NO_NUMBERS]
const DRESSES: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => `\`\`\`json\n${json}\n\`\`\``,
  (json) => `\`\`\`\n${json}\n\`\`\``,
  (json) => ` \`\`\`json${json}\`\`\` `,
  (json) => `json${json}nosj`,
  (json) => `\u0085\u001C${json}\u00A0`,
  (json) => `\`\`\`json\u00A0${json}\u2003\`\`\``,
  (json) => `\uFEFF${json}`,
  (json) => `Here it is:\n${json}`,
  (json) => `${json}\nHope this helps!`,
  (json) => `${json}${json}`,
  (json) => json.slice(0, -1),
  (json) => json.replaceAll('"', "'"),
  (json) => json.replace('}', ',}'),
  (json) => `[${json}]`,
  (json) => json.replace(':', ':\n\t'),
  () => '',
  () => 'null',
  () => '```json\n```',
]

function critique(random: Random): string {
  const fields: Record<string, Plain> = {}
  if (random.chance(0.9)) fields['failure_reason'] = random.chance(0.9) ? random.pick(REASONS) : random.pick(RATINGS)
  if (random.chance(0.9)) fields['realism_rating'] = random.pick(RATINGS)
  if (random.chance(0.5))
    fields['description'] = random.pick(['fine', 'two\nlines', 'a "quote"', '✓ é \u{1F600}', 'json'])
  const entries = random.shuffle(Object.entries(fields))
  let json = JSON.stringify(Object.fromEntries(entries), null, random.pick([0, 2]))
  if (random.chance(0.1))
    json = json.replace(/"?(?:42|7\.9)"?/, random.pick(['NaN', 'Infinity', '1e400', '-0.0', '07', '+1']))
  if (random.chance(0.1)) json = json.replace('two\\nlines', 'two\nlines\tor more')
  return random.pick(random.chance(0.5) ? DRESSES.slice(0, 4) : DRESSES)(json)
}

function judged(critic: 'joint' | 'link', reply: string): { score: number; reason: string | null } {
  if (critic === 'link') return { score: publishedLinkScore(publishedReply(reply)), reason: null }
  const { realism_rating: score, failure_reason: reason } = publishedJointReply(reply)
  return { score, reason }
}

const critics = fuzzTarget({
  ...published,
  generate: (random) => ({
    kind: 'critic',
    critic: random.pick(['joint', 'link'] as const),
    reply: critique(random),
  }),
  ours({ critic, reply }) {
    try {
      return judged(critic, reply)
    } catch (error) {
      if (error instanceof PythonError) throw new Raised(error.kind)
      throw error
    }
  },
})

const UNTOLD = { seed: 0, source: '', problem: null, feedback: null }

/** Plays the rules of a run under the published profile: what ends it, what counts, what the next answer is told. */
const loop = fuzzTarget({
  ...published,
  generate(random) {
    const iterations = random.between(1, 6)
    const isCriticised = random.chance(0.9)
    return {
      kind: 'loop',
      critic: random.pick(['joint', 'link'] as const),
      iterations,
      runs: Array.from({ length: iterations }, () => ({
        error: random.chance(0.2),
        reply: isCriticised ? critique(random) : null,
      })),
    }
  },
  async ours({ critic, iterations, runs }) {
    const options = loopOptions.parse({ iterations })
    const rules = rulesFor('upstream', critic === 'joint' ? 'joint' : 'place', options)
    const records: Iteration[] = []
    const told: boolean[] = []
    for (let isOver = false; !isOver;) {
      const iteration = records.length
      const { error, reply } = runs[iteration]!
      const reminders = rules.reminders()
      told.push(reminders !== null && reminders.length > 0)
      const score = error || reminders === null ? null : reply === null ? rules.uncriticised : scoreOf(critic, reply)
      const urdf = score === null ? null : '<robot/>'
      const record: Iteration = { ...UNTOLD, iteration, feedback_score: score ?? -1, urdf }
      isOver = rules.after(record, reply === null ? null : {}) !== null
      records.push(record)
      await rules.remember(() => Promise.resolve([{ role: 'user', content: 'improve it' }]))
    }
    const best = rules.best()!
    return { asked: records.length, best, score: records[best]!.feedback_score, told }
  },
})

function scoreOf(critic: 'joint' | 'link', reply: string): number | null {
  try {
    return judged(critic, reply).score
  } catch (error) {
    if (error instanceof PythonError) return null
    throw error
  }
}

const PLACEMENTS = ['above', 'below', 'left', 'right', 'front', 'back'].flatMap((side) => [side, `${side}_inside`])
const PARTS = ['body', 'door', 'drawer', 'knob', 'lid']
const TURNS: readonly (Vec3 | null)[] = [null, null, [Math.PI / 2, 0, Math.PI / 2], [0, 0, Math.PI], [0.3, -0.2, 1.1]]

type Placing = { placement?: string; clearance?: number; snap_to_place?: boolean; overwrite?: boolean }
type Revolving = {
  global_axis: Vec3
  lower_angle_deg: number
  upper_angle_deg: number
  force_overwrite?: boolean
  pivot_vertex?: number
  pivot_point?: Vec3
}
type Operation =
  | readonly ['add_link', string]
  | readonly ['fixed', string, string]
  | readonly ['place', string, string, Placing]
  | readonly ['prismatic', string, string, Vec3, Vec3, boolean]
  | readonly ['revolute', string, string, Revolving]
  | readonly ['boxes', readonly string[] | null]
  | readonly ['states']

type ProgramCase = {
  kind: 'program'
  base_turn: Vec3 | null
  parts: { name: string; size: Vec3; center: Vec3 }[]
  ops: Operation[]
}

function program(random: Random): ProgramCase {
  const tenths = (from: number, to: number): number => random.between(from * 10, to * 10) / 10
  const length = (): number => (random.chance(0.5) ? tenths(0.1, 1) : random.range(0.05, 1))
  const names = PARTS.slice(0, random.between(1, PARTS.length))
  const at = (): number => (random.chance(0.5) ? 0 : random.range(-0.6, 0.6))
  const parts = names.map((name) => ({
    name,
    size: [length(), length(), length()] as Vec3,
    center: [at(), at(), at()] as Vec3,
  }))
  const ops: Operation[] = [
    ['add_link', 'base'],
    ['add_link', names[0]!],
    ['fixed', 'base', names[0]!],
  ]
  if (random.chance(0.2)) ops.push(...names.slice(1).map((name): Operation => ['add_link', name]))
  const placed = [names[0]!]
  const parentOf = new Map<string, string>()
  for (const child of names.slice(1)) {
    if (random.chance(0.9)) ops.push(['add_link', child])
    const parent = random.weighted([random.pick(placed), 'base', random.pick(['ghost', child])], [9, 1, 0.2])
    parentOf.set(child, parent)
    for (let i = random.between(1, 3); i > 0; i--) ops.push(['place', child, parent, placing(random)])
    placed.push(child)
    if (random.chance(0.15)) ops.push(['boxes', random.pick([null, [child], placed, ['base'], ['ghost']])])
  }
  for (const [child, parent] of parentOf) {
    const force = random.chance(0.95)
    const spread = (): Vec3 => random.pick([vec3(random.pick(AXES)), [tenths(-1, 1), random.range(-1, 1), 0]])
    if (random.chance(0.35)) ops.push(['prismatic', child, parent, random.pick([[0, 0, 0], spread()]), spread(), force])
    else if (random.chance(0.7))
      ops.push([
        'revolute',
        child,
        parent,
        {
          global_axis: spread(),
          lower_angle_deg: random.between(-180, 90),
          upper_angle_deg: random.between(-90, 180),
          force_overwrite: force,
          ...random.pick<Partial<Revolving>>([{}, { pivot_vertex: random.int(8) }, { pivot_point: spread() }]),
        },
      ])
    // Placed on the base again it would have two parents: its joint is on the helper.
    if (parent !== 'base' && random.chance(0.1)) ops.push(['place', child, parent, placing(random)])
    if (random.chance(0.15)) ops.push(['boxes', null])
  }
  if (random.chance(0.1))
    ops.push(['revolute', names[0]!, 'base', { global_axis: [0, 0, 1], lower_angle_deg: 0, upper_angle_deg: 90 }])
  ops.push(['states'])
  return { kind: 'program', base_turn: random.pick(TURNS), parts, ops }
}

function placing(random: Random): Placing {
  return {
    ...(random.chance(0.95)
      ? { placement: random.chance(0.97) ? random.pick([...PLACEMENTS, 'inside']) : 'beside' }
      : {}),
    ...(random.chance(0.3) ? { clearance: random.between(-20, 20) / 100 } : {}),
    ...(random.chance(0.6) ? { snap_to_place: random.chance(0.1) } : {}),
    ...(random.chance(0.2) ? { overwrite: random.chance(0.5) } : {}),
  }
}

const programs = fuzzTarget<ProgramCase>({
  ...published,
  generate: program,
  ours({ base_turn, parts, ops }) {
    const shelf = shelfOf(parts.map(({ name, size, center }) => lying(boxPart(name, size, center), base_turn)))
    const robot = new Assembly('robot', shelf, { profile: 'upstream', baseTurn: base_turn })
    try {
      const told = ops.flatMap((op) => operate(robot, op))
      const { raised } = robot.world()
      return {
        told,
        joints: robot.joints
          .toSorted((a, b) => (a.name < b.name ? -1 : 1))
          .map(({ xyz, rpy, limit, ...rest }) => ({
            ...rest,
            xyz: xyz ?? [0, 0, 0],
            rpy: rpy ?? [0, 0, 0],
            limit: limit && [limit.lower, limit.upper],
          })),
        shifts: Object.fromEntries(
          [...robot.links].flatMap(([name, { part, shift }]) => (part.points.length === 0 ? [] : [[name, shift]])),
        ),
        boxes: Object.fromEntries([...robot.boxes()].map(([name, { min, max }]) => [name, [min, max]])),
        raised,
      }
    } catch (error) {
      if (error instanceof AssemblyError) throw new Raised()
      throw error
    }
  },
})

function operate(robot: Assembly, op: Operation): unknown[] {
  switch (op[0]) {
    case 'add_link':
      robot.addLink(op[1])
      return []
    case 'fixed':
      robot.addJoint(fixedJoint(op[2], op[1]))
      return []
    case 'place': {
      const [, child, parent, { snap_to_place: snap, ...rest }] = op
      robot.place(child, parent, snap === undefined ? rest : { ...rest, snap })
      return []
    }
    case 'prismatic': {
      const [, child, parent, lower, upper, overwrite] = op
      robot.makePrismatic(child, parent, lower, upper, { overwrite })
      return []
    }
    case 'revolute': {
      const [, child, parent, { pivot_vertex: vertex, pivot_point: point = null, ...options }] = op
      robot.makeRevolute(child, parent, {
        axis: options.global_axis,
        lowerDegrees: options.lower_angle_deg,
        upperDegrees: options.upper_angle_deg,
        overwrite: options.force_overwrite ?? true,
        pivot: vertex === undefined ? point : cornersOf(robot.boxes([child]).get(child)!)[vertex]!,
      })
      return []
    }
    case 'boxes': {
      const boxes = [...robot.boxes(op[1] ?? undefined)].map(([name, box]) => {
        const [length, width, height] = sizeOf(box)
        return [name, [[box.min, box.max], { length, width, height }]]
      })
      return [Object.fromEntries(boxes)]
    }
    case 'states':
      return [jointStates(robot)]
  }
}

function jointStates(robot: Assembly): unknown {
  const frames = robot.publishedFrames()
  return Object.fromEntries(
    robot.joints.flatMap(({ name, type, parent, xyz, rpy, axis: along }) => {
      const above = frames.get(parent)
      if (type === 'fixed' || !above) return []
      const frame = compose(above, frameOf(xyz ?? [0, 0, 0], rpy ?? [0, 0, 0]))
      const turn = [0, 4, 8].map((row) => [frame[row], frame[row + 1], frame[row + 2]])
      return [[name, { type, origin: originOf(frame), axis: turned(frame, along ?? [1, 0, 0]), turn }]]
    }),
  )
}

export const articulateTargets = {
  'articulate-joint-metrics': jointMetrics,
  'articulate-link-metrics': linkMetrics,
  'articulate-critics': critics,
  'articulate-loop': loop,
  'articulate-programs': programs,
}
