/** Moves every joint of a model through its range, in MuJoCo's WebAssembly build. */
import { importPart } from '../../../../suite.ts'
import type { Physics } from '../../domain/outcome.ts'
import { type Pair, pairOf, type PhysicsModel } from './mjcf.ts'

/** The part of the engine's interface that is used. */
interface Engine {
  MjModel: { from_xml_string(xml: string): Model }
  MjData: new (model: Model) => Data
  mj_step(model: Model, data: Data): void
  mj_forward(model: Model, data: Data): void
  mj_resetData(model: Model, data: Data): void
}
interface Model {
  geom_bodyid: Int32Array
  delete(): void
}
interface Data {
  qpos: Float64Array
  qvel: Float64Array
  ctrl: Float64Array
  ncon: number
  contact: { get(index: number): { dist: number; geom1: number; geom2: number } | undefined }
  delete(): void
}

/** Deeper than this, in meters, a part does not move: it goes through another one. */
export const LARGEST_DEPTH = 0.01
/** Pairs that are deeper in each other at rest than this are left alone in the simulation: only what comes new counts. */
const TOUCHING = 5e-4
/** Positions of a joint at which everything is looked at. */
const POSITIONS = 9
/** Steps from one end to the other, and to come to rest there. */
const STEPS = { ramp: 250, settle: 100 } as const
/** Share of the range, or of a hundredth of a meter or radian, that an end may be missed by. */
const MISSED = { share: 0.05, least: 0.01 } as const
/** Faster than this, in meters or radians per second, something flies off. */
const FASTEST = 200

let engine: Promise<Engine> | undefined

async function open(): Promise<Engine> {
  engine ??= (async () => {
    const module = await importPart('@mujoco/mujoco')
    const load: unknown = 'default' in module ? module.default : undefined
    if (typeof load !== 'function') throw new Error('@mujoco/mujoco has no default export')
    return (await load({ printErr: () => undefined, print: () => undefined })) as Engine
  })()
  return engine
}

export async function simulated(built: PhysicsModel): Promise<Physics> {
  const { MjModel, MjData, ...calls } = await open()
  const { joints, hanging } = built
  let model: Model
  let rest = 0
  try {
    const apart = MjModel.from_xml_string(built.rest)
    const still = new MjData(apart)
    calls.mj_forward(apart, still)
    for (const [pair, depth] of depthsIn(apart, still)) if (!hanging.has(pair)) rest = Math.max(rest, depth)
    still.delete()
    apart.delete()
    model = MjModel.from_xml_string(built.xml)
  } catch (error) {
    const problem = error instanceof Error ? error.message.split('\n', 2).join(' ').trim() : String(error)
    return { problem, moves: null, stable: false, rest, moving: 0, executable: false }
  }
  const data = new MjData(model)
  calls.mj_forward(model, data)
  const atRest = depthsIn(model, data)
  let moving = 0
  for (const [at, { lower, upper }] of joints.entries()) {
    for (let i = 0; i < POSITIONS; i++) {
      calls.mj_resetData(model, data)
      data.qpos[at] = lower + ((upper - lower) * i) / (POSITIONS - 1)
      calls.mj_forward(model, data)
      for (const [pair, depth] of depthsIn(model, data)) moving = Math.max(moving, depth - (atRest.get(pair) ?? 0))
    }
  }
  data.delete()
  model.delete()
  const ignored = [...atRest].filter(([, depth]) => depth > TOUCHING).map(([pair]) => pair)
  const { moves, stable } = driven(MjModel.from_xml_string(built.without(ignored)), { MjData, ...calls }, joints)
  const reaches = moves === null || moves === 1
  return { problem: null, moves, stable, rest, moving, executable: stable && reaches && moving <= LARGEST_DEPTH }
}

/** One joint after the other is driven to both of its ends; the others are held. */
function driven(
  model: Model,
  { MjData, mj_step, mj_resetData }: Omit<Engine, 'MjModel' | 'mj_forward'>,
  joints: PhysicsModel['joints'],
): { moves: number | null; stable: boolean } {
  const data = new MjData(model)
  let [reached, stable] = [0, true]
  for (const [at, { lower, upper }] of joints.entries()) {
    mj_resetData(model, data)
    const missed = Math.max(MISSED.least, (upper - lower) * MISSED.share)
    let isReached = upper > lower
    let from = 0
    for (const to of [upper, lower]) {
      for (let i = 0; i < STEPS.ramp + STEPS.settle; i++) {
        data.ctrl[at] = from + (to - from) * Math.min(1, i / STEPS.ramp)
        mj_step(model, data)
      }
      const speed = Math.max(...data.qvel.map(Math.abs))
      if (!(speed < FASTEST)) stable = false
      if (!(Math.abs(data.qpos[at]! - to) <= missed)) isReached = false
      from = to
    }
    if (isReached) reached += 1
  }
  data.delete()
  model.delete()
  return { moves: joints.length === 0 ? null : reached / joints.length, stable }
}

/** By pair of bodies, how deep they are in each other. */
function depthsIn({ geom_bodyid: bodies }: Model, { ncon, contact }: Data): Map<Pair, number> {
  const found = new Map<Pair, number>()
  for (let i = 0; i < ncon; i++) {
    const touch = contact.get(i)
    if (!touch) continue
    const pair = pairOf(bodyName(bodies[touch.geom1]!), bodyName(bodies[touch.geom2]!))
    found.set(pair, Math.max(found.get(pair) ?? 0, -touch.dist))
  }
  return found
}

/** Bodies are counted in the order of the document; 0 is the world. */
function bodyName(index: number): string {
  return `b${index}`
}
