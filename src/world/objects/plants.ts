/** Pot plants and flowers. */
import type { Random } from '../../base/random.ts'
import { ceramic, finish, foliage, soil, wicker, wood } from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { type Sculpture, type Vec3, circle, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

const GREENS = [
  [86, 140, 66],
  [60, 116, 62],
  [112, 160, 84],
  [52, 100, 70],
] as const

/** A leaf from `root`: it leaves at `yaw` and `rise` degrees and bends down along its length. */
function leaf(
  s: Sculpture,
  green: ReturnType<typeof foliage>,
  root: Vec3,
  yaw: number,
  rise: number,
  long: number,
  wide: number,
  droop: number,
): void {
  s.at(
    root,
    () => {
      s.sheet(green, 6, 2, (u, v) => {
        const across = (v - 0.5) * wide * 2 * Math.sqrt(Math.max(0, u * (1 - u))) * (1.25 - 0.5 * u)
        return [u * long, across, -droop * u * u * long + Math.abs(v - 0.5) * wide * 0.35]
      })
    },
    { yaw, pitch: -rise },
  )
}

function flowerPot(s: Sculpture, random: Random, r: number, h: number): void {
  const clay = random.pick([
    finish('terracotta', [190, 108, 76], { surface: 'plaster', tile: 0.3 }),
    ceramic([240, 240, 236]),
    ceramic(
      random.pick([
        [70, 96, 120],
        [206, 176, 120],
        [60, 62, 66],
      ] as const),
    ),
    wicker([200, 160, 104]),
  ])
  s.lathe(
    clay,
    [
      [0, 0],
      [r * 0.72, 0],
      [r * 0.76, 0.01],
      [r * 0.95, h * 0.84],
      [r, h * 0.85],
      [r, h],
      [r * 0.9, h],
      [r * 0.88, h - 0.03],
    ],
    [0, 0, 0],
    26,
  )
  s.lathe(
    soil(),
    [
      [r * 0.89, h - 0.03],
      [0, h - 0.018],
    ],
    [0, 0, 0],
    26,
  )
}

function plant(s: Sculpture, random: Random): void {
  const kind = random.int(4)
  const green = foliage(random.pick(GREENS))
  const other = foliage(random.pick(GREENS))
  if (kind === 0) {
    // Broad leaves on long stalks.
    const [r, h] = [0.16, 0.28]
    flowerPot(s, random, r, h)
    for (let i = 0; i < 16; i++) {
      const yaw = i * 137.5
      const c = cosine((yaw * TAU) / 360)
      const e = sine((yaw * TAU) / 360)
      const tall = 0.25 + (1 - i / 16) * 0.6 + random.range(-0.04, 0.04)
      const out = 0.06 + (i / 16) * 0.22
      const tip: Vec3 = [c * out, e * out, h + tall]
      s.tube(
        green,
        curve([[c * 0.02, e * 0.02, h - 0.02], [c * out * 0.4, e * out * 0.4, h + tall * 0.6], tip], 3),
        0.006,
        5,
      )
      leaf(s, i % 2 ? green : other, tip, yaw, 18 - (i / 16) * 30, random.range(0.24, 0.34), 0.17, 0.55)
    }
  } else if (kind === 1) {
    // Upright swords.
    const [r, h] = [0.13, 0.22]
    flowerPot(s, random, r, h)
    for (let i = 0; i < 13; i++) {
      const yaw = i * 137.5
      const c = cosine((yaw * TAU) / 360)
      const e = sine((yaw * TAU) / 360)
      leaf(
        s,
        i % 2 ? green : other,
        [c * 0.05 * (i / 13), e * 0.05 * (i / 13), h - 0.02],
        yaw,
        86 - i * 1.6,
        random.range(0.4, 0.68),
        0.09,
        0.05,
      )
    }
  } else if (kind === 2) {
    // A small tree.
    const [r, h] = [0.17, 0.3]
    flowerPot(s, random, r, h)
    const bark = wood('walnut')
    const top = random.range(0.85, 1.1)
    s.tube(
      bark,
      curve(
        [
          [0, 0, h - 0.02],
          [0.03, 0.02, h + top * 0.4],
          [-0.02, 0, h + top * 0.75],
          [0, 0.02, h + top],
        ],
        4,
      ),
      (t) => 0.02 - t * 0.012,
      8,
    )
    for (let i = 0; i < 70; i++) {
      const yaw = i * 137.5
      const f = i / 70
      const c = cosine((yaw * TAU) / 360)
      const e = sine((yaw * TAU) / 360)
      const reach = 0.28 * sine(0.5 + f * 2.4) + random.range(-0.03, 0.03)
      leaf(
        s,
        i % 3 ? green : other,
        [c * reach * 0.7, e * reach * 0.7, h + top * (0.42 + 0.62 * f)],
        yaw,
        random.range(-10, 35),
        random.range(0.13, 0.2),
        0.08,
        0.4,
      )
    }
    for (let i = 0; i < 7; i++) {
      const c = cosine((i / 7) * TAU)
      const e = sine((i / 7) * TAU)
      const z = h + top * (0.45 + i * 0.07)
      s.tube(
        bark,
        [
          [0, 0, z],
          [c * 0.2, e * 0.2, z + 0.12],
        ],
        0.005,
        5,
      )
    }
  } else {
    // A palm: arching fronds of many blades.
    const [r, h] = [0.15, 0.26]
    flowerPot(s, random, r, h)
    for (let i = 0; i < 9; i++) {
      const yaw = i * 137.5
      const c = cosine((yaw * TAU) / 360)
      const e = sine((yaw * TAU) / 360)
      const tall = random.range(0.55, 0.85)
      const out = random.range(0.26, 0.4)
      const stem = curve(
        [
          [c * 0.02, e * 0.02, h - 0.02],
          [c * out * 0.3, e * out * 0.3, h + tall * 0.65],
          [c * out * 0.75, e * out * 0.75, h + tall * 0.95],
          [c * out * 1.2, e * out * 1.2, h + tall * 0.85],
        ],
        4,
      )
      s.tube(green, stem, 0.0055, 5)
      for (let k = 4; k < stem.length; k++)
        for (const side of [-1, 1])
          leaf(s, k % 2 ? green : other, stem[k]!, yaw + side * 52, 4, 0.2 - Math.abs(k - 8) * 0.008, 0.032, 0.6)
    }
  }
}

function vase(s: Sculpture, random: Random): void {
  const h = random.range(0.24, 0.36)
  const glaze = finish(
    'glaze',
    random.pick([
      [66, 108, 132],
      [214, 206, 190],
      [150, 72, 56],
      [40, 66, 60],
      [236, 236, 232],
      [196, 150, 70],
    ] as const),
    { roughness: 0.12 },
  )
  const shapes: readonly (readonly (readonly [number, number])[])[] = [
    [
      [0, 0],
      [0.3, 0],
      [0.34, 0.04],
      [0.42, 0.3],
      [0.4, 0.55],
      [0.22, 0.8],
      [0.18, 0.9],
      [0.25, 1],
      [0.21, 1],
      [0.15, 0.9],
    ],
    [
      [0, 0],
      [0.2, 0],
      [0.22, 0.03],
      [0.16, 0.1],
      [0.36, 0.45],
      [0.38, 0.6],
      [0.25, 0.82],
      [0.24, 0.9],
      [0.3, 1],
      [0.26, 1],
      [0.2, 0.88],
    ],
    [
      [0, 0],
      [0.26, 0],
      [0.28, 0.04],
      [0.2, 0.4],
      [0.24, 0.75],
      [0.34, 1],
      [0.3, 1],
      [0.2, 0.76],
    ],
  ]
  const profile = random.pick(shapes).map(([r, z]) => [r * h, z * h] as const)
  s.lathe(glaze, profile, [0, 0, 0], 30)
  s.tube(
    finish('glaze', [236, 226, 200], { roughness: 0.2 }),
    circle([0, 0, h * 0.5], radiusAt(profile, h * 0.5), 'z', 30),
    h * 0.012,
    5,
    true,
  )
  if (random.chance(0.75)) {
    const stalk = foliage([92, 136, 72])
    const petal = finish(
      'petal',
      random.pick([
        [226, 70, 90],
        [250, 200, 70],
        [240, 240, 244],
        [170, 96, 190],
        [250, 140, 90],
      ] as const),
      { roughness: 0.8 },
    )
    for (let i = 0; i < 7; i++) {
      const c = cosine(i * 2.4)
      const e = sine(i * 2.4)
      const out = 0.04 + (i / 7) * 0.09
      const z = h + random.range(0.12, 0.24) - i * 0.008
      s.tube(
        stalk,
        curve(
          [
            [0, 0, h * 0.6],
            [c * out * 0.4, e * out * 0.4, h + 0.05],
            [c * out, e * out, z],
          ],
          3,
        ),
        0.0032,
        5,
      )
      for (let k = 0; k < 6; k++) {
        s.at([c * out, e * out, z], () => s.ball(petal, [0.018, 0.013, 0.006], [0.018, 0, 0.006], 8), {
          yaw: k * 60,
          pitch: -28,
        })
      }
      s.ball(finish('pollen', [250, 206, 80], { roughness: 1 }), [0.01, 0.01, 0.008], [c * out, e * out, z + 0.006], 8)
      leaf(s, stalk, [c * out * 0.5, e * out * 0.5, h + 0.04], i * 137, 30, 0.09, 0.03, 0.4)
    }
  }
}

/** How wide a turned body is at a height, on its way up. */
function radiusAt(profile: readonly (readonly [number, number])[], z: number): number {
  const above = profile.findIndex((point) => point[1] >= z)
  const [from, to] = [profile[above - 1]!, profile[above]!]
  return from[0] + ((to[0] - from[0]) * (z - from[1])) / (to[1] - from[1])
}

export const plants = {
  plant: { mount: 'floor', oriented: false, build: plant },
  vase: { mount: 'surface', oriented: false, build: vase },
} as const satisfies Record<string, ObjectKind>
