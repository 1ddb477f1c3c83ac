/** Tables and desks. */
import type { Random } from '../../base/random.ts'
import { chrome, darkGlass, finish, glass, iron, marble, wood } from './finish-list.ts'
import type { ObjectKind, Surface } from './model.ts'
import { roundedRect } from './outline.ts'
import { anyWood, fourLegs, front, splayedLegs } from './parts.ts'
import { type Sculpture, curve } from './shapes.ts'
import { TAU, cosine, sine } from '../trig.ts'

const EDGE = 0.03

function top(depth: number, width: number, z: number): Surface {
  return { z, x: [-depth / 2 + EDGE, depth / 2 - EDGE], y: [-width / 2 + EDGE, width / 2 - EDGE] }
}

function table(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.2, 1.9)
  const d = random.range(0.76, 0.94)
  const h = random.range(0.73, 0.76)
  const body = anyWood(random)
  s.box(body, [d, w, 0.035], [0, 0, h - 0.0175], 0.01, 2)
  if (random.chance(0.6)) {
    fourLegs(s, body, d, w, h - 0.035, 0.065, 0.03)
    for (const x of [-1, 1]) s.box(body, [0.022, w - 0.18, 0.08], [x * (d / 2 - 0.065), 0, h - 0.075], 0.004)
    for (const y of [-1, 1]) s.box(body, [d - 0.18, 0.022, 0.08], [0, y * (w / 2 - 0.065), h - 0.075], 0.004)
  } else {
    const metal = iron()
    for (const y of [-1, 1]) {
      const side = y * (w / 2 - 0.16)
      for (const x of [-1, 1]) s.box(metal, [0.05, 0.05, h - 0.035], [x * (d / 2 - 0.09), side, (h - 0.035) / 2], 0.006)
      s.box(metal, [d - 0.14, 0.05, 0.04], [0, side, 0.02], 0.006)
      s.box(metal, [d - 0.14, 0.05, 0.04], [0, side, h - 0.055], 0.006)
    }
    s.box(metal, [0.05, w - 0.32, 0.04], [0, 0, h - 0.055], 0.006)
  }
  return [top(d, w, h)]
}

function roundTable(s: Sculpture, random: Random): readonly Surface[] {
  const r = random.range(0.45, 0.62)
  const h = 0.74
  const body = random.chance(0.25) ? marble() : anyWood(random)
  const leg = body.material.name.startsWith('marble') ? iron() : body
  s.lathe(
    body,
    [
      [0, h - 0.03],
      [r - 0.02, h - 0.03],
      [r, h - 0.018],
      [r, h - 0.008],
      [r - 0.008, h],
      [0, h],
    ],
    [0, 0, 0],
    40,
  )
  if (random.chance(0.6)) {
    s.lathe(
      leg,
      [
        [0, 0.05],
        [0.05, 0.06],
        [0.07, 0.16],
        [0.045, 0.3],
        [0.04, 0.5],
        [0.075, 0.64],
        [0.1, h - 0.035],
        [0, h - 0.03],
      ],
      [0, 0, 0],
      20,
    )
    for (let i = 0; i < 4; i++) {
      const c = cosine((i / 4) * TAU)
      const e = sine((i / 4) * TAU)
      s.tube(
        leg,
        curve(
          [
            [c * 0.03, e * 0.03, 0.15],
            [c * 0.16, e * 0.16, 0.12],
            [c * r * 0.66, e * r * 0.66, 0.025],
          ],
          4,
        ),
        (t) => 0.036 - t * 0.012,
        8,
      )
    }
  } else {
    splayedLegs(s, leg, r * 1.35, r * 1.35, h - 0.03, 0.028, 0.08)
  }
  const half = r * 0.62
  return [{ z: h, x: [-half, half], y: [-half, half] }]
}

function coffeeTable(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(0.85, 1.2)
  const d = random.range(0.5, 0.65)
  const h = random.range(0.38, 0.45)
  const body = anyWood(random)
  const kind = random.int(3)
  if (kind === 0) {
    s.at([0, 0, h - 0.012], () => s.extrude(glass(), roundedRect(d, w, 0.06), 0.012))
    fourLegs(s, body, d, w, h - 0.012, 0.05, 0.03)
    for (const y of [-1, 1]) s.box(body, [d - 0.16, 0.03, 0.05], [0, y * (w / 2 - 0.055), h - 0.04], 0.004)
    for (const x of [-1, 1]) s.box(body, [0.03, w - 0.16, 0.05], [x * (d / 2 - 0.055), 0, h - 0.04], 0.004)
    s.box(body, [d - 0.1, w - 0.1, 0.018], [0, 0, 0.14], 0.005)
  } else if (kind === 1) {
    s.at([0, 0, h - 0.03], () => s.extrude(body, roundedRect(d, w, d / 2, 9), 0.03))
    splayedLegs(s, body, d * 0.72, w * 0.72, h - 0.03, 0.02, 0.05)
  } else {
    s.box(body, [d, w, 0.04], [0, 0, h - 0.02], 0.008, 2)
    fourLegs(s, body, d, w, h - 0.04, 0.06, 0)
    s.box(body, [d - 0.06, w - 0.06, 0.022], [0, 0, 0.12], 0.005)
  }
  return [top(d, w, h)]
}

