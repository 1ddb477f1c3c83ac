/** Balls, each about as large as such a ball is. */
import type { Random } from '../../base/random.ts'
import { finish, plastic, rubber } from './finish-list.ts'
import { BRIGHT } from './parts.ts'
import { type Sculpture, type Vec3, circle } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

/** What a ball is for, with the radius that it has, in meters. */
const BALLS: readonly ((s: Sculpture, random: Random) => void)[] = [
  (s) => tennisBall(s, 0.034),
  (s, random) => toyBall(s, random.range(0.04, 0.1), random),
  (s) => football(s, 0.11),
  (s) => basketball(s, 0.12),
  (s, random) => beachBall(s, random.range(0.14, 0.24), random),
  (s, random) => exerciseBall(s, random.range(0.23, 0.4), random),
]

export function ball(s: Sculpture, random: Random): void {
  random.pick(BALLS)(s, random)
}

function tennisBall(s: Sculpture, r: number): void {
  s.ball(finish('tennis felt', [206, 222, 74], { surface: 'fur', tile: 0.1, roughness: 1 }), [r, r, r], [0, 0, r], 20)
  // The seam of a tennis ball: a closed curve that goes four times from one half to the other.
  const points = Array.from({ length: 48 }, (_, i): Vec3 => {
    const turn = (i / 48) * TAU
    const height = 0.62 * cosine(2 * turn)
    const ring = Math.sqrt(1 - height * height)
    return [ring * cosine(turn) * r, ring * sine(turn) * r, r + height * r]
  })
  s.tube(finish('tennis seam', [240, 240, 232], { roughness: 0.9 }), points, r * 0.03, 5, true)
}

function toyBall(s: Sculpture, r: number, random: Random): void {
  s.ball(plastic(random.pick(BRIGHT)), [r, r, r], [0, 0, r], 24)
  s.tube(plastic([244, 242, 236]), circle([0, 0, r], r * 0.995, 'x', 36), r * 0.035, 5, true)
}

function football(s: Sculpture, r: number): void {
  s.ball(finish('football', [246, 246, 244], { roughness: 0.4 }), [r, r, r], [0, 0, r], 26)
  const dark = rubber([34, 32, 32])
  const spots: readonly Vec3[] = [
    [0, 0, 1],
    [0.89, 0, 0.45],
    [0.28, 0.85, 0.45],
    [-0.72, 0.53, 0.45],
    [-0.72, -0.53, 0.45],
    [0.28, -0.85, 0.45],
    [0.72, 0.53, -0.45],
    [0.72, -0.53, -0.45],
    [-0.28, 0.85, -0.45],
    [-0.28, -0.85, -0.45],
    [-0.89, 0, -0.45],
  ]
  for (const p of spots)
    s.ball(dark, [r * 0.36, r * 0.36, r * 0.36], [p[0] * r * 0.68, p[1] * r * 0.68, r + p[2] * r * 0.68], 14)
}

function basketball(s: Sculpture, r: number): void {
  s.ball(finish('basketball', [214, 110, 50], { surface: 'leather', tile: 0.1 }), [r, r, r], [0, 0, r], 26)
  const dark = rubber([34, 32, 32])
  s.tube(dark, circle([0, 0, r], r, 'x', 36), 0.0035, 5, true)
  s.tube(dark, circle([0, 0, r], r, 'z', 36), 0.0035, 5, true)
  for (const y of [-1, 1]) s.tube(dark, circle([0, y * r * 0.62, r], r * 0.785, 'y', 36), 0.0035, 5, true)
}

/** Six panels from pole to pole, every other one white, and a cap at each pole. */
function beachBall(s: Sculpture, r: number, random: Random): void {
  const panels = 6
  const colors = [...random.shuffle([...BRIGHT])].slice(0, panels / 2).map((color) => plastic(color))
  const white = plastic([246, 246, 242])
  for (let panel = 0; panel < panels; panel++)
    s.sheet(panel % 2 === 0 ? white : colors[(panel - 1) / 2]!, 5, 14, (u, v) => {
      const turn = ((panel + u) / panels) * TAU
      const tilt = (v - 0.5) * (TAU / 2)
      const ring = cosine(tilt)
      return [ring * cosine(turn) * r, ring * sine(turn) * r, r + sine(tilt) * r]
    })
  for (const z of [0.97, -0.97]) s.ball(white, [r * 0.24, r * 0.24, r * 0.05], [0, 0, r + z * r * 0.97], 16)
}

/** One color, with the grooves that keep it from slipping. */
function exerciseBall(s: Sculpture, r: number, random: Random): void {
  const skin = plastic(random.pick([...BRIGHT, [120, 124, 130], [60, 62, 68]] as const))
  s.ball(skin, [r, r, r], [0, 0, r], 36)
  for (const height of [-0.6, -0.3, 0, 0.3, 0.6])
    s.tube(skin, circle([0, 0, r + height * r], Math.sqrt(1 - height * height) * r * 0.995, 'z', 40), 0.008, 6, true)
}
