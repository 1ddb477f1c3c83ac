/** The pointing arm: a rigid body, moved along the gestures. */
import { Random } from '../../../../suite.ts'
import {
  addScaled,
  fabric,
  finish,
  type ObjectMesh,
  Sculpture,
  type TriangleMesh,
  type Vec3,
} from '../../../../world.ts'
import { type ClipPlan, smoothstep, TABLE } from './plan.ts'
import { HAND_LEAVE_MS, HAND_MOVE_MS } from './timing.ts'

type Rgb = readonly [number, number, number]
const SKIN: readonly Rgb[] = [
  [232, 184, 154],
  [214, 160, 124],
  [172, 118, 84],
  [112, 76, 56],
]
const SLEEVE: readonly Rgb[] = [
  [62, 82, 118],
  [112, 116, 122],
  [148, 64, 58],
  [58, 98, 80],
  [40, 42, 48],
]

/**
 * The tip of the straight index finger is the origin, and it points along +x; the back of the hand is up (+z). A hand that
 * does not point is closed.
 */
export function armMesh(skin: number, sleeve: number, pointing: boolean): TriangleMesh {
  const s = new Sculpture()
  const flesh = finish('skin', SKIN[skin]!, { roughness: 0.7 })
  const cloth = fabric(SLEEVE[sleeve]!)
  if (pointing) {
    s.tube(
      flesh,
      [
        [-0.006, 0, 0],
        [-0.03, 0, 0.001],
        [-0.08, 0.002, 0],
      ],
      (t) => 0.0072 + 0.0026 * t,
      14,
    )
    s.ball(flesh, [0.0085, 0.0074, 0.0072], [-0.0075, 0, 0], 14)
  }
  // The other fingers, bent into the palm.
  for (const [i, y] of [0.002, 0.021, 0.04, 0.057].entries()) {
    if (pointing && i === 0) continue
    const knuckle: Vec3 = [-0.084 - 0.004 * i, y, -0.002 * i]
    const bend: Vec3 = [-0.046 - 0.004 * i, y * 0.98, -0.009 - 0.001 * i]
    const end: Vec3 = [-0.073 - 0.003 * i, y * 0.9, -0.034]
    s.rod(flesh, knuckle, bend, 0.01 - 0.0006 * i, 12)
    s.rod(flesh, bend, end, 0.0094 - 0.0006 * i, 12)
    s.ball(flesh, [0.0096, 0.0094, 0.0096], bend, 12)
    s.ball(flesh, [0.0086, 0.0086, 0.0086], end, 10)
  }
  // Palm, thumb, wrist and forearm.
  s.cushion(flesh, [0.088, 0.078, 0.034], [-0.125, 0.028, -0.012], { round: 0.015, puff: 0.004 })
  s.tube(
    flesh,
    [
      [-0.135, -0.012, -0.022],
      [-0.095, -0.03, -0.026],
      [-0.066, -0.022, -0.026],
    ],
    (t) => 0.0125 - 0.003 * t,
    12,
  )
  s.ball(flesh, [0.0098, 0.0094, 0.0094], [-0.066, -0.022, -0.026], 12)
  s.tube(
    flesh,
    [
      [-0.15, 0.028, -0.014],
      [-0.2, 0.03, -0.018],
      [-0.28, 0.034, -0.024],
    ],
    (t) => 0.025 + 0.007 * t,
    20,
  )
  s.tube(
    cloth,
    [
      [-0.3, 0.035, -0.025],
      [-0.5, 0.045, -0.04],
      [-1.2, 0.08, -0.1],
    ],
    (t) => 0.037 + 0.012 * t,
    22,
  )
  return withLight(s.mesh([0, 0, 0]))
}

