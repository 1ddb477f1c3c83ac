/** Lamps and candles. */
import type { Random } from '../../base/random.ts'
import { brass, chrome, coated, finish, glowing, iron, marble, paper, plastic, wood } from './finish-list.ts'
import type { ObjectKind } from './model.ts'
import { BRIGHT, anyWood } from './parts.ts'
import { type Sculpture, type Vec3 } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

const SHADES = [
  [250, 236, 208],
  [240, 226, 196],
  [236, 190, 140],
  [250, 246, 240],
] as const

/** A lit lamp shade, open above and below, with the bulb inside. */
function shade(s: Sculpture, random: Random, low: number, high: number, z: number, height: number): void {
  const skin = finish('lamp shade', random.pick(SHADES), { surface: 'linen', tile: 0.4, glow: 0.55, roughness: 1 })
  s.lathe(
    skin,
    [
      [low, 0],
      [high, height],
      [high - 0.006, height],
      [low - 0.006, 0.002],
    ],
    [0, 0, z],
    28,
  )
  s.ball(glowing([255, 240, 205]), [0.03, 0.03, 0.042], [0, 0, z + height * 0.45], 12)
  const metal = chrome()
  for (let i = 0; i < 3; i++) {
    const c = cosine((i / 3) * TAU)
    const e = sine((i / 3) * TAU)
    s.tube(
      metal,
      [
        [0, 0, z + height * 0.9],
        [c * (high - 0.005), e * (high - 0.005), z + height * 0.97],
      ],
      0.002,
      4,
    )
  }
}

function tableLamp(s: Sculpture, random: Random): void {
  const kind = random.int(3)
  const stem = random.range(0.24, 0.32)
  const glaze = finish(
    'glaze',
    random.pick([
      [66, 108, 132],
      [214, 206, 190],
      [150, 72, 56],
      [90, 110, 84],
      [42, 44, 50],
    ] as const),
    { roughness: 0.15 },
  )
  if (kind === 0)
    s.lathe(
      glaze,
      [
        [0, 0],
        [0.075, 0],
        [0.08, 0.012],
        [0.05, 0.03],
        [0.085, 0.09],
        [0.09, 0.13],
        [0.06, 0.19],
        [0.022, stem - 0.02],
        [0.018, stem],
        [0, stem],
      ],
      [0, 0, 0],
      24,
    )
  else if (kind === 1) {
    s.lathe(
      anyWood(random),
      [
        [0, 0],
        [0.085, 0],
        [0.085, 0.02],
        [0.03, 0.035],
        [0.022, 0.08],
        [0.034, 0.12],
        [0.018, 0.17],
        [0.028, stem - 0.03],
        [0.014, stem],
        [0, stem],
      ],
      [0, 0, 0],
      22,
    )
  } else {
    const metal = random.pick([brass(), iron(), chrome()])
    s.lathe(
      metal,
      [
        [0, 0],
        [0.085, 0],
        [0.088, 0.008],
        [0.07, 0.018],
        [0.012, 0.026],
        [0.01, stem],
        [0, stem],
      ],
      [0, 0, 0],
      24,
    )
  }
  s.cylinder(brass(), 0.012, 0.06, [0, 0, stem], 10)
  shade(s, random, random.range(0.14, 0.17), random.range(0.08, 0.13), stem - 0.01, random.range(0.18, 0.22))
}

function floorLamp(s: Sculpture, random: Random): void {
  const tall = random.range(1.3, 1.45)
  const metal = random.pick([brass(), iron(), chrome()])
  if (random.chance(0.4)) {
    const body = anyWood(random)
    for (let i = 0; i < 3; i++) {
      const c = cosine((i / 3) * TAU)
      const e = sine((i / 3) * TAU)
      s.tube(
        body,
        [
          [c * 0.27, e * 0.27, 0],
          [c * 0.02, e * 0.02, tall - 0.05],
        ],
        0.015,
        8,
      )
    }
    s.cylinder(metal, 0.035, 0.06, [0, 0, tall - 0.1], 14)
  } else {
    s.lathe(
      metal,
      [
        [0, 0],
        [0.15, 0],
        [0.152, 0.012],
        [0.13, 0.022],
        [0.02, 0.035],
        [0.012, 0.05],
        [0.012, tall],
        [0, tall],
      ],
      [0, 0, 0],
      28,
    )
  }
  shade(s, random, random.range(0.2, 0.24), random.range(0.13, 0.2), tall - 0.02, random.range(0.24, 0.3))
}

/** Hangs from the ceiling: its top is its fixing. */
function ceilingLamp(s: Sculpture, random: Random): void {
  const kind = random.int(3)
  const light = glowing([255, 246, 226])
  if (kind === 0) {
    s.lathe(
      finish('milk glass', [255, 248, 234], { glow: 0.9, roughness: 0.2 }),
      [
        [0, 0],
        [0.1, 0.012],
        [0.16, 0.04],
        [0.19, 0.08],
        [0.19, 0.095],
        [0, 0.095],
      ],
      [0, 0, 0],
      28,
    )
    s.cylinder(chrome(), 0.2, 0.02, [0, 0, 0.09], 28)
    return
  }
  const drop = random.range(0.12, 0.26)
  s.cylinder(coated([240, 240, 238]), 0.055, 0.03, [0, 0, drop + 0.2], 18)
  s.tube(
    plastic([40, 40, 44]),
    [
      [0, 0, 0.2],
      [0, 0, drop + 0.2],
    ],
    0.004,
    6,
  )
  if (kind === 1) {
    const skin = coated(random.pick(BRIGHT))
    s.lathe(
      skin,
      [
        [0.2, 0],
        [0.19, 0.05],
        [0.14, 0.12],
        [0.06, 0.17],
        [0.03, 0.2],
        [0, 0.205],
      ],
      [0, 0, 0],
      28,
    )
    s.lathe(
      finish('lamp inside', [255, 244, 214], { glow: 0.9 }),
      [
        [0, 0.16],
        [0.06, 0.16],
        [0.135, 0.115],
        [0.185, 0.048],
        [0.198, 0.001],
      ],
      [0, 0, 0],
      28,
    )
    s.ball(light, [0.04, 0.04, 0.045], [0, 0, 0.06], 14)
  } else {
    s.ball(finish('paper lantern', [255, 246, 226], { glow: 0.85, roughness: 1 }), [0.19, 0.19, 0.15], [0, 0, 0.15], 24)
    for (let i = -3; i <= 3; i++) {
      const z = 0.15 + i * 0.042
      const r = Math.sqrt(1 - i * 0.28 * (i * 0.28)) * 0.191
      s.tube(paper([236, 222, 194]), ringPath(r, z), 0.0016, 4, true)
    }
  }
}