function desk(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(1.2, 1.6)
  const d = random.range(0.62, 0.75)
  const h = 0.735
  const body = anyWood(random)
  const grip = random.pick(['knob', 'bar'] as const)
  s.box(body, [d, w, 0.03], [0, 0, h - 0.015], 0.008, 2)
  const side = random.chance(0.5) ? 1 : -1
  // The drawers face who sits at it.
  const y = side * (w / 2 - 0.22)
  s.box(body, [d - 0.06, 0.4, h - 0.1], [-0.01, y, 0.07 + (h - 0.1) / 2], 0.004)
  const high = (h - 0.12) / 3
  for (let i = 0; i < 3; i++) front(s, body, d / 2 - 0.042, y, 0.085 + high * (i + 0.5), 0.4, high, grip)
  s.box(iron(), [d - 0.12, 0.34, 0.07], [-0.01, y, 0.035], 0.003)
  s.box(body, [d - 0.06, 0.03, h - 0.03], [0, -side * (w / 2 - 0.03), (h - 0.03) / 2], 0.005)
  s.box(body, [0.018, w - 0.4, 0.34], [-d / 2 + 0.06, -side * 0.18, h - 0.2], 0.003)
  return [top(d, w, h)]
}

/** A school desk for one or two. */
function schoolDesk(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.pick([0.7, 1.3])
  const d = 0.52
  const h = 0.72
  const metal = finish(
    'coated metal',
    random.pick([
      [70, 76, 84],
      [54, 96, 140],
      [170, 172, 176],
    ] as const),
    { roughness: 0.35 },
  )
  s.box(wood(random.pick(['beech', 'pine'] as const)), [d, w, 0.022], [0, 0, h - 0.011], 0.008, 2)
  for (const y of [-1, 1]) {
    const side = y * (w / 2 - 0.07)
    s.tube(
      metal,
      [
        [-d / 2 + 0.06, side, 0.012],
        [d / 2 - 0.05, side, 0.012],
      ],
      0.014,
      8,
    )
    s.tube(
      metal,
      [
        [-0.04, side, 0.012],
        [-0.06, side, h - 0.03],
      ],
      0.016,
      8,
    )
    s.tube(
      metal,
      [
        [-d / 2 + 0.08, side, h - 0.03],
        [d / 2 - 0.08, side, h - 0.03],
      ],
      0.014,
      8,
    )
  }
  s.tube(
    metal,
    [
      [-0.06, -w / 2 + 0.07, h - 0.08],
      [-0.06, w / 2 - 0.07, h - 0.08],
    ],
    0.012,
    8,
  )
  s.box(metal, [0.3, w - 0.2, 0.008], [-0.04, 0, h - 0.13], 0.002)
  return [top(d, w, h)]
}

function nightstand(s: Sculpture, random: Random): readonly Surface[] {
  const w = random.range(0.4, 0.5)
  const d = random.range(0.36, 0.42)
  const h = random.range(0.46, 0.56)
  const body = anyWood(random)
  const grip = random.pick(['knob', 'bar'] as const)
  splayedLegs(s, body, d - 0.06, w - 0.06, 0.13, 0.02, 0.02)
  s.box(body, [d - 0.02, w - 0.02, h - 0.14], [-0.01, 0, 0.12 + (h - 0.14) / 2], 0.004)
  s.box(body, [d, w, 0.022], [0, 0, h - 0.011], 0.006)
  const high = (h - 0.16) / 2
  for (let i = 0; i < 2; i++) front(s, body, d / 2 - 0.02, 0, 0.13 + high * (i + 0.5), w - 0.03, high, grip)
  return [{ z: h, x: [-d / 2 + 0.03, d / 2 - 0.03], y: [-w / 2 + 0.03, w / 2 - 0.03] }]
}

/** A small side table on one foot. */
function sideTable(s: Sculpture, random: Random): readonly Surface[] {
  const r = random.range(0.2, 0.27)
  const h = random.range(0.5, 0.6)
  const leg = random.chance(0.5) ? chrome() : iron()
  const body = random.pick([anyWood(random), marble(), darkGlass()])
  s.lathe(
    body,
    [
      [0, h - 0.02],
      [r - 0.004, h - 0.02],
      [r, h - 0.014],
      [r, h - 0.005],
      [r - 0.006, h],
      [0, h],
    ],
    [0, 0, 0],
    36,
  )
  s.cylinder(leg, 0.016, h - 0.03, [0, 0, 0.012], 12)
  s.lathe(
    leg,
    [
      [0, 0],
      [r * 0.72, 0],
      [r * 0.74, 0.008],
      [r * 0.6, 0.016],
      [0.03, 0.026],
      [0.016, 0.05],
    ],
    [0, 0, 0],
    32,
  )
  const half = r * 0.6
  return [{ z: h, x: [-half, half], y: [-half, half] }]
}

const plain = (build: ObjectKind['build']): ObjectKind => ({ mount: 'floor', oriented: false, build })

export const tables = {
  table: plain(table),
  'round table': plain(roundTable),
  'coffee table': plain(coffeeTable),
  'side table': plain(sideTable),
  desk: { mount: 'floor', oriented: true, build: desk },
  'school desk': plain(schoolDesk),
  nightstand: { mount: 'floor', oriented: true, build: nightstand },
} as const satisfies Record<string, ObjectKind>