/** Approximates light by surface direction alone, so it moves with the arm. */
function withLight(mesh: ObjectMesh): TriangleMesh {
  const { normals } = mesh
  const light = new Float32Array(normals.length)
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!]
    const key = Math.max(0, 0.25 * x - 0.35 * y + 0.9 * z)
    const sky = 0.5 + 0.5 * z
    light[i] = 0.3 + 0.3 * sky + 0.5 * key
    light[i + 1] = 0.3 + 0.3 * sky + 0.49 * key
    light[i + 2] = 0.31 + 0.31 * sky + 0.47 * key
  }
  return { ...mesh, light }
}

/** The fingertip and its direction. */
export interface Finger {
  tip: Vec3
  direction: Vec3
  /** Whether the finger is out; otherwise the hand is closed. */
  pointing: boolean
}

export function unit(v: Vec3): Vec3 {
  const size = Math.hypot(...v)
  return [v[0] / size, v[1] / size, v[2] / size]
}

/** Pointing error in radians. */
const AIM_NOISE = 0.012

/** The finger pose held in each gesture, on the shoulder's side of its target. */
export function heldFingers(plan: ClipPlan): Finger[] {
  return plan.gestures.map(({ target, away, pointing }, i): Finger => {
    const random = new Random(`finger/${plan.seed}/${plan.index}/${plan.attempt}/${i}`)
    const shoulder: Vec3 = [0.5 * plan.hand, -0.5, TABLE.z + 0.3]
    const towards = unit([shoulder[0] - target[0], shoulder[1] - target[1], shoulder[2] - target[2]])
    const tip = addScaled(addScaled(target, towards, away), [0, 0, 1], 0.05 + 0.1 * away)
    const exact = unit([target[0] - tip[0], target[1] - tip[1], target[2] - tip[2]])
    const noise: Vec3 = [random.normal(), random.normal(), random.normal()]
    return { tip, direction: unit(addScaled(exact, noise, AIM_NOISE)), pointing }
  })
}

/** In a longer break the hand leaves the frame. */
const BREAK_MS = 1700

/** The finger pose at a time; null while the arm is out of view. The hand is closed while it moves. */
export function fingerAt(plan: ClipPlan, ms: number, held: readonly Finger[] = heldFingers(plan)): Finger | null {
  const next = plan.gestures.findIndex(({ hold }) => ms <= hold[1])
  const { hold } = plan.gestures[next] ?? {}
  // A held hand still trembles slightly.
  if (hold && ms >= hold[0])
    return { ...held[next]!, tip: addScaled(held[next]!.tip, [0, 0, 1], 0.002 * Math.sin(ms / 90)) }
  const before = next < 0 ? plan.gestures.length - 1 : next - 1
  const since = before < 0 ? Infinity : ms - plan.gestures[before]!.hold[1]
  const until = hold ? hold[0] - ms : Infinity
  const rest = restPose(plan)
  if (since + until < BREAK_MS) return interpolate(held[before]!, held[next]!, smoothstep(1 - until / HAND_MOVE_MS))
  if (until < HAND_MOVE_MS) return interpolate(rest, held[next]!, smoothstep(1 - until / HAND_MOVE_MS))
  return since < HAND_LEAVE_MS ? interpolate(held[before]!, rest, smoothstep(since / HAND_LEAVE_MS)) : null
}

function restPose({ hand }: ClipPlan): Finger {
  return { tip: [0.5 * hand, -0.55, TABLE.z + 0.1], direction: unit([-0.15 * hand, 1, -0.1]), pointing: false }
}

function interpolate(a: Finger, b: Finger, t: number): Finger {
  const mix = (u: Vec3, v: Vec3): Vec3 => [u[0] + (v[0] - u[0]) * t, u[1] + (v[1] - u[1]) * t, u[2] + (v[2] - u[2]) * t]
  // Lifts the hand on its way, so it passes over objects.
  return {
    tip: addScaled(mix(a.tip, b.tip), [0, 0, 1], 0.06 * Math.sin(Math.PI * t)),
    direction: unit(mix(a.direction, b.direction)),
    pointing: false,
  }
}