function ringPath(r: number, z: number): Vec3[] {
  return Array.from({ length: 24 }, (_, i) => [cosine((i / 24) * TAU) * r, sine((i / 24) * TAU) * r, z])
}

/** A long office light, flat under the ceiling. */
function lightPanel(s: Sculpture): void {
  s.box(coated([236, 236, 234]), [0.3, 1.2, 0.05], [0, 0, 0.035], 0.006)
  s.box(glowing([250, 252, 255], 1), [0.25, 1.14, 0.02], [0, 0, 0.01], 0.004)
}

function deskLamp(s: Sculpture, random: Random): void {
  const metal = coated(random.pick(BRIGHT))
  const grey = chrome()
  s.lathe(
    metal,
    [
      [0, 0],
      [0.085, 0],
      [0.088, 0.01],
      [0.075, 0.02],
      [0, 0.024],
    ],
    [-0.1, 0, 0],
    24,
  )
  s.tube(
    grey,
    [
      [-0.1, 0, 0.02],
      [-0.17, 0, 0.24],
    ],
    0.007,
    8,
  )
  s.ball(metal, [0.016, 0.016, 0.016], [-0.17, 0, 0.24], 10)
  s.tube(
    grey,
    [
      [-0.17, 0, 0.24],
      [0.02, 0, 0.42],
    ],
    0.007,
    8,
  )
  s.ball(metal, [0.016, 0.016, 0.016], [0.02, 0, 0.42], 10)
  s.at(
    [0.06, 0, 0.4],
    () => {
      s.lathe(
        metal,
        [
          [0.08, -0.08],
          [0.072, -0.05],
          [0.04, 0],
          [0.028, 0.03],
          [0, 0.04],
        ],
        [0, 0, 0],
        22,
      )
      s.lathe(
        finish('lamp inside', [255, 244, 214], { glow: 0.9 }),
        [
          [0, -0.01],
          [0.038, -0.01],
          [0.078, -0.079],
        ],
        [0, 0, 0],
        22,
      )
      s.ball(glowing([255, 246, 222]), [0.024, 0.024, 0.03], [0, 0, -0.04], 12)
    },
    { pitch: -38 },
  )
}

function candle(s: Sculpture, random: Random): void {
  const count = random.pick([1, 3])
  s.holds('candle', count)
  const wax = finish(
    'wax',
    random.pick([
      [250, 242, 220],
      [196, 52, 44],
      [240, 226, 200],
    ] as const),
    { roughness: 0.5 },
  )
  const base = random.pick([brass(), wood('walnut'), marble()])
  if (count === 3) s.box(base, [0.11, 0.3, 0.02], [0, 0, 0.01], 0.006)
  for (let i = 0; i < count; i++) {
    const y = count === 1 ? 0 : (i - 1) * 0.095
    const tall = random.range(0.1, 0.2)
    const r = count === 1 ? 0.036 : 0.03
    if (count === 1)
      s.lathe(
        base,
        [
          [0, 0],
          [0.065, 0],
          [0.075, 0.014],
          [0.07, 0.014],
          [0.06, 0.006],
          [0, 0.006],
        ],
        [0, 0, 0],
        22,
      )
    const z = count === 1 ? 0.006 : 0.02
    s.lathe(
      wax,
      [
        [0, 0],
        [r, 0],
        [r, tall - 0.006],
        [r - 0.005, tall],
        [r - 0.012, tall - 0.004],
        [0, tall - 0.008],
      ],
      [0, y, z],
      20,
    )
    s.tube(
      plastic([40, 34, 30]),
      [
        [0, y, z + tall - 0.01],
        [0, y, z + tall + 0.012],
      ],
      0.002,
      5,
    )
    s.lathe(
      glowing([255, 196, 84]),
      [
        [0, 0],
        [0.008, 0.01],
        [0.0095, 0.018],
        [0.005, 0.034],
        [0, 0.048],
      ],
      [0, y, z + tall + 0.004],
      10,
    )
  }
}

const lamp = (mount: ObjectKind['mount'], build: ObjectKind['build']): ObjectKind => ({ mount, oriented: false, build })

export const lighting = {
  lamp: lamp('surface', tableLamp),
  'floor lamp': lamp('floor', floorLamp),
  'ceiling lamp': lamp('ceiling', ceilingLamp),
  'light panel': lamp('ceiling', lightPanel),
  'desk lamp': { mount: 'surface', oriented: true, build: deskLamp },
  candle: lamp('surface', candle),
} as const satisfies Record<string, ObjectKind>
